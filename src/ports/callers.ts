// callers: the processes that speak to runs. Who this process is, whether an agent of ours is above it, and whether a
// message in an inbox comes from a lockstep command that is still there.
// C1. A message is taken only from a process that is alive, stands by exactly this content, and is below no agent. An
//     answer is a person's, so it is not taken from below a step either: its command may run what an agent wrote; nor from
//     below a client that `lockstep mcp` leads or whose session is held.
// C2. Where the system does not show other processes, the channel says that it was not checked.

import type { Channel } from '../model/entry.ts';
import type { InboxMessage } from './store.ts';

export interface Callers {
  /** The agent that this process runs below, as `<run>/<step>`; undefined: none that can be seen. */
  agentAbove(): string | undefined;
  /** The step whose command this process runs below, in the same form. */
  stepAbove(): string | undefined;
  /** The client of an MCP server of ours, or one whose sessions are held, that this process runs below: its name and number; undefined: none that can be seen. */
  clientAbove(): string | undefined;
  /** A client is led: the one that started this process, or the one at this port of loopback. It stays known when its server is gone. */
  noteClient(port?: number): void;
  /** A session of the client whose hook that process is is held to a workflow. */
  noteHook(pid: number): void;
  /** How a word that is given in this process reaches the run. */
  channel(kind: Channel['kind']): Channel;
  /** Makes a message that `check` accepts until `open` is called. */
  seal(message: InboxMessage): Promise<SealedMessage>;
  check(message: InboxMessage): CheckedMessage;
}

export interface SealedMessage {
  /** Names the message, whatever its file is called. */
  id: string;
  message: InboxMessage;
  /** The process no longer stands by it. */
  open(): void;
}

export type CheckedMessage =
  | { id: string; channel: Channel; refused?: undefined }
  /** `id` is what the content says, which anybody may have copied. */
  | { id: string; refused: string };

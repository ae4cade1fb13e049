// hosting: a run in hand: made or taken, folded, shown, written down, and given back. Every drive stands on it.
// Owns: pinning, the lease's life, the fold, the views and records on disk. Never: takes a turn or refuses one (drivers/),
// prints, asks, decides what is next (engine/).
// H1. A run is pinned before its first entry, and goes on from what was pinned (S2).
// H2. The lease is held for the length of a call, and given back however the call ends. Two calls at once are refused.
// H3. Between two calls a run is warm: what was folded is used again where the journal ends as it was left (length and last
//     hash), else it is folded anew. A call that failed leaves nothing warm.
// H4. One observer is told everything, and of a change only after it is durable (J2).
// H5. Views and records are no truth (J1): what is wrong with them is mended from the journal.

import type { Holder } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Script } from '../model/script.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Agents } from '../ports/agent.ts';
import type { Callers } from '../ports/callers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Processes } from '../ports/processes.ts';
import type { Rooms } from '../ports/rooms.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import type { Tracker } from '../ports/tracker.ts';
import type { Workspaces } from '../ports/workspace.ts';
import type { Worktrees } from '../ports/worktrees.ts';
import type { perform } from '../runtime/perform/perform.ts';

export type { HeldRun, Observer } from './held-run.ts';
export { type HostedRun, hostRun } from './hosted-run.ts';
export { type LookedAt, lookAtRun } from './look-at-run.ts';
export { makeRun, type StartRequest } from './make-run.ts';
export { type ReadRun, readRun, readUntil } from './read-run.ts';
export { type RunRow, runRow } from './run-row.ts';
export { answered, type PersonsAnswer, tellRun } from './tell.ts';

/** What runs are hosted with: the ports, and who we are. */
export interface Hosting {
  store: Store;
  clock: Clock;
  workspaces: Workspaces;
  /** Absent: there are none, and what asks for one works in place. */
  worktrees?: Worktrees;
  /** Clones in which tests run. Absent: there are none. */
  rooms?: Rooms;
  processes: Processes;
  /** Records of live sessions. Absent: handlers that need one say so. */
  sessions?: Sessions;
  /** Who looks at the senders of messages. Absent: whoever can write into an inbox is believed. */
  callers?: Callers;
  /** The issues of the project; loaded when somebody asks. */
  tracker(): Promise<Tracker>;
  /** How a client starts our own MCP server for an agent of a run. Absent: agents are given none. */
  ownServer?(run: string, tools: readonly string[]): JsonObject;
  /** Who answers the prompts of this workflow; a script answers all of them. */
  agentsFor(workflow: Workflow, script: Script | undefined): Agents;
  environment: Record<string, string>;
  /** The folder of the program that git finds where a step pushes and may not. */
  fence?: string;
  holder: Holder;
  /** Removes what processes of ours that were killed have left on the machine: this one, and others. */
  sweep?(killed: Holder): Promise<unknown>;
  /** sha256, hex. */
  hash(text: string): string;
  /** The text of a definition as it is now, by its absolute path; undefined: it cannot be read. */
  readDefinition?(path: string): string | undefined;
  /** Stands between the loop and every effect. Absent: the runtime performs. */
  perform?: typeof perform;
}

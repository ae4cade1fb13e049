// context: what an effect is performed with, and what comes of it.

import type { Bounds } from '../../engine/guard.ts';
import type { Perform, Place, WorkspaceAt } from '../../model/command.ts';
import type { Fact, Failure, Outcome, Seen, Usage, Worktree } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Agents } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Processes } from '../../ports/processes.ts';
import type { OpenRun } from '../../ports/store.ts';
import type { Tracker } from '../../ports/tracker.ts';
import type { GlobSyntax, Workspace } from '../../ports/workspace.ts';
import type { Worktrees } from '../../ports/worktrees.ts';
import type { Mask } from '../mask.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { LiveSession } from './live-session.ts';
import type { SessionMemory } from './session-facts.ts';

/** `cancel` is not performed: the loop calls `cancel` on what is under way. */
export type Performable = Exclude<Perform, { kind: 'cancel' }>;

export type CancelReason = 'cancelled' | 'interrupted' | 'limit' | 'timeout-of-run';

export type Performed =
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'observed'; facts: Fact[]; seen?: Seen }
  | { kind: 'worktree'; worktree?: Worktree; warnings?: string[]; error?: Failure }
  /** A prompt is ready for the client. */
  | { kind: 'handed'; prompt: string; system?: string; warnings?: string[] }
  /** A delay is over. */
  | { kind: 'due' };

/** Over already, or under way. `done` never rejects. */
export type Performing =
  | { now: Performed }
  | {
      now?: undefined;
      done: Promise<Performed>;
      /** Ends it; `done` then resolves with an outcome that says so, once all its processes are gone. Safe to call twice. */
      cancel(reason: CancelReason): void;
    };

export interface PerformContext {
  runId: string;
  /** Nothing is made but the records of the run. */
  isDryRun?: boolean;
  /** Logs and artifacts go here; `location` is what commands see as LOCKSTEP_RUN_ROOT. */
  run: Pick<OpenRun, 'openLog' | 'openArtifact' | 'location'>;
  /** The run's own; of an effect that happens elsewhere, that one. */
  workspace: Workspace;
  /** Another one of this run, opened once, and who changes what in it. */
  at?(place: WorkspaceAt): Pick<PerformContext, 'workspace' | 'changes'>;
  worktrees?: Worktrees;
  agents: Agents;
  processes: Processes;
  clock: Clock;
  /** The issues of the project; loaded when somebody asks. */
  tracker(): Promise<Tracker>;
  /** Our own MCP server for an agent of this run, as `mcp_servers` says one: these tools and no others. Absent: there is none. */
  ownServer?(run: string, tools: readonly string[]): JsonObject;
  /** Ours: what children inherit. Secrets that any step declares reach only the steps that declare them, */
  environment: Record<string, string>;
  /** unless this is set: `policy.secrets: inherited`. */
  inheritSecrets?: boolean;
  /** The folder of `git-remote-lockstep`, which says who pushes. */
  fence?: string;
  /** Made from every secret that the workflow declares anywhere. */
  mask: Mask;
  /** One for each workspace: `createChangeWatch(workspace)`. */
  changes: ChangeWatch;
  /** What binds an agent besides its tools: the rules of its step and workflow, and what they may name, now. */
  rulesAt(place: Place): Pick<Bounds, 'rules' | 'names'> | undefined;
  /** One for the whole run: what agents did in sessions that may go on. */
  sessions: SessionMemory;
  /** The live session that this run holds, where there is one: for handlers that need one. */
  session?: LiveSession;
  /** `policy.keep_stdout`; `always` unless said otherwise. */
  keepStdout?: 'always' | 'truncated';
  /** `policy.globs`; `extended` unless said otherwise. */
  globs?: GlobSyntax;
  signals: {
    /** A signal that came before its wait, once. */
    take(name: string): Json | undefined;
    /** Calls back once; the answer ends the waiting. */
    wait(name: string, callback: (data: Json) => void): () => void;
  };
  /** For the live display; masked. */
  report(event: LiveEvent): void;
  /** Where somebody asked for it: how this was made ready, for people who look for a mistake. Masked by who keeps it. */
  debug?(place: Place, topic: DebugTopic, text: string): void;
  /** W3C trace context for what this place starts, where the run is traced. */
  traceparent?(place: Place): string;
  /** By the name of the effect. Cumulative within one dispatch: the latest figure replaces the one before. */
  onUsage(effect: string, usage: Usage): void;
}

export type DebugTopic = 'dependencies' | 'parameters' | 'command' | 'environment' | 'files';

export type LiveEvent = Place &
  /** `aside`: chatter of a client, not what it is doing. */
  (
    | { kind: 'output'; stream: 'stdout' | 'stderr'; bytes: number; line: string; aside?: true }
    | { kind: 'text'; text: string }
    | { kind: 'tool'; tool: string; summary: string; denied?: string }
    | { kind: 'tool-result'; tool: string; summary: string; failed?: true }
    | { kind: 'warning'; message: string }
    | { kind: 'debug'; message: string }
  );

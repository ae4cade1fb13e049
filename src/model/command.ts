// command: what `decide` wants. Everything decided is an entry to append; some entries announce an effect.

import type { Claim, EntryBody, KeptTree, Need, Usage, Worktree } from './entry.ts';
import type { GitOrders } from './git-checks.ts';
import type { Json, JsonObject } from './json.ts';
import type { Capture, Milliseconds, ProgramResult, ToolPolicy } from './workflow.ts';

export interface Command {
  entry: EntryBody;
  perform?: Perform;
}

/** A command line with everything filled in. */
export type ResolvedCommand = { kind: 'argv'; argv: string[] } | { kind: 'shell'; line: string };

export interface ResolvedReads {
  files: string[];
  optional: string[];
  inject: 'list' | 'content' | 'none';
  instruction?: string;
  position: 'prepend' | 'append';
}

/** Which step, and which part of it: names the effect, its logs and its place in the journal. */
export interface Place {
  path: string;
  part?: string;
}

/** A workspace that is not the run's own: its folder, and the commit that `changed()` counts from. */
export interface WorkspaceAt {
  root: string;
  since: string;
}

/** What every dispatched piece of work carries. */
interface Dispatch extends Place {
  /** Where it happens; absent: in the workspace of the run. */
  workspace?: WorkspaceAt;
  /** Present in a worktree of the run. */
  git?: GitOrders;
  try: number;
  env: Record<string, string>;
  secrets: string[];
  timeout?: Milliseconds;
  capture: Capture;
  /** `policy.keep_stdout`. */
  saveTo?: string;
  reads?: ResolvedReads;
  /** A crash came while this very effect was under way, and it is done again: it may have happened (E4). */
  again?: true;
  /** `done.schema`: looked at when the output is there; what does not fit is journaled as `violations`. */
  schema?: { name: string; schema: JsonObject };
  /** The same, from a file of the workspace that is read then. */
  schemaFile?: string;
  /** It is the program of a gate: its output becomes a review, and it may change nothing. */
  review?: ProgramResult;
  /** The outcome is to have a mark of the tree as it was when this began. */
  mark?: true;
}

export interface RunCommand extends Dispatch {
  kind: 'run-command';
  command: ResolvedCommand;
  /** A file of the workspace that is its standard input. */
  stdin?: string;
}

export interface RunAgent extends Dispatch {
  kind: 'run-agent';
  agent?: string;
  system: string;
  prompt: { kind: 'text'; text: string } | { kind: 'file'; path: string };
  /** Why the last try was not accepted; empty on the first. */
  feedback: string[];
  provider?: string;
  model?: string;
  params: JsonObject;
  tools: ToolPolicy;
  /** The provider's own id of the session to go on in. */
  session?: string;
  /** What that session had used when it was last heard of. */
  sessionTotals?: Usage;
  /** What is left of `limits.cost`, in US dollars. */
  budget?: number;
  /** How many times this step was handed out before: at this path, and under this id anywhere. */
  dispatch: { path: number; id: number };
  /** True inside a `parallel` or concurrent `each` (rule 6), and for a gate, which only looks. */
  concurrent: boolean;
  /** What a person said when this, or a block around it, was to run again. */
  notes?: string[];
  /** What it asked a person as a blocker, and was told. */
  told?: { question: string; answer: string }[];
  /** The last of it is new: the session of that question goes on. */
  answered?: true;
  /** Nobody goes on in its session, and a person who goes on in their latest one must not find this. */
  passing?: true;
}

/** The same prompt, for a client that is led: put together, and handed over. Ends in `step-handed`. */
export interface HandOut extends Omit<RunAgent, 'kind'> {
  kind: 'hand-out';
}

/** What a client handed in becomes an outcome, as the answer of an agent does. */
export interface WeighClaim extends Dispatch {
  kind: 'weigh-claim';
  claim: Claim;
  session?: string;
  /** The output is the claim as it came, and not an answer in it. */
  takesClaim: boolean;
}

export interface CallHandler extends Dispatch {
  kind: 'call-handler';
  handler: string;
  with: JsonObject;
  /** What it is given holds a masked secret, and so will what it gives. */
  masked?: true;
}

export type Wait = Place &
  (
    | {
        kind: 'wait-files';
        workspace?: WorkspaceAt;
        files: string[];
        min: number;
        every: Milliseconds;
        timeout?: Milliseconds;
        since?: number;
      }
    | { kind: 'wait-signal'; signal: string; timeout?: Milliseconds; since?: number }
    | { kind: 'wait-time'; duration: Milliseconds; since?: number }
  );

/** A look at what is approved, or will be. `begun`: the workspace before the step began, where that is known. */
export type ApprovalLook =
  | { moment: 'start' }
  | { moment: 'question'; output: Json; begun?: KeptTree }
  | { moment: 'answer'; output: Json; begun?: KeptTree; asked?: KeptTree };

export type Perform =
  | RunCommand
  | RunAgent
  | HandOut
  | WeighClaim
  | CallHandler
  | Wait
  /** The delay before a retry; ends in `retry-due`. */
  | { kind: 'sleep'; path: string; part?: undefined; duration: Milliseconds; since?: number }
  /** Ends in `observed`. Read-only: nothing is flushed first. */
  | {
      kind: 'observe';
      path: string;
      part?: undefined;
      needs: Need[];
      workspace?: WorkspaceAt;
      approval?: ApprovalLook;
    }
  /** Ends in `worktree-opened`. Done twice it is done once. */
  | {
      kind: 'open-worktree';
      path: string;
      part?: undefined;
      /** The checkout it belongs to. */
      project: string;
      /** Starts from what is checked out here. */
      from: string;
      worktree: Pick<Worktree, 'path' | 'branch'>;
      /** The workflow names the branch: one that is there already is somebody else's. */
      isNew?: true;
    }
  | ({ kind: 'cancel'; why: string } & Place);

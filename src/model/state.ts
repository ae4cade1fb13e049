// state: what `fold` makes of a journal. It carries the frontier and nothing else (E2): open steps, open lists,
// the scopes they see. A closed step leaves its result in its scope and no more.

import type {
  ApprovalMoment,
  Claim,
  Cut,
  Driven,
  Entry,
  Fact,
  Failure,
  KeptTree,
  Outcome,
  Overrides,
  QuestionKind,
  RunFacts,
  Seen,
  SessionHappening,
  Shown,
  SkipReason,
  Skips,
  Usage,
  Worktree,
  WorktreeSite,
} from './entry.ts';
import type { LeftBehind } from './git-checks.ts';
import type { Json, JsonObject } from './json.ts';
import type { SessionKey } from './live-session.ts';
import type { Limits, Step, Workflow } from './workflow.ts';

export type RunStatus = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'cancelled';
export type StepStatus = 'done' | 'failed' | 'skipped';
/** For who looks on: what was cancelled has failed or was skipped for the engine. */
export type Ended = StepStatus | 'cancelled';

/** An entry and what `fold` made of it: all that a view needs to know. */
export interface Told {
  entry: Entry;
  notices: readonly Notice[];
  /** Milliseconds that the run has spent, up to the entry. */
  elapsed: number;
  /** Whether its time goes on after the entry. */
  isSpending: boolean;
}

/** What an entry did to a step, or to a pass of a loop, beside what it says itself (engine/notices.ts). */
export type Notice =
  /** It is under way, for the first time or again. */
  | { kind: 'begun'; path: string }
  /** How it ended is known. */
  | { kind: 'settled'; path: string; as: Ended; error?: Failure }
  /** It is over; what holds it goes on with what follows, or does not. */
  | { kind: 'closed'; path: string; as: Ended; goesOn: boolean };

/** Which members of a value were made from a part of an output; '': all of it was (engine/cut.ts). */
export type Cuts = ReadonlyMap<string, Cut>;

/** What `steps.x` shows (rule 2); `session` is for `session: x` and is not shown. */
export interface StepResult {
  status: StepStatus;
  output: Json;
  exit_code: number | null;
  stderr: string;
  tries: number;
  duration_ms: number;
  error: Failure | null;
  /** Present where `on_parse_error: keep` kept the text. */
  parse_error?: 'invalid' | 'overflow';
  /** Of its own worktree. */
  branch?: string;
  session?: string;
  /** What git had when it was done, of a step that is verified for another. */
  git?: { head: string; tree: string };
  /** Of `output`, and not shown either. */
  cuts?: Cuts;
}

/** Opened by the root, a called workflow and every `each` pass; reads go to the parent (rule 1). */
export interface Scope {
  /** Absent on the root of a workflow: a called one sees its inputs only. */
  parent?: Scope;
  workflow: Workflow;
  inputs: JsonObject;
  /** Shared by every scope of one workflow. */
  vars: Map<string, Json>;
  steps: Map<string, StepResult>;
  names: Map<string, Json>;
  /** `pass` of an `each`; a loop keeps its own on the open step. */
  pass?: Pass;
  /** By `names.x`, `vars.x` and `inputs.x`. */
  cuts?: Map<string, Cuts>;
  /** The last verdict of every gate, by its source and what it was given. */
  verdicts?: Map<string, Verdict>;
}

/** What a gate said, and what the tree looked like when it looked. */
export interface Verdict {
  output: Json;
  mark?: string;
}

export interface Pass {
  index: number;
  number: number;
  total: number;
}

/** A list of steps under way: the root, a sequence, a loop pass, an `each` pass, a called workflow. */
export interface OpenList {
  /** '' for the root; children are `${prefix}${id}`. */
  prefix: string;
  steps: Step[];
  index: number;
  scope: Scope;
  /** Absent on the root of the run. */
  owner?: OpenStep;
  pass?: Pass;
  visits: Map<string, number>;
  /** Prompts handed out here, by step id: which scripted answer is next. */
  dispatches?: Map<string, number>;
  /** Value of the last step that ran. */
  value: Json;
  cuts?: Cuts;
  /** The step that is open now, or the failed one a resume starts from. */
  child?: OpenStep;
  failed?: Failure;
  /** Of a pass of a loop: who listens was told that it is. */
  underWay?: true;
}

export interface Skip {
  reason: SkipReason;
  why: string;
}

/** The children of `parallel` and `each`. */
export interface Fan {
  total: number;
  next: number;
  open: number;
  concurrency: number;
  items?: Json[];
  outputs: Json[];
  /** Of those that have ended; undefined again for one that runs again. */
  statuses: (StepStatus | undefined)[];
  /** Set by the first failure: nothing new starts. */
  failure?: Failure;
  /** What was never started because of it is on record. */
  leftOut: boolean;
  failed: number;
  /** Of children that were skipped. */
  skips?: Map<number, Skip>;
  /** `order: dependencies`: for each item, the numbers of those it needs. */
  dependencies?: number[][];
  /** Then also: items that have not begun, in order. `next` counts those that have. */
  waiting?: number[];
  children: Map<number, OpenStep>;
  /** Of the outputs, by number; of the list of items. */
  cuts?: Map<number, Cuts>;
  itemCuts?: Cuts;
}

export type Stage = 'if' | 'worktree' | 'enter' | 'work' | 'done' | 'exit' | 'next' | 'do' | 'held';

/** Where an open step is: engine/places.ts has the table, and is the only one to change it. */
export type Place = 'moving' | 'ready' | 'running' | 'asked' | 'handed' | 'inside' | 'closed';

export interface OpenStep {
  path: string;
  step: Step;
  list: OpenList;
  /** What its expressions see: the list's, or its own for a pass of `each`. */
  scope: Scope;
  /** Its number among the children of a fan. */
  index?: number;
  readonly place: Place;
  stage: Stage;
  /** Which action or check of the stage. */
  cursor: number;
  try: number;
  retries: number;
  startedAt: number;
  outcome?: Outcome;
  /** Of a block: of its value. */
  cuts?: Cuts;
  /** Set when the work of this stage has an outcome that `decide` has not looked at. */
  pending?: Outcome;
  /** The rule of `next` by which an event left it. */
  chosen?: number;
  /** Where it was asked to go once its work is accepted. */
  goal?: string;
  status?: StepStatus;
  error?: Failure;
  /** It ran before: asked for again, it runs again, whatever its `if` says by now. */
  entered: boolean;
  feedback: string[];
  session?: string;
  /** `done.approve`: its workspace before it began. */
  begun?: Extract<Seen, { moment: 'start' }>;
  /** A look for an approval is under way. */
  looking?: ApprovalMoment;
  /** `done.approve`: what is to be shown with the question that comes next. */
  toShow?: Extract<Seen, { moment: 'question' }>;
  /** A person approved, and it is not known yet whether what they were shown is still so. */
  approved?: { part?: string; by: string; digest: string; tree?: KeptTree };
  /** An approval that did not count: who gave it, and what had changed. */
  outdated?: { by: string; changed: string[] };
  /** `done.run` of a step that asks for approval: the last run of each, by part. */
  checked?: Map<string, { command: string; lines: string[] }>;
  /** What was seen of the world for the decision at hand. */
  facts?: Map<string, Fact>;
  /** Why the world could not be looked at for it. */
  unseen?: string;
  /** What a client handed in, until it is known what it is worth. */
  claim?: { claim: Claim; by: string; session?: string };
  /** Its key in `running`, while it is there. */
  effect?: string;
  rule?: number;
  /** Left by a goto (`to`), or cancelled because something around it ended: no retry, no next, no on_fail. */
  leaving?: { to?: string; why: string };
  /** Its own time is up; unlike `leaving`, `next` and `on_fail` still apply. */
  expired: boolean;
  /** A crash came while it ran. */
  doubt?: Running;
  /** The effect that a crash or an interruption cut short, and that is to be done again. */
  again?: { part?: string };
  /** A person said no, and why. */
  refusal?: string;
  /** What it asked a person as a blocker, and was told; in order. */
  told?: { question: string; answer: string }[];
  /** What a person said with `again` when it was held: for every prompt in it. */
  notes?: string[];
  /** That is the last that happened: it goes on from there. */
  answered?: true;
  skip?: Skip;
  /** `retry-scheduled` and not due yet. */
  delay?: number;
  body?: OpenList;
  fan?: Fan;
  pass: number;
  /** `workspace: worktree`: everything in it happens there. */
  worktree?: Worktree;
  /** The commit that its worktree stood at when its work was first begun; when it was begun this time. */
  gitSince?: string;
  gitFrom?: string;
  /** What git had when the last effect of it was over. */
  gitSeen?: { head: string; tree: string };
  /** Why it has none. */
  withoutWorktree?: Failure;
  /** Who listens was told that it is, and that it is no longer: it was interrupted. */
  underWay?: true;
  interrupted?: true;
}

/** An effect under way. */
export interface Running {
  open: OpenStep;
  part?: string;
  /** The verb of an attempt, or what else the runtime does for the step. */
  verb: string;
  /** What a `wait: { signal }` waits for. */
  signal?: string;
  startedAt: number;
  cancelled: boolean;
  /** In doubt, and that is on record. */
  told?: boolean;
}

/** A block with a `timeout`, in running time: pauses do not count. */
export interface Timer {
  open: OpenStep;
  dueAtElapsed: number;
}

export interface OpenQuestion {
  open: OpenStep;
  part?: string;
  question: QuestionKind;
  /** The number of its entry: what tells one asking from the next at the same path. */
  asked: number;
  text: string;
  choices?: Json[];
  reasons: string[];
  shown?: Shown;
  askedAt: number;
  deadline?: number;
  accept: string[];
  reject: string[];
}

/** What is known of the live session that a run holds. All of it is a fold of the journal, and bounded. */
export interface Live {
  /** Absent: none is bound yet. */
  session?: SessionKey;
  source: string;
  boundAt: number;
  /** What records of sessions say of it: `title`, `parent`, `previous_summary`, `handoff`, `context_restored`, `todos`. */
  record: JsonObject;
  artifacts: Map<string, string>;
  /** The last event; `session` and `event` of expressions. */
  event: SessionHappening | undefined;
  /** The latest prompt of a person since the step was entered. */
  prompt: string;
  filesRead: Set<string>;
  filesModified: Set<string>;
  calls: number;
  errors: number;
  observations: Observation[];
  /** Of the step that the session is at: since it was entered. */
  visit: Visit;
  /** Texts that wait to be said, by the number of their entry. */
  pending: Map<number, string>;
  /** The step whose text was last to be said, and the number of that entry. */
  handing?: { path: string; n: number };
  /** Calls that a person was asked about; true: agreed, and not used yet. */
  asked: Map<string, boolean>;
  /** Stops that were held since the last tool call. */
  stopsInRow: number;
  /** Files that changed although the step may not write. */
  changed: string[];
  /** The last calls that were judged, by the client's names for them. */
  judged: Set<string>;
  /** Calls of the step that have not ended, with what the tree was like before each. */
  windows: Map<string, string>;
  /** What the tree was like when last nothing had changed that may not. */
  clean?: string;
  /** Actions of events that wait for those before them. */
  waiting: OpenStep[];
  /** Actions of an event that are under way. */
  acting?: OpenStep;
  /** The session has ended. */
  isOver: boolean;
  /** A person switched the holding off, and not on again. */
  isOff?: boolean;
}

export interface Observation {
  tool: string;
  about: string;
  error: string;
  text: string;
}

export interface Visit {
  path: string;
  at: number;
  actions: number;
  errors: number;
  filesModified: Set<string>;
  stops: number;
  tests: '' | 'passed' | 'failed';
}

/** A step that a client works on. */
export interface Handed {
  open: OpenStep;
  try: number;
  prompt: string;
  system?: string;
  /** The number of its entry. */
  n: number;
  at: number;
}

export interface Totals {
  input_tokens: number;
  output_tokens: number;
  /** Sum of the known ones. */
  cost: number;
  /** How many answers had no known price. */
  unpriced: number;
  turns: number;
}

export type Ending =
  /** What runs is let finish, and nothing new begins: somebody else goes on from there. */
  | { to: 'handed-over' }
  | { to: 'interrupted' | 'cancelled'; by: string; why?: string }
  | { to: 'failed'; path?: string; error: Failure };

export interface State {
  status: RunStatus;
  n: number;
  lastAt: number;
  /** Time spent running, pauses excluded. */
  elapsed: number;
  run: RunFacts;
  /** Absent: none can be made, and what asks for one works where the run does. */
  worktrees?: WorktreeSite;
  /** The run's own, where it has one. */
  worktree?: Worktree;
  /** By the folder of a worktree: where it was last seen. */
  heads: Map<string, string>;
  /** The same: what a step that only reads has left there. */
  left: Map<string, LeftBehind>;
  skips: Skips;
  overrides: Overrides;
  limits: Limits;
  /** Those that a resume has raised; they hold in called workflows too. */
  raised: Partial<Limits>;
  root: OpenList;
  /** Where places wait; `Place` says which. */
  readonly ready: ReadonlyMap<string, OpenStep>;
  readonly running: ReadonlyMap<string, Running>;
  readonly questions: ReadonlyMap<string, OpenQuestion>;
  readonly handed: ReadonlyMap<string, Handed>;
  driven: Driven;
  /** Present in a run that holds a live session. */
  live?: Live;
  timers: Map<string, Timer>;
  signals: Map<string, Json[]>;
  /** Inbox messages that are in the journal. */
  messages: Set<string>;
  /** Prompts handed out in the whole run, by step id. */
  dispatches: Map<string, number>;
  totals: Totals;
  /** By session id: what its client's counters said last. The next dispatch in it starts from there. */
  sessionTotals: Map<string, Usage>;
  continuedPast: number;
  /** Some value holds a masked secret (mask-mark.ts). */
  masked?: true;
  ending?: Ending;
  outputs: JsonObject;
  error?: Failure;
  failedAt?: string;
  /** What the last entry did to steps. Absent: nobody listens. */
  notices?: Notice[];
}

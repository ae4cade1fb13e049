// workflow: what the compiler makes and the engine runs. Plain JSON: it is pinned as workflow.json (S2).
// Nothing here is optional because an earlier stage may not have filled it in: a Workflow is whole.

import type { GitCheck } from './git-checks.ts';
import type { Json, JsonObject } from './json.ts';

/** A CEL expression, checked at load. */
export type Cel = string;
/** Text with `{{ cel }}` and `{% %}`, checked at load. A text that is one `{{ }}` keeps the value's type. */
export type Template = string;
/** JSON in which every string (not the keys) is a Template. */
export type Templated = Json;
export type Milliseconds = number;

/**
 * `wrangler`, `gobby`: the project's `.wrangler/` and `.gobby/`, whose files are written in those dialects. `gobby-user`: the
 * user's own `.gobby/`.
 */
export type Layer = 'file' | 'project' | 'wrangler' | 'gobby' | 'user' | 'gobby-user' | 'builtin' | 'inline';
export type SourceKind = 'workflow' | 'agent' | 'prompt' | 'gate' | 'schema' | 'script' | 'input';

/** A text that went into the workflow. Steps refer to it by its index in `Workflow.sources`. */
export interface Source {
  kind: SourceKind;
  name: string;
  layer: Layer;
  /** As given to the user: relative to the project where it lies inside it. */
  path: string;
  /** sha256 of the text, hex. */
  hash: string;
  dialect?: string;
}

/** `any`: whatever JSON is given. */
export type InputType = 'string' | 'number' | 'boolean' | 'list' | 'map' | 'file' | 'any';
/** What a project says about itself. */
export type InputFinder = 'test-command';
export interface InputDeclaration {
  type: InputType;
  description?: string;
  /** Absent: the input is required, unless `required` says otherwise. */
  default?: Json;
  /** It may be left out; reading it then is reading a value that is not there (rule 16). */
  required?: false;
  choices?: Json[];
  /** Looked up in the project at the start, where it is not given; `default` only where nothing is found. */
  find?: InputFinder;
  /** Only a person gives it: a client that is led through the workflow does not choose how it is held. */
  by?: 'person';
}

export interface Limits {
  duration?: Milliseconds;
  step?: Milliseconds;
  cost?: number;
  tokens?: number;
  turns?: number;
  visits: number;
  stopBlocks: number;
}

export type OnFail = 'stop' | 'pause' | 'continue';
export type WorkspaceMode = 'here' | 'worktree';

export interface Guard {
  unenforceable: 'error' | 'warn';
  engineDown: 'block' | 'allow';
}

export interface Invariant {
  every: string;
  after: string;
}

export interface Policy {
  onChanged: 'pinned' | 'refuse';
  state: 'coalesced' | 'every-step';
  keepStdout: 'always' | 'truncated';
  pausedExit: number;
  /** What branches of worktrees begin with. Absent: `lockstep`. */
  branchPrefix?: string;
  dirs: { inbox?: string; processed?: string; failed?: string; taskExtension?: string };
  /**
   * What every pattern of the workflow means (reads, wait, files()). Absent: extended. posix: only `*` `?` `[…]`, files
   * and folders, a leading dot only where the pattern has one, in byte order.
   */
  globs?: 'extended' | 'posix';
  /** Who gets a secret that some step declares. Absent: declared, only the steps that do; inherited: every step. */
  secrets?: 'declared' | 'inherited';
  /** Checks against git that are switched off. Absent: none is. */
  withoutGit?: GitCheck[];
}

/** A provider template of the workflow's own: a command that is the agent. */
export interface CommandProvider {
  command: Template[];
  /** Where the prompt goes; `none`: nowhere. */
  input: 'argv' | 'stdin' | 'none';
  /** A parameter that is null is declared and has no value. */
  defaults: JsonObject;
}

export interface Reference {
  id: string;
  title?: string;
  source: string;
  purpose?: string;
  authoritative?: boolean;
  from: 'workspace' | 'package';
}

export interface ToolPolicy {
  /** Absent: all. `[]`: none. */
  allow?: string[];
  deny: string[];
}

export interface Rule {
  when: Cel;
  block?: Template;
  ask?: Template;
  warn?: Template;
  rewrite?: Templated;
}

export type SessionEvent =
  | 'session_start'
  | 'user_prompt'
  | 'tool_call'
  | 'tool_result'
  | 'stop'
  | 'compact'
  | 'session_end';

export interface Workflow {
  lockstep: 1;
  name: string;
  description?: string;
  /** Of the root, with those of all it calls: every index points here. A called workflow's own list is empty. */
  sources: Source[];
  inputs: Record<string, InputDeclaration>;
  vars: JsonObject;
  limits: Limits;
  onFail?: OnFail;
  workspace: WorkspaceMode;
  guard: Guard;
  invariants: Invariant[];
  policy: Policy;
  providers: Record<string, CommandProvider>;
  references: Reference[];
  guidance: Template[];
  tools: ToolPolicy;
  rules: Rule[];
  events: Partial<Record<SessionEvent, Action[]>>;
  outputs: Record<string, Templated>;
  steps: Step[];
  /** Every workflow that a `workflow:` step names, transitively. Only the root has any. */
  workflows: Record<string, Workflow>;
  /** What only some drives can do, where it stands, and what such a drive has. The others refuse it by name. */
  refused: { what: string; where: string; needs: 'session' }[];
}

// ── The work of a step ──────────────────────────────────────────────────────────────────────────

/** Who performs a prompt; resolved at load (step > agent > defaults). */
export interface Performer {
  agent?: { name: string; source: number; system: Template };
  /** Absent: the first client found. */
  provider?: string;
  model?: string;
  /** Rendered when the step is dispatched; the keys are as they are. */
  params: Record<string, Templated>;
  tools: ToolPolicy;
}

export interface PromptTemplate {
  kind: 'template';
  /** The library name, or absent for `{ text }`. */
  name?: string;
  source?: number;
  text: Template;
  /** A prompt that declares inputs sees only those, and `run`. */
  inputs?: string[];
}
export interface PromptFile {
  kind: 'file';
  /** Read when the step starts and handed over as it is. */
  path: Template;
}

export interface PromptWork {
  kind: 'prompt';
  prompt: PromptTemplate | PromptFile;
  performer: Performer;
  /** Go on in that step's agent session. */
  session?: string;
  with: Record<string, Templated>;
}

export type CommandLine =
  /** Never meets a shell of ours. `script`: the word that a shell reads as a line; every `{{ }}` in it is shell-quoted. */
  | { kind: 'argv'; argv: Template[]; script?: number }
  /** `sh -c`; every `{{ }}` is shell-quoted. */
  | { kind: 'shell'; line: Template }
  /** The line is one `{{ inputs.x }}`: the input is the command itself. */
  | { kind: 'input'; expression: Cel };

export interface RunWork {
  kind: 'run';
  command: CommandLine;
  /** A file of the workspace: read just before the start, its standard input. Absent: empty. */
  stdin?: Template;
}
export interface CallWork {
  kind: 'call';
  handler: string;
  with: Record<string, Templated>;
}
export type WaitWork =
  | {
      kind: 'wait';
      for: 'files';
      files: Template[];
      min: number;
      timeout?: Milliseconds;
      every: Milliseconds;
    }
  | { kind: 'wait'; for: 'signal'; signal: Template; timeout?: Milliseconds }
  | { kind: 'wait'; for: 'time'; duration: Milliseconds };
export interface AskWork {
  kind: 'ask';
  question: Template;
  /** A text gives the list when the question is asked. */
  choices?: Templated[] | Template;
}
export interface WorkflowWork {
  kind: 'workflow';
  /** Key in `Workflow.workflows` of the root. */
  workflow: string;
  with: Record<string, Templated>;
}
export interface SequenceWork {
  kind: 'sequence';
  steps: Step[];
}
export interface ParallelWork {
  kind: 'parallel';
  steps: Step[];
  concurrency?: number;
  /** `gates`: which, as written. Every child has a `gate`, and the value is their reviews as one. */
  gates?: string;
}
export interface LoopWork {
  kind: 'loop';
  test: { kind: 'while' | 'until'; cel: Cel };
  max: number;
  /** What becomes of the run when it is exhausted. Absent: as `on_fail` says of any failure. */
  exhausted?: OnFail;
  steps: Step[];
}
export interface EachWork {
  kind: 'each';
  name: string;
  list: Cel;
  order: 'listed' | 'dependencies';
  concurrency: number;
  steps: Step[];
}

export type LeafWork = PromptWork | RunWork | CallWork | WaitWork | AskWork;
export type BlockWork = SequenceWork | ParallelWork | LoopWork | EachWork | WorkflowWork;
export type Work = LeafWork | BlockWork;

// ── What surrounds it ───────────────────────────────────────────────────────────────────────────

export interface Capture {
  as: 'text' | 'lines' | 'json';
  /** Bytes (text, json) or lines. */
  limit: number;
  onParseError: 'fail' | 'keep';
  /** The first `limit` bytes as they came: no mark, the last newline kept, an answer never taken apart as JSON. */
  exact?: true;
  /** Bytes of text that are kept where `on_parse_error: keep` kept text; absent: `limit`. */
  textLimit?: number;
  /** The workflow says itself how much of the output is kept: cutting there is what its author wants. */
  chosen?: true;
}

export interface Reads {
  files: Template[];
  optional: Template[];
  inject: 'list' | 'content' | 'none';
  instruction?: Template;
  position: 'prepend' | 'append';
}

export interface Retry {
  /** Further dispatches after the first. */
  max: number;
  delay: Milliseconds;
  /** Exit codes and error classes. */
  on: (number | string)[];
  /** The step says so itself: nothing overrides it. */
  own?: true;
}

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

export type Check =
  | { kind: 'schema'; name: string; schema: JsonObject; source?: number }
  /** A file of the workspace, read when the answer is there. */
  | { kind: 'schema-file'; path: Template }
  /** What must stand at an RFC 6901 pointer into the output. */
  | { kind: 'require'; pointer: string; exists: boolean; equals?: Json; type?: JsonType }
  /** `final`: it is not sent back; the step fails at once. */
  | { kind: 'that'; is: Cel; else?: Template; final?: true }
  | { kind: 'run'; command: CommandLine }
  | {
      kind: 'approve';
      ask: Template;
      if?: Cel;
      timeout?: Milliseconds;
      accept: string[];
      reject: string[];
    };

export interface Done {
  /** In the order they are looked at: schema, require, that, run, approve. */
  checks: Check[];
  /** In all. */
  tries: number;
}

export interface Action {
  when?: Cel;
  work:
    | PromptWork
    | RunWork
    | CallWork
    | { kind: 'set'; values: Record<string, Templated> }
    | { kind: 'say'; text: Template };
  output?: string;
}

export interface Next {
  when?: Cel;
  /** A step id of this or an enclosing list, or `end`; absent: only `do`. */
  goto?: string;
  do: Action[];
}

export type Recover = { kind: 'rerun' } | { kind: 'pause' } | { kind: 'probe'; command: CommandLine };

/** A review of a directory of them. Its step gives the task; this says when it is left out. */
export interface Gate {
  /** As its file says, or is called: what `foundBy` and `--gate` name. The id of its step is this, made an id. */
  name: string;
  source: number;
  /** False: left out, on record. */
  enabled: boolean;
  run: 'always' | 'changed-files' | 'manual';
  /** Patterns: what it looks at. */
  files: string[];
  /** `changed`: not again while nothing it looks at has changed since it approved. */
  again: 'always' | 'changed';
  /** It is a program: how what it says becomes a review. */
  program?: ProgramResult;
  /** It is a prompt, and left out where a program of the same step found something critical. */
  spared?: true;
}

/** What a program that is a gate printed, and when it has run at all. */
export interface ProgramResult {
  /** Absent: it is told by how the text begins. */
  format?: 'review' | 'sarif' | 'junit' | 'lines';
  /** What its levels, in small letters, mean here; of the others, what they usually do. */
  levels: Record<string, 'critical' | 'important' | 'minor' | 'ignore'>;
  /** Exit codes with which it has run; with any other it approves nothing. */
  exitCodes: number[];
}

/** Of `output: { vars, extra }`. */
export interface Merge {
  /** The way to the object in the output, key by key. What is not there, or null, merges nothing. */
  path: string[];
  /** `keep`: keys that `vars` does not declare become vars all the same; else they fail the step. */
  extra: 'refuse' | 'keep';
}

export interface Step {
  id: string;
  /** It is a gate: a child of a `parallel` with `gates`. */
  gate?: Gate;
  title?: Template;
  labels: Record<string, Json>;
  /** A literal `false` is kept as the text "false". */
  if?: Cel;
  check: boolean;
  dryRun: boolean;
  work: Work;
  /** `vars` merges an object into vars. */
  output?: string;
  /** With `output: 'vars'`, where not the whole output is merged. */
  merge?: Merge;
  capture: Capture;
  saveTo?: Template;
  reads?: Reads;
  env: Record<string, string>;
  secrets: string[];
  timeout?: Milliseconds;
  retry: Retry;
  rules: Rule[];
  workspace: WorkspaceMode;
  /** It may push: what the step of this id has verified, or, with `true`, whatever is there. */
  publishes?: string | true;
  /** What the branch of its worktree is called. */
  branch?: Template;
  enter: Action[];
  exit: Action[];
  done?: Done;
  /** Step, else workflow; absent: what broke stops, what was not accepted pauses. */
  onFail?: OnFail;
  /** It is the workflow's word, not the step's own: `--on-error` goes before it. */
  onFailInherited?: true;
  recover: Recover;
  next: Next[];
  /** Where it stands in its file, for messages at run time. */
  at: { file: string; line: number; column: number };
}

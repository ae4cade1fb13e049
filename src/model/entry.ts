// entry: what the journal holds (J1). Past tense: each says what happened, or what was decided and why.
// Field names are snake_case because people read journals with jq; steps are named by path
// (`execute[2]/fix#1/reviews/security`), what surrounds them by `part` (`enter[0]`, `done[1]`, `exit[0]`,
// `do[0]`, `probe`). Shown together as `impl.done[1]`: a dot cannot stand in an id, so nothing collides.

import type { TestLook } from './evidence.ts';

import type { GitCheck, GitSeen } from './git-checks.ts';

import type { Json, JsonObject } from './json.ts';
import type { SessionKey, SessionSource } from './live-session.ts';
import type { SessionEvent } from './workflow.ts';

/** A class of failure: what `retry.on` matches and `steps.x.error.class` says. */
export type FailureClass =
  | 'exit' // the command ended with another code than 0
  | 'timeout' // exit code 124
  | 'error' // it could not be performed at all
  | 'rate-limit'
  | 'overloaded'
  | 'expression' // a value that is not there, or of the wrong type (rule 16); exit code 2
  | 'missing-files' // reads.files
  | 'missing-secrets'
  | 'path' // a path that leaves the workspace (S4)
  | 'output' // the output is not what `capture` or `output: vars` needs
  | 'not-accepted' // tries used up
  | 'exhausted' // a loop's max, and the test still asks for more
  | 'child' // a step inside failed
  | 'left' // left by goto
  | 'rejected' // a person said fail, or no
  | 'limit'
  | 'changed-files' // a change nobody was allowed to make (rule 6)
  | 'git' // it left the branch of the run, pushed, or is to publish what was not verified
  | 'cancelled'
  | 'interrupted';

export interface Failure {
  class: FailureClass;
  message: string;
  hint?: string;
  /** True where the work was done but not accepted: unset `on_fail` then pauses instead of stopping. */
  not_accepted?: boolean;
  /** A person let it fail: nobody is asked again on the way out. */
  by_person?: boolean;
  /**
   * What it is about, as data. Known names: `absent` (all values of the step that are not there, as written: `inputs.x`),
   * `missing_files`, `missing_secrets`, `missing_placeholders`, `timeout_ms`, `schema_violations`,
   * `require_failed: { pointer, reason }`, `json_parse_error: invalid | overflow`, `open_issues` (of an exhausted loop).
   */
  details?: JsonObject;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  /** In US dollars; null: unknown, which is never zero. */
  cost: number | null;
  turns: number;
}

export interface Truncated {
  /** Of the original, and of it here. */
  bytes: number;
  kept: number;
  /** The workflow says so itself: its `limit` was reached, and no other. */
  chosen?: true;
}

/** A value that was made from a part of an output. */
export interface Cut extends Truncated {
  /** Whose output that was. */
  path: string;
  /** Which var, input, output or list was made from it; absent: something was decided on it. */
  of?: string;
}

export type DeniedCalls = {
  count: number;
  calls: { tool: string; about: string; reason: string }[];
};

/** What came of an effect. Normalised through JSON, masked and bounded before it becomes one. */
export interface Outcome {
  ok: boolean;
  output: Json;
  exit_code?: number;
  /** The last part of it. */
  stderr?: string;
  /** Of a failed command: the last lines of stdout, where `output` ends before them. */
  stdout_tail?: string;
  error?: Failure;
  duration_ms: number;
  /** Present where the journal holds less than there was; everything is in the log. */
  truncated?: Truncated;
  /** A secret was masked in what it gave: `***` in these values stands for one (mask-mark.ts). */
  masked?: true;
  /** `done.schema`: what does not fit, one sentence each. Present (maybe empty) when a schema was asked for. */
  violations?: string[];
  /** `on_parse_error: keep` kept the text: it is not JSON, or there was too much of it. `steps.x.parse_error`. */
  unparsed?: 'invalid' | 'overflow';
  /** A prompt's answer as it came, where `output` is not that very text. */
  raw?: string;
  /** What was asked for and could not be had, one sentence each: a client without an ability, a prompt that was cut. */
  warnings?: string[];
  /** What changed in the git repository itself while this ran. Absent: nothing, or there is none. */
  repository?: RepositoryChanges;
  /** What git had then, in a worktree of the run. */
  git?: GitSeen;
  /** Tool calls of an agent that were not let happen. The first of them; `count` is of all. */
  denials?: DeniedCalls;
  /** The same of calls that the client itself refused: a tool that it does not have, its own permissions. */
  refusals?: DeniedCalls;
  /** All tool calls of this dispatch, by what was said to them. Absent: there was none, or an older Lockstep wrote this. */
  calls?: CallCounts;
  /** Of this dispatch alone. */
  usage?: Usage;
  /** The same, by model, where the client used several and tells them apart. */
  usage_by_model?: { model: string; usage: Usage }[];
  session?: string;
  /** Of a handler in a live session: a text for the session, delivered as a `say` is. */
  say?: string;
  /** Of a handler in a live session: fields of `session` that are these from here on (model/session-fields.ts). */
  session_facts?: JsonObject;
  /** What the session as a whole has used, by its client's own counters: handed on when it goes on. */
  session_totals?: Usage;
  provider?: string;
  model?: string;
  /** Of a process: its words, where `attempt-started` could not know them, and how many variables it was given. */
  invocation?: { argv?: string[]; env_count: number };
  /** `reads.inject: content` did not fit. */
  injection?: {
    truncated: true;
    total_size: number;
    shown_size: number;
    files_shown: number;
    files_truncated: number;
    files_omitted: number;
  };
  /** Of a gate with `again: changed`: what the tree looked like when it began. Absent: that could not be told. */
  mark?: string;
  /** How often a `wait: { files }` looked. */
  polls?: number;
  metrics?: { provider_ms?: number; file_io_ms?: number; file_operations?: number };
}

/** What became of a tool call of an agent. Each call is a line of logs/<step>.calls.jsonl. */
export type CallVerdict =
  | 'allowed'
  | 'rewritten' // a rule changed it, and so it was let happen
  | 'denied' // by the step's tools or rules
  | 'refused' // by the client itself
  | 'unasked'; // it happened, and nobody was asked: nothing binds the step, or the client does not ask about such a call

export type CallCounts = Partial<Record<CallVerdict, number>>;

/** One sentence each, old and new where that is short. */
export interface RepositoryChanges {
  /** Configuration, hooks, attributes, ignored files: what decides what git runs and shows. */
  settings?: string[];
  /** Branches and tags that the step does not work on, HEAD, and what branches follow. */
  references?: string[];
}

export type QuestionKind =
  | 'ask' // an `ask` step
  | 'approve' // `done.approve`
  | 'held' // failed or not accepted, on_fail: pause
  | 'in-doubt' // recover: pause
  | 'blocker'; // an agent says what it needs to know before it can go on

export type SkipReason =
  | 'condition' // `if` was false
  | 'disabled' // `if: false`
  | 'skip-step' // --skip-step
  | 'skip-checks' // --skip-checks
  | 'dry-run'
  | 'manual-gate' // a gate with `run: manual`, and nobody said --gate
  | 'no-changed-files' // a gate with `run: changed-files`, and none of its files changed
  | 'spared' // a gate that is a prompt, and a program beside it found something critical
  | 'unchanged' // a gate with `again: changed` that approved, and nothing it looks at changed since
  | 'cancelled'; // a sibling left the block before this one began

/** What a work tree was like at a moment: a digest of all that git sees of it, and the tree that holds its content. */
export interface KeptTree {
  digest: string;
  /** The id of a tree among the objects that the run keeps; absent: its content could not be kept. */
  tree?: string;
}

export interface ChangedFile {
  path: string;
  /** Lines; absent: it is no text, or its content is not kept. */
  added?: number;
  removed?: number;
}

/** When the world is looked at for an approval: before the step begins, before it is asked, and when it is answered. */
export type ApprovalMoment = 'start' | 'question' | 'answer';

/** What was seen then. `tree` is absent where nobody can tell what changes in the workspace: `problem` says why. */
export type Seen =
  | { moment: 'start'; tree?: KeptTree; problem?: string }
  | ({ moment: 'question' } & Bound & Pick<Shown, 'changes' | 'logs'>)
  /** `changed`: files that differ from when it was asked, the first of them. */
  | ({ moment: 'answer'; changed?: string[] } & Bound);

/** What an approval is bound to. */
export interface Bound {
  /** SHA-256 of the step's output, and of its workspace when it began and now. */
  digest: string;
  tree?: KeptTree;
  problem?: string;
}

/** What a person is shown with a question, besides its text. */
export interface Shown extends Partial<Bound> {
  /** The output, or its beginning. */
  output?: { text: string; characters: number; lines: number; cut?: true };
  /** Of the step's own workspace, since the step began. */
  changes?: {
    workspace: string;
    count: number;
    added: number;
    removed: number;
    /** The first of them. */
    files: ChangedFile[];
  };
  /** `done.run`: what the last run of each printed at its end. */
  checks?: { part: string; command: string; lines: string[] }[];
  /** Names of the logs that hold all of it. */
  logs?: { output?: string; patch?: string };
  /** It was answered before, and that answer does not count: what was shown had changed by then. */
  again?: { by: string; changed: string[] };
}

export interface Need {
  kind: 'files' | 'changed' | 'uncommitted' | 'changed-since';
  pattern: string;
  /** `changed-since`: the mark it is compared with. */
  since?: string;
}
export interface Fact extends Need {
  value: string[];
}

export interface RunFacts {
  id: string;
  /** Where its records are. */
  root: string;
  /** `20261115T101500Z` */
  started: string;
  branch: string;
  workspace: string;
}

/** A checkout of its own on a branch of its own. */
export interface Worktree {
  /** Absolute. */
  path: string;
  branch: string;
  /** The commit it started from: `changed()` counts from there. */
  base: string;
}

/** Where the worktrees of a run go, and how their names begin. */
export interface WorktreeSite {
  /** The checkout they belong to, absolute. Definitions, runs and issues are there. */
  project: string;
  /** `<project>/.worktrees/<slug>` */
  path: string;
  /** `lockstep/<slug>/<run id>` */
  branch: string;
  /** From the top of a checkout to the workspace; absent: the top itself. */
  inside?: string;
}

export interface Skips {
  steps: string[];
  checks: boolean;
  dry_run: boolean;
  /** `--gate`: these run whatever their `run` and `again` say. */
  gates?: string[];
  /** `--skip-test-check`: what `done.tests` does not look at. */
  tests?: TestLook[];
}

/** What a person said on the command line about failures of this run, and its model. A step's own word goes before it. */
export interface Overrides {
  on_error?: 'stop' | 'continue' | 'pause';
  /** Of prompts; a `run` is never started again unless it says so itself. */
  max_retries?: number;
  retry_delay_ms?: number;
  /** Checks against git that are switched off. */
  without?: GitCheck[];
  /** Of prompts for which neither the step nor its agent names one. Said at the start, and pinned with the workflow. */
  model?: string;
}

/** Where an input that finds itself came from. */
export interface FoundInput {
  /** A file of the project, as people call it; absent: a person was asked. */
  from?: string;
  /** Who was asked. */
  by?: string;
  /** What else the project has, and was not taken. */
  also?: { value: string; from: string }[];
}

/** One step, and the items of the loops around it, outermost first. */
export interface Only {
  step: string;
  items?: Json[];
}

/**
 * Who takes the turns of a run: Lockstep itself, a client that is handed one step at a time, or a person's live session, which is
 * held to the step that the run is at.
 */
export type Drive = 'run' | 'guide' | 'guard';

/** How a run is driven. */
export interface Driven {
  drive: Drive;
  /** guide: no provider was there to review, and the workflow lets that be: gates are handed out too. */
  own_reviews?: true;
}

/** What happened in a live session, as it is kept: texts are cut. */
export interface SessionHappening {
  name: SessionEvent;
  tool?: string;
  file?: string;
  command?: string;
  error?: string;
  text?: string;
  prompt?: string;
  source?: string;
  reason?: string;
  /** Of a prompt: a client sent it in the person's name. Nothing follows from it. */
  unsaid?: true;
  /** Of a result: files that the call has changed. */
  modified?: string[];
  /** Of a result: it ran the tests of the project. */
  tested?: 'passed' | 'failed';
  /** Of a result: the client's own name for the call. */
  call?: string;
  subagent?: true;
}

/** A tool call of a live session, in short. */
export interface SessionCall {
  /** The client's own name for it. */
  id: string;
  tool: string;
  file?: string;
  command?: string;
  /** Files that it reads, by every name that rules know them by. */
  read?: string[];
  subagent?: true;
}

/** What an event means for the step that the session is at. */
export type Bearing =
  /** This rule of `next` holds: the step is left. */
  | { does: 'leave'; rule: number }
  /**
   * What a look can tell of `done` holds: the rest is checked. `answer`: what the session last said. `to`: where it was asked to go
   * from there; absent: to what follows. `why`: of an agent that asks for it.
   */
  | { does: 'check'; answer: string; to?: string; why?: string };

/** What a client hands in as its work on a step. */
export interface Claim {
  notesMarkdown?: string;
  artifacts?: Json[];
  /** For vars, where the step takes them. */
  context?: JsonObject;
  /** The answer itself, where the step asks for one of another shape. */
  answer?: Json;
}

/** `cut`: what was decided or made here from a part of an output. */
export type EntryBody = AnyEntry & { cut?: Cut[] };

type AnyEntry =
  // ── the run ──
  | {
      kind: 'run-started';
      /** Of the format (journal-version.ts). Absent in older journals: version 1. */
      journal_version?: number;
      run: RunFacts;
      workflow: string;
      workflow_file: string;
      workflow_hash: string;
      inputs: JsonObject;
      /** Initial values, `--var` applied. */
      vars: JsonObject;
      skips: Skips;
      /** Of `inputs`, those that were found and not given. */
      found?: Record<string, FoundInput>;
      overrides?: Overrides;
      /** `run-step`: nothing else of the workflow is part of this run. */
      only?: Only;
      /** The run's own, where it has one: `run.workspace` is in it and `run.branch` is its branch. */
      worktree?: Worktree;
      /** Present where the workflow asks for worktrees and they can be made. */
      worktrees?: WorktreeSite;
      /** What a person should know of how it begins: no worktree could be made, changes that are not in it. */
      warnings?: string[];
      /** Absent: `lockstep run` drives it. */
      driven?: Driven;
      by: Holder;
    }
  /** At a start or a resume: a worktree that was not there is, or there is something to say about it. */
  | {
      kind: 'worktree-prepared';
      /** Whose it is; absent: the run's own. */
      step?: string;
      worktree: Worktree;
      how: 'made' | 'put-back' | 'found';
      warnings?: string[];
    }
  /**
   * `overrides`: each that is given takes the place of what was said before. `warnings`: what was done to the records of the
   * run before it was resumed (`--repair`, `--rescued`), so that an audit shows it.
   */
  | {
      kind: 'run-resumed';
      by: Holder;
      limits?: Record<string, number>;
      overrides?: Overrides;
      warnings?: string[];
    }
  /** Asks what runs to end; the run ends as `to` says once it has. */
  | {
      kind: 'end-requested';
      to: 'interrupted' | 'cancelled';
      by: string;
      why?: string;
      channel?: Channel;
      message?: string;
    }
  | { kind: 'limit-reached'; limit: string; path?: string; message: string }
  /** `handed`: steps that a client works on. */
  | { kind: 'run-paused'; questions: string[]; handed?: string[] }
  /** From here on somebody else takes the turns. */
  | { kind: 'drive-changed'; to: Driven; by: string; why?: string; channel?: Channel; message?: string }
  | { kind: 'run-interrupted'; by: string }
  | { kind: 'run-completed'; outputs: JsonObject; continued_past: number }
  | { kind: 'run-failed'; path?: string; error: Failure }
  | { kind: 'run-cancelled'; by: string; why?: string; channel?: Channel }
  // ── steps ──
  | { kind: 'step-skipped'; path: string; reason: SkipReason; why: string }
  /** A block, or a leaf with `enter` actions, was entered. */
  | { kind: 'step-opened'; path: string; title?: string; items?: Json[] }
  /** The step (a pass of `each`) is to have a worktree of its own. Announced before it is made. */
  | { kind: 'worktree-opening'; path: string; worktree: Pick<Worktree, 'path' | 'branch'> }
  /** `error`: there is none, and the step fails. */
  | { kind: 'worktree-opened'; path: string; worktree?: Worktree; warnings?: string[]; error?: Failure }
  | { kind: 'workflow-called'; path: string; inputs: JsonObject }
  | { kind: 'step-failed'; path: string; error: Failure; exit_code?: number }
  | { kind: 'step-closed'; path: string; goes: 'following' | 'continue' | 'stop' }
  | { kind: 'loop-tested'; path: string; pass: number; again: boolean }
  /** The block's own `timeout` ran out: what is open in it is cancelled, then it fails with exit code 124. */
  | { kind: 'time-out-reached'; path: string }
  | { kind: 'workflow-returned'; path: string; output: Json }
  /** The gates of a step have ended: what they say as one (engine/review.ts). */
  | { kind: 'reviews-gathered'; path: string; output: JsonObject }
  /** Nothing new starts in this `parallel` or `each`: these were never started. */
  | { kind: 'fan-stopped'; path: string; why: string; left_out: string[] }
  | { kind: 'next-chosen'; path: string; rule: number }
  | { kind: 'jumped'; path: string; to: string }
  // ── effects ──
  | {
      kind: 'attempt-started';
      path: string;
      part?: string;
      verb: string;
      try: number;
      title?: string;
      /** Of a shell command: the line as it was run. (Journals before `argv` have the words here too.) */
      command?: string;
      /** Of a command that meets no shell: its words. */
      argv?: string[];
      /** Of a `move`: what it moves where. */
      handler?: string;
      with?: JsonObject;
      agent?: string;
      agent_source?: number;
      provider?: string;
      model?: string;
      prompt?: string;
      prompt_source?: number;
      /** What a `wait: { signal }` waits for. */
      signal?: string;
      session?: string;
    }
  | { kind: 'attempt-finished'; path: string; part?: string; outcome: Outcome }
  /** A crash came while it ran: what is done about it (E4). */
  | { kind: 'attempt-in-doubt'; path: string; part?: string; remedy: 'rerun' | 'probe' | 'ask' | 'wait' }
  | { kind: 'attempt-cancelled'; path: string; part?: string; why: string }
  | {
      kind: 'retry-scheduled';
      path: string;
      retry: number;
      delay_ms: number;
      why: string;
      /** Of the failure. Absent in older journals. */
      class?: FailureClass;
    }
  | { kind: 'retry-due'; path: string }
  | { kind: 'observing'; path: string; needs: Need[]; approval?: ApprovalMoment }
  /** `error`: it could not be looked at, and why. */
  | { kind: 'observed'; path: string; facts: Fact[]; seen?: Seen; error?: Failure }
  | { kind: 'work-accepted'; path: string; by?: string }
  | {
      kind: 'work-rejected';
      path: string;
      try: number;
      reasons: string[];
      again: boolean;
      /** Of the failure, where it is not tried again. */
      details?: JsonObject;
    }
  | { kind: 'action-passed'; path: string; part: string; why: string }
  | { kind: 'vars-set'; path: string; part: string; values: JsonObject }
  // ── clients that are led through a run ──
  /** The step is with the client: `text` is what it was given, to the byte. */
  | { kind: 'step-handed'; path: string; try: number; text: string; system?: string; warnings?: string[] }
  /** A client hands in its work. What it is worth is found out next. */
  | {
      kind: 'claim-received';
      path: string;
      try: number;
      /** The number of the `step-handed` that it answers: a person may have had the same try handed out again. */
      handing?: number;
      claim: Claim;
      /** The client, in its own words. */
      by: string;
      session?: string;
      message?: string;
    }
  /** It was not looked at, and why. */
  | {
      kind: 'claim-refused';
      path: string;
      try: number;
      refusal: ClaimRefusal;
      why: string;
      by: string;
      session?: string;
      message?: string;
    }
  // ── live sessions that are held to a run ──
  /** The session is held to this run from here on; after a resume or a compaction, once more. */
  | {
      kind: 'session-bound';
      session: SessionKey;
      source: SessionSource;
      cwd: string;
      /** What is known of it from before: its title, its parent, what that left. */
      record?: JsonObject;
      message?: string;
    }
  /** Something happened in it. */
  | {
      kind: 'session-event';
      event: SessionHappening;
      /** Of a person's prompt that agrees: the call that was asked about, which may happen once. */
      grants?: string;
      message?: string;
    }
  /** A tool call of the session was judged. */
  | {
      kind: 'call-judged';
      /** Where the run was; absent: no step binds the session. */
      path?: string;
      call: SessionCall;
      verdict: CallVerdict;
      reason?: string;
      /** The condition of the rule that said so. */
      rule?: string;
      /** An `ask` rule: the name of the call, which a person may agree to. */
      asks?: string;
      /** It was asked about, a person agreed, and this was the one time. */
      granted?: string;
      /** What the tree was like just before (Workspace.fingerprint), where the step may not write all of it. */
      tree?: string;
      message?: string;
    }
  /** What the last event means for the step that the session is at. Where it means nothing, there is no such entry. */
  | { kind: 'event-weighed'; path: string; bearing: Bearing }
  /** A text waits to be put into the session's context. */
  | { kind: 'text-prepared'; path: string; part: string; text: string }
  /** These texts (the numbers of their entries) were put into it, with this event. */
  | { kind: 'said'; texts: number[]; with: string; message?: string }
  /** The session wanted to stop. `held`: it was told to go on, and why. `counts`: towards `limits.stop_blocks`. */
  | { kind: 'stop-answered'; path?: string; held: boolean; why: string[]; counts: boolean }
  /** A file changed while the step may not write, or is again as it was. */
  /**
   * `files` changed while a command ran, and the step may not write them: they hold it. `beside`: they changed between calls, so
   * nobody knows who did it; that is told and holds nothing.
   */
  | { kind: 'change-found'; path: string; files: string[]; undone?: true; beside?: string[] }
  /** A text was registered under a name; `by` whom. */
  | { kind: 'artifact-kept'; name: string; content: string; by: string }
  /** A person switched the holding of sessions in this project off, or on again. */
  | { kind: 'guard-switched'; on: boolean; by: string; why?: string; channel?: Channel }
  /** A person moves the session to a step, or out of it. */
  | {
      kind: 'moved-by-person';
      path?: string;
      to: string;
      by: string;
      why?: string;
      channel?: Channel;
      forced: boolean;
    }
  // ── people and other processes ──
  | {
      kind: 'question-asked';
      path: string;
      part?: string;
      question: QuestionKind;
      text: string;
      choices?: Json[];
      reasons?: string[];
      /** held: what each answer does here, where that is more than the usual. */
      means?: { again: string; accept: string; fail: string };
      /** held: a note with `again` reaches agents. */
      takes_note?: true;
      timeout_ms?: number;
      accept?: string[];
      reject?: string[];
      /** What the answer is about. With a digest, an approval counts only while that is still the same. */
      shown?: Shown;
    }
  /** blocker: the text, or 'fail'; ask: the value; approve: 'approve' | 'reject'; held, in-doubt: 'again' | 'accept' | 'fail'. */
  | {
      kind: 'question-answered';
      path: string;
      answer: Json;
      by: string;
      note?: string;
      channel?: Channel;
      /** No process drove the run: the time since the entry before was not spent. */
      unheld?: true;
      message?: string;
    }
  | { kind: 'question-expired'; path: string }
  /** `message`, here and above: its id in the inbox, so that one that was journaled is never journaled again. */
  | {
      kind: 'signal-received';
      name: string;
      data: Json;
      by: string;
      channel?: Channel;
      unheld?: true;
      message?: string;
    }
  /** Something lay in the inbox and was not acted on. It is kept in inbox/bad/. */
  | {
      kind: 'message-refused';
      /** What it asked for; absent: it is no message at all. */
      asked?: 'answer' | 'signal' | 'cancel' | 'handover';
      /** Whom it names as its sender. */
      by?: string;
      /** Where what it was to answer is asked. */
      question?: string;
      /** The name of the file. */
      file: string;
      why: string;
      message?: string;
    };

/** Why a claim is not looked at. */
export type ClaimRefusal =
  | 'not-handed' // nothing is handed out there: it was claimed, was left, or never began
  | 'other-try' // the work was sent back since
  | 'not-guided' // the run was handed over
  | 'run-ended';

/** How a person's word reached the run, so that an audit can show one that no person was near. */
export interface Channel {
  /**
   * `terminal`: typed where the run was driven; `command`: said with a lockstep command; `form`: put into a form that an MCP client
   * showed; `session`: typed as a prompt in the live session; `page`: in the page of `lockstep ui`, which that process serves.
   */
  kind: 'terminal' | 'command' | 'form' | 'session' | 'page';
  pid: number;
  /** The programs above that process, nearest first. */
  above: string[];
  /** The terminal of that process, or of one above it (`pts/3`); absent: there was none. */
  terminal?: string;
  /** The step of a run (`<run>/<step>`) whose command said it. */
  step?: string;
  /** The holder could not look at that process: this is what the message says of itself. */
  unchecked?: true;
}

export interface Holder {
  user: string;
  host: string;
  pid: number;
  version: string;
}

/** An entry as journaled: its number (from 1, no gaps) and the time (milliseconds since 1970). */
export type Entry = {
  n: number;
  at: number;
  /** `***` in its values stands for a secret. Of an outcome, that says so itself. Older journals do not tell. */
  masked?: true;
} & EntryBody;
export type EntryKind = EntryBody['kind'];

// workflow-test: what a `*.test.yaml` says. A case is whole: what the file shares among its cases is merged into each.

import type { Span } from './diagnostic.ts';
import type { Json, JsonObject } from './json.ts';
import type { Script } from './script.ts';
import type { Milliseconds } from './workflow.ts';

export interface WorkflowTests {
  /** A name of the library, or a path that begins with `./` or `../`, relative to the file. */
  workflow: string;
  at: Span;
  cases: TestCase[];
}

export interface TestCase {
  name: string;
  at: Span;
  inputs: JsonObject;
  vars: JsonObject;
  /** By path, relative to the scratch project. */
  files: Record<string, string>;
  /** A folder beside the test file that is copied into the scratch project first. */
  fixture?: string;
  /** Whether the scratch project is a git repository. */
  git: boolean;
  env: Record<string, string>;
  answers: Script['answers'];
  /** What commands come to instead of being run; by step path, step id, `step.done[0]`. */
  commands: Record<string, StandIn[]>;
  replies: Reply[];
  signals: { name: string; data: Json }[];
  skipSteps: string[];
  skipChecks: boolean;
  dryRun: boolean;
  gates: string[];
  faults: PlannedFault[];
  /** How long one play may take, before it is ended and has failed. */
  timeout: Milliseconds;
  /** `everywhere`: played again with a crash at each step, and the end must be the same. */
  crash?: 'everywhere';
  expect: Expectation;
  /** Every step that the case names, for whoever knows which there are. */
  named: { step: string; at: Span }[];
}

/** The result of a command that was not run. */
export interface StandIn {
  exit: number;
  stdout: string;
  stderr: string;
  /** Files it leaves, by path, relative to the workspace. */
  write: Record<string, string>;
}

/** What a person says when asked. */
export interface Reply {
  /** Path or id of the step that asks; absent: whichever does. */
  step?: string;
  answer: Json;
  note?: string;
}

export type FaultKind =
  /** `announced`: on record that it begins, nothing done yet. `done`: all done, nothing of it on record. */
  | { kind: 'crash'; when: 'announced' | 'done' }
  | { kind: 'timeout' }
  | { kind: 'malformed'; text: string }
  | { kind: 'error'; class: 'exit' | 'error' | 'rate-limit' | 'overloaded'; exit: number };

export interface PlannedFault {
  /** Path or id of a step; with a dot and a part, what surrounds it: `verify.done[1]`. */
  at: string;
  fault: FaultKind;
  /** How often, and from which time on that the step comes to it (from 1). */
  times: number;
  from: number;
}

export interface TextExpectation {
  equals?: string;
  contains: string[];
  lacks: string[];
}

export interface StepExpectation {
  status?: 'done' | 'failed' | 'skipped' | 'cancelled';
  /** Everything in it must be there; more may be. */
  output?: Json;
  tries?: number;
  exitCode?: number;
  /** Of its failure: the message contains it, or the class is it. */
  error?: string;
}

export interface Expectation {
  /** `refused`: no run was made. Absent: completed. */
  status?: 'completed' | 'failed' | 'paused' | 'cancelled' | 'refused';
  exit?: number;
  /** Steps that began, in order, by path or id; `…` stands for any number of them. */
  path?: string[];
  steps: Record<string, StepExpectation>;
  outputs?: JsonObject;
  vars?: JsonObject;
  /** `absent`: there must be none. */
  files: Record<string, TextExpectation | { absent: true }>;
  /** By step: the reason, or words of it. When given, nothing else may have been skipped. */
  skipped?: Record<string, string>;
  /** In order, all of them. */
  asked?: { step: string; text?: string }[];
  prompts: Record<string, TextExpectation>;
  /** Subjects, the oldest first, of all commits that the run made. */
  commits?: string[];
  /** Words of the failure of the run. */
  error?: string;
}

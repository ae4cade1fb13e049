// step-record: what is known of one step while a run is told, as a tree. Records are made when their list opens and
// dropped again with a finished pass, so the tree is as large as the workflow, not as the run.

import type { Failure, FailureClass, Outcome, QuestionKind, Shown, SkipReason } from '../model/entry.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Ended } from '../model/state.ts';
import type { Step, Work, Workflow } from '../model/workflow.ts';
import { plain } from './text/plain.ts';
import { noSpending, type Spending } from './text/words.ts';

export type { Ended } from '../model/state.ts';

export type StepView =
  | 'pending'
  | 'running'
  /** For files, a signal, a time, or the next retry. */
  | 'waiting'
  | 'asking'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'cancelled';

export interface Attempt {
  /** Absent: the work itself. */
  part: string | undefined;
  verb: string;
  /** As it was run. */
  command?: string;
  /** Of a `move`: what it moves where. */
  move?: { from: string; to: string };
  try: number;
  startedAt: number;
}

export interface Question {
  path: string;
  part?: string;
  question: QuestionKind;
  text: string;
  choices?: Json[];
  reasons: string[];
  /** What each answer does, where that is more than the usual. */
  means?: { again: string; accept: string; fail: string };
  /** A note with `again` reaches agents. */
  takesNote?: true;
  /** What the answer is about. */
  shown?: Shown;
  askedAt: number;
  timeoutMs?: number;
  accept: string[];
  reject: string[];
}

/** The passes of an `each` or `loop`: exact figures; records only of those under way and of some that failed. */
export interface Passes {
  /** Items of an `each`; `max` of a `loop`. */
  total: number;
  items: Json[];
  /** By item: 0 not started, else the code of `Ended`. A byte each, so that 10,000 stay light. */
  ended: Uint8Array;
  done: number;
  failed: number;
  cancelled: number;
  leftOut: number;
  open: Map<number, StepRecord>;
  /** Finished and kept because they failed, the first ones only. */
  kept: Map<number, StepRecord>;
}

/** What the exit actions of a pass did with its item; `from` null: nothing was to be moved. */
export interface Moved {
  from: string | null;
  to: string | null;
  applied: boolean;
  error: string | null;
}

export interface Override {
  answer: Json;
  by: string;
  note?: string;
  reasons: string[];
}

/** Every field is there from the start, so that all records have one shape: they are made by the thousand. */
export interface StepRecord {
  kind: 'run' | 'step' | 'pass';
  id: string;
  path: string;
  title: string;
  verb: Work['kind'] | 'run-root' | 'pass';
  /** The definition; a pass has that of its `each` or `loop`. Absent on the root. */
  step: Step | undefined;
  /** The workflow whose definition this is. */
  workflow: Workflow;
  parent: StepRecord | undefined;
  /** In the order of the definition. Empty until the list opens. */
  children: StepRecord[];
  /** In a list that runs in order: the child that is under way, or was last. */
  current: StepRecord | undefined;
  passes: Passes | undefined;
  /** Of a pass. */
  number: number | undefined;
  /** The folder of its own that it works in. */
  worktree?: string;

  status: StepView;
  /** As which it was counted; absent while it has not ended. */
  settled: Ended | undefined;
  goes: 'following' | 'continue' | 'stop' | undefined;
  visit: number;
  /** Earlier visits, the last few. */
  earlier: { path: string; status: StepView; durationMs: number }[];
  try: number;
  tries: number;
  retries: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** Run time when it began (pauses do not count), and what it took in all once it has ended. */
  startedRunTime: number;
  durationMs: number;
  /** Under way, the work itself and checks or actions. */
  attempts: Attempt[];
  /** Of the last time its work was started: the words of the command. */
  argv: string[] | undefined;
  outcome: Outcome | undefined;
  /** Of a pass of `each` whose exit actions move something, once they are over. */
  moved: Moved | undefined;
  /** Of a list: what the last step in it that ran gave. */
  lastValue: Json | undefined;
  exitCode: number | undefined;
  error: Failure | undefined;
  reasons: string[];
  rejections: number;
  skip: { reason: SkipReason; why: string } | undefined;
  retryAt: number | undefined;
  /** Since when a client works on it. */
  handedAt: number | undefined;
  /** Why it is dispatched again. */
  retryClass: FailureClass | undefined;
  inDoubt: boolean;
  override: Override | undefined;
  question: Question | undefined;
  agent: string | undefined;
  provider: string | undefined;
  model: string | undefined;
  spending: Spending;
}

const TEMPLATE = /\{\{|\{%/;

/** The title as written where it is plain text; until it has been filled in, the id stands for it. */
export function staticTitle(step: Step): string {
  return step.title === undefined || TEMPLATE.test(step.title) ? step.id : plain(step.title);
}

/** Its name in a dialect that has freer names than ids, else its id. */
export function stepName({ id, step }: Pick<StepRecord, 'id' | 'step'>): string {
  const name = step?.labels.name;
  return plain(typeof name === 'string' && name !== '' ? name : id);
}

/**
 * A gate; or a prompt that answers as a review does. One that is marked as a check and answers something else (a verification)
 * is none.
 */
export function isReview({ step }: Pick<StepRecord, 'step'>, output: Json | undefined): boolean {
  if (step === undefined) return false;
  if (step.gate !== undefined) return true;
  if (step.work.kind !== 'prompt' || output === undefined || !isObject(output)) return false;
  const hasVerdict = 'assessment' in output || 'hasActionableIssues' in output;
  return step.check ? hasVerdict || 'issues' in output : hasVerdict && Array.isArray(output.issues);
}

/** It never answered: whether it would have been a review is told by what it was to answer. */
export function wouldReview({ step }: Pick<StepRecord, 'step'>): boolean {
  if (step === undefined || step.gate !== undefined) return step !== undefined;
  if (!step.check || step.work.kind !== 'prompt') return false;
  const asked = step.done?.checks.find((check) => check.kind === 'schema');
  if (asked?.kind !== 'schema') return true;
  const { properties } = asked.schema;
  return (
    !isObject(properties ?? null) ||
    ['issues', 'assessment', 'hasActionableIssues'].some((key) => Object.hasOwn(properties as object, key))
  );
}

export function isBlock(work: Work): boolean {
  return (
    work.kind === 'sequence' ||
    work.kind === 'parallel' ||
    work.kind === 'loop' ||
    work.kind === 'each' ||
    work.kind === 'workflow'
  );
}

/** Shared by records that have none; never written to. */
const NO_RECORDS: StepRecord[] = [];
export const NO_ATTEMPTS: Attempt[] = [];
const NO_REASONS: string[] = [];
const NO_VISITS: StepRecord['earlier'] = [];
export const NOTHING_SPENT: Spending = Object.freeze(noSpending());

type Identity = Pick<
  StepRecord,
  'kind' | 'id' | 'path' | 'title' | 'verb' | 'step' | 'workflow' | 'parent' | 'number'
>;

function newRecord(identity: Identity): StepRecord {
  return {
    kind: identity.kind,
    id: identity.id,
    path: identity.path,
    title: identity.title,
    verb: identity.verb,
    step: identity.step,
    workflow: identity.workflow,
    parent: identity.parent,
    children: NO_RECORDS,
    current: undefined,
    passes: undefined,
    number: identity.number,
    status: 'pending',
    settled: undefined,
    goes: undefined,
    visit: 1,
    earlier: NO_VISITS,
    try: 1,
    tries: identity.kind === 'step' ? (identity.step?.done?.tries ?? 1) : 1,
    retries: 0,
    startedAt: undefined,
    endedAt: undefined,
    startedRunTime: 0,
    durationMs: 0,
    attempts: NO_ATTEMPTS,
    argv: undefined,
    outcome: undefined,
    moved: undefined,
    lastValue: undefined,
    exitCode: undefined,
    error: undefined,
    reasons: NO_REASONS,
    rejections: 0,
    skip: undefined,
    retryAt: undefined,
    handedAt: undefined,
    retryClass: undefined,
    inDoubt: false,
    override: undefined,
    question: undefined,
    agent: undefined,
    provider: undefined,
    model: undefined,
    spending: NOTHING_SPENT,
  };
}

export function rootRecord(workflow: Workflow): StepRecord {
  return newRecord({
    kind: 'run',
    id: '',
    path: '',
    title: plain(workflow.name),
    verb: 'run-root',
    step: undefined,
    workflow,
    parent: undefined,
    number: undefined,
  });
}

export function stepRecord(step: Step, path: string, parent: StepRecord, workflow: Workflow): StepRecord {
  return newRecord({
    kind: 'step',
    id: step.id,
    path,
    title: staticTitle(step),
    verb: step.work.kind,
    step,
    workflow,
    parent,
    number: undefined,
  });
}

export function passRecord(owner: StepRecord, number: number, path: string): StepRecord {
  return newRecord({
    kind: 'pass',
    id: path.slice(path.lastIndexOf('/') + 1),
    path,
    title: passTitle(owner, number),
    verb: 'pass',
    step: owner.step,
    workflow: owner.workflow,
    parent: owner,
    number,
  });
}

/** What to call one item: itself where it is a text or number, else its title, name, id or path. */
function itemName(item: Json | undefined): string {
  if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
    return plain(String(item));
  if (item === null || item === undefined || Array.isArray(item)) return '';
  for (const key of ['title', 'name', 'id', 'path']) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (typeof value === 'string' && value !== '') return plain(value);
    if (typeof value === 'number') return String(value);
  }
  return '';
}

function passTitle(owner: StepRecord, number: number): string {
  if (owner.verb === 'each') return itemName(owner.passes?.items[number]) || `item ${number + 1}`;
  return `pass ${number}`;
}

export function emptyPasses(total: number, items: Json[]): Passes {
  return {
    total,
    items,
    ended: new Uint8Array(items.length),
    done: 0,
    failed: 0,
    cancelled: 0,
    leftOut: 0,
    open: new Map(),
    kept: new Map(),
  };
}

/** What stands below a record in a display: its steps, or its passes that have records. */
export function below(record: StepRecord): StepRecord[] {
  if (!record.passes) return record.children;
  if (record.passes.kept.size === 0) return [...record.passes.open.values()];
  return [...record.passes.kept.values(), ...record.passes.open.values()].sort(
    (a, b) => (a.number ?? 0) - (b.number ?? 0),
  );
}

/** What the item is called that a step works at: of the nearest `each` around it. */
export function itemOf(record: StepRecord | undefined): string | undefined {
  for (let at = record; at; at = at.parent)
    if (at.kind === 'pass' && at.parent?.verb === 'each') return at.title;
  return undefined;
}

/** A path, and the item: `bump[0]` alone says nothing to a person. */
export function withItem(path: string, item: string | undefined): string {
  return item === undefined ? path : `${path} (${item})`;
}

/** A name that the id does not show. */
export function namedText({ step, id }: StepRecord): string {
  const name = step?.labels.name;
  return typeof name === 'string' && name !== id ? ` (${name})` : '';
}

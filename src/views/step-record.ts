// step-record: what is known of one step while a run is told, as a tree. Records are made when their list opens and
// dropped again with a finished pass, so the tree is as large as the workflow, not as the run.

import type { Failure, Outcome, QuestionKind, SkipReason } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { Step, Work, Workflow } from '../model/workflow.ts';
import { plain } from './text/plain.ts';
import { noSpending, type Spending } from './text/words.ts';

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
export type Ended = 'done' | 'failed' | 'skipped' | 'cancelled';

export interface Attempt {
  verb: string;
  /** As it was run. */
  command?: string;
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

export interface Override {
  answer: Json;
  by: string;
  note?: string;
  reasons: string[];
}

export interface StepRecord {
  kind: 'run' | 'step' | 'pass';
  id: string;
  path: string;
  title: string;
  verb: Work['kind'] | 'run-root' | 'pass';
  /** The definition; a pass has that of its `each` or `loop`. Absent on the root. */
  step?: Step;
  /** The workflow whose definition this is. */
  workflow: Workflow;
  parent?: StepRecord;
  /** In the order of the definition. Empty until the list opens. */
  children: StepRecord[];
  /** In a list that runs in order: the child that is under way. */
  current?: StepRecord;
  /** Children that have ended, for lists that run at once. */
  endedChildren: number;
  passes?: Passes;
  /** Of a pass. */
  number?: number;

  status: StepView;
  /** As which it was counted; absent while it has not ended. */
  settled?: Ended;
  goes?: 'following' | 'continue' | 'stop';
  visit: number;
  /** Earlier visits, the last few. */
  earlier: { path: string; status: StepView; durationMs: number }[];
  try: number;
  tries: number;
  retries: number;
  startedAt?: number;
  endedAt?: number;
  /** Run time when it began (pauses do not count), and what it took in all once it has ended. */
  startedRunTime: number;
  durationMs: number;
  attempts: Map<string, Attempt>;
  outcome?: Outcome;
  /** Of a list: what the last step in it that ran gave. */
  lastValue?: Json;
  exitCode?: number;
  error?: Failure;
  reasons: string[];
  rejections: number;
  accepted: boolean;
  skip?: { reason: SkipReason; why: string };
  retryAt?: number;
  inDoubt: boolean;
  override?: Override;
  question?: Question;
  agent?: string;
  provider?: string;
  model?: string;
  spending: Spending;
}

const TEMPLATE = /\{\{|\{%/;

/** The title as written where it is plain text; until it has been filled in, the id stands for it. */
export function staticTitle(step: Step): string {
  return step.title === undefined || TEMPLATE.test(step.title) ? step.id : plain(step.title);
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

/** Whether the children run one after the other. */
export function inOrder(record: StepRecord): boolean {
  return record.verb !== 'parallel';
}

function blank(
  kind: StepRecord['kind'],
  path: string,
  workflow: Workflow,
): Omit<StepRecord, 'id' | 'title' | 'verb'> {
  return {
    kind,
    path,
    workflow,
    children: [],
    endedChildren: 0,
    status: 'pending',
    visit: 1,
    earlier: [],
    try: 1,
    tries: 1,
    retries: 0,
    startedRunTime: 0,
    durationMs: 0,
    attempts: new Map(),
    reasons: [],
    rejections: 0,
    accepted: false,
    inDoubt: false,
    spending: noSpending(),
  };
}

export function rootRecord(workflow: Workflow): StepRecord {
  return { ...blank('run', '', workflow), id: '', title: plain(workflow.name), verb: 'run-root' };
}

export function stepRecord(step: Step, path: string, parent: StepRecord, workflow: Workflow): StepRecord {
  return {
    ...blank('step', path, workflow),
    id: step.id,
    title: staticTitle(step),
    verb: step.work.kind,
    step,
    parent,
    tries: step.done?.tries ?? 1,
  };
}

export function passRecord(owner: StepRecord, number: number, path: string): StepRecord {
  const record: StepRecord = {
    ...blank('pass', path, owner.workflow),
    id: path.slice(path.lastIndexOf('/') + 1),
    title: passTitle(owner, number),
    verb: 'pass',
    parent: owner,
    number,
  };
  if (owner.step) record.step = owner.step;
  return record;
}

/** What to call one item: itself where it is a text or number, else its title, name, id or path. */
export function itemName(item: Json | undefined): string {
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

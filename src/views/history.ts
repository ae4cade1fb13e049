// history: a run with everything that was, for whoever goes back in time. The outline forgets finished passes and earlier visits on
// purpose; here every visit of every step stays, with the numbers of its entries and what it was from which entry on.
// So any moment is looked up and not folded again: "as it was at entry N" is a question to the same history.
// H1. A fold of the journal and nothing else (J1): the same entries give the same history.
// H2. What a moment shows does not depend on what came after it: the history of N entries and the history of more, looked at as of
//     N, say the same.
// H3. What an entry costs does not depend on how many came before.

import type { Entry } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Change, Outline, RunStatusView } from './outline/shape.ts';
import { createOutline, record as recordInOutline } from './outline.ts';
import type { Question, StepRecord, StepView } from './step-record.ts';
import type { Spending } from './text/words.ts';

/** From this entry on. */
export interface Since {
  n: number;
  at: number;
  status: StepView;
}

/** A step, or a pass of one, from its beginning to its end. A step that is begun again has another. */
export interface Visit {
  /** Of all visits, in the order in which they were first heard of. 0 is the run itself. */
  index: number;
  kind: StepRecord['kind'];
  id: string;
  path: string;
  title: string;
  verb: StepRecord['verb'];
  /** The definition; absent on the run. */
  step: StepRecord['step'];
  parent: Visit | undefined;
  children: Visit[];
  /** Of a pass: which; of an item from 0. */
  number: number | undefined;
  /** How often this path had begun before. */
  earlier: number;
  /** What it was, oldest first. */
  since: Since[];
  /** Numbers of the entries about it and its parts. */
  entries: number[];
}

const ENDED: ReadonlySet<StepView> = new Set(['done', 'failed', 'skipped', 'cancelled']);

/** What the run had come to with an entry. */
export interface Figures {
  n: number;
  at: number;
  status: RunStatusView;
  runTime: number;
  done: number;
  failed: number;
  skipped: number;
  cancelled: number;
  spending: Spending;
}

export interface Asked {
  /** The entry that asks, and the one that ended it. */
  n: number;
  until?: number;
  question: Question;
}

export interface History {
  /** As of the last entry. */
  outline: Outline;
  visits: Visit[];
  /** The last visit of a path. */
  byPath: Map<string, Visit>;
  /** By entry. */
  figures: Figures[];
  asked: Asked[];
  /** Begun and not over: what an entry about the run may be about, too. */
  open: Set<Visit>;
}

export function createHistory(workflow: Workflow): History {
  const outline = createOutline(workflow);
  const root = visitFrom(outline.root, 0, undefined, 0);
  return { outline, visits: [root], byPath: new Map([['', root]]), figures: [], asked: [], open: new Set() };
}

/** The entry's change, for whoever tells it. */
export function recordHistory(history: History, entry: Entry): Change {
  const { outline } = history;
  const change = recordInOutline(outline, entry);
  for (const opened of change.opened) begin(history, opened, entry);
  const about = change.record;
  if (about && about.kind !== 'run') note(history, visitOf(history, about), about.status, entry);
  for (const settled of change.settled) note(history, visitOf(history, settled), settled.status, entry);
  if ('path' in entry && typeof entry.path === 'string') {
    const own = about ? visitOf(history, about) : history.byPath.get(entry.path);
    if (own && own.index > 0) own.entries.push(entry.n);
  } else noteOpen(history, entry);
  noteRun(history, entry);
  noteQuestions(history, entry);
  return change;
}

function visitFrom(record: StepRecord, index: number, parent: Visit | undefined, earlier: number): Visit {
  // Made by the ten thousand: no object in between.
  return {
    index,
    kind: record.kind,
    id: record.id,
    path: record.path,
    title: record.title,
    verb: record.verb,
    step: record.step,
    parent,
    children: [],
    number: record.number,
    earlier,
    since: [],
    entries: [],
  };
}

/** Begun again after it had ended, it is another visit. */
function begin(history: History, record: StepRecord, entry: Entry): void {
  if (record.kind === 'run') return;
  const known = history.byPath.get(record.path);
  const ended = known?.since.at(-1)?.status;
  const isOver = ended !== undefined && ENDED.has(ended);
  note(
    history,
    known && !isOver ? known : add(history, record, known ? known.earlier + 1 : 0),
    record.status,
    entry,
  );
}

function visitOf(history: History, record: StepRecord): Visit {
  const known = history.byPath.get(record.path);
  if (known) {
    known.title = record.title;
    return known;
  }
  return add(history, record, 0);
}

function add(history: History, record: StepRecord, earlier: number): Visit {
  const parent = record.parent ? visitOf(history, record.parent) : history.visits[0];
  const visit = visitFrom(record, history.visits.length, parent, earlier);
  history.visits.push(visit);
  history.byPath.set(record.path, visit);
  parent?.children.push(visit);
  return visit;
}

function note({ open }: History, visit: Visit, status: StepView, { n, at }: Entry): void {
  if (ENDED.has(status)) open.delete(visit);
  else open.add(visit);
  const last = visit.since.at(-1);
  if (last?.status === status) return;
  if (last?.n === n) last.status = status;
  else visit.since.push({ n, at, status });
}

/** A run that is handed over takes back what a client worked on, and no entry names those steps. */
function noteOpen(history: History, entry: Entry): void {
  for (const visit of [...history.open]) {
    const record = history.outline.byPath.get(visit.path);
    if (record) note(history, visit, record.status, entry);
  }
}

function noteRun({ outline, visits, figures }: History, { n }: Entry): void {
  const { status, lastAt: at, runTime, totals } = outline;
  const { done, failed, skipped, cancelled } = totals;
  const before = figures.at(-1)?.spending;
  // Most entries spend nothing: they share what was spent until then.
  const spending = before && isSame(before, totals.spending) ? before : { ...totals.spending };
  figures.push({ n, at, status, runTime, done, failed, skipped, cancelled, spending });
  const [root] = visits;
  const shown = runStatus(status);
  if (root && root.since.at(-1)?.status !== shown) root.since.push({ n, at, status: shown });
}

function isSame(one: Spending, other: Spending): boolean {
  return (
    one.input_tokens === other.input_tokens &&
    one.output_tokens === other.output_tokens &&
    one.turns === other.turns &&
    one.cost === other.cost &&
    one.priced === other.priced &&
    one.unpriced === other.unpriced
  );
}

function runStatus(status: RunStatusView): StepView {
  if (status === 'completed') return 'done';
  if (status === 'paused') return 'asking';
  return status === 'interrupted' ? 'waiting' : status;
}

function noteQuestions({ outline, asked }: History, { n }: Entry): void {
  // Few are open at a time; the open ones are at the end, or nearly.
  for (let at = asked.length - 1, open = 0; at >= 0 && open < MOST_OPEN; at -= 1) {
    const one = asked[at] as Asked;
    if (one.until !== undefined) continue;
    open += 1;
    if (outline.questions.get(one.question.path) !== one.question) one.until = n;
  }
  if (outline.questions.size === 0) return;
  const known = new Set(asked.flatMap(({ until, question }) => (until === undefined ? [question] : [])));
  for (const question of outline.questions.values()) {
    if (!known.has(question)) asked.push({ n, question });
  }
}

const MOST_OPEN = 1_000;

// ── A moment ────────────────────────────────────────────────────────────────────────────────────

/** What it was when entry `n` had been written; pending before it began. */
export function statusAt({ since }: Visit, n: number): StepView {
  return sinceAt(since, n)?.status ?? 'pending';
}

/** Whether it had been heard of by then. */
export function isKnownAt({ since, entries }: Visit, n: number): boolean {
  return (since[0]?.n ?? entries[0] ?? Number.POSITIVE_INFINITY) <= n;
}

/** The last in effect at `n`. */
function sinceAt(since: readonly Since[], n: number): Since | undefined {
  let low = 0;
  let high = since.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((since[middle] as Since).n <= n) low = middle + 1;
    else high = middle;
  }
  return since[low - 1];
}

export function figuresAt({ figures }: History, n: number): Figures | undefined {
  return figures[Math.min(n, figures.length) - 1];
}

export function questionsAt({ asked }: History, n: number): Asked[] {
  return asked.filter((one) => one.n <= n && (one.until === undefined || one.until > n));
}

/** The last visit to a path that had begun by then. */
export function visitAt(history: History, path: string, n: number): Visit | undefined {
  let visit = history.byPath.get(path);
  while (visit && !isKnownAt(visit, n)) {
    const { parent, earlier } = visit;
    visit = parent?.children.find((one) => one.path === path && one.earlier === earlier - 1);
  }
  return visit;
}

/** When it began, and when it ended where it had by then. */
export function spanAt({ since }: Visit, n: number): { from?: number; to?: number } {
  const begun = since.find(({ status }) => status !== 'pending');
  if (!begun || begun.n > n) return {};
  const last = sinceAt(since, n);
  return { from: begun.at, ...(last && ENDED.has(last.status) && { to: last.at }) };
}

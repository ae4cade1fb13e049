// picture: what of a run, or of a definition, the graph shows: a tree of boxes with what each was at a moment. Pure. Large things
// are folded: of an `each` and a `loop` one pass is open, the others are cells.

import type { Step, Workflow } from '../../src/model/workflow.ts';
import { stepsInside, workText } from '../../src/views/definition/describe.ts';
import { type History, isKnownAt, spanAt, statusAt, type Visit } from '../../src/views/history.ts';
import { type StepView, staticTitle } from '../../src/views/step-record.ts';
import { plain } from '../../src/views/text/plain.ts';

export interface Cell {
  /** Of the pass, or of the first of several that share the cell. */
  path: string;
  title: string;
  status: StepView;
  /** How many passes it stands for. */
  count: number;
  isOpen: boolean;
}

export interface Box {
  /** Names it in the picture, and the visit that it shows. */
  path: string;
  title: string;
  detail: string;
  verb: string;
  status: StepView;
  isReview: boolean;
  /** How children lie; a leaf has none. */
  shape: 'leaf' | 'list' | 'columns';
  children: Box[];
  cells: Cell[];
  /** `3 of 12`, of passes. */
  count: string;
  /** Ids of siblings (or `end`) to which it may go, and whether it did. */
  jumps: { to: string; taken: boolean }[];
  id: string;
  visit: Visit | undefined;
}

/** Without a history: the definition alone. `open`: passes that a person has chosen, by the path of their block. */
export interface Looking {
  workflow: Workflow;
  history?: History;
  n: number;
  open: ReadonlyMap<string, string>;
}

export const MOST_CELLS = 240;

export function pictureOf(looking: Looking): Box[] {
  const root = looking.history?.visits[0];
  return looking.workflow.steps.map((step) => boxOf(looking, step, root, ''));
}

function boxOf(looking: Looking, step: Step, parent: Visit | undefined, prefix: string): Box {
  const visit = parent && lastVisit(parent, step.id, looking.n);
  const path = visit?.path ?? prefix + step.id;
  const { work } = step;
  const inner = stepsInside(work, looking.workflow);
  const isPassed = work.kind === 'each' || work.kind === 'loop';
  const { cells, opened, count } = isPassed ? passesOf(looking, path, visit) : NO_PASSES;
  const within = isPassed ? opened : visit;
  const below = within ? `${within.path}/` : `${path}${isPassed ? PASS[work.kind] : ''}/`;
  return {
    path,
    title: plain(visit?.title || staticTitle(step)),
    detail: workText(work),
    verb: step.gate ? 'gate' : work.kind,
    status: visit ? statusAt(visit, looking.n) : 'pending',
    isReview: step.gate !== undefined,
    shape: inner.length === 0 ? 'leaf' : work.kind === 'parallel' ? 'columns' : 'list',
    children: inner.map((child) => boxOf(looking, child, within, below)),
    ...{ cells, count, id: step.id, visit },
    jumps: step.next.flatMap(({ goto }) =>
      goto === undefined ? [] : [{ to: goto, taken: visit !== undefined && wasTaken(looking, visit, goto) }],
    ),
  };
}

const PASS = { each: '[0]', loop: '#1' } as const;
const NO_PASSES: { cells: Cell[]; opened: Visit | undefined; count: string } = {
  cells: [],
  opened: undefined,
  count: '',
};

function lastVisit(parent: Visit, id: string, n: number): Visit | undefined {
  return parent.children.findLast(
    (child) => child.kind === 'step' && child.step?.id === id && isKnownAt(child, n),
  );
}

/** A later visit of the target that came after this one ended. */
function wasTaken({ n }: Looking, visit: Visit, goto: string): boolean {
  const { to } = spanAt(visit, n);
  const target = visit.parent && lastVisit(visit.parent, goto, n);
  return to !== undefined && target !== undefined && target.index > visit.index && target !== visit;
}

function passesOf({ n, open }: Looking, path: string, visit: Visit | undefined): typeof NO_PASSES {
  const passes = visit?.children.filter((child) => child.kind === 'pass' && isKnownAt(child, n)) ?? [];
  if (passes.length === 0) return NO_PASSES;
  const chosen = open.get(path);
  const opened = passes.find((pass) => pass.path === chosen) ?? mostTelling(passes, n);
  const each = Math.ceil(passes.length / MOST_CELLS);
  const cells: Cell[] = [];
  for (let at = 0; at < passes.length; at += each) {
    const some = passes.slice(at, at + each);
    const worst = mostTelling(some, n) as Visit;
    cells.push({
      path: worst.path,
      title: plain(worst.title),
      status: statusAt(worst, n),
      count: some.length,
      isOpen: opened !== undefined && some.includes(opened),
    });
  }
  const ended = passes.filter((pass) => RANK[statusAt(pass, n)] < RANK.waiting).length;
  return { cells, opened, count: `${ended} of ${passes.length} ended` };
}

/** What a person wants to see first has the highest. */
const RANK: Record<StepView, number> = {
  pending: 0,
  done: 1,
  skipped: 2,
  cancelled: 3,
  failed: 4,
  waiting: 5,
  running: 6,
  asking: 7,
};

function mostTelling(passes: readonly Visit[], n: number): Visit | undefined {
  let best: Visit | undefined;
  for (const pass of passes) {
    if (!best || RANK[statusAt(pass, n)] >= RANK[statusAt(best, n)]) best = pass;
  }
  return best;
}

// tree: finding the record of a path, and making it where the definition has it and the tree has not.

import type { Json } from '../../model/json.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { readSegment, type Segment } from '../step-path.ts';
import { type Ended, emptyPasses, passRecord, type StepRecord, stepRecord } from '../step-record.ts';
import { forget } from './forget.ts';
import type { Outline } from './shape.ts';

/** Remembered per record; a loop in a long run would otherwise keep every visit. */
const EARLIER_VISITS = 5;

function stepsOf(outline: Outline, record: StepRecord): { steps: Step[]; workflow: Workflow } {
  if (record.kind === 'run') return { steps: outline.workflow.steps, workflow: outline.workflow };
  const work = record.step?.work;
  if (work?.kind === 'workflow') {
    const called = Object.hasOwn(outline.workflow.workflows, work.workflow)
      ? outline.workflow.workflows[work.workflow]
      : undefined;
    return { steps: called?.steps ?? [], workflow: called ?? record.workflow };
  }
  const isList =
    record.kind === 'pass'
      ? work?.kind === 'each' || work?.kind === 'loop'
      : work?.kind === 'sequence' || work?.kind === 'parallel';
  return { steps: isList && work && 'steps' in work ? work.steps : [], workflow: record.workflow };
}

/** Makes the records of a list, all pending, when it is first looked into. */
export function openChildren(outline: Outline, record: StepRecord): void {
  if (record.children.length > 0) return;
  const work = record.kind === 'step' ? record.step?.work : undefined;
  if (work?.kind === 'each' || work?.kind === 'loop') {
    record.passes ??= emptyPasses(work.kind === 'loop' ? work.max : 0, []);
    return;
  }
  const { steps, workflow } = stepsOf(outline, record);
  const prefix = record.path === '' ? '' : `${record.path}/`;
  record.children = [];
  for (const step of steps) {
    const child = stepRecord(step, prefix + step.id, record, workflow);
    record.children.push(child);
    outline.byPath.set(child.path, child);
  }
}

/** The block was entered afresh: what an earlier run of it left is out of the tree. */
export function freshChildren(outline: Outline, record: StepRecord, items: Json[] | undefined): void {
  for (const child of record.children) forget(outline, child);
  record.children = [];
  record.current = undefined;
  for (const pass of record.passes ? [...record.passes.open.values(), ...record.passes.kept.values()] : []) {
    forget(outline, pass);
  }
  record.passes = record.verb === 'each' ? emptyPasses(items?.length ?? 0, items ?? []) : undefined;
  openChildren(outline, record);
}

function positionOf(outline: Outline, steps: Step[], id: string): number | undefined {
  let positions = outline.positions.get(steps);
  if (!positions) {
    positions = new Map(steps.map((step, index) => [step.id, index]));
    outline.positions.set(steps, positions);
  }
  return positions.get(id);
}

function visit(
  outline: Outline,
  container: StepRecord,
  position: number,
  segment: Segment,
): StepRecord | undefined {
  const last = container.children[position];
  if (!last?.step || segment.visit < last.visit) return undefined;
  if (segment.visit === last.visit) return last;
  const prefix = container.path === '' ? '' : `${container.path}/`;
  const next = stepRecord(last.step, `${prefix}${segment.id}~${segment.visit}`, container, last.workflow);
  next.visit = segment.visit;
  const { path, status, durationMs } = last;
  next.earlier = last.earlier;
  if (status !== 'pending')
    next.earlier = [...last.earlier.slice(1 - EARLIER_VISITS), { path, status, durationMs }];
  if (container.current === last) container.current = undefined;
  container.children[position] = next;
  forget(outline, last);
  outline.byPath.set(next.path, next);
  return next;
}

const ENDED: (Ended | undefined)[] = [undefined, 'done', 'failed', 'skipped', 'cancelled'];

function pass(outline: Outline, owner: StepRecord, segment: Segment, path: string, revive: boolean) {
  if (segment.pass?.kind !== (owner.verb === 'each' ? 'item' : 'pass')) return undefined;
  openChildren(outline, owner);
  const { passes } = owner;
  const number = segment.pass.number;
  if (!passes) return undefined;
  const known = passes.open.get(number) ?? passes.kept.get(number);
  if (known) return known;
  if (owner.verb === 'each' && (number >= passes.total || (passes.ended[number] !== 0 && !revive)))
    return undefined;
  const record = passRecord(owner, number, path);
  const ended = ENDED[passes.ended[number] ?? 0];
  if (ended) record.settled = ended;
  passes.open.set(number, record);
  outline.byPath.set(path, record);
  return record;
}

/** The record of a path, or undefined where the definition has no such step. A pass that has ended and was dropped
 * comes back only to `revive` it. */
export function find(outline: Outline, path: string, revive = false): StepRecord | undefined {
  const hit = outline.byPath.get(path);
  if (hit) return hit;
  let container = outline.root;
  let prefix = '';
  for (const text of path.split('/')) {
    prefix = prefix === '' ? text : `${prefix}/${text}`;
    const known = outline.byPath.get(prefix);
    if (known) {
      container = known;
      continue;
    }
    const segment = readSegment(text);
    if (!segment) return undefined;
    openChildren(outline, container);
    const position = positionOf(outline, stepsOf(outline, container).steps, segment.id);
    if (position === undefined) return undefined;
    let found = visit(outline, container, position, segment);
    if (found && segment.pass) found = pass(outline, found, segment, prefix, revive);
    if (!found) return undefined;
    container = found;
  }
  return container;
}

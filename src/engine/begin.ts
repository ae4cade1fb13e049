// begin: a step is reached: is it left out (S1: with the reason, and on whose word), opened, or dispatched at once?

import type { Command } from '../model/command.ts';
import type { Cut, Failure } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { OpenStep, Skip } from '../model/state.ts';
import { isCalled } from '../model/step-name.ts';
import type { Step, Workflow } from '../model/workflow.ts';
import { calledName } from '../text/called-name.ts';
import { lookBefore } from './approval.ts';
import { ITEMS } from './cut.ts';
import type { Decision } from './decision.ts';
import { orderByDependencies } from './dependencies.ts';
import { gateSkip } from './gate.ts';
import { withoutNeededFiles } from './needed-files.ts';
import { openWorktree } from './open-worktree.ts';
import { isBlock } from './opening.ts';
import { Unevaluable } from './reader.ts';
import { decideWork } from './steps/work.ts';
import { wantsWorktree } from './worktree.ts';

export function decideBegin(decision: Decision): Command {
  const { open } = decision;
  const skipped = skipReason(decision);
  if (skipped) return { entry: { kind: 'step-skipped', path: open.path, ...skipped } };
  const failedNeed = open.index === undefined ? undefined : failedDependency(open);
  if (failedNeed !== undefined) {
    const message = `it depends on "${failedNeed}", which failed`;
    return { entry: { kind: 'step-failed', path: open.path, error: { class: 'child', message } } };
  }
  return wantsWorktree(decision.state, open) && !open.worktree
    ? openWorktree(decision)
    : decideOpen(decision);
}

/** Its worktree was asked for: it is there, there is none and it says why, or the asking was cut short. */
export function decideWorktree(decision: Decision): Command {
  const { path, worktree, withoutWorktree } = decision.open;
  if (withoutWorktree) return { entry: { kind: 'step-failed', path, error: withoutWorktree } };
  return worktree ? decideOpen(decision) : openWorktree(decision);
}

function decideOpen(decision: Decision): Command {
  const look = lookBefore(decision) ?? withoutNeededFiles(decision);
  if (look) return look;
  const { open } = decision;
  const { step } = open;
  const isLeaf = !isBlock(step);
  if (isLeaf && step.enter.length === 0) return decideWork(decision);
  const items = step.work.kind === 'each' ? itemsOf(decision, step.work.list, step.work.order) : undefined;
  const unchosen = decision.cuts?.find((cut) => cut.of === ITEMS && !cut.chosen);
  if (unchosen) return partOnly(open, unchosen);
  return {
    entry: {
      kind: 'step-opened',
      path: open.path,
      // A leaf's title may name what its `enter` found out; it comes with its first attempt.
      title: isLeaf || step.title === undefined ? undefined : decision.read.text(step.title),
      items,
    },
  };
}

function skipReason(decision: Decision): Skip | undefined {
  const { state, open } = decision;
  const { step } = open;
  if (isPass(open) || open.entered) return undefined;
  const skipped = state.skips.steps.find((name) => isCalled(step, name) || name === open.path);
  if (skipped !== undefined) return { reason: 'skip-step', why: `--skip-step ${skipped}` };
  if (state.skips.checks && step.check) return { reason: 'skip-checks', why: '--skip-checks' };
  if (state.skips.dry_run && !runsDry(open, decision.workflow))
    return { reason: 'dry-run', why: '--dry-run' };
  const gate = gateSkip(decision);
  if (gate || step.if === undefined) return gate;
  if (step.if.trim() === 'false') return { reason: 'disabled', why: 'disabled in workflow definition' };
  return decision.read.test(step.if)
    ? undefined
    : { reason: 'condition', why: `condition is false: ${step.if}` };
}

function isPass(open: OpenStep): boolean {
  return open.scope !== open.list.scope;
}

/** Under --dry-run: what is marked, what is inside something marked, and the blocks on the way to it. */
function runsDry(open: OpenStep, workflow: Workflow): boolean {
  for (let at: OpenStep | undefined = open; at; at = at.list.owner) if (at.step.dryRun) return true;
  return containsDry(open.step, workflow);
}

function containsDry({ work }: Step, workflow: Workflow): boolean {
  const called = work.kind === 'workflow' ? workflow.workflows[work.workflow]?.steps : undefined;
  const inside = called ?? ('steps' in work ? work.steps : []);
  return inside.some((inner) => inner.dryRun || containsDry(inner, workflow));
}

/** What is left out of the list would be left out of the work, and nobody would know. */
function partOnly(open: OpenStep, { path, bytes, kept }: Cut): Command {
  const error: Failure = {
    class: 'output',
    message: `\`each\` would go over a part of its list only: of the ${bytes} bytes that "${path}" gave, ${kept} were kept`,
    hint: `Raise \`capture.limit\` of "${path}", have it print less, or, where a part is enough, say so: a \`capture.limit\` of your own makes this a warning.`,
    details: { truncated: { path, bytes, kept } },
  };
  return { entry: { kind: 'step-failed', path: open.path, error, exit_code: 2 } };
}

function itemsOf(decision: Decision, list: string, order: 'listed' | 'dependencies'): Json[] {
  const read = decision.reading({ touched: (cut) => decision.touch({ ...cut, of: ITEMS }) });
  const items = read.value(list);
  if (!Array.isArray(items))
    throw new Unevaluable(`\`each\` goes over a list, and \`${calledName(list) ?? list}\` is not one`);
  if (order === 'listed') return items;
  const ordering = orderByDependencies(items);
  if ('problem' in ordering) throw new Unevaluable(ordering.problem);
  return ordering.items;
}

/** The id of an item this pass needs and which failed. */
function failedDependency(open: OpenStep): string | undefined {
  const fan = open.list.owner?.fan;
  const needed = fan?.dependencies?.[open.index as number] ?? [];
  const failed = needed.find((index) => fan?.statuses[index] === 'failed');
  return failed === undefined ? undefined : String((fan?.items?.[failed] as { id?: Json } | undefined)?.id);
}

// prove: (workflow) → the invariants that some path through it would break, each with such a path (rule 15).
// Owns: what `invariants` promise, and what else the paths say (steps nobody comes to, circles nobody leaves). Never: evaluates a condition, looks at a run.
// P1. `{ every: X, after: Y }` holds when on every path of the control-flow graph, whenever an X starts, the latest
//     visit of Y has ended done. A visit under way, skipped, failed or left has not.
// P2. A person's recorded override of a step counts as done, for it and for what is inside it.
// P3. Each pass of an `each` starts anew with the steps inside it: what one pass verified, another has not.
// P4. Two branches of a `parallel` come in any order, so neither is ever after the other.
// P5. A called workflow is proved by itself; its steps are no part of the caller's paths.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { isCalled } from '../../model/step-name.ts';
import type { Invariant, OnFail, Step, Workflow } from '../../model/workflow.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { subjectOf } from '../check/subject.ts';
import { buildFlow, flowOf, type Skip, type Skipper } from '../flow/build.ts';
import { outline, type Spot } from '../flow/outline.ts';
import type { Draft } from '../site.ts';
import { checkReach } from './reach.ts';
import { tellPath } from './tell.ts';
import { findViolation, type Violation } from './violation.ts';

export function prove(workflow: Workflow, draft: Draft): Diagnostic[] {
  return allOf(workflow).flatMap((one) => [
    ...broken(one).map(({ invariant, violation }) => ({
      code: 'invariant-broken',
      severity: 'error' as const,
      message: `${sentence(invariant, violation)}: ${tellPath(violation)}`,
      span: draft.span(invariant),
      hint: remedy(invariant, violation),
    })),
    // No run comes to what is switched off, though check looks at it.
    ...checkReach({ ...subjectOf(one, draft), flow: flowOf(one), outline: flowOf(one).outline }),
  ]);
}

/** What the command line asks to leave out. */
export interface SkipRequest {
  steps: string[];
  checks: boolean;
  gates?: string[];
}

/** Why `--gate`, `--skip-step` and `--skip-checks` cannot be granted: unknown names, and invariants that would break. */
export function refusesSkip(workflow: Workflow, skips: SkipRequest): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const workflows = allOf(workflow);
  for (const name of new Set(skips.steps)) {
    const known = workflows.some((one) => outline(one).spots.some((spot) => matches(name, spot)));
    if (known) continue;
    const steps = knownSteps(workflow);
    problems.push({
      code: 'unknown-step',
      severity: 'error',
      message: `--skip-step ${name}: the workflow has no step of that name`,
      hint: didYouMean(name, steps) ?? `Its steps are ${named(steps)}.`,
    });
  }
  problems.push(...unknownGates(workflows, skips.gates ?? []));
  for (const one of workflows) {
    for (const { invariant, violation } of broken(one, skipper(skips))) {
      problems.push({
        code: 'skip-refused',
        severity: 'error',
        message: `this would break an invariant (every ${invariant.every} after ${invariant.after}): ${tellPath(violation)}`,
        hint: `Leave \`${invariant.after}\` in, or leave \`${invariant.every}\` out as well.`,
      });
    }
  }
  return problems;
}

const MOST_NAMED = 20;

function named(names: string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more` : names.join(', ');
}

function unknownGates(workflows: Workflow[], asked: string[]): Diagnostic[] {
  const gates = workflows.flatMap((one) => outline(one).spots.flatMap(({ step }) => step.gate ?? []));
  const ids = workflows.flatMap((one) =>
    outline(one).spots.flatMap(({ step }) => (step.gate ? [step.id] : [])),
  );
  const names = [...new Set([...gates.map(({ name }) => name), ...ids])];
  return [...new Set(asked)]
    .filter((name) => !names.includes(name))
    .map((name) => ({
      code: 'unknown-gate',
      severity: 'error',
      message: `--gate ${name}: the workflow has no gate of that name`,
      hint:
        didYouMean(name, names) ??
        (names.length === 0 ? 'It has no gates at all.' : `Its gates are ${names.join(', ')}.`),
    }));
}

/** Why `--on-error continue` cannot be granted: a step that only a failure kept from starting would start. */
export function refusesOnError(workflow: Workflow, onError: OnFail): Diagnostic[] {
  if (onError !== 'continue') return [];
  return allOf(workflow).flatMap((one) => {
    if (one.invariants.length === 0) return [];
    return broken({ ...one, steps: one.steps.map((step) => withOnFail(step, onError)) }).map(
      ({ invariant, violation }): Diagnostic => ({
        code: 'on-error-refused',
        severity: 'error',
        message: `--on-error ${onError} would break an invariant (every ${invariant.every} after ${invariant.after}): ${tellPath(violation)}`,
        hint: `Leave it out, or give \`${invariant.after}\` an \`on_fail\` of its own.`,
      }),
    );
  });
}

/** As the engine takes it: a step's own word goes before. */
function withOnFail(step: Step, onFail: OnFail): Step {
  const isOwn = step.onFail !== undefined && step.onFailInherited !== true;
  const { work } = step;
  const inside =
    'steps' in work ? { ...work, steps: work.steps.map((inner) => withOnFail(inner, onFail)) } : work;
  return { ...step, work: inside, ...(!isOwn && { onFail }) };
}

/** Every name that `--skip-step` understands, those of called workflows included. */
export function knownSteps(workflow: Workflow): string[] {
  return [...new Set(allOf(workflow).flatMap((one) => outline(one).spots.map((spot) => spot.step.id)))];
}

function allOf(workflow: Workflow): Workflow[] {
  return [workflow, ...Object.values(workflow.workflows)];
}

interface Broken {
  invariant: Invariant;
  violation: Violation;
}

function broken(workflow: Workflow, skip?: Skipper): Broken[] {
  if (workflow.invariants.length === 0) return [];
  const flow = skip ? buildFlow(workflow, skip) : flowOf(workflow);
  return workflow.invariants.flatMap((invariant) => {
    const { every, after } = invariant;
    // Names that do not exist are reported by check.
    if (flow.outline.named(every).length === 0 || flow.outline.named(after).length === 0) return [];
    const violation = findViolation(flow, every, after);
    return violation ? [{ invariant, violation }] : [];
  });
}

function sentence({ after }: Invariant, { every, beside }: Violation): string {
  if (beside)
    return `\`${every.path}\` can start before \`${after}\` has ended: both are in \`parallel\` \`${beside.path}\``;
  return `\`${every.path}\` can start although \`${after}\` has not ended done`;
}

function remedy({ after }: Invariant, { every, beside }: Violation): string {
  if (beside) return `Put \`${every.step.id}\` after \`${beside.path}\`.`;
  const named = /^[A-Za-z_]\w*$/.test(after) ? `steps.${after}` : `steps["${after}"]`;
  return `Close that way, or let \`${every.step.id}\` start only \`if: '${named}.status == "done"'\`.`;
}

function skipper(skips: SkipRequest): Skipper {
  return (spot): Skip | undefined => {
    const own = skips.steps.find((name) => isCalled(spot.step, name));
    if (own !== undefined) return { why: `--skip-step ${own}`, always: true };
    if (skips.checks && spot.step.check) return { why: '--skip-checks', always: true };
    // A path may name one pass or visit only.
    const path = skips.steps.find((name) => matches(name, spot));
    return path === undefined ? undefined : { why: `--skip-step ${path}`, always: false };
  };
}

/** A name is an id, or a path of a run (`execute[2]/verify`), which may begin in a workflow that calls this one. */
function matches(name: string, spot: Spot): boolean {
  if (isCalled(spot.step, name)) return true;
  const path = name.replace(/\[\d+\]|#\d+|~\d+/g, '');
  return path === spot.path || path.endsWith(`/${spot.path}`);
}

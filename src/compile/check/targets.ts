// targets: steps that other parts name: `goto`, `session`, `invariants`.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { jump, reachable } from '../flow/jump.ts';
import type { Spot } from '../flow/outline.ts';
import { whyNoStep } from './denial.ts';
import { positionOf } from './position.ts';
import { meant, problem, type Subject } from './subject.ts';
import type { View } from './view.ts';

export function checkGotos(subject: Subject): Diagnostic[] {
  const { outline } = subject;
  return outline.spots.flatMap((spot) =>
    spot.step.next.flatMap((rule) => {
      const { goto } = rule;
      if (goto === undefined || jump(outline, spot, goto)) return [];
      const [elsewhere] = outline.named(goto);
      const what = elsewhere
        ? { code: 'goto-out-of-reach', message: outOfReach(spot, elsewhere), hint: outOfReachHint(spot) }
        : {
            code: 'unknown-step',
            message: `step "${goto}" is not defined`,
            hint:
              meant(subject, goto, reachable(spot)) ??
              `It may go to ${reachable(spot).slice(0, 12).join(', ')}.`,
          };
      return [problem(subject, 'error', [rule, 'goto'], what)];
    }),
  );
}

function outOfReach(from: Spot, { step: { id }, parent }: Spot): string {
  if (parent?.step.work.kind === 'parallel') {
    return `\`goto: ${id}\` leads to a branch of \`parallel\` \`${parent.step.id}\`, and those cannot be jumped to`;
  }
  const where = parent ? `inside \`${parent.path}\`` : 'in the outermost list';
  return `\`goto: ${id}\` leads to a step ${where}, which is neither the list of \`${from.step.id}\` nor one around it`;
}

function outOfReachHint(from: Spot): string {
  return `From here it may go to ${reachable(from).slice(0, 12).join(', ')}.`;
}

/** `session: x` goes on in the agent session of a prompt that has run. */
export function checkSessions(subject: Subject, view: View): Diagnostic[] {
  const { outline } = subject;
  return outline.spots.flatMap((spot) => {
    const { work } = spot.step;
    if (work.kind !== 'prompt' || work.session === undefined) return [];
    const what = sessionProblem(subject, view, spot, work.session);
    return what ? [problem(subject, 'error', [spot.step, 'session'], what)] : [];
  });
}

function sessionProblem(subject: Subject, view: View, spot: Spot, id: string) {
  const { outline, flow } = subject;
  const named = outline.named(id);
  const prompts = outline.spots.filter(({ step }) => step.work.kind === 'prompt').map(({ step }) => step.id);
  const hint = meant(subject, id, prompts);
  if (named.length === 0) return { code: 'unknown-step', message: `step "${id}" is not defined`, hint };
  const agents = named.filter(({ step }) => step.work.kind === 'prompt');
  if (agents.length === 0) {
    return { code: 'bad-session', message: `step \`${id}\` has no agent session: it is not a prompt`, hint };
  }
  const at = positionOf(flow, spot, 'work');
  if (agents.some((agent) => view.canHaveRun(agent, at))) return undefined;
  const why = whyNoStep(subject, id, at);
  return { code: 'bad-session', message: why ?? `step \`${id}\` cannot have run yet` };
}

/** `publishes: x` is held to what x has seen: x has run by then. */
export function checkPublishers(subject: Subject, view: View): Diagnostic[] {
  const { outline, flow } = subject;
  return outline.spots.flatMap((spot) => {
    const { publishes: id } = spot.step;
    if (typeof id !== 'string') return [];
    const named = outline.named(id);
    const where = [spot.step, 'publishes'] as const;
    if (named.length === 0) {
      const hint = meant(
        subject,
        id,
        outline.spots.map(({ step }) => step.id),
      );
      return [
        problem(subject, 'error', [...where], {
          code: 'unknown-step',
          message: `step "${id}" is not defined`,
          hint,
        }),
      ];
    }
    const at = positionOf(flow, spot, 'work');
    if (named.some((each) => each !== spot && view.canHaveRun(each, at))) return [];
    const message = whyNoStep(subject, id, at) ?? `step \`${id}\` cannot have run yet`;
    const hint = 'Name a step before it: the one that says whether the work may go out.';
    return [problem(subject, 'error', [...where], { code: 'bad-publishes', message, hint })];
  });
}

export function checkInvariants(subject: Subject): Diagnostic[] {
  const { outline, workflow } = subject;
  const ids = outline.spots.map(({ step }) => step.id);
  return workflow.invariants.flatMap((invariant) =>
    (['every', 'after'] as const)
      .filter((key) => outline.named(invariant[key]).length === 0)
      .map((key) =>
        problem(subject, 'error', [invariant, key], {
          code: 'unknown-step',
          message: `step "${invariant[key]}" is not defined in this workflow`,
          hint: meant(subject, invariant[key], ids),
        }),
      ),
  );
}

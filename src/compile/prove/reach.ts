// reach: steps no run can come to, circles no run can leave, lists with nothing in them. Warnings: they may be meant.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Work } from '../../model/workflow.ts';
import { problem, type Subject } from '../check/subject.ts';
import { literalLength } from '../flow/condition.ts';
import { type FlowEdge, type FlowNode, reach } from '../flow/graph.ts';
import { around, type Spot } from '../flow/outline.ts';
import { Reachability } from '../flow/reachability.ts';

export function checkReach(subject: Subject): Diagnostic[] {
  return [...unreachable(subject), ...circles(subject), ...emptyLists(subject)];
}

function unreachable(subject: Subject): Diagnostic[] {
  const { flow, outline } = subject;
  const seen = reach(flow.begin);
  const isReached = (spot: Spot) => flow.of(spot, 'arrive').some((node) => seen.has(node));
  const isOff = ({ step }: Spot) => step.if?.trim() === 'false' || isEmpty(step.work);
  return outline.spots.flatMap((spot) => {
    if (isReached(spot)) return [];
    // Said once, of the outermost and the first of a row; what is switched off is meant to be.
    const before = spot.index > 0 ? outline.at(spot.list[spot.index - 1] as Spot['step']) : undefined;
    if (around(spot).some((block) => !isReached(block) || isOff(block))) return [];
    if (before && !isReached(before)) return [];
    const message = `step \`${spot.step.id}\` can never be reached`;
    const hint = before
      ? `What comes before it always goes elsewhere; see \`next\` of \`${before.step.id}\`.`
      : undefined;
    return [problem(subject, 'warning', [spot.step, 'id'], { code: 'unreachable-step', message, hint })];
  });
}

/** Ways that are not a way out of a circle: the run fails, or a person steps in. */
const NO_WAY_OUT = new Set<FlowEdge['how']>(['stopped', 'again', 'accepted', 'rejected', 'timeout']);

function circles(subject: Subject): Diagnostic[] {
  const { flow, outline } = subject;
  const lets = (edge: FlowEdge) => !NO_WAY_OUT.has(edge.how);
  const forward = reach(flow.begin, 'out', lets);
  const finishing = reach(flow.finish, 'in', lets);
  const stuck = [...forward].filter((node) => !finishing.has(node));
  const paths = new Reachability(stuck, lets);
  const reported: FlowNode[] = [];
  return stuck.flatMap((from) =>
    from.out.flatMap((edge) => {
      const { spot } = from;
      if (edge.how !== 'goto' || !spot || !paths.inCircle(from, edge.to)) return [];
      if (reported.some((node) => paths.inCircle(node, from))) return [];
      reported.push(from);
      const isIn = (one: Spot) => flow.of(one, 'start').some((node) => paths.inCircle(node, from));
      const names = outline.spots.filter(isIn).map(({ step }) => `\`${step.id}\``);
      const shown = names.length > 8 ? [...names.slice(0, 7), `${names.length - 7} more`] : names;
      const rule = spot.step.next.find(({ goto }) => isOf(edge, goto)) ?? spot.step;
      return [
        problem(subject, 'warning', [rule, 'goto'], {
          code: 'endless-circle',
          message: `${shown.join(', ')} ${names.length === 1 ? 'goes' : 'go'} round in a circle that nothing but a failure ends`,
          hint: 'Give one of the jumps a `when`, or use a `loop`, which has a `max`.',
        }),
      ];
    }),
  );
}

function isOf({ says }: FlowEdge, goto: string | undefined): boolean {
  return goto !== undefined && says?.endsWith(`(goto: ${goto})`) === true;
}

/** A block whose body is switched off in so many words. */
function isEmpty(work: Work): boolean {
  if (work.kind === 'each') return literalLength(work.list) === 'none';
  return work.kind === 'loop' && work.test.kind === 'while' && work.test.cel.trim() === 'false';
}

function emptyLists(subject: Subject): Diagnostic[] {
  return subject.outline.spots
    .filter(({ step }) => step.work.kind === 'each' && isEmpty(step.work))
    .map(({ step }) =>
      problem(subject, 'warning', [step, 'each'], {
        code: 'empty-each',
        message: `\`${step.id}\` goes over an empty list: its steps never run`,
      }),
    );
}

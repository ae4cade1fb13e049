// run-on: `runOn`: steps that come after a failure in their list. Ours ends a list where a step fails; so each step before
// such a one leads there when it fails, what comes between is passed over, and at the end the list fails after all.

import { type BuiltEntry, built, type Piece } from '../../source/build-nodes.ts';
import { type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { celText, FreeNames, member } from '../native-text.ts';
import type { ForeignList, ForeignStep } from './outline.ts';
import { keyOf, type Translation } from './translation.ts';

/** What a list does once a step in it has failed. */
export interface AfterFailure {
  /** What must hold beside the step's own condition; undefined: nothing. */
  test(step: ForeignStep): Piece[] | undefined;
  next(step: ForeignStep): BuiltEntry;
  /** The step that says at the end that something had failed; undefined: it is not needed. */
  end(at: Node): MapNode | undefined;
}

const FAILED = 'status == "failed"';

export function afterFailure(list: ForeignList, translation: Translation): AfterFailure {
  const { to, safety } = translation;
  const runOn = (step: ForeignStep) => stringOf(to.get(step.node, 'runOn'));
  if (list.owner?.kind === 'parallel') for (const step of list.steps) refuseInGroup(step, translation);
  const isAfter = (step: ForeignStep) =>
    list.owner?.kind !== 'parallel' && ['always', 'failure'].includes(runOn(step) ?? '');
  const handlers = list.steps.filter(isAfter);
  const goesOn = safety.goesOnAfterFailure();
  const ends = handlers.length > 0 && !goesOn;
  const end = new FreeNames(list.steps.map(({ id }) => id)).take('failed');
  const before = (step: ForeignStep) => list.steps.slice(0, list.steps.indexOf(step));
  const nextOne = (step: ForeignStep) =>
    handlers.find((each) => list.steps.indexOf(each) > list.steps.indexOf(step));
  const anyFailed = (steps: readonly ForeignStep[]) =>
    steps.length === 0 ? 'false' : steps.map(hasFailed).join(' || ');

  return {
    test(step) {
      const at = to.get(step.node, 'runOn');
      return isAfter(step) && runOn(step) === 'failure' && at
        ? [{ text: anyFailed(before(step)), at }]
        : undefined;
    },
    next(step) {
      const later = nextOne(step);
      if (!ends) return ['next', undefined];
      const rules: MapNode[] = [];
      const make = built(to.get(step.node, 'runOn') ?? step.node);
      const rule = (when: string, goto: string) =>
        rules.push(
          make.map([
            ['when', when],
            ['goto', goto],
          ]),
        );
      if (later) rule(FAILED, later.id);
      if (isAfter(step)) rule(anyFailed(before(step)), later?.id ?? end);
      return ['next', rules.length === 0 ? undefined : make.list(rules), keyOf(step, 'runOn', translation)];
    },
    end(at) {
      if (!ends) return undefined;
      const named = list.steps.map((step) => `(${hasFailed(step)} ? [${celText(step.name)}] : [])`);
      const make = built(at);
      return make.map([
        ['id', end],
        ['if', anyFailed(list.steps)],
        ['call', 'noop'],
        ['done', { that: [{ is: 'false', else: `failed before: {{ (${named.join(' + ')}).join(", ") }}` }] }],
        ['on_fail', 'stop'],
      ]);
    },
  };
}

function hasFailed({ id }: ForeignStep): string {
  return `default(${member('steps', id)}.status, "") == "failed"`;
}

function refuseInGroup(step: ForeignStep, { to }: Translation): void {
  const entry = to.entry(step.node, 'runOn');
  if (entry === undefined || stringOf(entry.value) === 'success') return;
  to.report.error(
    'field-not-here',
    nodeSpan(entry.keyNode),
    `${step.label} begins together with the rest of its group: in there nothing comes before it that \`runOn\` could ask about`,
    'Write `runOn` on the group, or on a step after it.',
  );
}

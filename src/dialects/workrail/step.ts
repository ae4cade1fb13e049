// step: one step → one step of ours. What an agent does hands in a claim, whose context becomes vars.

import { type BuiltEntry, built, type Part } from '../../source/build-nodes.ts';
import { type MapNode, type Node, type ScalarNode, stringOf } from '../../source/read/node.ts';
import { conditionOf, joined, type Test } from './condition.ts';
import { translateDelegations } from './delegation.ts';
import { agreed, approval, type Confirmation, confirmationOf, translateDone } from './done.ts';
import { translateLoop } from './loop.ts';
import type { ForeignList, ForeignStep } from './outline.ts';
import { promptPieces } from './prompt.ts';
import { textPieces } from './text.ts';
import { keyOf, type Translation } from './translation.ts';

/** What the call of a template adds to the steps that stand in its place. */
interface Around {
  id?: ForeignStep;
  tests: readonly Test[];
  confirmations: readonly Confirmation[];
}

const ALONE: Around = { tests: [], confirmations: [] };

export function translateSteps(list: ForeignList, at: Node, translation: Translation): Node {
  return built(at).list(list.steps.map((step) => translateStep(step, translation)));
}

function translateStep(step: ForeignStep, translation: Translation, around: Around = ALONE): MapNode {
  const run = conditionOf(translation.to.get(step.node, 'runCondition'), { ...translation, step });
  const tests = [...around.tests, ...(run ? [run] : [])];
  const confirmations = [...around.confirmations, ...confirmationOf(step, translation)];
  const [only, ...others] = step.body?.steps ?? [];
  if (step.kind === 'template' && only && others.length === 0)
    return translateStep(only, translation, { id: around.id ?? step, tests, confirmations });
  const make = built(step.node);
  return make.map([
    ...heading(step, around.id ?? step, tests, translation),
    ...work(step, confirmations, translation),
  ]);
}

/** A step of a template that stands for its call has the id and the title of the call. */
function heading(
  step: ForeignStep,
  caller: ForeignStep,
  tests: readonly Test[],
  translation: Translation,
): BuiltEntry[] {
  const { to } = translation;
  const title = to.get(caller.node, 'title') ?? to.get(step.node, 'title');
  const labels = caller.name === caller.id ? undefined : { id: caller.name };
  return [
    [
      'id',
      built(to.get(caller.node, 'id') ?? caller.node).scalar(caller.id),
      keyOf(caller, 'id', translation),
    ],
    ['title', title?.kind === 'scalar' ? template(title, step, translation) : undefined],
    ['labels', labels],
    ['if', condition(step, tests, translation), keyOf(step, 'runCondition', translation)],
  ];
}

function condition(step: ForeignStep, tests: readonly Test[], { to }: Translation): ScalarNode | undefined {
  if (tests.length === 0) return undefined;
  return built(to.get(step.node, 'runCondition') ?? step.node).scalar(joined(tests, '&&').text);
}

function work(
  step: ForeignStep,
  confirmations: readonly Confirmation[],
  translation: Translation,
): BuiltEntry[] {
  const make = built(step.node);
  switch (step.kind) {
    case 'prompt':
      return task(step, confirmations, translation);
    case 'parallel':
      return translateDelegations(step, confirmations, translation);
    case 'template':
      return [
        ['done', confirmed(confirmations)],
        ['exit', agreed(confirmations)],
        ['steps', inside(step, translation), keyOf(step, 'templateCall', translation)],
      ];
    case 'loop':
      return [
        ...translateLoop(step, translation),
        ['done', confirmed(confirmations)],
        ['exit', agreed(confirmations)],
        ['steps', withPasses(step, inside(step, translation), translation, make)],
      ];
  }
}

/** One that is confirmed as a whole. */
function confirmed(confirmations: readonly Confirmation[]): MapNode | undefined {
  const approve = approval(confirmations);
  return approve && built(approve).map([['approve', approve]]);
}

/** In place of steps that were reported, or are still being looked for: what is around them can be looked at. */
const NOTHING = [{ id: 'nothing', call: 'noop' }];

function inside(step: ForeignStep, translation: Translation): Node {
  const list = step.body ?? { steps: [] };
  return list.steps.length === 0
    ? built(step.node).node(NOTHING)
    : translateSteps(list, step.node, translation);
}

/** What a loop inside would hide of a pass is kept before anything else of the pass is done. */
function withPasses(
  step: ForeignStep,
  steps: Node,
  { names }: Translation,
  make: ReturnType<typeof built>,
): Node {
  const carried = names.carried(step);
  if (carried.size === 0 || steps.kind !== 'list') return steps;
  const set = Object.fromEntries([...carried].map(([name, value]) => [name, `{{ ${value} }}`]));
  return make.list([{ id: 'pass-begins', call: 'noop', exit: [{ set }] }, ...steps.items]);
}

/** What an agent does. `pieces` in place of what the step says. */
function task(
  step: ForeignStep,
  confirmations: readonly Confirmation[],
  translation: Translation,
  prompt: Part = built(step.node).text(promptPieces(step, translation)),
): BuiltEntry[] {
  const make = built(translation.to.get(step.node, 'prompt') ?? step.node);
  return [
    ['prompt', make.map([['text', prompt]]), keyOf(step, 'prompt', translation)],
    ['output', { vars: 'context', extra: 'keep' }],
    ...translateDone(step, translation, confirmations),
  ];
}

function template(node: ScalarNode, step: ForeignStep, translation: Translation): ScalarNode {
  const text = stringOf(node) ?? node.written;
  return /[{]/.test(text) ? built(node).text(textPieces(node, { ...translation, step })) : node;
}

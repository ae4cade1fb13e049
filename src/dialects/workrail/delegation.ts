// delegation: workflows that a step hands parts of its task to, and the step that brings together what came back. They are
// run one by one: they share the workspace, and any of them may write.

import { type BuiltEntry, built, type Piece } from '../../source/build-nodes.ts';
import { slug } from '../../source/grammar/slug.ts';
import { type MapNode, type Node, type ScalarNode, stringOf, toJson } from '../../source/read/node.ts';
import { celText, FreeNames, member } from '../native-text.ts';
import { conditionOf } from './condition.ts';
import { type Confirmation, translateDone } from './done.ts';
import type { ForeignStep } from './outline.ts';
import { itemsOf, promptPieces } from './prompt.ts';
import { textPieces } from './text.ts';
import { keyOf, type Translation } from './translation.ts';

export function translateDelegations(
  step: ForeignStep,
  confirmations: readonly Confirmation[],
  translation: Translation,
): BuiltEntry[] {
  const { to } = translation;
  const list = to.get(step.node, 'parallelDelegations');
  const ids = new FreeNames(['end']);
  const delegations = itemsOf(list).flatMap((node) =>
    node.kind === 'map' ? [delegation(node, step, ids, translation)] : [],
  );
  const make = built(list ?? step.node);
  const fan = make.map([
    ['id', 'delegations'],
    ['parallel', true],
    ['concurrency', 1],
    ['steps', make.list(delegations)],
  ]);
  const synthesis = make.map([
    ['id', 'synthesis'],
    ['prompt', make.map([['text', built(step.node).text(synthesisPieces(step, translation))]])],
    ['output', { vars: 'context', extra: 'keep' }],
    ...translateDone(step, translation, confirmations),
  ]);
  return [['steps', make.list([fan, synthesis]), keyOf(step, 'parallelDelegations', translation)]];
}

function delegation(node: MapNode, step: ForeignStep, ids: FreeNames, translation: Translation): MapNode {
  const { to } = translation;
  const workflow = to.get(node, 'workflowId');
  const name = stringOf(workflow) ?? 'workflow';
  const run = conditionOf(to.get(node, 'runCondition'), { ...translation, step });
  const make = built(node);
  return make.map([
    ['id', ids.take(slug(name, 'workflow'))],
    ['if', run?.text],
    ['workflow', built(workflow ?? node).scalar(name), to.entry(node, 'workflowId')?.keyNode],
    [
      'with',
      make.map([
        ['goal', make.text(goalPieces(node, step, translation))],
        ['autonomy', '{{ inputs.autonomy }}'],
        ['risk', '{{ inputs.risk }}'],
      ]),
    ],
  ]);
}

/** A called workflow sees what it is given and nothing else: its goal says all of it. */
function goalPieces(node: MapNode, step: ForeignStep, translation: Translation): Piece[] {
  const { to, names } = translation;
  const source = { ...translation, step };
  const goal = scalarOf(to.get(node, 'goal')) ?? scalarOf(to.get(step.node, 'prompt'));
  const given: Piece[] = [];
  const mapping = to.get(node, 'contextMapping');
  for (const { key, keyNode, value } of mapping?.kind === 'map' ? mapping.entries.values() : []) {
    const theirs = stringOf(value) ?? '';
    const cel = `default(${names.key(theirs, step)}, ${celText(`[unset: ${theirs}]`)})`;
    given.push({ text: `\n- ${key}: {{ ${cel} }}`, at: keyNode });
  }
  const args = to.get(node, 'args');
  for (const { key, keyNode, value } of args?.kind === 'map' ? args.entries.values() : []) {
    const text =
      value.kind === 'scalar'
        ? textPieces(value, source)
        : [{ text: JSON.stringify(toJson(value)), at: value }];
    given.push({ text: `\n- ${key}: `, at: keyNode }, ...text);
  }
  return [
    ...(goal ? textPieces(goal, source) : [{ text: '{{ default(inputs.goal, "") }}', at: node }]),
    ...(given.length === 0 ? [] : [{ text: '\n\nGiven:' }, ...given]),
  ];
}

function synthesisPieces(step: ForeignStep, translation: Translation): Piece[] {
  const { to } = translation;
  const synthesis = to.get(step.node, 'synthesis');
  const own = scalarOf(synthesis) ?? scalarOf(to.get(synthesis, 'prompt'));
  const source = { ...translation, step };
  const prompt = scalarOf(to.get(step.node, 'prompt'));
  const task: Piece[][] = [
    ...(prompt ? [textPieces(prompt, source)] : []),
    own
      ? textPieces(own, source)
      : prompt
        ? []
        : [
            {
              text: 'Bring together what came back: what agrees, what only one of them says, what you reject and why.',
            },
          ],
    [{ text: 'What came back:\n' }, { text: `{{ ${member('steps', 'delegations')}.output }}` }],
  ];
  return promptPieces(step, translation, task);
}

function scalarOf(node: Node | undefined): ScalarNode | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node : undefined;
}

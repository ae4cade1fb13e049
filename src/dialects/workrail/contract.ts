// contract: artifacts that a step must hand in, and what a loop reads out of one. An artifact is known by its `kind`; only
// `loop_control` says anything that the order of steps depends on.

import { nodeSpan, stringOf } from '../../source/read/node.ts';
import { celText, member } from '../native-text.ts';
import { type ForeignStep, loopsAround, nativeId } from './outline.ts';
import type { Translation } from './translation.ts';

const CONTRACTS = [
  'loop_control',
  'coding_handoff',
  'gate_verdict',
  'review_verdict',
  'differentiation_handoff',
  'discovery_handoff',
  'shaping_handoff',
];
const LOOP_CONTROL = 'wr.loop_control';

export interface Requirement {
  is: string;
  else: string;
}

/** `wr.contracts.loop_control` → `wr.loop_control`. */
export function artifactKind(contract: string): string {
  return `wr.${contract.replace(/^wr\.contracts\./, '').replace(/^wr\./, '')}`;
}

/** What the contract of a step asks of its answer. */
export function contractOf(step: ForeignStep, translation: Translation): Requirement[] {
  const { to } = translation;
  const contract = to.get(step.node, 'outputContract');
  const reference = to.get(contract, 'contractRef');
  const written = stringOf(reference);
  if (reference === undefined || written === undefined) return [];
  const kind = artifactKind(written);
  if (!CONTRACTS.includes(kind.slice('wr.'.length)))
    to.report.warn(
      'contract-unknown',
      nodeSpan(reference),
      `"${written}" is no contract that is known here: an artifact of the kind "${kind}" is asked for, and nothing more`,
      `Known are ${CONTRACTS.map((name) => `wr.contracts.${name}`).join(', ')}.`,
    );
  const required = to.get(contract, 'required');
  if (required?.kind === 'scalar' && required.value === false) return [];
  if (kind === LOOP_CONTROL) return decision(step, translation);
  return [
    {
      is: `${ARTIFACTS}.exists(it, same(it.kind, ${celText(kind)}))`,
      else: `Hand in an artifact of the kind "${kind}".`,
    },
  ];
}

const ARTIFACTS = 'default(output.artifacts, [])';

/** One, so that nobody has to guess which of two counts; and for no other loop, where it names one. */
function decision(step: ForeignStep, { to }: Translation): Requirement[] {
  const words = '["continue", "stop"].exists(word, same(it.decision, word))';
  const [loop] = loopsAround(step);
  const source = to.get(to.get(loop?.node, 'loop'), 'conditionSource');
  const id = stringOf(to.get(source, 'loopId')) ?? loop?.name;
  const ofLoop = id === undefined ? '' : ` && same(default(it.loopId, ${celText(id)}), ${celText(id)})`;
  const named = id === undefined ? '' : `, and its \`loopId\`, where it has one, "${id}"`;
  return [
    {
      is: `${ARTIFACTS}.exists_one(it, same(it.kind, "${LOOP_CONTROL}"))`,
      else: 'Hand in one artifact { "kind": "wr.loop_control", "decision": "continue" }, or with "stop".',
    },
    {
      is: `${ARTIFACTS}.all(it, !same(it.kind, "${LOOP_CONTROL}") || (${words}${ofLoop}))`,
      else: `The \`decision\` of the artifact "wr.loop_control" must be "continue" or "stop"${named}.`,
    },
  ];
}

/** Whether the loop that a step stands in is told to stop by it. */
export function saysStop(step: ForeignStep): string {
  const artifacts = `default(${member('steps', nativeId(step))}.output.artifacts, [])`;
  return `${artifacts}.exists(it, same(it.kind, "${LOOP_CONTROL}") && same(it.decision, "stop"))`;
}

/** The steps of a loop whose decision it is: not those of a loop inside of it. */
export function decisionsOf(loop: ForeignStep, translation: Translation): ForeignStep[] {
  return (loop.body?.steps ?? []).flatMap((step) => {
    if (step.kind === 'template') return decisionsOf(step, translation);
    const contract = translation.to.get(step.node, 'outputContract');
    const reference = stringOf(translation.to.get(contract, 'contractRef'));
    return reference !== undefined && artifactKind(reference) === LOOP_CONTROL ? [step] : [];
  });
}

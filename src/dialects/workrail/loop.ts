// loop: `while`, `until`, `for` and `forEach`. At the maximum every one of them is left quietly, as there.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { headSpan, type Node, nodeSpan, stringOf, toJson } from '../../source/read/node.ts';
import { celValue } from '../native-text.ts';
import { compared, conditionOf, joined, simple } from './condition.ts';
import { decisionsOf, saysStop } from './contract.ts';
import type { ForeignStep } from './outline.ts';
import { keyOf, type Translation } from './translation.ts';

/** Where a loop names no maximum. */
const MOST_PASSES = 100;

const LAST_PASS = compared('pass.number == pass.total');
const PASS_LEFT = compared('pass.number <= pass.total');

/** `loop`, or `each`. */
export function translateLoop(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const loop = to.get(step.node, 'loop');
  const key = keyOf(step, 'loop', translation);
  const type = stringOf(to.get(loop, 'type'));
  if (loop === undefined || type === undefined) return [['loop', { until: 'true', max: 1 }, key]];
  if (type === 'forEach') return [['each', eachOf(step, loop, translation), key]];
  const test = type === 'for' ? counted(step, loop, translation) : tested(step, loop, type, translation);
  const make = built(loop);
  return [['loop', make.map([...test, ['max', maximum(loop, translation)]]), key]];
}

function maximum(loop: Node, { to }: Translation): Node | number {
  const count = to.get(loop, 'count');
  const most = to.get(loop, 'maxIterations');
  const times = count?.kind === 'scalar' && typeof count.value === 'number' ? count.value : undefined;
  const limit = most?.kind === 'scalar' ? (most.value as number) : undefined;
  if (times === undefined) return most ?? MOST_PASSES;
  return limit === undefined || times <= limit ? (count as Node) : (most as Node);
}

function tested(step: ForeignStep, loop: Node, type: string, translation: Translation): BuiltEntry[] {
  const { to } = translation;
  const source = to.get(loop, 'conditionSource');
  const kind = stringOf(to.get(source, 'kind'));
  const own = to.get(source, 'condition') ?? to.get(loop, 'condition');
  const decisions = decisionsOf(step, translation);
  const byArtifact = kind === 'artifact_contract' || (kind === undefined && decisions.length > 0);
  if (byArtifact) {
    if (decisions.length === 0)
      to.report.error(
        'loop-decision',
        headSpan(source ?? loop),
        `${step.label} goes on until an artifact says stop, and no step in it hands one in`,
        'Give one of its steps `outputContract: { contractRef: wr.contracts.loop_control }`.',
      );
    const ignored = to.entry(loop, 'condition');
    if (ignored !== undefined)
      to.report.warn(
        'field-ignored',
        nodeSpan(ignored.keyNode),
        `the \`condition\` of ${step.label} is not looked at: its steps decide by their artifacts`,
      );
    const stops = decisions.map((each) => simple(saysStop(each)));
    return [['until', joined([...stops, LAST_PASS], '||').text]];
  }
  const test = conditionOf(own, { ...translation, step, own: true });
  if (own === undefined && to.entry(loop, 'condition') === undefined)
    to.report.error('missing-field', headSpan(loop), `${step.label} has no \`condition\` that ends it`);
  if (test === undefined) return [['until', 'true']];
  const make = built(own ?? loop);
  return type === 'while'
    ? [['while', make.scalar(joined([test, PASS_LEFT], '&&').text)]]
    : [['until', make.scalar(joined([test, LAST_PASS], '||').text)]];
}

/** So many times: a number, or a key of the context that holds one. */
function counted(step: ForeignStep, loop: Node, translation: Translation): BuiltEntry[] {
  const { to, names } = translation;
  const count = to.get(loop, 'count');
  if (count?.kind !== 'scalar') {
    if (to.entry(loop, 'count') === undefined)
      to.report.error(
        'missing-field',
        headSpan(loop),
        `${step.label} does not say how often: it needs \`count\``,
      );
    return [['until', 'true']];
  }
  // With `while` there may be no pass at all.
  if (count.value === 0) return [['while', built(count).scalar('false')]];
  if (typeof count.value === 'number') return [['until', built(count).scalar(LAST_PASS.text)]];
  const value = names.key(keyIn(count.value), step);
  const left = compared(`pass.number <= default(number(${value}), 0)`);
  return [['while', built(count).scalar(joined([left, PASS_LEFT], '&&').text)]];
}

function eachOf(step: ForeignStep, loop: Node, translation: Translation): Node {
  const { to, names } = translation;
  const items = to.get(loop, 'items');
  const most = to.get(loop, 'maxIterations');
  const name = names.item(step);
  if (items === undefined) {
    if (to.entry(loop, 'items') === undefined)
      to.report.error('missing-field', headSpan(loop), `${step.label} goes over nothing: it needs \`items\``);
    return built(loop).scalar(`${name} in []`);
  }
  const list =
    items.kind === 'list' ? celValue(toJson(items)) : names.key(keyIn(stringOf(items) ?? ''), step);
  const limit = most?.kind === 'scalar' ? `.filter(it, it.index < ${most.value})` : '';
  return built(items).scalar(`${name} in entries(${list})${limit}.map(it, it.value)`);
}

/** `slices`, or `{{slices}}`. */
function keyIn(written: unknown): string {
  return String(written).replace(/^\{\{\s*(.*?)\s*\}\}$/, '$1');
}

// exits: what must hold before a phase is left → `done`.

import { type BuiltEntry, built, type Part } from '../../source/build-nodes.ts';
import { conform } from '../../source/grammar/conform.ts';
import { parseDuration } from '../../source/grammar/measure.ts';
import { type MapNode, type Node, nodeSpan, stringOf, toJson } from '../../source/read/node.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { celValue, durationText } from '../native-text.ts';
import { EXITS } from './grammar.ts';
import { type ForeignPhase, itemsOf } from './outline.ts';
import type { Limits } from './settings.ts';
import { textAsCel } from './text.ts';
import { conditionAt, reading, type Translation, textAt } from './translation.ts';
import { at, negated, OR, type Value } from './value.ts';

/** A person may say no more often than two tries would allow. */
const ASKED = 20;
const ACCEPT = ['yes', 'approve', 'proceed', 'continue'];
const REJECT = ['no', 'reject', 'stop', 'cancel'];

interface Approval {
  ask: Part;
  if?: Value | undefined;
  timeout?: Part | undefined;
}

export interface Exits {
  that: Part[];
  approvals: Approval[];
  /** Patterns of files that must be there, as written. */
  artifacts: Node[];
}

export function exitsOf(phase: ForeignPhase, translation: Translation): Exits {
  const { to } = translation;
  const node = to.get(phase.node, 'exit_conditions');
  const exits: Exits = { that: [], approvals: [], artifacts: [] };
  if (node?.kind === 'scalar') {
    if (stringOf(node) === 'auto')
      exits.that.push(
        built(node).map([
          ['is', 'event.name == "stop"'],
          ['else', 'The phase ends with the turn.'],
        ]),
      );
    else add(node, phase, exits, translation);
  }
  for (const item of itemsOf(node)) add(item, phase, exits, translation);
  return exits;
}

function add(item: Node, phase: ForeignPhase, exits: Exits, translation: Translation): void {
  const { to } = translation;
  const where = { phase: phase.name };
  if (item.kind === 'scalar') {
    const holds = conditionAt(item, where, translation);
    if (holds) exits.that.push(built(item).scalar(holds.cel));
    return;
  }
  const type = item.kind === 'map' ? item.entries.get('type')?.value : undefined;
  const kind = stringOf(type) ?? 'expression';
  const shape = Object.hasOwn(EXITS, kind) ? EXITS[kind] : undefined;
  if (shape === undefined) {
    const known = Object.keys(EXITS);
    to.report.error(
      'bad-choice',
      nodeSpan(type as Node),
      `there is no exit condition of type "${kind}" here`,
      didYouMean(kind, known) ?? `There are ${known.join(', ')}.`,
    );
    return;
  }
  if (!conform(item, shape, `the exit condition \`${kind}\``, to) || item.kind !== 'map') return;
  const get = (key: string) => to.get(item, key);
  const when = conditionAt(get('when'), where, translation);
  if (kind === 'user_approval') {
    const ask =
      textAt(get('prompt'), where, translation) ??
      built(item).scalar(`May the phase "${phase.name}" be left?`);
    exits.approvals.push({ ask, if: when, timeout: timeoutOf(get('timeout'), translation) });
    return;
  }
  const holds = testOf(kind, item, phase, exits, translation);
  if (holds === undefined) return;
  const is = when ? `${at(OR, negated(when))} || ${at(OR, holds.is)}` : holds.is.cel;
  exits.that.push(
    built(item).map([
      ['is', is],
      ['else', holds.otherwise],
    ]),
  );
}

function testOf(
  kind: string,
  item: MapNode,
  phase: ForeignPhase,
  exits: Exits,
  translation: Translation,
): { is: Value; otherwise?: Part | undefined } | undefined {
  const { to, names } = translation;
  const where = { phase: phase.name };
  const get = (key: string) => to.get(item, key);
  if (kind === 'variable_set') {
    const name = stringOf(get('variable'));
    if (name === undefined) return undefined;
    const variable = names.variable(name);
    const wanted = get('value');
    const cel =
      wanted === undefined ? `${variable.cel} != null` : `${variable.cel} == ${celValue(toJson(wanted))}`;
    return { is: { cel, kind: 'bool', level: 3 }, otherwise: `\`${name}\` has no value yet.` };
  }
  if (kind === 'artifact_exists') {
    const artifact = stringOf(get('artifact'));
    const pattern = get('pattern');
    if (artifact !== undefined)
      return {
        is: { cel: `${celValue(artifact)} in session.artifacts`, kind: 'bool', level: 3 },
        otherwise: `There is no artifact "${artifact}" yet.`,
      };
    const files = pattern?.kind === 'scalar' ? textAsCel(pattern, reading(where, translation)) : undefined;
    if (pattern === undefined || files === undefined) return undefined;
    exits.artifacts.push(pattern);
    const said = textAt(pattern, where, translation);
    return {
      is: { cel: `size(files(${files})) > 0`, kind: 'bool', level: 3 },
      otherwise: built(pattern).scalar(`There is no file ${String(said?.value)} yet.`),
    };
  }
  const condition = get('expression') ?? get('condition');
  const is = conditionAt(condition, where, translation);
  return is && { is, otherwise: textAt(get('message'), where, translation) };
}

/** A number is seconds. */
function timeoutOf(node: Node | undefined, { to }: Translation): Part | undefined {
  if (node?.kind !== 'scalar') return undefined;
  const { value } = node;
  const seconds = typeof value === 'number' ? value : /^\d+$/.test(String(value)) ? Number(value) : undefined;
  if (seconds !== undefined && seconds > 0) return built(node).scalar(durationText(seconds * 1000));
  if (parseDuration(String(value)) !== undefined) return node;
  to.report.error(
    'bad-duration',
    nodeSpan(node),
    `\`timeout\`: "${node.written}" is not a duration`,
    'Write a number of seconds, or `30s`, `10m`, `2h`.',
  );
  return undefined;
}

export function doneOf(
  phase: ForeignPhase,
  { that, approvals }: Exits,
  limits: Limits,
  { to }: Translation,
): BuiltEntry[] {
  const entry = to.entry(phase.node, 'exit_conditions');
  const make = built(entry?.value ?? phase.node);
  const asked = limits.planApproval(phase, approvals.length > 0);
  const all = asked === undefined ? approvals : [...approvals, { ask: asked }];
  if (that.length === 0 && all.length === 0) return [];
  // A person who says no sends the phase back; what a machine finds missing may be given up.
  const attempts = all.length === 0 ? limits.attempts : ASKED;
  return [
    [
      'done',
      make.map([
        ['that', that.length === 0 ? undefined : make.list(that)],
        ['approve', approvalOf(all, make)],
        ['tries', attempts],
      ]),
      entry?.keyNode,
    ],
    ['on_fail', all.length === 0 && limits.attempts !== undefined ? 'continue' : undefined],
  ];
}

function approvalOf(all: readonly Approval[], make: ReturnType<typeof built>): Part | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const ask = all.length === 1 ? first.ask : make.scalar(all.map(({ ask }) => textOf(ask)).join('\n'));
  const conditions = all.map((each) => each.if);
  const isAlways = conditions.includes(undefined);
  const cel = conditions
    .flatMap((each) => (each === undefined ? [] : conditions.length === 1 ? each.cel : at(OR, each)))
    .join(' || ');
  const timeout = all.map((each) => each.timeout).find((each) => each !== undefined);
  return make.map([
    ['ask', ask],
    ['if', isAlways ? undefined : cel],
    ['timeout', timeout],
    ['accept', ACCEPT],
    ['reject', REJECT],
  ]);
}

function textOf(part: Part): string {
  return typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'scalar'
    ? String((part as { value: unknown }).value)
    : String(part);
}

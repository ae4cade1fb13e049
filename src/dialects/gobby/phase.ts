// phase: one phase of theirs → one step of ours. What it is told when it is entered is the prompt; the lists and rules hold the
// session while it lasts; what lets it go is `next` and `done`.

import { type BuiltEntry, built, type Part, type Piece } from '../../source/build-nodes.ts';
import { type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { translateActions } from './action.ts';
import { doneOf, exitsOf } from './exits.ts';
import type { ForeignAction, ForeignPhase, ForeignTransition } from './outline.ts';
import type { Limits } from './settings.ts';
import { targetId } from './target.ts';
import { textPieces } from './text.ts';
import { reportOutOfReach, toolsOf } from './tools.ts';
import { conditionAt, reading, type Translation, textAt } from './translation.ts';
import { entering, errorWays } from './triggers.ts';
import { AND, at, negated, type Value, value } from './value.ts';

export function translatePhase(phase: ForeignPhase, limits: Limits, translation: Translation): MapNode {
  const { to } = translation;
  const make = built(phase.node);
  const name = to.get(phase.node, 'name') ?? phase.node;
  const description = to.get(phase.node, 'description');
  const key = (field: string) => to.entry(phase.node, field)?.keyNode;
  const isEnd = isLastWord(phase, translation);
  const exits = exitsOf(phase, translation);
  reportOutOfReach(phase, exits, translation);
  const { before, messages } = isEnd
    ? { before: phase.enter, messages: [] }
    : parted(phase.enter, translation);
  const enter = [
    ...telling(phase, translation),
    ...translateActions(before, { phase: phase.name }, translation),
  ];
  const exit = translateActions(phase.exit, { phase: phase.name }, translation);
  const next = withoutDead([
    ...phase.transitions.map((each) => translateTransition(each, phase, translation)),
    ...errorWays(phase, translation),
    ...entering(phase, translation),
    ...limits.ways(phase),
  ]);
  return make.map([
    ['id', make.at(name).scalar(phase.id), key('name')],
    ['title', description && textAt(description, { phase: phase.name }, translation), key('description')],
    ...(isEnd
      ? endWork
      : [
          [
            'prompt',
            make.map([['text', promptOf(phase, messages, translation)]]),
            key('on_enter'),
          ] as BuiltEntry,
        ]),
    ...(isEnd ? [] : toolsOf(phase, translation)),
    ['rules', listOrNot(rulesOf(phase, translation), phase.node), key('rules')],
    ['enter', listOrNot(enter, phase.node), key('on_enter')],
    ['exit', listOrNot(exit, phase.node), key('on_exit')],
    ...doneOf(phase, exits, limits, translation),
    ['next', isEnd ? undefined : listOrNot(next, phase.node), key('transitions')],
  ]);
}

/** Of two ways that are taken under the same condition, the second never is. */
function withoutDead(ways: readonly MapNode[]): MapNode[] {
  const seen = new Set<string>();
  return ways.filter((way) => {
    const when = stringOf(way.entries.get('when')?.value) ?? '';
    const isFirst = !seen.has(when);
    seen.add(when);
    return isFirst;
  });
}

const endWork: BuiltEntry[] = [['call', 'noop']];

function listOrNot(items: readonly MapNode[], at: Node): Part | undefined {
  return items.length === 0 ? undefined : built(at).list(items);
}

/** The last phase, with nothing to do in it: the workflow is over once it has said its words. */
function isLastWord({ node, rules, transitions }: ForeignPhase, { to, outline }: Translation): boolean {
  const isLast = outline.phases.at(-1)?.node === node;
  const has = (key: string) => to.entry(node, key) !== undefined;
  return (
    isLast &&
    outline.phases.length > 1 &&
    rules.length === 0 &&
    transitions.length === 0 &&
    !has('allowed_tools') &&
    !has('blocked_tools') &&
    !has('exit_conditions')
  );
}

/** Words that stand last are the prompt itself: nothing after them changes what they say. */
function parted(
  actions: readonly ForeignAction[],
  { to }: Translation,
): { before: ForeignAction[]; messages: ForeignAction[] } {
  let from = actions.length;
  while (from > 0) {
    const action = actions[from - 1] as ForeignAction;
    if (action.name !== 'inject_message' || to.entry(action.node, 'when') !== undefined) break;
    from--;
  }
  return { before: actions.slice(0, from), messages: actions.slice(from) };
}

function promptOf(phase: ForeignPhase, messages: readonly ForeignAction[], translation: Translation): Part {
  const { to } = translation;
  const texts = messages.flatMap(({ node }) => to.get(node, 'content') ?? to.get(node, 'message') ?? []);
  const described = to.get(phase.node, 'description');
  const nodes = texts.length > 0 ? texts : described === undefined ? [] : [described];
  const read = reading({ phase: phase.name }, translation);
  const pieces = nodes.flatMap((node, index): Piece[] => {
    if (node.kind !== 'scalar') return [];
    return [...(index === 0 ? [] : [{ text: '\n\n', at: node }]), ...textPieces(node, read)];
  });
  return pieces.length === 0 ? `You are in the phase "${phase.name}".` : built(phase.node).text(pieces);
}

function telling(phase: ForeignPhase, { names }: Translation): MapNode[] {
  return names.tellsPhase ? [built(phase.node).map([['set', { phase: phase.name }]])] : [];
}

const VERDICTS: Readonly<Record<string, string>> = { block: 'block', warn: 'warn', require_approval: 'ask' };

/** A call that an `allow` rule lets through is not asked about by the rules after it. */
function rulesOf(phase: ForeignPhase, translation: Translation): MapNode[] {
  const { to } = translation;
  const where = { phase: phase.name, isRule: true };
  const allowed: Value[] = [];
  return phase.rules.flatMap((node) => {
    const when = to.get(node, 'when');
    const action = stringOf(to.get(node, 'action')) ?? '';
    const holds = conditionAt(
      when,
      { ...where, isRule: action === 'block' || action === 'require_approval' },
      translation,
    );
    if (holds === undefined || when === undefined) return [];
    if (action === 'allow') {
      allowed.push(holds);
      return [];
    }
    const verdict = VERDICTS[action];
    if (verdict === undefined) return [];
    const cel = [
      ...allowed.map((each) => at(AND, negated(each))),
      allowed.length > 0 ? at(AND, holds) : holds.cel,
    ].join(' && ');
    const message =
      textAt(to.get(node, 'message'), where, translation) ??
      `The phase "${phase.name}" has a rule about this.`;
    return [
      built(node).map([
        ['when', built(when).scalar(cel), to.entry(node, 'when')?.keyNode],
        [verdict, message, to.entry(node, 'action')?.keyNode],
      ]),
    ];
  });
}

function translateTransition(
  { node, to: target, actions }: ForeignTransition,
  phase: ForeignPhase,
  translation: Translation,
): MapNode {
  const { to } = translation;
  const where = { phase: phase.name };
  const when = to.get(node, 'when');
  const holds = when === undefined ? value('true', 'bool') : conditionAt(when, where, translation);
  const done = translateActions(actions, where, translation);
  const key = (field: string) => to.entry(node, field)?.keyNode;
  return built(node).map([
    ['when', built(when ?? node).scalar(holds?.cel ?? 'false'), key('when')],
    [
      'goto',
      built(to.get(node, 'to') ?? node).scalar(targetId(target, to.get(node, 'to') ?? node, translation)),
      key('to'),
    ],
    ['do', done.length === 0 ? undefined : built(node).list(done), key('on_transition')],
  ]);
}

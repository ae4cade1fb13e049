// done: when the work of a step counts: a claim with notes, the artifacts and criteria that the step asks for, its command,
// and a person who confirms.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { child, type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { assessmentsOf } from './assessment.ts';
import { compared, conditionOf, joined, type Test } from './condition.ts';
import { contractOf } from './contract.ts';
import { criteriaOf } from './criteria.ts';
import type { ForeignStep } from './outline.ts';
import { textPieces } from './text.ts';
import { keyOf, type Translation } from './translation.ts';

/** That language sends work back for ever; here a person is asked after so many tries. */
const TRIES = 20;

/** `done` and `exit` of a step that an agent does. */
export function translateDone(
  step: ForeignStep,
  translation: Translation,
  confirmations: readonly Confirmation[],
): BuiltEntry[] {
  const { to } = translation;
  const optional = to.get(step.node, 'notesOptional');
  const isOptional = optional?.kind === 'scalar' && optional.value === true;
  const that = [
    ...contractOf(step, translation),
    ...criteriaOf(step, translation),
    ...assessmentsOf(step, translation),
  ];
  const make = built(step.node);
  const done = make.map([
    ['schema', isOptional ? 'claim-notes-optional' : 'claim'],
    [
      'that',
      that.length === 0 ? undefined : that.map(({ is, else: otherwise }) => ({ is, else: otherwise })),
    ],
    ['run', commandOf(step, translation), keyOf(step, 'verification', translation)],
    ['approve', approval(confirmations)],
    ['tries', TRIES],
  ]);
  return [
    ['done', done],
    ['exit', agreed(confirmations)],
  ];
}

/** `verification.command`, which the engine runs itself. */
function commandOf(step: ForeignStep, translation: Translation): Node | undefined {
  const { to } = translation;
  const command = child(to.get(step.node, 'verification'), 'command');
  if (command?.kind === 'scalar') return built(command).text(textPieces(command, { ...translation, step }));
  if (command?.kind !== 'list') return undefined;
  return built(command).list(
    command.items.flatMap((item) =>
      item.kind === 'scalar' ? [built(item).text(textPieces(item, { ...translation, step }))] : [],
    ),
  );
}

// ── Confirmation ────────────────────────────────────────────────────────────────────────────────

export interface Confirmation {
  at: Node;
  title: string;
  /** Absent: always. Before the claim counts, and after it. */
  when?: { before: Test; after: Test };
  /** Asked also where the run only stops for what a person must decide. */
  byPerson: boolean;
}

/** `requireConfirmation` of a step; none, or one. It is asked after the work: its condition names what the step sets. */
export function confirmationOf(step: ForeignStep, translation: Translation): Confirmation[] {
  const { to } = translation;
  const at = to.get(step.node, 'requireConfirmation');
  if (at === undefined || (at.kind === 'scalar' && at.value !== true)) return [];
  const title = stringOf(to.get(step.node, 'title')) ?? step.name;
  if (at.kind !== 'map') return [{ at, title, byPerson: false }];
  const byPerson = stringOf(to.get(at, 'kind')) === 'human_approval';
  const inner = to.get(at, 'condition') ?? conditionIn(at);
  if (inner === undefined) return [{ at, title, byPerson }];
  const after = conditionOf(inner, { ...translation, step });
  if (after === undefined) return [];
  // A loop or a group of steps hands nothing in itself.
  const isTask = step.kind === 'prompt' || step.kind === 'parallel';
  const before = isTask ? conditionOf(inner, { ...translation, step, claimed: true }) : after;
  return [{ at, title, byPerson, when: { before: before ?? after, after } }];
}

/** A condition stands there itself, or beside its kind. */
function conditionIn(at: MapNode): Node | undefined {
  return ['var', 'and', 'or', 'not'].some((key) => at.entries.has(key)) ? at : undefined;
}

/** What the person chose when the run started decides; the agent cannot change an input. */
function asks({ byPerson }: Confirmation, yes = true): Test {
  const text = byPerson
    ? `inputs.autonomy ${yes ? '!=' : '=='} "full_auto_never_stop"`
    : `inputs.autonomy ${yes ? '==' : '!='} "guided"`;
  return compared(text);
}

export function approval(confirmations: readonly Confirmation[]): MapNode | undefined {
  const [first] = confirmations;
  if (first === undefined) return undefined;
  const each = confirmations.map((one) => joined([asks(one), ...(one.when ? [one.when.before] : [])], '&&'));
  const title = plain(first.title);
  return built(first.at).map([
    ['ask', `Is "${title}" right, and may it go on?`],
    ['if', joined(each, '||').text],
  ]);
}

/** Where nobody is asked because a person said so before, that is on record. */
export function agreed(confirmations: readonly Confirmation[]): Node | undefined {
  const [first] = confirmations;
  if (first === undefined) return undefined;
  const each = confirmations.map((one) =>
    joined([asks(one, false), ...(one.when ? [one.when.after] : [])], '&&'),
  );
  const when = joined([compared('status == "done"'), joined(each, '||')], '&&');
  return built(first.at).list([
    {
      when: when.text,
      call: 'noop',
      with: { value: `Agreed by preference ({{ inputs.autonomy }}): ${plain(first.title)}` },
    },
  ]);
}

/** As a template of ours. */
function plain(text: string): string {
  return text.replace(/\{(?=[{%])/g, '{ ');
}

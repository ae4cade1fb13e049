// condition: `when` → `if`. Texts are compared as texts; where several conditions stand there, all must hold.

import { type BuiltEntry, built, type Piece } from '../../source/build-nodes.ts';
import { headSpan, type ScalarNode } from '../../source/read/node.ts';
import { celText } from '../native-text.ts';
import type { ForeignStep } from './outline.ts';
import { checkPath } from './paths.ts';
import { type Place, placeOf } from './resolve-reference.ts';
import type { Translation } from './translation.ts';

export function translateWhen(step: ForeignStep, translation: Translation): BuiltEntry | undefined {
  const { to } = translation;
  const entry = to.entry(step.node, 'when');
  const when = to.get(step.node, 'when');
  if (entry === undefined || when?.kind !== 'map') return undefined;
  if (when.entries.size === 0) {
    const hint = 'It has `equals`, `exists` or `not_exists`.';
    to.report.error('missing-field', headSpan(entry.keyNode), '`when` has no condition', hint);
    return undefined;
  }
  const place = placeOf(step);
  const tests: Piece[][] = [
    ...equality(to.get(when, 'equals'), place, translation),
    ...existence(to.get(when, 'exists'), 'exists', '> 0', place, translation),
    ...existence(to.get(when, 'not_exists'), 'not_exists', '== 0', place, translation),
  ];
  if (tests.length === 0) return undefined;
  const pieces = tests.flatMap((test, index) => (index === 0 ? test : [{ text: ' && ' }, ...test]));
  return ['if', built(when).text(pieces), entry.keyNode];
}

function equality(
  equals: ReturnType<Translation['to']['get']>,
  place: Place,
  { to, substitution }: Translation,
): Piece[][] {
  const sides = [to.get(equals, 'left'), to.get(equals, 'right')];
  if (!sides.every((side): side is ScalarNode => side?.kind === 'scalar')) return [];
  const [left, right] = sides.map((side) => ({
    // A number is what it is in JSON, however it is written here.
    text: typeof side.value === 'string' ? substitution.expression(side, place) : celText(String(side.value)),
    at: side,
    number: side.style === 'built' ? String(side.value).replace(/\.0$/, '') : undefined,
  }));
  if (!left || !right) return [];
  // `2.0` is that text, and JSON that says so has the number 2.
  const [whole, other] = right.number === undefined ? [left, right] : [right, left];
  if (whole.number !== undefined && other.number === undefined)
    return [[other, { text: ' in [' }, whole, { text: `, ${celText(whole.number)}]` }]];
  return [[left, { text: ' == ' }, right]];
}

function existence(
  pattern: ReturnType<Translation['to']['get']>,
  field: string,
  test: string,
  place: Place,
  { to, substitution }: Translation,
): Piece[][] {
  if (pattern?.kind !== 'scalar') return [];
  if (!checkPath(pattern, { field: `when.${field}`, glob: true }, to.report)) return [];
  return [[{ text: `size(files(${substitution.expression(pattern, place)})) ${test}`, at: pattern }]];
}

// check-hyphen: `steps.a-b` is a subtraction to CEL and a step to its author.

import type { ASTNode } from '@marcbachmann/cel-js';
import { isKnown, memberText } from './check-name.ts';
import { type Inspection, problemAt, type Scope } from './inspection.ts';
import { pathOf, staticKey } from './path.ts';
import { isNumeric, own } from './type-relations.ts';

type Subtraction = ASTNode & { op: '-' };

/** True: it was reported, and what it is made of need not be looked at. */
export function checkHyphen(node: Subtraction, inspection: Inspection, scope: Scope): boolean {
  let first: ASTNode = node;
  while (first.op === '-') first = first.args[0];
  if (first.op !== '.' || !isChain(first)) return false;
  const key = /^\w+(?:-\w+)+/.exec(inspection.source.slice(first.pos, node.end))?.[0];
  if (key === undefined || first.pos + key.length <= first.end) return false;
  if (!isMeant(first, key, inspection, scope)) return false;
  const path = pathOf(first.args[0]);
  const message = `\`${path}.${key}\` is a subtraction: a name with a hyphen is read in brackets`;
  const place = { start: first.start, end: first.pos + key.length };
  inspection.report(problemAt(place, 'cel-hyphen', message, `Write \`${memberText(path, key)}\`.`));
  return true;
}

/** A name and its members. Of anything else the type is not asked for twice: nested, that would double at each level. */
function isChain(node: ASTNode): boolean {
  let at = node;
  while (at.op === '.' || (at.op === '[]' && staticKey(at) !== undefined)) at = at.args[0];
  return at.op === 'id';
}

function isMeant(first: ASTNode & { op: '.' }, key: string, inspection: Inspection, scope: Scope): boolean {
  const container = inspection.peek(first.args[0], scope);
  const [minuend = '', subtrahend = ''] = key.split('-');
  const knownSubtrahend = /^\d/.test(subtrahend) || isKnown(subtrahend, inspection, scope);
  if (container.kind !== 'object')
    return !knownSubtrahend && (container.kind === 'any' || container.kind === 'map');
  const exists = own(container.fields, key) !== undefined || own(container.denied, key) !== undefined;
  const number = own(container.fields, minuend);
  const subtracts = number !== undefined && (isNumeric(number) || number.kind === 'any');
  return exists ? !(subtracts && knownSubtrahend) : number === undefined && !knownSubtrahend;
}

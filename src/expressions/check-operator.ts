// check-operator: operators between types that are known and do not go together.

import type { ASTNode } from '@marcbachmann/cel-js';
import { type Inspection, problemAt, type Scope } from './inspection.ts';
import type { Type } from './type.ts';
import {
  ANY,
  BOOL,
  comparable,
  describedType,
  INT,
  isNumeric,
  joined,
  NUMBER,
  STRING,
} from './type-relations.ts';

type Binary = Extract<ASTNode, { args: [ASTNode, ASTNode] }>;

export function checkBinary(node: Binary, inspection: Inspection, scope: Scope): Type {
  const left = inspection.infer(node.args[0], scope);
  const right = inspection.infer(node.args[1], scope);
  const wrong = (message: string, hint?: string) =>
    inspection.report(problemAt(node, 'cel-type', message, hint));
  switch (node.op) {
    case '==':
    case '!=':
      if (!comparable(left, right))
        wrong(`${described(left, right)} are never equal`, equalityHint(left, right));
      return BOOL;
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (!haveOrder(left, right))
        wrong(
          `${described(left, right)} have no order: \`${node.op}\` cannot compare them`,
          conversionHint(left, right),
        );
      return BOOL;
    case 'in':
      checkMembership(left, right, wrong);
      return BOOL;
    case '+':
      return sum(left, right) ?? mismatch(node.op, left, right, wrong);
    default:
      return difference(node.op, left, right) ?? mismatch(node.op, left, right, wrong);
  }
}

type Wrong = (message: string, hint?: string) => void;

function mismatch(operator: string, left: Type, right: Type, wrong: Wrong): Type {
  wrong(
    `\`${operator}\` cannot be used between ${describedType(left)} and ${describedType(right)}`,
    conversionHint(left, right),
  );
  return ANY;
}

function described(left: Type, right: Type): string {
  return `${describedType(left)} and ${describedType(right)}`;
}

function conversionHint(left: Type, right: Type): string | undefined {
  const kinds = [left, right];
  if (!kinds.some((type) => type.kind === 'string') || !kinds.some(isNumeric)) return undefined;
  return 'string(x) makes a text of a number; int(x) and double(x) make a number of a text.';
}

function equalityHint(left: Type, right: Type): string | undefined {
  return conversionHint(left, right) ?? 'same(a, b) compares a text with a number or a bool as people would.';
}

function haveOrder(left: Type, right: Type): boolean {
  if (left.kind === 'any' || right.kind === 'any')
    return ![left, right].some((type) => ['list', 'map', 'object', 'null'].includes(type.kind));
  return (
    (isNumeric(left) && isNumeric(right)) ||
    (left.kind === right.kind && ['string', 'bool'].includes(left.kind))
  );
}

/** undefined: they do not go together. */
function sum(left: Type, right: Type): Type | undefined {
  if (left.kind === 'string' && right.kind === 'string') return STRING;
  if (left.kind === 'list' && right.kind === 'list') return joined(left, right);
  if (left.kind === 'any' || right.kind === 'any') {
    const known = left.kind === 'any' ? right : left;
    return ['bool', 'null', 'map', 'object'].includes(known.kind) ? undefined : ANY;
  }
  return difference('+', left, right);
}

function difference(operator: string, left: Type, right: Type): Type | undefined {
  const usable = (type: Type) => type.kind === 'any' || isNumeric(type);
  if (!usable(left) || !usable(right)) return undefined;
  if (left.kind === 'any' || right.kind === 'any') return ANY;
  return (left.kind === 'int' && right.kind === 'int') || operator === '%' ? INT : NUMBER;
}

function checkMembership(left: Type, right: Type, wrong: Wrong): void {
  switch (right.kind) {
    case 'any':
      return;
    case 'list':
      if (!comparable(left, right.of))
        wrong(`${describedType(left)} is never in a list of ${right.of.kind}s`, equalityHint(left, right.of));
      return;
    case 'map':
    case 'object':
      if (left.kind !== 'any' && left.kind !== 'string')
        wrong(`the keys of a map are strings: ${describedType(left)} is never one of them`);
      return;
    default:
      wrong(
        `\`in\` needs a list or a map on its right, and this is ${describedType(right)}`,
        right.kind === 'string' ? 'text.contains(part) looks into a text.' : undefined,
      );
  }
}

/** A part that has to be true or false. */
export function checkTruth(node: ASTNode, operator: string, inspection: Inspection, scope: Scope): void {
  const type = inspection.infer(node, scope);
  if (type.kind === 'any' || type.kind === 'bool') return;
  const message = `\`${operator}\` needs true or false, and this is ${describedType(type)}`;
  inspection.report(problemAt(node, 'cel-type', message, 'truthy(x) makes a bool of anything.'));
}

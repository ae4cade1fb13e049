// references: what a text reads, as far as the text itself says: `steps.x.output`, `steps["a-b"]`.

import type { ASTNode } from '@marcbachmann/cel-js';
import { comprehensionArities } from './comprehension.ts';
import { staticKey } from './path.ts';
import { standardType } from './standard.ts';
import { parseCel } from './syntax.ts';
import { type Part, parseTemplate } from './template-syntax.ts';
import type { Expression } from './template-token.ts';
import { partsOf } from './tree.ts';

export interface Reference {
  root: string;
  /** The members read from it, up to the first that is not written out. */
  path: string[];
  start: number;
  end: number;
}

type Names = readonly string[];

/** In the order they stand in. What cannot be parsed reads nothing: the check has more to say about it. */
export function references(source: string, kind: 'cel' | 'template'): Reference[] {
  const found: Reference[] = [];
  if (kind === 'cel') readExpression({ source, offset: 0 }, [], found);
  else readParts(parseTemplate(source).parts, [], found);
  return found.sort((a, b) => a.start - b.start);
}

function readParts(parts: readonly Part[], scope: Names, found: Reference[]): void {
  for (const part of parts) {
    if (part.kind === 'output') readExpression(part.expression, scope, found);
    else if (part.kind === 'if') {
      for (const { test, body } of part.branches) {
        if (test) readExpression(test, scope, found);
        readParts(body, scope, found);
      }
    } else if (part.kind === 'for') {
      readExpression(part.list, scope, found);
      readParts(part.body, [...scope, part.variable], found);
    }
  }
}

function readExpression({ source, offset }: Expression, scope: Names, found: Reference[]): void {
  const parsed = parseCel(source);
  if (parsed.kind === 'problem') return;
  const inside: Reference[] = [];
  read(parsed.ast, scope, inside);
  // `type(x) == int` compares with a name that is CEL's own.
  const asksForTypes = /\btype\s*\(/.test(source);
  for (const each of inside) {
    if (asksForTypes && each.path.length === 0 && standardType(each.root) !== undefined) continue;
    found.push({ ...each, start: each.start + offset, end: each.end + offset });
  }
}

function read(node: ASTNode, scope: Names, found: Reference[]): void {
  const chain = chainOf(node);
  if (chain) {
    if (!scope.includes(chain.root)) found.push(chain);
    return;
  }
  if (node.op === 'rcall') readMethod(node, scope, found);
  else for (const part of partsOf(node)) read(part, scope, found);
}

function readMethod(node: ASTNode & { op: 'rcall' }, scope: Names, found: Reference[]): void {
  const [name, receiver, [variable, ...bodies]] = node.args;
  const binds = name === 'bind' && receiver.op === 'id' && receiver.args === 'cel';
  if (
    variable?.op !== 'id' ||
    bodies.length === 0 ||
    !(binds || comprehensionArities(name)?.includes(bodies.length + 1))
  ) {
    for (const part of partsOf(node)) read(part, scope, found);
    return;
  }
  const inside = [...scope, variable.args];
  if (!binds) read(receiver, scope, found);
  bodies.forEach((body, index) => {
    read(body, binds && index === 0 ? scope : inside, found);
  });
}

/** A name and the members read from it, when that is all it is. */
function chainOf(node: ASTNode): Reference | undefined {
  const path: string[] = [];
  let at = node;
  for (let key = staticKey(at); key !== undefined && (at.op === '.' || at.op === '[]'); key = staticKey(at)) {
    path.unshift(key);
    at = at.args[0];
  }
  if (at.op !== 'id') return undefined;
  return { root: at.args, path, start: at.start, end: node.end };
}

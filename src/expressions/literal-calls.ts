// literal-calls: what the text itself gives to a function: `files("docs/*.md")`, `files("docs/" + name)`.

import type { ASTNode } from '@marcbachmann/cel-js';
import { parseCel } from './syntax.ts';
import { type Part, parseTemplate } from './template-syntax.ts';
import type { Expression } from './template-token.ts';
import { partsOf } from './tree.ts';

export interface LiteralCall {
  /** How the first argument begins, as far as the text says it. */
  text: string;
  /** Whether that is all of it. */
  whole: boolean;
  start: number;
  end: number;
}

/** Of these functions, in the order they stand in. What cannot be parsed calls nothing. */
export function literalCalls(
  source: string,
  kind: 'cel' | 'template',
  functions: ReadonlySet<string>,
): LiteralCall[] {
  const found: LiteralCall[] = [];
  if (kind === 'cel') readExpression({ source, offset: 0 }, functions, found);
  else readParts(parseTemplate(source).parts, functions, found);
  return found.sort((a, b) => a.start - b.start);
}

function readParts(parts: readonly Part[], functions: ReadonlySet<string>, found: LiteralCall[]): void {
  for (const part of parts) {
    if (part.kind === 'output') readExpression(part.expression, functions, found);
    else if (part.kind === 'if') {
      for (const { test, body } of part.branches) {
        if (test) readExpression(test, functions, found);
        readParts(body, functions, found);
      }
    } else if (part.kind === 'for') {
      readExpression(part.list, functions, found);
      readParts(part.body, functions, found);
    }
  }
}

function readExpression(
  { source, offset }: Expression,
  functions: ReadonlySet<string>,
  found: LiteralCall[],
): void {
  const parsed = parseCel(source);
  if (parsed.kind === 'problem') return;
  const left: ASTNode[] = [parsed.ast];
  for (let node = left.pop(); node; node = left.pop()) {
    left.push(...partsOf(node));
    if (node.op !== 'call' || !functions.has(node.args[0])) continue;
    const argument = node.args[1][0];
    const beginning = argument && beginningOf(argument);
    if (argument === undefined || beginning === undefined) continue;
    found.push({ ...beginning, start: argument.start + offset, end: argument.end + offset });
  }
}

function beginningOf(node: ASTNode): Pick<LiteralCall, 'text' | 'whole'> | undefined {
  let [first, whole] = [node, true];
  while (first.op === '+') {
    whole = false;
    first = first.args[0];
  }
  return first.op === 'value' && typeof first.args === 'string' ? { text: first.args, whole } : undefined;
}

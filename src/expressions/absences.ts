// absences: all values that a text needs and that are not there. Evaluating it names the first; whoever has to fix a
// workflow wants them all. Looked for only once an evaluation has failed.

import type { ASTNode } from '@marcbachmann/cel-js';
import type { Json } from '../model/json.ts';
import { attempt, type Run, start } from './code.ts';
import { comprehensionArities } from './comprehension.ts';
import type { Bindings } from './evaluation.ts';
import { pathOf, staticKey } from './path.ts';
import { compile } from './program.ts';
import { parseCel } from './syntax.ts';
import { type Part, parseTemplate } from './template-syntax.ts';
import { partsOf } from './tree.ts';
import { Exhausted, Missing, Trouble } from './trouble.ts';
import type { Value } from './value.ts';

/** As they are written, each once, in the order they stand in. Every string inside a list or map is a template. */
export function absences(source: Json, kind: 'cel' | 'template', bindings: Bindings): string[] {
  const search = new Search(start(bindings));
  try {
    if (kind === 'cel' && typeof source === 'string') search.text(source);
    else search.deep(source);
  } catch (thrown) {
    // What was found until it became too much is still true.
    if (!(thrown instanceof Exhausted || thrown instanceof RangeError)) throw thrown;
  }
  return [...search.found];
}

class Search {
  readonly found = new Set<string>();
  /** How often something was named, also what had been named before. */
  #named = 0;
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  deep(value: Json): void {
    if (typeof value === 'string') this.#parts(parseTemplate(value).parts);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) this.deep(item);
  }

  /** The value, where it has one. */
  text(cel: string): Value | undefined {
    const parsed = parseCel(cel);
    return parsed.kind === 'problem' ? undefined : this.#expression(parsed.ast);
  }

  #parts(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'output') this.text(part.expression.source);
      else if (part.kind === 'if') {
        const taken = part.branches.find(({ test }) => !test || this.text(test.source) !== false);
        this.#parts(taken?.body ?? []);
        // What its own variable leads to cannot be looked at without it.
      } else if (part.kind === 'for') this.text(part.list.source);
    }
  }

  #expression(node: ASTNode): Value | undefined {
    const result = attempt(this.#run, compile(node));
    if (result instanceof Missing) return undefined;
    if (!(result instanceof Trouble)) return result;
    if (result.absent === undefined) return undefined;
    const before = this.#named;
    if (isChain(node)) this.#name(pathOf(node));
    else this.#inside(node);
    if (this.#named === before) this.#name(result.absent);
    return undefined;
  }

  #name(absent: string): void {
    this.found.add(absent);
    this.#named++;
  }

  /** Only what the value depends on: a branch that is not taken may be as absent as it likes. */
  #inside(node: ASTNode): void {
    if (node.op === '?:') {
      const [test, whenTrue, whenFalse] = node.args;
      const holds = this.#expression(test);
      if (holds !== undefined) this.#expression(holds === true ? whenTrue : whenFalse);
      return;
    }
    // The rest of it sees variables that are not set here.
    if (node.op === 'rcall' && comprehensionArities(node.args[0])) this.#expression(node.args[1]);
    else if (node.op === 'rcall' && node.args[0] === 'bind') return;
    else for (const part of neededParts(node)) this.#expression(part);
  }
}

function neededParts(node: ASTNode): ASTNode[] {
  if (node.op !== 'call') return partsOf(node);
  // Absence is what these are made for.
  if (node.args[0] === 'default') return node.args[1].slice(1);
  // What is called otherwise is told under that name.
  return node.args[0] === 'has' || node.args[0] === 'called' ? [] : partsOf(node);
}

/** A name and the members read from it. */
function isChain(node: ASTNode): boolean {
  let at = node;
  while ((at.op === '.' || at.op === '[]') && staticKey(at) !== undefined) at = at.args[0];
  return at.op === 'id';
}

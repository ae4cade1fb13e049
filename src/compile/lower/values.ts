// values: what a checked scalar stands for.

import { parseDuration, parseSize } from '../../source/grammar/measure.ts';
import { type Node, stringOf } from '../../source/read/node.ts';

export function numberOf(node: Node | undefined): number | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}

export function booleanOf(node: Node | undefined): boolean | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined;
}

export function durationOf(node: Node | undefined): number | undefined {
  const text = stringOf(node);
  return text === undefined ? undefined : parseDuration(text);
}

export function sizeOf(node: Node | undefined): number | undefined {
  const text = stringOf(node);
  return text === undefined ? numberOf(node) : parseSize(text);
}

/** One of the words that the grammar let through. */
export function choiceOf<T extends string>(node: Node | undefined): T | undefined {
  return stringOf(node) as T | undefined;
}

/** A text, or a number or boolean as it was written. */
export function writtenOf(node: Node | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.value === null || node.broken) return undefined;
  return typeof node.value === 'string' ? node.value : node.written;
}

export function itemsOf(node: Node | undefined): Node[] {
  return node?.kind === 'list' ? node.items : [];
}

/** So many branches of a `parallel` run at once where it does not say: each may be a process of its own. */
export const MOST_AT_ONCE = 256;

/** Absent: all at once, as they are few enough. */
export function branchesAtOnce(concurrency: Node | undefined, branches: number): number | undefined {
  return numberOf(concurrency) ?? (branches > MOST_AT_ONCE ? MOST_AT_ONCE : undefined);
}

/** Drops what is undefined: the workflow is plain JSON, the same before and after it was written down. */
export function present<T extends object>(object: T): T {
  for (const key of Object.keys(object) as (keyof T)[]) if (object[key] === undefined) delete object[key];
  return object;
}

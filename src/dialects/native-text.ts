// native-text: texts and values as our own language writes them: CEL literals, templates in which foreign braces stay
// braces, durations, names.

import type { Json } from '../model/json.ts';
import { nameProblem } from '../source/grammar/name.ts';

export function celText(text: string): string {
  return JSON.stringify(text);
}

/** As a CEL literal. A whole number that is too large for CEL is written as the other kind of number. */
export function celValue(value: Json): string {
  if (typeof value === 'number') {
    const written = JSON.stringify(value);
    return Number.isSafeInteger(value) || /[.e]/.test(written) ? written : `${written}.0`;
  }
  if (Array.isArray(value)) return `[${value.map(celValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, each]) => `${celText(key)}: ${celValue(each)}`);
    return `{${fields.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** `a.b`, or `a["b-c"]`. */
export function member(path: string, key: string): string {
  return nameProblem(key, 'variable') === undefined ? `${path}.${key}` : `${path}[${celText(key)}]`;
}

/** What a reference that names nothing becomes: the step fails and says so as it was written. */
export function absent(name: string): string {
  return `absent(${celText(`\${${name}}`)})`;
}

/** A value that may not be there: the error then has the words of the text. */
export function called(cel: string, name: string): string {
  return `called(${cel}, ${celText(`\${${name}}`)})`;
}

export interface BracePart {
  text: string;
  /** It would open something in our language. */
  opens: boolean;
}

/** `{{` and `{%`; and a `{` at the end, where an expression follows it. */
export function braceParts(text: string, beforeExpression: boolean): BracePart[] {
  const parts: BracePart[] = [];
  const pattern = beforeExpression ? /\{+%|\{{2,}|\{$/g : /\{+%|\{{2,}/g;
  let done = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index > done) parts.push({ text: text.slice(done, index), opens: false });
    parts.push({ text: found, opens: true });
    done = index + found.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), opens: false });
  return parts;
}

/** Durations are kept in whole milliseconds; what is not nothing stays so. */
export function durationText(milliseconds: number): string {
  const whole = Math.max(Math.round(milliseconds), milliseconds > 0 ? 1 : 0);
  if (whole % 60_000 === 0 && whole > 0) return `${whole / 60_000}m`;
  return whole % 1000 === 0 ? `${whole / 1000}s` : `${whole}ms`;
}

/** A hundred years, as everywhere in the language. */
export const LONGEST_DURATION = 100 * 365 * 86_400_000;

/** Gives every wish a name of its own. */
export class FreeNames {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  take(wish: string): string {
    let name = wish;
    for (let number = this.#next.get(wish) ?? 2; this.#taken.has(name); number++) {
      name = `${wish}_${number}`;
      this.#next.set(wish, number + 1);
    }
    this.#taken.add(name);
    return name;
  }
}

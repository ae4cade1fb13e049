// possible-words: what the words of a command may become when the shell expands them, as far as the text tells.
// A denial needs to know what a word *may* be, so nothing that is possible is left out.

import { holesInside } from './parts-of.ts';
import { HOLE, type Part, type Script, type Word } from './tree.ts';

/** A piece of a word: its text, or `null` for a text that only the shell will know. */
export type Piece = string | null;

/** One way in which a written word may reach a program. */
export interface Possible {
  pieces: Piece[];
  /** `<( )`: it names what these commands print. */
  prints?: Script;
  /** How many words may come of it: one; one or more (files that a pattern fits); any number (an unquoted value). */
  count: 'one' | 'some' | 'any';
  /** It may also be no word at all: `${x:+-v}`. */
  isOptional?: true;
}

/**
 * The values that a line itself gives to its variables; a name that is not here can be anything. `name?`: the line does not
 * set it, so it has the value from the environment of the shell. `$(pwd)`: what that command prints.
 */
export type Variables = ReadonlyMap<string, readonly string[]>;

/** A value that is some absolute path, and surely one word. */
export const ABSOLUTE = '\u0003';

/** A word may have several readings (`{a,b}` gives two words). Above this it counts as any number of any words. */
const MOST = 64;
const ANYTHING: Possible = { pieces: [null], count: 'any' };

/** How the value with this number stands in a text: some text that is known only later, and surely one piece. */
export function holeMark(index: number): string {
  return `${HOLE}${index};`;
}

/** The words that a written word becomes: in order, each with the ways in which it may turn out. */
export function possibleWords(word: Word, variables: Variables): Possible[][] {
  const [only] = word.parts;
  if (word.parts.length === 1 && only?.kind === 'command' && only.form === '<(')
    return [[{ pieces: [null, ...holeMarks(only)], count: 'one', prints: only.script }]];
  const symbols = symbolsOf(word.parts, variables);
  const expanded = expandBraces(symbols);
  if (expanded === undefined) return [[ANYTHING]];
  return expanded.flatMap((one) => settle(one));
}

/** The text of a word that can only be one thing; undefined: it depends. */
export function constantOf(possible: readonly Possible[]): string | undefined {
  const [only, ...others] = possible;
  if (only === undefined || others.length > 0 || only.count !== 'one' || only.isOptional) return undefined;
  return only.pieces.every((piece) => piece !== null) ? only.pieces.join('') : undefined;
}

/** A character (or a quoted text), or something else that a word is made of. `isActive`: braces and wildcards in it count. */
type Symbol =
  | { kind: 'character'; text: string; isActive: boolean }
  /** Not known; `isSplit`: it may become several words. */
  | { kind: 'unknown'; isSplit: boolean }
  /** This text, or one word that is not known. */
  | { kind: 'default'; text: string }
  /** A known variable: one of these values. */
  | { kind: 'values'; values: readonly string[]; isSplit: boolean };

function symbolsOf(parts: readonly Part[], variables: Variables): Symbol[] {
  return parts.flatMap((part) => symbolsOfPart(part, variables));
}

function symbolsOfPart(part: Part, variables: Variables): Symbol[] {
  const isSplit = part.kind !== 'text' && part.quote === 'none';
  switch (part.kind) {
    case 'text':
      if (part.posix !== undefined)
        return [{ kind: 'values', values: [part.text, part.posix], isSplit: false }];
      if (part.quote !== 'none') return [{ kind: 'character', text: part.text, isActive: false }];
      return [...part.text].map((text) => ({ kind: 'character', text, isActive: true }));
    case 'parameter': {
      const values = part.isPlain ? variables.get(part.name) : undefined;
      if (values?.includes(ABSOLUTE)) return SOME_PATH;
      if (values !== undefined) return [{ kind: 'values', values, isSplit }];
      const chosen = part.isEvaluated ? undefined : choiceOf(part, variables, isSplit);
      if (chosen !== undefined) return [chosen];
      const isList =
        part.name === '@' || part.name === '*' || part.name === '!' || part.inner.some(isWholeArray);
      const held = (variables.get(part.name) ?? []).filter((value) => value.includes(HOLE));
      const marks = held.map((text): Symbol => ({ kind: 'character', text, isActive: false }));
      return [...inside(part), { kind: 'unknown', isSplit: isSplit || isList }, ...marks];
    }
    case 'command':
      {
        const printed = variables.get(printerOf(part.script) ?? '');
        if (printed?.includes(ABSOLUTE)) return SOME_PATH;
        if (printed !== undefined) return [{ kind: 'values', values: printed, isSplit: false }];
      }
      return [...inside(part), { kind: 'unknown', isSplit: isSplit && !/^[<>]/.test(part.form) }];
    case 'arithmetic':
      return [...inside(part), { kind: 'unknown', isSplit: false }];
    case 'hole':
      return [{ kind: 'character', text: holeMark(part.index), isActive: false }];
  }
}

const SOME_PATH: Symbol[] = [
  { kind: 'character', text: '/', isActive: false },
  { kind: 'unknown', isSplit: false },
];

/** `${x:+text}` is the text or nothing; `${x:-text}` the text or what x is. Undefined: it can be anything. */
function choiceOf(
  { name, inner }: Part & { kind: 'parameter' },
  variables: Variables,
  isSplit: boolean,
): Symbol | undefined {
  const written = inner.map((part) =>
    part.kind === 'text' && part.posix === undefined ? part.text : undefined,
  );
  const [, operator, text = ''] = /^:?([-+])([\s\S]*)$/.exec(written.join('')) ?? [];
  if (operator === undefined || written.includes(undefined) || /[*?[{~]/.test(text)) return undefined;
  const isQuoted = inner.some((part) => part.kind === 'text' && part.quote === 'single');
  if (isSplit && isQuoted && /\s/.test(text)) return undefined;
  if (operator === '+') return { kind: 'values', values: ['', text], isSplit };
  const known = variables.get(name);
  if (known !== undefined) return { kind: 'values', values: [...known, text], isSplit };
  return variables.has(`${name}?`) && !(isSplit && /\s/.test(text)) ? { kind: 'default', text } : undefined;
}

/** `$(npm bin)`: a command of plain words, as a key of Variables. */
function printerOf(script: Script): string | undefined {
  const [only] = script;
  if (script.length !== 1 || only?.kind !== 'simple') return undefined;
  if (only.assignments.length + only.redirections.length > 0) return undefined;
  const words = only.words.map(({ parts: [part, ...others] }) =>
    part?.kind === 'text' && others.length === 0 ? part.text : undefined,
  );
  return words.includes(undefined) ? undefined : `$(${words.join(' ')})`;
}

/** The values that an expansion is made of count as part of what it gives. */
function inside(part: Part): Symbol[] {
  const marks = holeMarks(part);
  return marks.length === 0
    ? []
    : [
        { kind: 'unknown', isSplit: false },
        ...marks.map((text): Symbol => ({ kind: 'character', text, isActive: false })),
      ];
}

/** The marks of all values inside, at any depth. */
function holeMarks(part: Part): string[] {
  return holesInside([part]).map(({ index }) => holeMark(index));
}

function isWholeArray(part: Part): boolean {
  return part.kind === 'text' && /[@*]/.test(part.text);
}

/** `a{b,c}d` → `abd`, `acd`. Undefined: more than is worth following. */
function expandBraces(symbols: readonly Symbol[], depth = 0): Symbol[][] | undefined {
  if (depth > MOST) return undefined;
  const group = findGroup(symbols);
  if (group === undefined) return [[...symbols]];
  const { start, end, commas, isRange } = group;
  const before = symbols.slice(0, start);
  const rest = expandBraces(symbols.slice(end + 1), depth + 1);
  if (rest === undefined) return undefined;
  const borders = [start, ...commas, end];
  const inside: Symbol[][] = [];
  if (isRange) inside.push([{ kind: 'unknown', isSplit: true }]);
  else {
    for (const [index, border] of borders.slice(0, -1).entries()) {
      const option = expandBraces(symbols.slice(border + 1, borders[index + 1]), depth + 1);
      if (option === undefined) return undefined;
      inside.push(...option);
    }
  }
  if (inside.length * rest.length > MOST) return undefined;
  return inside.flatMap((option) => rest.map((tail) => [...before, ...option, ...tail]));
}

interface Group {
  start: number;
  end: number;
  commas: number[];
  isRange: boolean;
}

/** The first `{…,…}` or `{a..b}`. One pass for every `{`, at most MOST of them. */
function findGroup(symbols: readonly Symbol[]): Group | undefined {
  const isActive = (at: number, text: string) => {
    const symbol = symbols[at];
    return symbol?.kind === 'character' && symbol.isActive && symbol.text === text;
  };
  let tried = 0;
  for (let start = 0; start < symbols.length && tried < MOST; start++) {
    if (!isActive(start, '{')) continue;
    tried++;
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < symbols.length; at++) {
      if (isActive(at, '{')) depth++;
      else if (isActive(at, ',') && depth === 1) commas.push(at);
      else if (isActive(at, '}') && --depth === 0) {
        const isRange = commas.length === 0 && textOf(symbols.slice(start, at)).includes('..');
        if (commas.length > 0 || isRange) return { start, end: at, commas, isRange };
        break;
      }
    }
  }
  return undefined;
}

function textOf(symbols: readonly Symbol[]): string {
  return symbols.map((symbol) => (symbol.kind === 'character' ? symbol.text : '')).join('');
}

/** One word after braces: its readings; several where a known value is split at blanks. */
function settle(symbols: readonly Symbol[]): Possible[][] {
  let readings: Possible[] = [{ pieces: [], count: 'one' }];
  // `[a-z]` stands for some text; a `[` that is never closed is just that.
  const isClass = (text: string) =>
    symbols.some((one) => one.kind === 'character' && one.isActive && one.text === text);
  const hasClass = isClass('[') && isClass(']');
  for (const symbol of symbols) {
    if (hasClass && symbol.kind === 'character' && symbol.isActive && symbol.text === '[') {
      // What follows may be part of it: all of it is left open.
      return [readings.map(({ pieces }) => ({ pieces: joined(pieces, null), count: 'any' }))];
    }
    if (symbol.kind === 'values' && readings.length * symbol.values.length > MOST) return [[ANYTHING]];
    if (symbol.kind === 'values') {
      // A value with blanks or wildcards in it becomes other words than it looks like.
      const isAlone = symbols.every(({ kind }) => kind !== 'character');
      if (symbol.isSplit && symbol.values.some((value) => /[\s*?[]/.test(value) || (value === '' && isAlone)))
        return splitValues(symbols) ?? [[ANYTHING]];
      readings = readings.flatMap((reading) =>
        symbol.values.map((value) => ({ ...reading, pieces: joined(reading.pieces, value) })),
      );
    } else if (symbol.kind === 'default') {
      readings = readings.flatMap((reading) => [
        { ...reading, pieces: joined(reading.pieces, symbol.text) },
        { ...reading, pieces: joined(reading.pieces, null) },
      ]);
    } else readings = readings.map((reading) => extended(reading, symbol));
  }
  return [readings];
}

/** `$x` alone, x being `git push`: its words. */
function splitValues(symbols: readonly Symbol[]): Possible[][] | undefined {
  const [only] = symbols;
  if (symbols.length !== 1 || only?.kind !== 'values') return undefined;
  const [value = '', ...more] = only.values.filter((one) => one !== '');
  if (/[*?[]/.test(value) || more.length > 0) return undefined;
  const isOptional = only.values.includes('') || undefined;
  return value
    .split(/[ \t\n]+/)
    .filter((text) => text !== '')
    .map((text) => [{ pieces: [text], count: 'one', ...(isOptional && { isOptional }) }]);
}

function extended({ pieces, count }: Possible, symbol: Symbol): Possible {
  if (symbol.kind === 'character') {
    const isWild = symbol.isActive && /[*?]/.test(symbol.text);
    if (isWild) return { pieces: joined(pieces, null), count: count === 'one' ? 'some' : count };
    return { pieces: joined(pieces, symbol.text), count };
  }
  const isSplit = symbol.kind === 'unknown' && symbol.isSplit;
  return { pieces: joined(pieces, null), count: isSplit ? 'any' : count };
}

function joined(pieces: readonly Piece[], piece: Piece): Piece[] {
  const last = pieces.at(-1);
  if (piece === null) return last === null ? [...pieces] : [...pieces, null];
  if (typeof last === 'string') return [...pieces.slice(0, -1), last + piece];
  return [...pieces, piece];
}

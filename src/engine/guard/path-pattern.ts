// path-pattern: whether a path fits a pattern such as `docs/**` or `**/*.{md,txt}`. Time is linear in each of both,
// whatever the pattern: it is walked with all places it may be at, never tried again from the start.
// A dot is like any other character: what is hidden is touched like the rest.

import { braceAlternatives } from '../../text/brace-alternatives.ts';

type Token =
  | { kind: 'letter'; is: string }
  /** One character of a name. */
  | { kind: 'any' }
  | { kind: 'set'; negated: boolean; ranges: [string, string][] }
  /** Anything within a name. */
  | { kind: 'star' }
  /** Anything, slashes too. */
  | { kind: 'all' }
  /** `**` + `/`: nothing, or folders. While in the middle of one it is at the token after it, `inside`. */
  | { kind: 'folders' }
  | { kind: 'inside' };

/** Undefined: the pattern is too much to be looked at, and who asks decides what that means. */
export function fitsPattern(pattern: string, path: string): boolean | undefined {
  const alternatives = braceAlternatives(pattern);
  return alternatives?.some((one) => walk(tokens(one), path));
}

/** Whether some path fits both: a glob may reach what the pattern is about. Undefined: too much to be looked at. */
export function meetsPattern(pattern: string, glob: string): boolean | undefined {
  return compare(pattern, glob, (fits, reached) => fits && reached);
}

/** Whether every path that fits the glob fits the pattern. Undefined: too much to be looked at. */
export function coversGlob(pattern: string, glob: string): boolean | undefined {
  const leftOut = compare(pattern, glob, (fits, reached) => !fits && reached);
  return leftOut === undefined ? undefined : !leftOut;
}

/** A literal path as a pattern that means just that. */
export function literalPattern(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&');
}

/** Both are walked at once over all texts that they tell apart; more pairs of places than this are not looked at. */
const MOST_PAIRS = 4_000;

function compare(
  pattern: string,
  glob: string,
  isSought: (fits: boolean, reached: boolean) => boolean,
): boolean | undefined {
  const [wide, narrow] = [braceAlternatives(pattern)?.map(tokens), braceAlternatives(glob)?.map(tokens)];
  if (wide === undefined || narrow === undefined) return undefined;
  const letters = tellingLetters([...wide, ...narrow]);
  const start = (all: Token[][]) => all.map((one) => opened(one, new Set([0])));
  const seen = new Set<string>();
  const left: [Reach, Reach][] = [[start(wide), start(narrow)]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [fits, reached] = pair;
    if (isSought(accepts(wide, fits), accepts(narrow, reached))) return true;
    for (const letter of letters) {
      const next: [Reach, Reach] = [advanced(wide, fits, letter), advanced(narrow, reached, letter)];
      // What the glob does not reach is of no interest.
      if (next[1].every((one) => one.size === 0)) continue;
      const key = next.map((reach) => reach.map((one) => [...one].sort().join()).join(';')).join('|');
      if (seen.has(key)) continue;
      if (seen.size >= MOST_PAIRS) return undefined;
      seen.add(key);
      left.push(next);
    }
  }
  return false;
}

/** Where each alternative of a pattern may be. */
type Reach = Set<number>[];

function accepts(all: readonly Token[][], reach: Reach): boolean {
  return all.some((one, index) => isAtEnd(one, reach[index] as Set<number>));
}

function advanced(all: readonly Token[][], reach: Reach, letter: string): Reach {
  return all.map((one, index) => advance(one, reach[index] as Set<number>, letter));
}

/** One letter of each kind that the patterns tell apart. */
function tellingLetters(all: readonly Token[][]): string[] {
  const found = new Set(['/', '\u0001']);
  const add = (first: string, last: string) => {
    found.add(first);
    found.add(String.fromCharCode(last.charCodeAt(0) + 1));
  };
  for (const token of all.flat()) {
    if (token.kind === 'letter') add(token.is, token.is);
    if (token.kind === 'set') for (const [first, last] of token.ranges) add(first, last);
  }
  return [...found];
}

function tokens(pattern: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern.charAt(at);
    if (letter === '*') {
      const length = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1;
      at += length - 1;
      const startsName = found.length === 0 || isSlash(found.at(-1)) || found.at(-1)?.kind === 'inside';
      if (length > 1 && startsName && pattern.charAt(at + 1) === '/') {
        at++;
        found.push({ kind: 'folders' }, { kind: 'inside' });
      } else {
        // `**` means more than `*` only where it is a whole name.
        const isAll = length > 1 && startsName && at + 1 === pattern.length;
        found.push({ kind: isAll ? 'all' : 'star' });
      }
    } else if (letter === '?') found.push({ kind: 'any' });
    else if (letter === '[') {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(at));
      if (set === null) found.push({ kind: 'letter', is: letter });
      else {
        found.push({ kind: 'set', negated: set[1] !== '', ranges: ranges(set[2] as string) });
        at += set[0].length - 1;
      }
    } else if (letter === '\\' && at + 1 < pattern.length) {
      at++;
      found.push({ kind: 'letter', is: pattern.charAt(at) });
    } else found.push({ kind: 'letter', is: letter });
  }
  return found;
}

function isSlash(token: Token | undefined): boolean {
  return token?.kind === 'letter' && token.is === '/';
}

function ranges(text: string): [string, string][] {
  const found: [string, string][] = [];
  for (let at = 0; at < text.length; at++) {
    const first = text.charAt(at);
    const last = text.charAt(at + 2);
    if (text.charAt(at + 1) === '-' && last !== '') {
      found.push([first, last]);
      at += 2;
    } else found.push([first, first]);
  }
  return found;
}

/** `reach[i]`: the tokens before i can have matched what was read so far. */
function walk(pattern: readonly Token[], path: string): boolean {
  let reach = opened(pattern, new Set([0]));
  for (let at = 0; at < path.length && reach.size > 0; at++) reach = advance(pattern, reach, path.charAt(at));
  return isAtEnd(pattern, reach);
}

function advance(pattern: readonly Token[], reach: ReadonlySet<number>, letter: string): Set<number> {
  const next = new Set<number>();
  for (const index of reach) {
    const token = pattern[index];
    if (token !== undefined) step(token, letter, index, next);
  }
  return opened(pattern, next);
}

function isAtEnd(pattern: readonly Token[], reach: ReadonlySet<number>): boolean {
  if (reach.has(pattern.length)) return true;
  // `docs/**` is the folder itself, too.
  const rest = pattern.slice(-2);
  return isSlash(rest[0]) && rest[1]?.kind === 'all' && reach.has(pattern.length - 2);
}

function step(token: Token, letter: string, index: number, next: Set<number>): void {
  switch (token.kind) {
    case 'letter':
      if (letter === token.is) next.add(index + 1);
      break;
    case 'any':
      if (letter !== '/') next.add(index + 1);
      break;
    case 'set':
      if (letter !== '/' && isInSet(token, letter)) next.add(index + 1);
      break;
    case 'star':
      if (letter !== '/') next.add(index);
      break;
    case 'all':
      next.add(index);
      break;
    case 'folders':
      next.add(letter === '/' ? index : index + 1);
      break;
    case 'inside':
      next.add(letter === '/' ? index - 1 : index);
      break;
  }
}

function isInSet({ negated, ranges: all }: Extract<Token, { kind: 'set' }>, letter: string): boolean {
  return all.some(([first, last]) => first <= letter && letter <= last) !== negated;
}

/** What matches nothing can be passed by. */
function opened(pattern: readonly Token[], reach: Set<number>): Set<number> {
  for (const index of reach) {
    const kind = pattern[index]?.kind;
    if (kind === 'star' || kind === 'all') reach.add(index + 1);
    if (kind === 'folders') reach.add(index + 2);
  }
  return reach;
}

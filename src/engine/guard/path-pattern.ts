// path-pattern: whether a path fits a pattern such as `docs/**` or `**/*.{md,txt}`. Time is linear in each of both,
// whatever the pattern: it is walked with all places it may be at, never tried again from the start.
// A dot is like any other character: what is hidden is touched like the rest.

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

/** `{a,b}{c,d}…` multiplies: more than this many patterns in one is nobody's intention. */
const MOST_ALTERNATIVES = 64;

/** Undefined: the pattern is too much to be looked at, and who asks decides what that means. */
export function fitsPattern(pattern: string, path: string): boolean | undefined {
  const alternatives = expanded(pattern);
  return alternatives?.some((one) => walk(tokens(one), path));
}

function expanded(pattern: string): string[] | undefined {
  let done = [pattern];
  for (;;) {
    const next = done.flatMap((one) => expandFirst(one) ?? [one]);
    if (next.length > MOST_ALTERNATIVES) return undefined;
    if (next.length === done.length && next.every((one, index) => one === done[index])) return done;
    done = next;
  }
}

/** The first innermost `{a,b}`; braces without a comma mean themselves. */
function expandFirst(pattern: string): string[] | undefined {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (found === null) return undefined;
  const before = pattern.slice(0, found.index);
  const after = pattern.slice(found.index + found[0].length);
  return (found[1] as string).split(',').map((part) => `${before}${part}${after}`);
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
  for (let at = 0; at < path.length && reach.size > 0; at++) {
    const letter = path.charAt(at);
    const next = new Set<number>();
    for (const index of reach) {
      const token = pattern[index];
      if (token !== undefined) step(token, letter, index, next);
    }
    reach = opened(pattern, next);
  }
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

// glob-pattern: a pattern as a machine that reads a path segment by segment. A walk carries its positions along, so
// it enters only folders where something may still match, and a `**` never looks at anything twice.

import { Fault } from '../model/fault.ts';
import type { GlobSyntax } from '../ports/workspace.ts';
import { type Boundary, outside, quote } from './boundary.ts';
import { expandBraces } from './glob-braces.ts';
import { matchesSegment, parseSegment, type Segment } from './glob-segment.ts';

interface Alternative {
  segments: Segment[];
  /** It ended in a slash. */
  foldersOnly: boolean;
}

export interface Position {
  alternative: Alternative;
  index: number;
}

export interface GlobPattern {
  syntax: GlobSyntax;
  start: Position[];
  /** Whether the pattern spells these names out, one after the other. */
  names(...names: string[]): boolean;
}

const mostAlternatives = 1000;
const longestPattern = 4096;

export function parseGlob(boundary: Boundary, pattern: string, syntax: GlobSyntax = 'extended'): GlobPattern {
  if (pattern.includes('\0')) throw outside(boundary, pattern, 'nowhere: it contains a NUL byte');
  if (pattern.length > longestPattern) throw invalid(`${pattern.slice(0, 40)}…`, 'it is too long');
  if (pattern === '') throw invalid(pattern, 'it is empty');
  if (syntax === 'extended') refuseForeign(pattern);
  const texts = syntax === 'posix' ? [pattern] : expandBraces(pattern, mostAlternatives);
  if (texts === undefined)
    throw invalid(pattern, `its braces stand for more than ${mostAlternatives} patterns`);
  const alternatives = texts.map((text) => parseAlternative(boundary, pattern, text, syntax));
  const start = alternatives
    .filter(({ segments }) => segments.length > 0)
    .map((alternative) => ({ alternative, index: 0 }));
  return {
    syntax,
    start,
    names: (...names) => alternatives.some(({ segments }) => spells(segments, names)),
  };
}

function parseAlternative(
  boundary: Boundary,
  pattern: string,
  text: string,
  syntax: GlobSyntax,
): Alternative {
  if (text.startsWith('/')) throw outside(boundary, pattern, text, 'Patterns are relative to the workspace.');
  const segments: Segment[] = [];
  for (const part of splitSegments(text)) {
    if (syntax === 'posix' && /^\*{2,}$/.test(part))
      throw invalid(
        pattern,
        '`**` is not part of posix patterns',
        'Name the folders between, or let a step list the files.',
      );
    const segment = parseSegment(part, syntax);
    if (segment.kind === 'literal' && segment.text === '..')
      throw outside(boundary, pattern, `${quote('..')} in ${quote(text)}`);
    if (segment.kind === 'literal' && (segment.text === '' || segment.text === '.')) continue;
    if (segment.kind === 'any' && segments.at(-1)?.kind === 'any') continue;
    segments.push(segment);
  }
  return { segments, foldersOnly: text.endsWith('/') };
}

/** A slash separates also behind a backslash: no name holds one. */
function splitSegments(text: string): string[] {
  return text.replaceAll('\\/', '/').split('/');
}

function spells(segments: Segment[], names: string[]): boolean {
  const isNamed = (segment: Segment | undefined, name: string | undefined) =>
    segment?.kind === 'literal' && segment.text === name;
  return segments.some((_, from) => names.every((name, offset) => isNamed(segments[from + offset], name)));
}

/** What other tools read as something else would quietly match nothing here: better said. */
function refuseForeign(pattern: string): void {
  if (/(^|[^\\])(!\(|[@+?*]\([^)/]*\|)/.test(pattern))
    throw invalid(pattern, 'groups such as @(a|b) and !(a) are not part of the language', 'Write {a,b}.');
  if (pattern.startsWith('!'))
    throw invalid(
      pattern,
      'a pattern says what is meant, not what is not',
      String.raw`A name that begins with "!" is written "\!".`,
    );
}

function invalid(pattern: string, why: string, hint?: string): Fault {
  return new Fault('glob-invalid', `the pattern ${quote(pattern)} cannot be used: ${why}`, {
    hint,
    exitCode: 2,
  });
}

export interface Advance {
  /** Where the machine stands inside the folder `name`. */
  inside: Position[];
  /** The same without those that `**` brought there: the ones that follow a symlink. */
  named: Position[];
  /** `name` itself matches: always, only if it is a folder, or not. */
  matches: 'yes' | 'folder' | 'no';
}

export function advance(positions: Position[], name: string, hidden: boolean): Advance {
  const result: Advance = { inside: [], named: [], matches: 'no' };
  for (const position of closure(positions)) {
    const { alternative, index } = position;
    const segment = alternative.segments[index] as Segment;
    if (!matchesSegment(segment, name, hidden)) continue;
    const isLast = index === alternative.segments.length - 1;
    if (isLast && !alternative.foldersOnly) result.matches = 'yes';
    else if (isLast && result.matches === 'no') result.matches = 'folder';
    if (segment.kind === 'any') result.inside.push(position);
    else if (!isLast) {
      const next = { alternative, index: index + 1 };
      result.inside.push(next);
      result.named.push(next);
    }
  }
  return result;
}

/** A `**` may also stand for nothing; at the end of a pattern it stands for at least one name. */
export function closure(positions: Position[]): Position[] {
  const all = new Map<Alternative, Set<number>>();
  const result: Position[] = [];
  for (const { alternative, index } of positions) {
    const seen = all.get(alternative) ?? new Set();
    all.set(alternative, seen);
    for (let at = index; at < alternative.segments.length; at++) {
      if (seen.has(at)) break;
      seen.add(at);
      result.push({ alternative, index: at });
      if (alternative.segments[at]?.kind !== 'any') break;
    }
  }
  return result;
}

/** For paths that are known already, such as git's. Hidden names match like any others. */
export function matchesPath(pattern: GlobPattern, path: string): boolean {
  let positions = pattern.start;
  let matches: Advance['matches'] = 'no';
  for (const name of path.split('/')) {
    const next = advance(positions, name, true);
    positions = next.inside;
    matches = next.matches;
  }
  return matches === 'yes';
}

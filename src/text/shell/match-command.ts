// match-command: whether a command may be one that a pattern means. A pattern is text with `*` for anything
// (`git push *`); a command is words that may be known or not (possible-words).
//
// M1. Generous: `may` is true if there is any way in which the words turn out that fits; `does` if they do whatever
//     happens.
// M2. A name counts without its folder (`/bin/rm`), options count wherever they stand and however they are bundled
//     (`git -C . push`, `rm -fr`).

import type { RunCommand } from './commands-run.ts';
import { constantOf, type Piece, type Possible } from './possible-words.ts';
import { VALUE_OPTIONS } from './programs.ts';

/** `certain`: it does; `possible`: it may, depending on what is known only when it runs. */
export type Match = 'certain' | 'possible' | 'none';

export function matchCommand(pattern: string, { words, isLoose }: RunCommand): Match {
  const wanted = wordsOf(pattern);
  if (wanted.length === 0) return 'none';
  if (isLoose && wanted.filter((word) => !/^[*-]/.test(word)).length < 2) return 'none';
  if (fits(pattern, words, false) || fitsOptions(wanted, words, false)) return 'certain';
  return fits(pattern, words, true) || fitsOptions(wanted, words, true) ? 'possible' : 'none';
}

function wordsOf(pattern: string): string[] {
  return pattern
    .replace(/:\*$/, ' *')
    .trim()
    .split(/[ \t]+/)
    .filter((word) => word !== '');
}

/** Stands for a blank inside a word; a `*` takes it, a blank in a pattern does not. */
const INNER_BLANK = '\u0001';
/** Stands for words that are not known. */
const UNKNOWN = '\u0002';
const LONGEST = 200;

/** One step of reading a command letter by letter. */
interface Edge {
  to: number;
  /** A letter; `any`: any letter inside a word; undefined: no letter at all. */
  on?: string | typeof ANY;
}
const ANY = Symbol('any letter of a word');

/** Every text that the command may be, as a graph from the first state to the last. */
class Graph {
  readonly edges: Edge[][] = [[]];

  state(): number {
    return this.edges.push([]) - 1;
  }

  edge(from: number, to: number, on?: Edge['on']): void {
    this.edges[from]?.push({ to, ...(on !== undefined && { on }) });
  }

  text(from: number, text: string): number {
    let at = from;
    for (const letter of text) {
      const next = this.state();
      this.edge(at, next, /\s/.test(letter) ? INNER_BLANK : letter);
      at = next;
    }
    return at;
  }

  /** Any text inside a word. */
  anything(from: number): number {
    const next = this.state();
    this.edge(from, next);
    this.edge(next, next, ANY);
    return next;
  }
}

/** A word and the blank before it. */
function addWord(
  graph: Graph,
  from: number,
  word: readonly Possible[],
  isName: boolean,
  withUnknown: boolean,
): number {
  const end = graph.state();
  for (const { pieces, count, isOptional } of word) {
    if (isOptional) graph.edge(from, end);
    const start = graph.state();
    graph.edge(from, start, ' ');
    if (!withUnknown && (count !== 'one' || pieces.includes(null))) {
      // The word is not known. A `*` in the pattern fits any word; a written word may not fit it.
      graph.edge(start, end, UNKNOWN);
      continue;
    }
    const last = addPieces(graph, start, pieces);
    graph.edge(last, end);
    if (isName) {
      // `/u[s]r/bin/git`: what is open may have folders in it.
      const isOpen =
        count === 'any' && pieces.at(-1) === null && pieces.some((piece) => piece?.includes('/'));
      const base = isOpen ? [null] : withoutFolder(pieces);
      if (base !== undefined) graph.edge(addPieces(graph, start, base), end);
    }
    if (count === 'one') continue;
    if (count === 'any') {
      // The first of several words has what is written before the value, and not what is written behind it.
      const first = pieces.indexOf(null);
      const begun = addPieces(graph, start, pieces.slice(0, first + 1));
      graph.edge(begun, last);
      graph.edge(begun, end);
    }
    // More words may follow from the same one.
    const more = graph.state();
    graph.edge(last, more, ' ');
    const again = graph.anything(more);
    graph.edge(again, more, ' ');
    graph.edge(again, end);
    if (count === 'any' && pieces.every((piece) => piece === null)) graph.edge(from, end);
  }
  return end;
}

function addPieces(graph: Graph, from: number, pieces: readonly Piece[]): number {
  let at = from;
  for (const piece of pieces) {
    if (piece === null) at = graph.anything(at);
    else {
      at = graph.text(at, piece.slice(0, LONGEST));
      if (piece.length > LONGEST) at = graph.anything(at);
    }
  }
  return at;
}

function withoutFolder(pieces: readonly Piece[]): Piece[] | undefined {
  const at = pieces.findLastIndex((piece) => piece?.includes('/'));
  if (at === -1) return undefined;
  const piece = pieces[at] as string;
  return [piece.slice(piece.lastIndexOf('/') + 1), ...pieces.slice(at + 1)];
}

function mayBeOption(word: readonly Possible[], withUnknown: boolean): boolean {
  return word.some(({ pieces }) => {
    const [first] = pieces;
    return first === null || first === undefined ? withUnknown : first.startsWith('-');
  });
}

/** Whether the word after this option is its value; undefined: that is not known. */
function takesItsValue(words: readonly Possible[][], at: number): boolean | undefined {
  const name = constantOf(words[0] ?? []);
  const options = name === undefined ? undefined : VALUE_OPTIONS.get(name.slice(name.lastIndexOf('/') + 1));
  const option = constantOf(words[at] as Possible[]);
  return options === undefined || option === undefined ? undefined : options.test(option);
}

/** Letter by letter; options, with the word after them, may be passed over. */
function fits(pattern: string, words: readonly Possible[][], withUnknown: boolean): boolean {
  const graph = new Graph();
  const borders: number[] = [0];
  for (const [index, word] of words.entries()) {
    borders.push(addWord(graph, borders[index] as number, word, index === 0, withUnknown));
  }
  for (let at = 1; at < words.length; at++) {
    if (!mayBeOption(words[at] as Possible[], withUnknown)) continue;
    const takesValue = takesItsValue(words, at);
    // One word may become several, of which the value is the first.
    const isOpen = words[at + 1]?.some(({ count }) => count !== 'one') ?? false;
    if (takesValue !== true || isOpen) graph.edge(borders[at] as number, borders[at + 1] as number);
    if (takesValue !== false && at + 2 < borders.length)
      graph.edge(borders[at] as number, borders[at + 2] as number);
  }
  const text = ` ${pattern
    .replace(/:\*$/, '*')
    .trim()
    .replace(/[ \t]+/g, ' ')}`;
  if (accepts(graph, borders.at(-1) as number, text)) return true;
  // `git push *` is also `git push` alone.
  return text.endsWith(' *') && accepts(graph, borders.at(-1) as number, text.slice(0, -2));
}

/** Whether the pattern and the graph have a text in common. */
function accepts(graph: Graph, end: number, pattern: string): boolean {
  const width = pattern.length + 1;
  const seen = new Set<number>();
  const waiting: number[] = [0];
  const visit = (state: number, at: number) => {
    const key = state * width + at;
    if (seen.has(key)) return;
    seen.add(key);
    waiting.push(key);
  };
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const state = Math.floor(key / width);
    const at = key % width;
    const letter = pattern[at];
    if (state === end && letter === undefined) return true;
    if (letter === '*') visit(state, at + 1);
    for (const { to, on } of graph.edges[state] ?? []) {
      if (on === undefined) visit(to, at);
      else if (letter === '*') visit(to, at);
      else if (letter !== undefined && (on === letter || (on === ANY && letter !== ' '))) visit(to, at + 1);
    }
  }
  return false;
}

const SHORT = /^-[A-Za-z]+$/;

/** `rm -rf *` is also `rm -fr x`, `rm -r -f x` and `rm x -rf`: the same name, the same words in order, all of its options. */
function fitsOptions(wanted: readonly string[], words: readonly Possible[][], withUnknown: boolean): boolean {
  const plain = wanted.filter((word, index) => !(word === '*' && index === wanted.length - 1));
  if (plain.some((word) => word.includes('*')) || !plain.some((word) => word.startsWith('-'))) return false;
  const positional = plain.filter((word) => !word.startsWith('-'));
  // Without its options it must be the same command.
  if (!fits(`${positional.join(' ')} *`, words, withUnknown)) return false;
  const given = words.slice(1).flatMap((word) => word.map(({ pieces }) => pieces));
  if (
    withUnknown &&
    given.some((pieces) => pieces.includes(null) && (pieces[0] === null || pieces[0]?.startsWith('-')))
  )
    return true;
  const texts = given.map((pieces) => pieces.join(''));
  const letters = new Set(texts.flatMap((text) => (SHORT.test(text) ? [...text.slice(1)] : lettersOf(text))));
  return plain
    .filter((word) => word.startsWith('-'))
    .every((word) =>
      SHORT.test(word)
        ? texts.includes(word) ||
          [...word.slice(1)].every((letter) => letters.has(letter) || letters.has(other(letter)))
        : texts.some((text) => text === word || text.startsWith(`${word}=`) || abbreviates(text, word)) ||
          hasShortForm(positional, word, letters, texts),
    );
}

/** GNU programs and git take the beginning of a long option for the whole. */
function abbreviates(text: string, word: string): boolean {
  return /^--\w{2}/.test(text) && word.startsWith(text);
}

function lettersOf(text: string): string[] {
  const long = Object.keys(LONG_FORMS).filter((form) => form === text || abbreviates(text, form));
  return long.flatMap((form) => LONG_FORMS[form] ?? []);
}

/** `git push -f` and `git push origin +main` are `git push --force`; `git commit -n` is `git commit --no-verify`. */
function hasShortForm(
  positional: readonly string[],
  word: string,
  letters: ReadonlySet<string>,
  texts: readonly string[],
): boolean {
  if (word === '--no-verify') return positional.includes('commit') && letters.has('n');
  if (word === '--force' && positional.includes('push') && texts.some((text) => /^\+./.test(text)))
    return true;
  return (LONG_FORMS[word] ?? []).some((letter) => letters.has(letter) || letters.has(other(letter)));
}

/** `rm -R` is `rm -r`. */
function other(letter: string): string {
  return letter === 'r' ? 'R' : letter === 'R' ? 'r' : letter;
}

const LONG_FORMS: Readonly<Record<string, string[]>> = {
  '--recursive': ['r'],
  '--force': ['f'],
  '--verbose': ['v'],
  '--interactive': ['i'],
  '--all': ['a'],
};

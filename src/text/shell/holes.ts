// holes: where values stand in a shell line, and how each is put in so that the shell sees it as text and nothing else.
//
// V1. A value is text wherever it stands, or the line is refused. Nothing is guessed: a line that cannot be followed
//     takes no values.
// V2. A text that a shell or another program reads as commands takes no values. They are handed over as arguments.

import { type HoleProblem, PLACES, problemOf, unclearLine, wholeCommand } from './hole-problems.ts';
import { eachPart, holesInside } from './parts-of.ts';
import { holeMark } from './possible-words.ts';
import { insideSingleQuotes, singleQuoted } from './quote.ts';
import { readScript } from './read-script.ts';
import { HOLE, type Quote } from './tree.ts';
import { type HoleNote, holeNotes } from './values/value-walk.ts';

/** What is known of a value before it is there. */
export interface HoleKind {
  /** It may be the name of the program. */
  mayName: boolean;
  /** What it is, where that is known: an input has a default. */
  known?: string;
}

/** What is wrong with the places of the values in this line, in which HOLE stands for each of them. */
export function checkHoles(
  line: string,
  kinds: readonly HoleKind[],
  notes: readonly HoleNote[] = holeNotes(line),
): HoleProblem[] {
  const read = readScript(line, true);
  if (read.kind === 'unclear') return [unclearLine(read.why)];
  const holes = [...eachPart(read.script, holesInside), ...holesInside(read.stray)];
  const problems = holes.flatMap(({ index, place }): HoleProblem[] =>
    place === 'word' ? [] : [{ index, severity: 'error', ...PLACES[place] }],
  );
  const told = new Set(problems.map(({ index }) => index));
  const found = notes.flatMap((note): HoleProblem[] => {
    const kind = kinds[note.index];
    if (note.place === 'option') return [];
    if (note.place !== 'command' || !kind?.mayName) return [problemOf(note)];
    return kind.known === undefined || !/\s/.test(kind.known) ? [] : [wholeCommand(note.index, kind.known)];
  });
  // What is surely wrong comes before what perhaps is.
  for (const problem of found.sort(
    (a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'),
  )) {
    if (told.has(problem.index)) continue;
    told.add(problem.index);
    problems.push(problem);
  }
  return problems;
}

/** The line with its values in it, or why not. */
export function fillHoles(
  line: string,
  values: readonly string[],
  kinds: readonly HoleKind[],
): { kind: 'filled'; line: string } | { kind: 'refused'; why: string } {
  const notes = holeNotes(line);
  const known = kinds.map((kind, index): HoleKind => ({ ...kind, known: values[index] ?? '' }));
  const problem = checkHoles(line, known, notes).find(({ severity }) => severity === 'error');
  if (problem !== undefined) return { kind: 'refused', why: problem.message };
  const why = whyRefused(line, values, notes);
  if (why !== undefined) return { kind: 'refused', why };
  const read = readScript(line, true);
  const holes = read.kind === 'script' ? eachPart(read.script, holesInside) : [];
  const quotes = new Map(holes.map(({ index, quote }) => [index, quote]));
  let index = 0;
  const filled = line.replaceAll(HOLE, () => {
    const quote = quotes.get(index) ?? 'none';
    return quoted(values[index++] ?? '', quote);
  });
  return { kind: 'filled', line: filled };
}

/** What is wrong with the values themselves, in a line whose places are right. */
export function whyRefused(
  line: string,
  values: readonly string[],
  notes: readonly HoleNote[] = holeNotes(line),
): string | undefined {
  for (const note of notes) {
    const why = whyNot(note, values[note.index] ?? '');
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A command that is given as words, as the line that means the same: each word is quoted, values are inside. */
export function lineOfWords(words: readonly string[]): string {
  return words.map(singleQuoted).join(' ');
}

/** What can be told only of a value that is there. */
function whyNot({ place, program, index, text = '' }: HoleNote, value: string): string | undefined {
  if (place === 'option' && value.startsWith('-'))
    return `a value begins with \`-\`, and \`${program}\` would take it for an option: \`${shortened(value)}\`. Write \`--\` or \`./\` before the value, or give it to an option: \`--name={{ x }}\``;
  if (place === 'sed' && !isSedText(text, index, value))
    return `a value would be more to \`${program}\` than the text that it stands in: \`${shortened(value)}\`. Hand it over as an argument: awk -v x={{ x }} '{ gsub(/VERSION/, x) } 1' file`;
  return undefined;
}

/** In `s/…/…/` a value cannot end the text that it stands in, without its delimiter; elsewhere only digits are safe. */
function isSedText(script: string, index: number, value: string): boolean {
  const mark = holeMark(index);
  for (let at = script.indexOf(mark); at !== -1; at = script.indexOf(mark, at + 1)) {
    const [, delimiter] =
      /^[\d,$ ]*s([^\w\s\\])(?:(?!\1)[^\\]|\\[\s\S])*(?:\1(?:(?!\1)[^\\]|\\[\s\S])*)?$/.exec(
        script.slice(0, at),
      ) ?? [];
    const isText = delimiter !== undefined && !value.includes(delimiter) && !/[\n\\]/.test(value);
    if (!isText && !/^(?:\d+|\$)?$/.test(value)) return false;
  }
  return true;
}

function quoted(value: string, quote: Quote): string {
  if (quote === 'double') return value.replace(/["\\$`]/g, '\\$&');
  return quote === 'single' ? insideSingleQuotes(value) : singleQuoted(value);
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 60 || line !== text ? `${line.slice(0, 60)}…` : line;
}

// read-lines: `file:line[:column]: [level:] message`, as compilers and linters write it. Any other line is talk.
// Whoever reads them keeps a line only where its file is there: `12:30:01: started` has the same form.

import { type Finding, isLevel, type Levels } from './finding.ts';

const LINE = /^\s*(?<file>[^\s:][^:]*):(?<line>\d{1,9})(?::\d{1,9})?:\s*(?<rest>\S.*)$/;
const LEVEL = /^(?:\[(?<inside>[A-Za-z]+)\]|(?<word>[A-Za-z]+(?: error)?))\s*:?\s+(?<message>\S.*)$/;
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** Nobody knows it, so it is important: it was worth a line. */
const UNSAID = '';

export function readLines(text: string, levels: Levels = {}): Finding[] {
  return text.split('\n').flatMap((line) => {
    const match = LINE.exec(line.replace(ESCAPES, '').replace(/\r$/, ''));
    if (match?.groups === undefined) return [];
    const { file = '', line: at, rest = '' } = match.groups;
    return [{ ...levelled(rest, levels), files: [file.trim()], line: Number(at) }];
  });
}

function levelled(rest: string, levels: Levels): { level: string; message: string } {
  const { inside, word, message } = LEVEL.exec(rest)?.groups ?? {};
  const said = inside ?? word;
  if (said === undefined || message === undefined || !isLevel(said, levels))
    return { level: UNSAID, message: rest };
  // `error handling is missing` begins with a word, not with a level.
  const isMarked = inside !== undefined || /^\s*:/.test(rest.slice(said.length));
  return isMarked ? { level: said, message } : { level: UNSAID, message: rest };
}

// phrases: what was said and what is run, in a live session (`user_says`, `command_runs`).

import { lineRuns } from '../text/shell/shell.ts';
import { Trouble } from './trouble.ts';

/** The whole phrase, in any case, however the words are spaced. */
export function saysPhrase(said: string, phrase: string): boolean {
  const text = normalised(said);
  const wanted = normalised(phrase);
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!joins(text, at) && !joins(text, at + wanted.length)) return true;
  }
  return false;
}

function normalised(text: string): string {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

const LETTER = /[\p{L}\p{N}_]/u;

/** Whether a word goes on across this place. */
function joins(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at));
}

/** A line runs these words as a command, also through wrappers and other shells. Throws where that cannot be told. */
export function runsCommand(line: string, wanted: string): boolean {
  if (wanted.trim() === '' || line.trim() === '') return false;
  const runs = lineRuns(line, `${wanted.trim()} *`);
  if (runs.kind === 'unclear')
    throw new Trouble(`it cannot be told whether the command runs \`${wanted}\`: ${runs.why}`);
  return runs.kind === 'yes';
}

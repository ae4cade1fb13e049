// read-result: what a program printed → what it found, or a review that it wrote itself.
// Owns: which of the four forms it is. Never: whether a file is there, what a level means.
//
// P1. What cannot be read is never nothing: it is a problem, and a problem approves nothing.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { readJson } from '../read-json.ts';
import type { Finding, Levels } from './finding.ts';
import { readJunit } from './read-junit.ts';
import { readLines } from './read-lines.ts';
import { isSarif, readSarif } from './read-sarif.ts';

export type ResultFormat = 'review' | 'sarif' | 'junit' | 'lines';

/** `own`: it is a review, with all that the program says in it. `loose`: a finding counts only where its file is there. */
export type ReadResult =
  | { findings: Finding[]; loose?: true; own?: undefined }
  | { findings: Finding[]; own: JsonObject; loose?: undefined }
  | { problem: string };

/** Without a format it is told by how the text begins. */
export function readResult(text: string, format: ResultFormat | undefined, levels: Levels): ReadResult {
  const begin = text.trimStart().charAt(0);
  const form = format ?? (begin === '<' ? 'junit' : begin === '{' || begin === '[' ? 'json' : 'lines');
  if (form === 'lines') return { findings: readLines(text, levels), loose: true };
  if (text.trim() === '') return { problem: 'it printed nothing' };
  if (form === 'junit') return readJunit(text);
  const read = readJson(text);
  // `[main] src/a.js:3: …` begins with a bracket, too.
  if ('problem' in read) return { problem: `what it printed is no JSON: ${read.problem.message}` };
  return form === 'json'
    ? readValue(read.value)
    : form === 'sarif'
      ? readSarif(read.value)
      : readReview(read.value);
}

/** The same for what is a value already: of a handler. */
export function readValue(value: Json): ReadResult {
  return isSarif(value) ? readSarif(value) : readReview(value);
}

/** `{ issues: […] }`, or the list alone. */
function readReview(value: Json): ReadResult {
  const issues = Array.isArray(value) ? value : isObject(value) ? value.issues : undefined;
  if (!Array.isArray(issues))
    return {
      problem: 'it is neither a review nor SARIF: there is no list `issues` and no list `runs` in it',
    };
  if (!issues.every(isObject)) return { problem: 'it is no review: `issues` must be a list of objects' };
  return { findings: issues.map(findingOf), own: isObject(value) ? value : {} };
}

function findingOf(issue: JsonObject): Finding {
  const { severity, description, message, file, line, fixInstructions } = issue;
  const text = typeof description === 'string' ? description : typeof message === 'string' ? message : '';
  return {
    level: typeof severity === 'string' ? severity : '',
    message: text,
    ...(typeof file === 'string' && { files: [file] }),
    ...(typeof line === 'number' && { line }),
    ...(typeof fixInstructions === 'string' && { fix: fixInstructions }),
  };
}

// prompt: the text for Gemini's standard input, so that the model gets it as it was written. Gemini takes `/word` at the
// beginning for a command of its own and puts the content of `@path` into the prompt, which no rule of a step would see.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Text between backticks, which Gemini leaves alone in instructions. */
const CODE = /(`+)[\s\S]*?\1/g;
/** What it takes for a file to put in there: it is replaced by a note when there is no such file. */
const IMPORT = /(?<=^|[ \t\n\r])@(?=[./A-Za-z])/g;

/** More than this Gemini cuts off. */
export const LONGEST_PROMPT = 8 * 1024 * 1024;

/** What Gemini takes for a mention. */
const MENTION = /(?<!\\)@((?:"[^"]*"|\\.|[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r]))+)/g;

/** What begins so is a command to it, or left out when the session goes on. */
const LOOKS_IGNORABLE = /^\s*(?:[/?]|<session_context>)/;

/** A mention of something that is there gets a backslash, which is how Gemini is told that it is none. */
export function promptFor(text: string, cwd: string): string {
  let done = '';
  let from = 0;
  MENTION.lastIndex = 0;
  for (let match = MENTION.exec(text); match !== null; match = MENTION.exec(text)) {
    if (!isMention(match[1] as string, cwd)) continue;
    done += `${text.slice(from, match.index)}\\@`;
    from = match.index + 1;
    // What follows may hold another one that was part of this.
    MENTION.lastIndex = from;
  }
  const whole = done + text.slice(from);
  return LOOKS_IGNORABLE.test(whole) ? `Task:\n${whole}` : whole;
}

function isMention(said: string, cwd: string): boolean {
  if (said.includes('://')) return true;
  const plain = said.replace(/\\(.)/g, '$1');
  const parts = plain
    .split(/[\s"]+/)
    .map((part) => part.replace(/^['.]+(?=[^./])|['.:]+$|:\d+(:\d+)?$/g, ''));
  return [plain, plain.replaceAll('"', ''), ...parts].some((path) => path !== '' && isThere(path, cwd));
}

function isThere(path: string, cwd: string): boolean {
  try {
    return existsSync(resolve(cwd, path));
  } catch {
    return false;
  }
}

/** The text for a file of standing instructions, so that it arrives as it was written. */
export function instructionsFor(system: string): string {
  let from = 0;
  let done = '';
  for (const code of system.matchAll(CODE)) {
    done += system.slice(from, code.index).replace(IMPORT, '\\@') + code[0];
    from = code.index + code[0].length;
  }
  return done + system.slice(from).replace(IMPORT, '\\@');
}

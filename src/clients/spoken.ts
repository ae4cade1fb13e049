// spoken: texts in the form that every client takes. Codex throws away an answer whose reason is blank or is no Unicode
// text, and with it the denial; every client overlooks an answer that is megabytes long (facts/hooks.md).

import type { JsonObject } from '../model/json.ts';

const LONGEST_REASON = 4_000;
const LONGEST_ADVICE = 8_000;
/** Of one answer: what is longer is no answer any more. */
const LONGEST_ANSWER = 1_000_000;

const UNSAID = 'this call is denied; whoever denied it gave no reason';
export const TOO_LONG = 'a rule rewrites this call into something too long to be told to the client';

/** Never blank, whatever it was. */
export function spokenReason(reason: string): string {
  const text = readable(reason, LONGEST_REASON);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : UNSAID;
}

export function spokenAdvice(advice: string): string {
  return readable(advice, LONGEST_ADVICE);
}

/** One line of JSON; undefined: it would be too long to be read. */
export function spokenLine(answer: JsonObject): string | undefined {
  const line = JSON.stringify(answer);
  return line.length > LONGEST_ANSWER ? undefined : line;
}

/** Whether it holds half of a surrogate pair, which strict readers of JSON refuse. */
export function isBrokenText(line: string): boolean {
  return /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/.test(line);
}

function readable(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  const shown = cut.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, ' ');
  return shown
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .trim();
}

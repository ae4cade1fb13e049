// spoken: texts in the form that every client takes. Codex throws away an answer whose reason is blank or is no Unicode
// text, and with it the denial; every client overlooks an answer that is megabytes long (facts/hooks.md).

import type { JsonObject } from '../model/json.ts';
import type { ClientName } from '../model/live-session.ts';

const LONGEST_REASON = 4_000;
/** Of one answer: what is longer is no answer any more. */
const LONGEST_ANSWER = 1_000_000;

/** Of texts for the model's context, by client: what is longer, the client cuts by itself (facts/hooks.md). */
export const LONGEST_CONTEXT: Readonly<Record<ClientName, number>> = {
  claude: 9_500,
  codex: 9_000,
  gemini: 50_000,
};
const BETWEEN = '\n\n';

const UNSAID = 'this call is denied; whoever denied it gave no reason';
export const TOO_LONG = 'a rule rewrites this call into something too long to be told to the client';

/** Never blank, whatever it was. */
function spokenReason(reason: string): string {
  const text = readable(reason, LONGEST_REASON);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? text : UNSAID;
}

/** A reason, and what is to be said to the model with it: what is denied carries no context of its own. */
export function spokenRefusal(client: ClientName, reason: string, say: readonly string[] = []): string {
  const context = spokenContext(client, say);
  const why = spokenReason(reason);
  return context === undefined ? why : `${why}${BETWEEN}${context}`;
}

/** Texts for the model's context, as one that its client hands on whole. Undefined: there is nothing to say. */
export function spokenContext(client: ClientName, texts: readonly string[]): string | undefined {
  const said = texts.map((text) => readable(text, LONGEST_ANSWER)).filter((text) => text !== '');
  if (said.length === 0) return undefined;
  const whole = said.join(BETWEEN);
  if (whole.length <= LONGEST_CONTEXT[client]) return whole;
  const share = fairShare(said, LONGEST_CONTEXT[client] - said.length * (BETWEEN.length + LONGEST_CUT));
  // More texts than there is room to begin: those at the end are not begun.
  if (share <= 0) return cutAt(whole, LONGEST_CONTEXT[client] - LONGEST_CUT);
  return said.map((text) => (text.length <= share ? text : cutAt(text, share))).join(BETWEEN);
}

/** What is for the person: one short text. Undefined: nothing that can be seen. */
export function spokenNote(note: string | undefined): string | undefined {
  const text = readable(note ?? '', LONGEST_REASON);
  return text === '' ? undefined : text;
}

const LONGEST_CUT = 200;

function cutAt(text: string, length: number): string {
  const kept = readable(text.slice(0, length), length);
  return `${kept}\n[${text.length - length} more characters are left out here. The tool get_workflow_status of lockstep and \`lockstep workflow status\` show all of it.]`;
}

/** So long may each text be that all of them fit: short ones are whole, and leave their room to the others. */
function fairShare(texts: readonly string[], room: number): number {
  let left = room;
  const lengths = texts.map(({ length }) => length).sort((one, other) => one - other);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Math.max(...lengths);
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

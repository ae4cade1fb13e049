// plain: text from anywhere made safe to show. A title, an error or a line of output may hold escape codes, control
// characters or direction marks; none of them may reach a terminal, where they would move the cursor or lie about
// the order of the letters.

import { thousands } from './words.ts';

/** Escape sequences: CSI, then the string commands (OSC, DCS, SOS, PM, APC) also unterminated, then what is left. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;
const SPACES = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Controls, soft hyphen, grapheme joiner, fillers, direction marks and overrides, byte order mark, interlinear and tag characters. */
const UNSEEN =
  /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u17b4\u17b5]|[\u{e0000}-\u{e0fff}]/gu;
/** Joiners where no script joins anything: they only make two equal words unequal. */
const IDLE_JOINERS = /(^|[\x00-\x7f])[\u200c\u200d]+/g;
const HEAPED_MARKS = /(\p{M}{3})\p{M}+/gu;
const LONELY_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const PRINTABLE = /^[\x20-\x7e]*$/;

const LONGEST = 4096;

/** One line, whatever came in. Of a very long one it is the beginning, and says so. */
export function plain(text: string): string {
  if (text.length > LONGEST)
    return `${oneLine(text.slice(0, LONGEST))}… (and ${thousands(text.length - LONGEST)} more characters)`;
  return oneLine(text);
}

function oneLine(short: string): string {
  if (PRINTABLE.test(short)) return short;
  return short
    .replace(ESCAPES, '')
    .replace(SPACES, ' ')
    .replace(LONELY_SURROGATES, '\ufffd')
    .replace(UNSEEN, '')
    .replace(IDLE_JOINERS, '$1')
    .replace(HEAPED_MARKS, '$1');
}

/** As ESCAPES; an unterminated string command ends with its line here, so that it cannot hide the lines after it. */
const ESCAPES_IN_LINES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;
const COLOURS = /(\x1b\[[0-9;]*m)/;
const UNSEEN_IN_LINES =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** A text of any length and many lines. Tabs and line ends stay; a carriage return ends a line: it would overwrite it. */
export function plainText(text: string): string {
  return text
    .replace(ESCAPES_IN_LINES, '')
    .replace(/\r+\n?/g, '\n')
    .replace(LONELY_SURROGATES, '\ufffd')
    .replace(UNSEEN_IN_LINES, '')
    .replace(HEAPED_MARKS, '$1');
}

/** The same, with the colours that we paint in. */
export function plainPainted(text: string): string {
  return text
    .split(COLOURS)
    .map((part, index) => (index % 2 === 1 ? part : plainText(part)))
    .join('');
}

/** An escape sequence, or a line end, that the end of a chunk may have cut: it goes with what follows. */
const UNFINISHED =
  /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*\x1b?|\x1b[ -/]*|\r+|[\ud800-\udbff])$/;

/** How much of a text, from its beginning, can be made plain before the rest is known. */
export function finishedLength(text: string): number {
  // Longer than any sequence that a terminal takes, it is text.
  const from = Math.max(0, text.length - LONGEST);
  const cut = UNFINISHED.exec(text.slice(from));
  return cut === null ? text.length : from + cut.index;
}

/** The lines of a text, each made plain; blank ones at the end left out. */
export function plainLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => plain(line).trimEnd());
  while (lines.length > 0 && lines[lines.length - 1] === '') lines.pop();
  return lines;
}

/** The last lines of a text without splitting all of it. */
export function tail(text: string, count: number): string[] {
  let from = text.length;
  while (from > 0 && (text[from - 1] === '\n' || text[from - 1] === '\r')) from -= 1;
  const end = from;
  for (let seen = 0; seen < count && from >= 0; seen += 1) {
    from = from === 0 ? -1 : text.lastIndexOf('\n', from - 1);
  }
  if (end === 0) return [];
  return text.slice(from + 1, end).split(/\r?\n/);
}

const UNSEEN_IN_JSON =
  /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u{e0000}-\u{e0fff}]/gu;

/** JSON for people to look at: what would steer a terminal or reorder letters is an escape in it, and means the same. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN_IN_JSON, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

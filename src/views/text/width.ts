// width: how many columns a text takes, and how to make it take fewer. Terminals disagree about joined emoji and
// variation selectors; here the larger figure counts, so that a line is never wider than was asked for.

const PRINTABLE = /^[\x20-\x7e]*$/;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
const REGIONAL = /^\p{Regional_Indicator}$/u;
const EMOJI_SELECTOR = 0xfe0f;

/** East Asian wide and full-width ranges that are not emoji; sorted, pairs of first and last. */
const WIDE = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0xa4cf, 0xa960,
  0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6,
  0x16fe0, 0x18dff, 0x1aff0, 0x1b2ff, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x1f300, 0x1f320, 0x20000, 0x3fffd,
];

function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  for (let pair = 0; pair < WIDE.length; pair += 2) {
    if (code < (WIDE[pair] as number)) return false;
    if (code <= (WIDE[pair + 1] as number)) return true;
  }
  return false;
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) as number;
  if (code < 0x300) return 1;
  if (ZERO.test(character)) return 0;
  if (isWide(code)) return 2;
  return EMOJI.test(character) && !REGIONAL.test(character) ? 2 : 1;
}

/** Columns a plain text takes (see plain.ts: no control characters in it). */
export function displayWidth(text: string): number {
  if (PRINTABLE.test(text)) return text.length;
  let total = 0;
  let last = 0;
  for (const character of text) {
    // A selector asks for the emoji form of the character before it, which is two columns wide.
    if (character.codePointAt(0) === EMOJI_SELECTOR) {
      total += last === 1 ? 1 : 0;
      last = 0;
      continue;
    }
    const width = characterWidth(character);
    total += width;
    if (width > 0) last = width;
  }
  return total;
}

/** Made when a text is first cut: it reads tables that take longer than most commands. */
let graphemes: Intl.Segmenter | undefined;

/** As much of the text from its start as fits; what people see as one character is never cut. */
export function head(text: string, columns: number): string {
  let kept = '';
  let room = columns;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) {
    room -= displayWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return kept;
}

/** The text, or its beginning and an ellipsis. */
export function truncate(text: string, columns: number, ellipsis = '…'): string {
  if (columns <= 0) return '';
  if (displayWidth(text) <= columns) return text;
  if (columns <= ellipsis.length) return ellipsis.slice(0, columns);
  const room = columns - ellipsis.length;
  const cut = PRINTABLE.test(text) ? text.slice(0, room) : head(text, room);
  return cut.trimEnd() + ellipsis;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text;
}

/** Lines of at most `columns`, broken between words; a word that is longer is cut into pieces. */
export function wrap(text: string, columns: number): string[] {
  const room = Math.max(1, columns);
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(/ +/)) {
    if (word === '') continue;
    const joined = line === '' ? word : `${line} ${word}`;
    if (displayWidth(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    while (displayWidth(word) > room) {
      const piece = head(word, room);
      // A single character wider than the room: there is no way to show it.
      if (piece === '') {
        word = '';
        break;
      }
      lines.push(piece);
      word = word.slice(piece.length);
    }
    line = word;
  }
  if (line !== '') lines.push(line);
  return lines;
}

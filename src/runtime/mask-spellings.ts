// mask-spellings: the ways a secret value is commonly written. Each spelling is a string of bytes (latin1).

import { Buffer } from 'node:buffer';

export function spellingsOf(value: string, shortest: number): Set<string> {
  const found = new Set<string>();
  const add = (spelling: string) => {
    if (spelling.length >= shortest) found.add(spelling);
  };
  // `$(cat key.pem)` drops the last newline, so the value is looked for with and without what surrounds it.
  for (const variant of new Set([value, value.trim()])) {
    for (const spelling of inJson(variant)) add(bytesOf(spelling));
    for (const spelling of inUrls(variant)) add(spelling);
    for (const spelling of inBase64(Buffer.from(variant, 'utf8'))) add(spelling);
    const hex = Buffer.from(variant, 'utf8').toString('hex');
    add(hex);
    add(hex.toUpperCase());
  }
  for (const fragment of fragmentsOf(value, shortest)) {
    for (const spelling of inJson(fragment)) add(bytesOf(spelling));
  }
  return found;
}

/** The lines of a secret, and what stands between other control characters. Blanks alone would mask every indentation. */
export function fragmentsOf(value: string, shortest: number): string[] {
  return value
    .split(/[\x00-\x1f\x7f]+/)
    .map((part) => part.trim())
    .filter((part) => part.length >= shortest);
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** As it is, and as a JSON string would have it: plain, ASCII only, with `\/`. */
function inJson(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const ascii = (upper: boolean) =>
    escaped.replace(/[^\x00-\x7e]/g, (unit) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? hex.toUpperCase() : hex}`;
    });
  return [value, escaped, escaped.replaceAll('/', '\\/'), ascii(false), ascii(true)];
}

/** What different encoders leave alone, beside letters, digits and `-_.`. */
const LEFT_ALONE = ["!~*'()", '~', '*', '~/', "!~*'();/?:@&=+$,#", ''];

function inUrls(value: string): string[] {
  const spellings: string[] = [];
  const bytes = Buffer.from(value, 'utf8');
  for (const alone of LEFT_ALONE) {
    for (const upper of [true, false]) {
      const percent = Array.from(bytes, (byte) => percentEncoded(byte, alone, upper)).join('');
      spellings.push(percent, percent.replaceAll('%20', '+'));
    }
  }
  return spellings;
}

function percentEncoded(byte: number, alone: string, upper: boolean): string {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9\-_.]/.test(character) || (byte < 0x80 && alone.includes(character))) return character;
  const hex = byte.toString(16).padStart(2, '0');
  return `%${upper ? hex.toUpperCase() : hex}`;
}

/** The digits that are the value's alone, for each place where it may fall in the groups of three. */
export function base64Cores(value: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), value]).toString('base64');
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
  });
}

/**
 * Base64 works on groups of three bytes, so a value inside a longer text looks different by where it falls. For each
 * of the three: the digits that are the value's alone, and where the value is the end, the last one and the padding.
 */
function inBase64(value: Buffer): string[] {
  const spellings: string[] = [];
  for (let before = 0; before < 3; before++) {
    const encoded = Buffer.concat([Buffer.alloc(before), value]).toString('base64');
    const from = Math.ceil((before * 8) / 6);
    const unpadded = encoded.replace(/=+$/, '');
    const certain = encoded.slice(from, Math.floor(((before + value.length) * 8) / 6));
    spellings.push(certain, unpadded.slice(from), encoded.slice(from));
    // Tools wrap long lines: `base64` at 76, PEM at 64.
    if (before === 0) for (const width of [76, 64]) spellings.push(...wrapped(encoded, width));
  }
  return spellings.flatMap((spelling) => [spelling, spelling.replaceAll('+', '-').replaceAll('/', '_')]);
}

function wrapped(encoded: string, width: number): string[] {
  if (encoded.length <= width) return [];
  const lines = encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
  return [lines.join('\n'), lines.join('\r\n'), ...lines.filter((line) => line.length >= 16)];
}

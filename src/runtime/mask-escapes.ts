// mask-escapes: secrets inside quotes of any kind and depth. JSON inside JSON, shells, `printf %q`, Python, HTML, URLs
// and mail put backslashes, quotes and numbers for characters between or in place of those of a secret. So the text is
// read without quotes and backslashes and with numbers turned back into characters, twice over, and compared with the
// secret read in the same way. Terminal sequences and line ends inside a secret are passed over too.

import { Buffer } from 'node:buffer';
import { type Found, type Lens, Tracker } from './mask-tracker.ts';
import type { SecretTrie } from './mask-trie.ts';

type Sink = (byte: number, start: number, end: number) => void;

/** Shorter than this, and a line end between is taken for what it is: two words. */
export const WRAPPED_SYMBOLS = 12;

const NEWLINE = 10;
const ESCAPE = 27;
const BLANK = 32;
const PASSED_OVER = 1;
const BEGINS = 2;
/** What a byte means where nothing is pending. */
const MEANING = new Uint8Array(256);
for (let control = 0; control < 32; control++) MEANING[control] = PASSED_OVER;
MEANING[9] = 0;
MEANING[NEWLINE] = 0;
MEANING[127] = PASSED_OVER;
for (const quote of '\'"`') MEANING[quote.charCodeAt(0)] = PASSED_OVER;
for (const mark of '\\%&=$\x1b') MEANING[mark.charCodeAt(0)] = BEGINS;

const LONGEST_PENDING = 128;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  bsol: '\\',
  plus: '+',
  equals: '=',
};

/** `undefined`: it may still become something; `null`: it is none; else what it stands for. */
type Reading = undefined | null | Uint8Array;
const NOTHING = new Uint8Array(0);

function character(code: number): Uint8Array {
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? Buffer.from(String.fromCodePoint(code)) : NOTHING;
}

const HEX = /^[0-9a-fA-F]*$/;

/** `prefix` and then so many hex digits. */
function numbered(pending: string, prefix: number, digits: number): number | undefined | null {
  const number = pending.slice(prefix);
  if (!HEX.test(number)) return null;
  return number.length < digits ? undefined : Number.parseInt(number, 16);
}

function characterOr(code: number | undefined | null): Reading {
  return typeof code === 'number' ? character(code) : code;
}

function byteOr(code: number | undefined | null): Reading {
  return typeof code === 'number' ? Uint8Array.of(code) : code;
}

function readBackslash(pending: string): Reading {
  const kind = pending[1];
  if (kind === undefined) return undefined;
  if (kind === 'x') return byteOr(numbered(pending, 2, 2));
  if (kind === 'U') return characterOr(numbered(pending, 2, 8));
  if (kind === 'u') return readUnicode(pending);
  if (kind < '0' || kind > '3') return null;
  if (!/^[0-7]*$/.test(pending.slice(1))) return null;
  return pending.length < 4 ? undefined : Uint8Array.of(Number.parseInt(pending.slice(1), 8));
}

/** `\u00e9`, `\u{e9}`, and a character of two halves. */
function readUnicode(pending: string): Reading {
  if (pending[2] === '{') {
    const code = pending.slice(3, -1);
    if (pending.endsWith('}'))
      return HEX.test(code) && code !== '' ? character(Number.parseInt(code, 16)) : null;
    return pending.length < 10 ? undefined : null;
  }
  const first = numbered(pending.slice(0, 6), 2, 4);
  if (typeof first !== 'number') return first;
  if (first < 0xd800 || first > 0xdbff) return character(first);
  const rest = pending.slice(6).replace(/^\\+/, '\\');
  if (!'\\u'.startsWith(rest.slice(0, 2))) return NOTHING;
  const second = rest.length < 2 ? undefined : numbered(rest, 2, 4);
  if (typeof second !== 'number') return second === undefined ? undefined : NOTHING;
  return character(0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff));
}

/** Mail: `=` at the end of a line is no character, and only some bytes are written as numbers. */
function readEquals(pending: string): Reading {
  if (pending === '=\n' || pending === '=\r\n') return NOTHING;
  if (pending === '=' || pending === '=\r') return undefined;
  if (!/^=[0-9A-F]{1,2}$/.test(pending)) return null;
  if (pending.length < 3) return undefined;
  const byte = Number.parseInt(pending.slice(1), 16);
  return byte >= 128 || byte < 32 || pending === '=3D' ? Uint8Array.of(byte) : null;
}

function readEntity(pending: string): Reading {
  if (!pending.endsWith(';')) return /^&(#?[0-9a-zA-Z]{0,8})$/.test(pending) ? undefined : null;
  const name = pending.slice(1, -1);
  const known = ENTITIES[name];
  if (known !== undefined) return Buffer.from(known);
  const [, hex, decimal] = /^#(?:[xX]([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? [];
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  return decimal === undefined ? null : character(Number(decimal));
}

function readSequence(pending: string): Reading {
  const kind = pending[1];
  if (kind === undefined) return undefined;
  const last = pending[pending.length - 1] as string;
  if (kind === '[') return pending.length > 2 && last >= '@' && last <= '~' ? NOTHING : undefined;
  if (']PX^_'.includes(kind)) return last === '\x07' || pending.endsWith('\x1b\\') ? NOTHING : undefined;
  return NOTHING;
}

function read(pending: string): Reading {
  switch (pending[0]) {
    case '\\':
      return readBackslash(pending);
    case '%':
      return byteOr(numbered(pending, 1, 2));
    case '=':
      return readEquals(pending);
    case '&':
      return readEntity(pending);
    case '$':
      return pending === '$' ? undefined : pending === "$'" ? NOTHING : null;
    default:
      return readSequence(pending);
  }
}

/** Passes quotes over and turns numbers back into characters. */
class Unquoting {
  readonly #sink: Sink;
  #pending = '';
  /** Where each character of what is pending began. */
  #starts: number[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  push(byte: number, start: number, end: number): void {
    if (this.#pending === '') {
      const meaning = MEANING[byte];
      if (meaning === 0) this.#sink(byte, start, end);
      else if (meaning === BEGINS) this.#begin(byte, start);
      return;
    }
    // Any number of backslashes is one.
    if (byte === 92 && this.#pending === '\\') {
      this.#starts[0] = start;
      return;
    }
    this.#pending += String.fromCharCode(byte);
    this.#starts.push(start);
    const meant = read(this.#pending);
    if (meant === undefined && this.#pending.length < LONGEST_PENDING) return;
    if (meant === undefined || meant === null) return this.#giveUp(end);
    const from = this.#starts[0] as number;
    this.#pending = '';
    this.#starts = [];
    for (const one of meant) if (MEANING[one] !== PASSED_OVER && one !== 92) this.#sink(one, from, end);
  }

  end(position: number): void {
    while (this.#pending !== '') this.#giveUp(position);
  }

  held(): number {
    return this.#starts[0] ?? Number.POSITIVE_INFINITY;
  }

  #begin(byte: number, start: number): void {
    this.#pending = String.fromCharCode(byte);
    this.#starts = [start];
  }

  /** The first of it stands for itself, and the rest is read anew. */
  #giveUp(end: number): void {
    const pending = this.#pending;
    const starts = this.#starts;
    this.#pending = '';
    this.#starts = [];
    const first = pending.charCodeAt(0);
    if (first !== 92 && first !== ESCAPE) this.#sink(first, starts[0] as number, starts[1] ?? end);
    for (let index = 1; index < pending.length; index++) {
      this.push(pending.charCodeAt(index), starts[index] as number, starts[index + 1] ?? end);
    }
  }
}

/** Two deep: a URL inside a URL, an entity inside JSON. Backslashes are passed over at any depth. */
function unquoting(sink: Sink) {
  const inner = new Unquoting(sink);
  const outer = new Unquoting((byte, start, end) => inner.push(byte, start, end));
  return {
    push: (byte: number, start: number, end: number) => outer.push(byte, start, end),
    end(position: number) {
      outer.end(position);
      inner.end(position);
    },
    held: () => Math.min(outer.held(), inner.held()),
  };
}

/** What is left of a secret when it is read in this way. */
export function unquoted(value: string): Uint8Array {
  const bytes: number[] = [];
  const through = unquoting((byte) => bytes.push(byte));
  for (const byte of Buffer.from(value, 'utf8')) through.push(byte, 0, 0);
  through.end(0);
  return Uint8Array.from(bytes);
}

/** What a line begins with when it is a part of something: blanks, and marks of quotes and comments. */
const MARGIN = new Set([...' \t>|#'].map((mark) => mark.charCodeAt(0)));

export function quotedLens(trie: SecretTrie, found: Found): Lens {
  let wrappedAt = -1;
  let isMargin = false;
  const tracker = new Tracker(trie, (start, end, length) => {
    if (length >= WRAPPED_SYMBOLS || start >= wrappedAt) found(start, end, length);
  });
  const through = unquoting((byte, start, end) => {
    if (byte === NEWLINE) {
      wrappedAt = start;
      isMargin = true;
    } else if (!isMargin || !MARGIN.has(byte)) {
      isMargin = false;
      tracker.push(byte, start, end);
    }
  });
  return {
    read(data, from, position) {
      const shift = position - from;
      for (let index = from; index < data.length; index++) {
        through.push(data[index] as number, index + shift, index + shift + 1);
      }
    },
    end: (position) => through.end(position),
    held: (position) => Math.min(through.held(), tracker.held(position)),
  };
}

/** A passphrase may be wrapped at any of its blanks, and then has none there. */
export function wrappedAtBlanks(symbols: Uint8Array): Uint8Array[] {
  if (symbols.length < WRAPPED_SYMBOLS) return [];
  return Array.from(symbols.keys())
    .filter((index) => symbols[index] === BLANK)
    .map((index) => Uint8Array.from([...symbols.subarray(0, index), ...symbols.subarray(index + 1)]));
}

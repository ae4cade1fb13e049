// mask-escapes: secrets inside quotes of any kind and depth. JSON inside JSON, shells, `printf %q`, Python, HTML, URLs
// and mail put backslashes, quotes and numbers for characters between or in place of those of a secret. So the text is
// read without quotes and backslashes and with numbers turned back into characters, twice over, and compared with the
// secret read in the same way. Terminal sequences and line ends inside a secret are passed over too.

import { Buffer } from 'node:buffer';
import { type Found, type Lens, type LensMaker, type Quiet, quietBytes, Tracker } from './mask-tracker.ts';
import type { SecretTrie } from './mask-trie.ts';

type Sink = (byte: number, start: number, end: number) => void;

/** Shorter than this, and a line end between is taken for what it is: two words. */
const WRAPPED_SYMBOLS = 12;

const NEWLINE = 10;
const ESCAPE = 27;
const BLANK = 32;
const BACKSLASH = 92;
const PASSED_OVER = 1;
const BEGINS = 2;
/** What a byte means where nothing is pending. */
const MEANING = new Uint8Array(256);
for (let control = 0; control < 32; control++) MEANING[control] = PASSED_OVER;
MEANING[9] = 0;
MEANING[NEWLINE] = 0;
MEANING[127] = PASSED_OVER;
/** Quotes, and what begins a number: of a secret that has one, it is passed over too, for nothing can tell the two apart. */
for (const quote of '\'"`$') MEANING[quote.charCodeAt(0)] = PASSED_OVER;
for (const mark of '\\%&=\x1b') MEANING[mark.charCodeAt(0)] = BEGINS;

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

/** What the first `used` characters stand for. `undefined`: it may still become something; `null`: it is none. */
type Reading = undefined | null | { bytes: Uint8Array; used: number };
const NOTHING = new Uint8Array(0);

function character(code: number, used: number): Reading {
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return { bytes: isCharacter ? Buffer.from(String.fromCodePoint(code)) : NOTHING, used };
}

const HEX = /^[0-9a-fA-F]*$/;

/** So many hex digits after a prefix. */
function numbered(pending: string, prefix: number, digits: number): number | undefined | null {
  const number = pending.slice(prefix, prefix + digits);
  if (!HEX.test(number)) return null;
  return number.length < digits ? undefined : Number.parseInt(number, 16);
}

function readBackslash(pending: string): Reading {
  const kind = pending[1];
  if (kind === undefined) return undefined;
  if (kind === 'x') return readByte(pending);
  if (kind === 'u') return readUnicode(pending);
  if (kind === 'U') {
    const code = numbered(pending, 2, 8);
    return typeof code === 'number' ? character(code, 10) : code;
  }
  if (!/^\\[0-3][0-7]{0,2}$/.test(pending)) return null;
  return pending.length < 4
    ? undefined
    : { bytes: Uint8Array.of(Number.parseInt(pending.slice(1), 8)), used: 4 };
}

/** `\xc3\xa9` are the bytes of a character, and `\xe9` alone is its number: languages differ. */
function readByte(pending: string): Reading {
  const first = numbered(pending, 2, 2);
  if (typeof first !== 'number') return first;
  const length = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const bytes = [first];
  for (let index = 1; index < length; index++) {
    const next = pending.slice(index * 4, index * 4 + 4);
    if (!/^(?:\\(?:x(?:[89abAB][0-9a-fA-F]?)?)?)?$/.test(next)) return character(first, 4);
    if (next.length < 4) return undefined;
    bytes.push(Number.parseInt(next.slice(2), 16));
  }
  return length === 1 ? character(first, 4) : { bytes: Uint8Array.from(bytes), used: length * 4 };
}

/** `\u00e9`, `\u{e9}`, and a character of two halves. */
function readUnicode(pending: string): Reading {
  if (pending[2] === '{') {
    const code = pending.slice(3, -1);
    if (!pending.endsWith('}')) return pending.length < 10 ? undefined : null;
    return HEX.test(code) && code !== '' ? character(Number.parseInt(code, 16), pending.length) : null;
  }
  const first = numbered(pending, 2, 4);
  if (typeof first !== 'number') return first;
  if (first < 0xd800 || first > 0xdbff) return character(first, 6);
  const second = pending.slice(6);
  if (!/^(?:\\(?:u[0-9a-fA-F]{0,4})?)?$/.test(second)) return character(first, 6);
  if (second.length < 6) return undefined;
  const low = Number.parseInt(second.slice(2), 16);
  return character(0x10000 + ((first & 0x3ff) << 10) + (low & 0x3ff), 12);
}

function readPercent(pending: string): Reading {
  const byte = numbered(pending, 1, 2);
  return typeof byte === 'number' ? { bytes: Uint8Array.of(byte), used: 3 } : byte;
}

/** Mail: `=` at the end of a line is no character, and only some bytes are written as numbers. */
function readEquals(pending: string): Reading {
  if (pending === '=\n' || pending === '=\r\n') return { bytes: NOTHING, used: pending.length };
  if (pending === '=' || pending === '=\r') return undefined;
  if (!/^=[0-9A-F]{1,2}$/.test(pending)) return null;
  if (pending.length < 3) return undefined;
  const byte = Number.parseInt(pending.slice(1), 16);
  return byte >= 128 || byte < 32 || pending === '=3D' ? { bytes: Uint8Array.of(byte), used: 3 } : null;
}

function readEntity(pending: string): Reading {
  if (!pending.endsWith(';')) return /^&(#?[0-9a-zA-Z]{0,8})$/.test(pending) ? undefined : null;
  const name = pending.slice(1, -1);
  const known = ENTITIES[name];
  const used = pending.length;
  if (known !== undefined) return { bytes: Buffer.from(known), used };
  const [, hex, decimal] = /^#(?:[xX]([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? [];
  if (hex !== undefined) return character(Number.parseInt(hex, 16), used);
  return decimal === undefined ? null : character(Number(decimal), used);
}

function readSequence(pending: string): Reading {
  const kind = pending[1];
  if (kind === undefined) return undefined;
  const last = pending[pending.length - 1] as string;
  const whole = { bytes: NOTHING, used: pending.length };
  if (kind === '[') return pending.length > 2 && last >= '@' && last <= '~' ? whole : undefined;
  if (']PX^_'.includes(kind)) return last === '\x07' || pending.endsWith('\x1b\\') ? whole : undefined;
  return whole;
}

function read(pending: string): Reading {
  switch (pending[0]) {
    case '\\':
      return readBackslash(pending);
    case '%':
      return readPercent(pending);
    case '=':
      return readEquals(pending);
    case '&':
      return readEntity(pending);
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
    if (byte === BACKSLASH && this.#pending.endsWith('\\')) {
      this.#starts[this.#starts.length - 1] = start;
      return;
    }
    this.#pending += String.fromCharCode(byte);
    this.#starts.push(start);
    this.#settle(end);
  }

  #settle(end: number): void {
    const meant = read(this.#pending);
    if (meant === undefined && this.#pending.length < LONGEST_PENDING) return;
    if (meant === undefined || meant === null) this.#giveUp(end);
    else {
      const { bytes, used } = meant;
      const from = this.#starts[0] as number;
      const until = this.#starts[used] ?? end;
      for (const one of bytes) if (MEANING[one] !== PASSED_OVER) this.#sink(one, from, until);
      this.#replay(used, end);
    }
  }

  end(position: number): void {
    while (this.#pending !== '') this.#giveUp(position);
  }

  held(): number {
    return this.#starts[0] ?? Number.POSITIVE_INFINITY;
  }

  isIdle(): boolean {
    return this.#pending === '';
  }

  #begin(byte: number, start: number): void {
    this.#pending = String.fromCharCode(byte);
    this.#starts = [start];
  }

  /** The mark stands for itself; whoever reads on may see something begin there. */
  #giveUp(end: number): void {
    const mark = this.#pending.charCodeAt(0);
    if (mark !== BACKSLASH && mark !== ESCAPE)
      this.#sink(mark, this.#starts[0] as number, this.#starts[1] ?? end);
    this.#replay(1, end);
  }

  /** What follows the part that was read is read anew. */
  #replay(used: number, end: number): void {
    const pending = this.#pending;
    const starts = this.#starts;
    this.#pending = '';
    this.#starts = [];
    for (let index = used; index < pending.length; index++) {
      this.push(pending.charCodeAt(index), starts[index] as number, starts[index + 1] ?? end);
    }
  }
}

/** Two deep: a URL inside a URL, an entity inside JSON. Backslashes are passed over at any depth. */
function unquoting(sink: Sink) {
  // A mark that came out of the inner one stands for itself, and is passed over as everywhere.
  const inner = new Unquoting((byte, start, end) => {
    if (MEANING[byte] === 0) sink(byte, start, end);
  });
  const outer = new Unquoting((byte, start, end) => inner.push(byte, start, end));
  return {
    push: (byte: number, start: number, end: number) => outer.push(byte, start, end),
    end(position: number) {
      outer.end(position);
      inner.end(position);
    },
    held: () => Math.min(outer.held(), inner.held()),
    isIdle: () => outer.isIdle() && inner.isIdle(),
  };
}

/**
 * What is left of a secret when it is read in this way. One that looks itself as if numbers stood in it (`%41`) is read
 * in several: how deep it is quoted decides which of them a text comes to.
 */
export function unquoted(value: string): Uint8Array[] {
  const bytes = Buffer.from(value, 'utf8');
  const withoutMarks = bytes.filter((byte) => MEANING[byte] === 0);
  const withoutQuotes = bytes.filter((byte) => MEANING[byte] !== PASSED_OVER && byte !== BACKSLASH);
  return [
    withoutMarks,
    throughAll(bytes, once),
    throughAll(bytes, unquoting),
    throughAll(withoutQuotes, unquoting),
  ];
}

function throughAll(bytes: Uint8Array, reading: typeof unquoting): Uint8Array {
  const read: number[] = [];
  const through = reading((byte) => {
    if (MEANING[byte] === 0 && byte !== NEWLINE) read.push(byte);
  });
  for (const byte of bytes) through.push(byte, 0, 0);
  through.end(0);
  return Uint8Array.from(read);
}

function once(sink: Sink): ReturnType<typeof unquoting> {
  const only = new Unquoting(sink);
  return {
    push: (byte, start, end) => only.push(byte, start, end),
    end: (position) => only.end(position),
    held: () => only.held(),
    isIdle: () => only.isIdle(),
  };
}

/** What a line begins with when it is a part of something: blanks, and marks of quotes and comments. */
const MARGIN = new Set([...' \t>|#'].map((mark) => mark.charCodeAt(0)));

export function quotedLens(trie: SecretTrie): LensMaker {
  const isPlain = (byte: number) => MEANING[byte] === 0 && byte !== NEWLINE;
  const quiet = quietBytes(
    // A line end matters only to what is under way.
    (byte) => byte === NEWLINE || MEANING[byte] === PASSED_OVER || (isPlain(byte) && !trie.begins(byte)),
    (byte, next) => {
      if (!isPlain(next)) return false;
      // A mark that begins no number is passed over.
      if (MEANING[byte] === BEGINS) return read(String.fromCharCode(byte, next)) === null;
      return !trie.beginsWith(byte, next);
    },
  );
  return (found) => readQuoted(trie, quiet, found);
}

function readQuoted(trie: SecretTrie, quiet: Quiet, found: Found): Lens {
  let wrappedAt = -1;
  let isMargin = false;
  const tracker = new Tracker(trie, (start, end, length) => {
    if (length >= WRAPPED_SYMBOLS || start >= wrappedAt) found(start, end, length);
  });
  const through = unquoting((byte, start, end) => {
    if (byte === NEWLINE) {
      // One that is written as a number (`%0a`) stands in a line, and may be part of the secret.
      if (end - start === 1) wrappedAt = start;
      isMargin = true;
    } else if (!isMargin || !MARGIN.has(byte)) {
      isMargin = false;
      tracker.push(byte, start, end);
    }
  });
  const isBusy = () => isMargin || !tracker.isIdle() || !through.isIdle();
  return {
    quiet,
    isBusy,
    read(data, from, shift) {
      for (let index = from; index < data.length; index++) {
        through.push(data[index] as number, index + shift, index + shift + 1);
        if (!isBusy()) return index + 1;
      }
      return data.length;
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

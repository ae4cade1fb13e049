// mask-digits: secrets written in digits with something between them: hex that is wrapped (`xxd -p`), in groups
// (`od -tx1`), with offsets and a column of characters (`xxd`, `hexdump -C`); base64 in lines of any width; lists of
// decimal bytes (a Buffer as JSON).

import { type Found, type Lens, type LensMaker, type Quiet, quietBytes, Tracker } from './mask-tracker.ts';
import type { SecretTrie } from './mask-trie.ts';

const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;
const ZERO = 48;
const COLON = 58;
const BACKSLASH = 92;
const NONE = 255;

const HEX = new Uint8Array(256).fill(NONE);
for (const [index, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = index;
  HEX[digit.toUpperCase().charCodeAt(0)] = index;
}
const BASE64 = new Uint8Array(256).fill(NONE);
for (const [index, digit] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  BASE64[digit.charCodeAt(0)] = index;
}
BASE64['-'.charCodeAt(0)] = 62;
BASE64['_'.charCodeAt(0)] = 63;

export function hexDigits(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(Array.from(bytes).flatMap((byte) => [byte >> 4, byte & 15]));
}

export function base64Digits(text: string): Uint8Array {
  return Uint8Array.from(text, (digit) => BASE64[digit.charCodeAt(0)] as number);
}

function isLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

function isDecimal(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** What is no digit, digits that begin nothing, and those that the next digit shows to begin nothing. */
function quietDigits(trie: SecretTrie, digits: Uint8Array): Quiet {
  return quietBytes(
    (byte) => digits[byte] === NONE || !trie.begins(digits[byte] as number),
    (byte, next) => digits[next] !== NONE && !trie.beginsWith(digits[byte] as number, digits[next] as number),
  );
}

function isX(byte: number): boolean {
  return byte === 120 || byte === 88;
}

/** The second half of `\n` or `\r`. */
function isLineEnd(before: number, byte: number): boolean {
  return before === BACKSLASH && (byte === 110 || byte === 114);
}

/** Hex digits with anything between that is no letter: blanks, line ends, `:`, `\x`, `0x`, commas, quotes. */
export function hexLens(trie: SecretTrie): LensMaker {
  const quiet = quietDigits(trie, HEX);
  return (found) => readHex(trie, quiet, found);
}

function readHex(trie: SecretTrie, quiet: Quiet, found: Found): Lens {
  const tracker = new Tracker(trie, found);
  /** A `0` at the start of a word: of `0x`, or a digit. */
  let zero = -1;
  const settle = () => {
    if (zero >= 0) tracker.push(0, zero, zero + 1);
    zero = -1;
  };
  const isBusy = () => zero >= 0 || !tracker.isIdle();
  return {
    quiet,
    isBusy,
    read(data, from, shift, first) {
      let before = first;
      for (let index = from; index < data.length; index++) {
        const byte = data[index] as number;
        const digit = HEX[byte] as number;
        const at = shift + index;
        if (zero >= 0 && isX(byte)) zero = -1;
        else {
          settle();
          if (byte === ZERO && HEX[before] === NONE) zero = at;
          else if (digit !== NONE) tracker.push(digit, at, at + 1);
          else if (byte >= 128 || (isLetter(byte) && !isX(byte) && !isLineEnd(before, byte))) tracker.reset();
        }
        before = byte;
        if (!isBusy()) return index + 1;
      }
      return data.length;
    },
    end: settle,
    held: (position) => Math.min(zero >= 0 ? zero : Number.POSITIVE_INFINITY, tracker.held(position)),
  };
}

const SHORTEST_OFFSET = 6;

/** An offset begins only where a digit stands beside another. */
const QUIET_OFFSETS = quietBytes(
  (byte) => HEX[byte] === NONE,
  (_, next) => HEX[next] === NONE && next !== RETURN,
);

/** Whether an offset may begin here: none does within so few bytes before one that is no digit. */
function mayBeOffset(data: Uint8Array, index: number): boolean {
  const last = data[index + SHORTEST_OFFSET - 1];
  return last === undefined || HEX[last] !== NONE || last === RETURN;
}

type DumpPart = 'offset' | 'digits' | 'characters';

/** Lines of an offset, hex digits and, maybe, the characters: what is found covers the rest of its line too. */
export function dumpLens(trie: SecretTrie): LensMaker {
  return (found) => readDump(trie, found);
}

function readDump(trie: SecretTrie, found: Found): Lens {
  let part: DumpPart = 'offset';
  let offset = 0;
  let hasColon = false;
  let before = NEWLINE;
  /** Where the cover of this line ends so far; -1: nothing is covered. */
  let covered = -1;
  const tracker = new Tracker(trie, (start, end, symbols) => {
    found(start, end, symbols);
    covered = end;
  });
  const readOffset = (byte: number) => {
    if (HEX[byte] !== NONE) offset += 1;
    else if (byte === COLON && offset >= SHORTEST_OFFSET) hasColon = true;
    else if (byte === BLANK && offset >= SHORTEST_OFFSET && offset <= 16) part = 'digits';
    else if (byte !== BLANK || offset > 0) {
      offset = 0;
      hasColon = false;
      tracker.reset();
    }
  };
  const readDigits = (byte: number, at: number) => {
    const digit = HEX[byte] as number;
    const isEnd = byte === BLANK && before === BLANK && hasColon;
    if (isEnd || (digit === NONE && byte !== BLANK)) part = 'characters';
    else if (digit !== NONE) tracker.push(digit, at, at + 1);
  };
  const isBusy = () => part !== 'offset' || offset !== 0 || covered >= 0 || !tracker.isIdle();
  return {
    quiet: QUIET_OFFSETS,
    isBusy,
    read(data, from, shift) {
      if (!isBusy() && !mayBeOffset(data, from)) return from + SHORTEST_OFFSET;
      for (let index = from; index < data.length; index++) {
        if (part === 'characters') {
          const next = data.indexOf(NEWLINE, index);
          if (next < 0) break;
          index = next;
        }
        const byte = data[index] as number;
        const at = shift + index;
        if (byte === NEWLINE) {
          if (covered >= 0 && at > covered) found(covered - 1, at, 0);
          covered = -1;
          // A line that is no more than blanks or `*` (the same again) says nothing.
          part = 'offset';
          offset = 0;
          hasColon = false;
        } else if (byte === RETURN) continue;
        else if (part === 'offset') readOffset(byte);
        else if (part === 'digits') readDigits(byte, at);
        before = byte;
        if (!isBusy()) return index + 1;
      }
      const until = shift + data.length;
      if (covered >= 0 && until > covered) {
        found(covered - 1, until, 0);
        covered = until;
      }
      return data.length;
    },
    end() {},
    held: (position) => tracker.held(position),
  };
}

/** Base64 in lines, indented or quoted, with real line ends or `\n`. */
export function base64Lens(trie: SecretTrie): LensMaker {
  const quiet = quietDigits(trie, BASE64);
  return (found) => readBase64(trie, quiet, found);
}

function readBase64(trie: SecretTrie, quiet: Quiet, found: Found): Lens {
  const tracker = new Tracker(trie, found);
  const BETWEEN = new Set([...' \t\r\n"\',\\>'].map((character) => character.charCodeAt(0)));
  return {
    quiet,
    isBusy: () => !tracker.isIdle(),
    read(data, from, shift, first) {
      let before = first;
      for (let index = from; index < data.length; index++) {
        const byte = data[index] as number;
        const at = shift + index;
        const isEscaped = isLineEnd(before, byte);
        const digit = BASE64[byte] as number;
        if (digit !== NONE && !isEscaped) tracker.push(digit, at, at + 1);
        else if (!isEscaped && !BETWEEN.has(byte)) tracker.reset();
        before = byte;
        if (tracker.isIdle()) return index + 1;
      }
      return data.length;
    },
    end() {},
    held: (position) => tracker.held(position),
  };
}

const QUIET_NUMBERS = quietBytes(
  (byte) => !isDecimal(byte),
  () => false,
);

/** Numbers from 0 to 255, with blanks, commas or brackets between. */
export function decimalLens(trie: SecretTrie): LensMaker {
  return (found) => readDecimal(trie, found);
}

function readDecimal(trie: SecretTrie, found: Found): Lens {
  const tracker = new Tracker(trie, found);
  let value = 0;
  let start = -1;
  const settle = (at: number) => {
    if (start >= 0 && value <= 255) tracker.push(value, start, at);
    else if (start >= 0) tracker.reset();
    start = -1;
    value = 0;
  };
  const isBusy = () => start >= 0 || !tracker.isIdle();
  return {
    quiet: QUIET_NUMBERS,
    isBusy,
    read(data, from, shift) {
      for (let index = from; index < data.length; index++) {
        const byte = data[index] as number;
        const at = shift + index;
        if (isDecimal(byte)) {
          if (start < 0) start = at;
          value = Math.min(1000, value * 10 + byte - 48);
        } else {
          settle(at);
          if (byte > 44 || (byte > 32 && byte < 44)) {
            if (byte !== 91 && byte !== 93) tracker.reset();
          }
          if (!isBusy()) return index + 1;
        }
      }
      return data.length;
    },
    end: settle,
    held: (position) => {
      // Four digits are no byte, however many follow.
      const number = start >= 0 && value <= 255 ? start : Number.POSITIVE_INFINITY;
      return Math.min(number, tracker.held(position));
    },
  };
}

// mask-lenses: which ways to read a stream a set of secrets needs, each with what to look for in it.

import { Buffer } from 'node:buffer';
import { cutLens } from './mask-cut.ts';
import { base64Digits, base64Lens, decimalLens, dumpLens, hexDigits, hexLens } from './mask-digits.ts';
import { quotedLens, unquoted, wrappedAtBlanks } from './mask-escapes.ts';
import { base64Cores, fragmentsOf } from './mask-spellings.ts';
import type { LensMaker } from './mask-tracker.ts';
import { buildTrie, type SecretTrie } from './mask-trie.ts';

/** With fewer symbols than these, digits that happen to stand in a list would be taken for a secret. */
const FEWEST_BASE64 = 12;
const FEWEST_DECIMAL = 6;
const FEWEST_SWAPPED = 6;
const FEWEST_CHANGED = 6;

export function lensesFor(values: readonly string[], shortest: number): LensMaker[] {
  const found = {
    quoted: new Map<string, Uint8Array>(),
    hex: new Map<string, Uint8Array>(),
    base64: new Map<string, Uint8Array>(),
    decimal: new Map<string, Uint8Array>(),
    cut: new Map<string, Uint8Array>(),
  };
  const add = (to: keyof typeof found, symbols: Uint8Array, fewest: number) => {
    if (symbols.length >= fewest) found[to].set(Buffer.from(symbols).toString('latin1'), symbols);
  };
  for (const value of values) {
    for (const fragment of fragmentsOf(value, shortest)) {
      for (const symbols of unquoted(fragment)) {
        const isSame = symbols.length === Buffer.byteLength(fragment);
        add('quoted', symbols, isSame ? shortest : FEWEST_CHANGED);
        for (const wrapped of wrappedAtBlanks(symbols)) add('quoted', wrapped, shortest);
      }
      add('cut', Buffer.from(fragment), shortest);
    }
    const bytes = Buffer.from(value.trim(), 'utf8');
    for (const digits of base64Cores(bytes)) add('base64', base64Digits(digits), FEWEST_BASE64);
    if (isRow(bytes)) continue;
    add('hex', hexDigits(bytes), 2 * shortest);
    for (const swapped of inWords(bytes)) add('hex', hexDigits(swapped), 2 * FEWEST_SWAPPED);
    add('decimal', bytes, FEWEST_DECIMAL);
  }
  const tries = Object.fromEntries(
    Object.entries(found).map(([name, symbols]) => [name, trieOf([...symbols.values()])]),
  ) as Record<keyof typeof found, SecretTrie | undefined>;
  const { quoted, hex, base64, decimal, cut } = tries;
  return [
    ...(quoted ? [quotedLens(quoted)] : []),
    ...(hex ? [hexLens(hex), dumpLens(hex)] : []),
    ...(base64 ? [base64Lens(base64)] : []),
    ...(decimal ? [decimalLens(decimal)] : []),
    ...(cut ? [cutLens(cut)] : []),
  ];
}

function trieOf(patterns: Uint8Array[]): SecretTrie | undefined {
  return patterns.length === 0 ? undefined : buildTrie(patterns);
}

/** `1234`, `abcdef`: as numbers they are a list that counts. */
function isRow(bytes: Uint8Array): boolean {
  return bytes.every((byte, index) => index === 0 || byte === (bytes[index - 1] as number) + 1);
}

/** `od -x` and `hexdump` write words of two bytes, the second byte first; a secret may begin in the middle of one. */
function inWords(bytes: Uint8Array): Uint8Array[] {
  return [0, 1].map((from) => {
    const pairs: number[] = [];
    for (let index = from; index + 1 < bytes.length; index += 2) {
      pairs.push(bytes[index + 1] as number, bytes[index] as number);
    }
    return Uint8Array.from(pairs);
  });
}

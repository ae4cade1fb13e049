// mask: secret values → `***`, in everything we write (S3, rule 13).
// Owns: which spellings of a secret count, and finding them in text, JSON and streams.
// Never: reads the environment; touches `save_to`, which is the command's own output.
//
// M1. However a text is cut into chunks, what comes out is what one chunk would have given.
// M2. Linear in the text, whatever the secrets; a stream holds back no more than could still become a secret.
// M3. Every occurrence of every spelling is covered, overlapping ones too.
// M4. Without secrets everything is handed back as it came, uncopied.

import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from '../model/json.ts';
import { MASK } from '../model/mask-mark.ts';
import { lensesFor } from './mask-lenses.ts';
import { plainLens } from './mask-plain.ts';
import { type Reading, readingWith } from './mask-reading.ts';
import { spellingsOf } from './mask-spellings.ts';
import type { Found } from './mask-tracker.ts';
import { buildTrie } from './mask-trie.ts';

export interface Secret {
  name: string;
  value: string;
}

export interface Mask {
  /** Nothing is masked. */
  readonly isEmpty: boolean;
  /** Every declared secret, those that cannot be masked too. */
  readonly names: ReadonlySet<string>;
  /** One sentence for each that cannot be masked. */
  readonly warnings: readonly string[];
  text(text: string): string;
  /** Strings, keys and numbers inside; the same value back where there was nothing to mask. */
  deep<T extends Json>(value: T): T;
  stream(): MaskStream;
}

/** Give it chunks in order, write out what it answers, and what `end` answers last. */
export interface MaskStream {
  write(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
  /** Whether anything was masked so far. */
  masked(): boolean;
}

/** Fewer characters than this are in any text by chance. */
const SHORTEST = 4;
/** Of what nobody declared: a placeholder such as `dummy-key` is a word like any other. */
const SHORTEST_HIDDEN = 12;
const STARS = Buffer.from(MASK);
const NOTHING = new Uint8Array(0);

/** `hidden`: masked as well, and no secret of any step: nobody is kept from having them. */
export function createMask(secrets: readonly Secret[], hidden: readonly Secret[] = []): Mask {
  const warnings: string[] = [];
  const values: string[] = [];
  for (const { name, value } of secrets) {
    if (value === '') continue;
    if (value.trim().length < SHORTEST) {
      warnings.push(
        `The secret ${name} is shorter than ${SHORTEST} characters, so it cannot be masked: it may show in logs.`,
      );
      continue;
    }
    values.push(value);
  }
  for (const { value } of hidden) if (value.trim().length >= SHORTEST_HIDDEN) values.push(value);
  const names = new Set(secrets.map((secret) => secret.name));
  if (values.length === 0) return { names, warnings, ...unmasked };

  const spellings = new Set(values.flatMap((value) => [...spellingsOf(value, SHORTEST)]));
  const trie = buildTrie([...spellings].map((spelling) => Buffer.from(spelling, 'latin1')));
  const reading = readingWith([plainLens(trie), ...lensesFor([...new Set(values)], SHORTEST)]);
  const stream = () => maskStream(reading);
  const text = (plain: string) => maskText(stream(), plain);
  return {
    isEmpty: false,
    names,
    warnings,
    text,
    deep: (value) => maskDeep(text, value) as typeof value,
    stream,
  };
}

const unmasked: Pick<Mask, 'isEmpty' | 'text' | 'deep' | 'stream'> = {
  isEmpty: true,
  text: (text) => text,
  deep: (value) => value,
  stream: () => ({ write: (chunk) => chunk, end: () => NOTHING, masked: () => false }),
};

function maskText(stream: MaskStream, text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const masked = Buffer.concat([stream.write(bytes), stream.end()]);
  // Untouched texts stay the very same: half a surrogate pair would not survive the way through bytes.
  return stream.masked() ? masked.toString('utf8') : text;
}

function maskDeep(text: (plain: string) => string, value: Json): Json {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') {
    const digits = String(value);
    const masked = text(digits);
    return masked === digits ? value : masked;
  }
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskDeep(text, item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return maskObject(text, value);
}

function maskObject(text: (plain: string) => string, value: JsonObject): JsonObject {
  let changed = false;
  const used = new Set<string>();
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const maskedItem = maskDeep(text, item);
    let maskedKey = text(key);
    if (maskedKey !== key || maskedItem !== item) changed = true;
    // Two secret keys must not become one.
    while (used.has(maskedKey)) maskedKey += '*';
    used.add(maskedKey);
    return [maskedKey, maskedItem];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** A stretch to cover: from `start` up to, not including, `end`; offsets into the bytes at hand. */
interface Stretch {
  start: number;
  end: number;
}

function maskStream(readingOf: (found: Found) => Reading): MaskStream {
  /** How much was read, and how much of it was released. */
  let read = 0;
  let released = 0;
  const reading = readingOf((start, end) => stretches.push({ start: start - released, end: end - released }));
  /** What may still turn out to be the beginning of a secret. */
  let held: Uint8Array = NOTHING;
  /** How much of what is held was covered already. */
  let covered = 0;
  let stretches: Stretch[] = [];
  let everMasked = false;

  /** Writes out everything before `until`. What is covered across it is starred now and dropped later. */
  function release(data: Uint8Array, until: number): Uint8Array {
    released += until;
    if (stretches.length === 0 && covered === 0)
      return until === data.length ? data : data.subarray(0, until);
    const parts: Uint8Array[] = [];
    stretches.sort((one, other) => one.start - other.start);
    let position = covered;
    let used = 0;
    for (const stretch of stretches) {
      if (stretch.start >= until) break;
      used++;
      if (stretch.start >= position) {
        parts.push(data.subarray(position, stretch.start), STARS);
        everMasked = true;
      }
      position = Math.max(position, stretch.end);
    }
    if (position < until) parts.push(data.subarray(position, until));
    covered = Math.max(0, position - until);
    stretches = stretches.slice(used).map(({ start, end }) => ({ start: start - until, end: end - until }));
    return Buffer.concat(parts);
  }

  return {
    write(chunk) {
      const data = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      reading.read(data, held.length, read);
      read += chunk.length;
      const until = Math.min(data.length, reading.held(read) - released);
      const out = release(data, until);
      // Copied: the chunk belongs to whoever reads the next one into it.
      held = until === data.length ? NOTHING : Buffer.from(data.subarray(until));
      return out;
    },
    end() {
      reading.end(read);
      const out = release(held, held.length);
      held = NOTHING;
      covered = 0;
      return out;
    },
    masked: () => everMasked,
  };
}

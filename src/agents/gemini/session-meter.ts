// session-meter: what a session has used up so far. Gemini tells it on its stream at the end only, which is too late for a
// limit; but it writes each answer of the model into the session's file as it comes, its tokens with it.

import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonLines, jsonLines } from '../json-lines.ts';

export interface Tokens {
  input: number;
  output: number;
}

interface Reading {
  path: string;
  offset: number;
  lines: JsonLines;
}

const CHUNK = 64 * 1024;
/** A longer line holds what a tool gave back, not an answer. */
const LONGEST_LINE = 1024 * 1024;

/**
 * How much was used since now; undefined where it cannot be known. Each call reads what is new only.
 * `home`: of Gemini; `session`: its id.
 */
export function sessionMeter(home: string, session: string): () => Tokens | undefined {
  /** By the id of the answer: one is written again when its tools have ended. */
  const answers = new Map<string, Tokens>();
  const readings = new Map<string, Reading>();

  function take(value: unknown): void {
    const { id, type, tokens } = (value ?? {}) as Record<string, unknown>;
    const { input, total } = (tokens ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || type !== 'gemini' || typeof input !== 'number' || typeof total !== 'number')
      return;
    answers.set(id, { input, output: Math.max(0, total - input) });
  }

  function readingOf(path: string): Reading {
    const known = readings.get(path);
    if (known !== undefined) return known;
    const lines = jsonLines({ onValue: take, onStray() {}, onOverlong() {} }, LONGEST_LINE);
    const reading = { path, offset: 0, lines };
    readings.set(path, reading);
    return reading;
  }

  function total(): Tokens | undefined {
    try {
      for (const path of filesOf(home, session)) readOn(readingOf(path));
    } catch {
      return undefined;
    }
    let input = 0;
    let output = 0;
    for (const answer of answers.values()) {
      input += answer.input;
      output += answer.output;
    }
    return { input, output };
  }

  const before = total() ?? { input: 0, output: 0 };
  return () => {
    const now = total();
    return now && { input: now.input - before.input, output: now.output - before.output };
  };
}

/** Of the session itself and of its subagents. Gemini keeps them by project, under a name it has made up for that. */
function filesOf(home: string, session: string): string[] {
  const ending = `-${session.slice(0, 8)}.jsonl`;
  return named(join(home, '.gemini', 'tmp'), '').flatMap((project) => {
    const chats = join(project, 'chats');
    const own = named(chats, ending);
    return own.length === 0 ? [] : [...own, ...named(join(chats, session), '.jsonl')];
  });
}

function named(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.map((name) => join(folder, name));
}

function readOn(reading: Reading): void {
  const descriptor = openSync(reading.path, 'r');
  try {
    const chunk = new Uint8Array(CHUNK);
    for (;;) {
      const length = readSync(descriptor, chunk, 0, CHUNK, reading.offset);
      if (length === 0) return;
      reading.offset += length;
      reading.lines.write(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

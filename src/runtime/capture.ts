// capture: what is kept of an output of any size (S5, rule 12).
// Owns: the bounds, the marked cut, and turning bytes into text, lines or JSON.
// Never: masks on its own account where it is given masked bytes; writes anywhere.
//
// C1. Memory is bounded by the limit, whatever is written.
// C2. Whatever is left out is said: a mark in text unless it is to be exact, `truncated` in the outcome.
// C3. Characters are never cut in two, lines neither.

import type { Buffer } from 'node:buffer';
import type { Failure, Outcome, Truncated } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { Capture } from '../model/workflow.ts';
import { readJson } from '../text/read-json.ts';
import { type Extract, growingBytes, startExtract, startHead } from './extract.ts';
import type { Mask } from './mask.ts';

export interface Captured {
  output: Json;
  truncated?: Outcome['truncated'];
  /** The output is not what `capture` needs. */
  failure?: Failure;
  /** A secret was masked in it. */
  masked?: true;
  /** It is no JSON, and was kept as text. */
  unparsed?: Outcome['unparsed'];
}

/** Whether there is less of it, or something else, than there was: somebody may want to see it as it came. */
export function isWhole({ truncated, failure, unparsed }: Captured): boolean {
  return truncated === undefined && failure === undefined && unparsed === undefined;
}

export interface Capturing {
  /** The same stretch twice: as it came, and masked. Masking may hold some of it back until later. */
  write(raw: Uint8Array, masked: Uint8Array): void;
  finish(): Captured;
}

/** All lines together; 100,000 long ones would otherwise fill the journal. */
const LINES_BYTES = 10 * 1024 * 1024;

/** `whole` says where everything is; a file keeps its last newline. */
export function startCapture(capture: Capture, mask: Mask, whole: string, of?: 'file'): Capturing {
  if (capture.as === 'lines') return captureLines(capture);
  if (capture.as === 'json') return captureJson(capture, mask, whole);
  return captureText(capture, whole, of === 'file');
}

function captureText(capture: Capture, whole: string, keepsNewline: boolean): Capturing {
  const extract = extractFor(capture, capture.limit, whole);
  let bytes = 0;
  return {
    write(raw, masked) {
      bytes += raw.length;
      extract.write(masked);
    },
    finish: () => ({
      output: keepsNewline ? extract.text() : captureEnd(capture, extract.text()),
      ...(extract.cut() && { truncated: truncatedTo(extract.kept(), bytes, capture) }),
    }),
  };
}

function extractFor(capture: Capture, limit: number, whole: string): Extract {
  return capture.exact ? startHead(limit) : startExtract(limit, whole);
}

function captureEnd(capture: Capture, text: string): string {
  return capture.exact ? text : withoutLastNewline(text);
}

/** One, and no more: what a command printed after its last newline is its own. */
function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function truncatedTo(kept: number, bytes: number, { chosen }: Pick<Capture, 'chosen'>): Truncated {
  return { bytes, kept, ...(chosen && { chosen }) };
}

function captureLines(capture: Capture): Capturing {
  const { limit } = capture;
  const lines: string[] = [];
  const open = growingBytes(LINES_BYTES);
  let bytes = 0;
  let kept = 0;
  let cut = false;
  /** Too many lines, and not too many bytes, which nobody can choose. */
  let atLimit = false;

  const close = (end: number) => {
    lines.push(open.bytes().toString('utf8').replace(/\r$/, ''));
    kept += open.length() + end;
    open.clear();
  };
  return {
    write(raw, masked) {
      bytes += raw.length;
      let from = 0;
      while (from < masked.length && !cut) {
        const newline = masked.indexOf(10, from);
        const until = newline === -1 ? masked.length : newline;
        // A line that does not fit is left out whole: half an item is worse than none.
        atLimit = lines.length >= limit;
        if (atLimit || kept + open.length() + until - from > LINES_BYTES) {
          cut = true;
          open.clear();
          return;
        }
        open.write(masked.subarray(from, until));
        if (newline !== -1) close(1);
        from = until + 1;
      }
    },
    finish() {
      if (open.length() > 0) close(0);
      if (!cut) return { output: lines };
      return { output: lines, truncated: truncatedTo(kept, bytes, atLimit ? capture : {}) };
    },
  };
}

function captureJson(capture: Capture, mask: Mask, whole: string): Capturing {
  const { limit, textLimit = limit } = capture;
  const raws = growingBytes(limit);
  // Only for `on_parse_error: keep`; JSON itself is parsed first and masked after, so that a
  // secret that is a number does not make it unreadable.
  const extract = extractFor(capture, textLimit, whole);
  let bytes = 0;
  return {
    write(raw, masked) {
      bytes += raw.length;
      if (bytes > limit) raws.clear();
      else raws.write(raw);
      extract.write(masked);
    },
    finish() {
      const parsed = parseOutput(raws.bytes(), bytes, limit, mask);
      if ('value' in parsed) {
        const output = mask.deep(parsed.value);
        return { output, ...(output !== parsed.value && { masked: true as const }) };
      }
      const kept: Captured = {
        output: captureEnd(capture, extract.text()),
        ...(extract.cut() && { truncated: truncatedTo(extract.kept(), bytes, capture) }),
      };
      if (capture.onParseError === 'keep') return { ...kept, unparsed: parsed.reason };
      return {
        ...kept,
        failure: {
          class: 'output',
          message: mask.text(parsed.problem),
          hint: mask.text(
            parsed.hint ?? 'Print JSON and nothing else on stdout, or say `on_parse_error: keep`.',
          ),
          details: { json_parse_error: parsed.reason },
        },
      };
    },
  };
}

type Parsed = { value: Json } | { problem: string; hint?: string; reason: 'invalid' | 'overflow' };

function parseOutput(raw: Buffer, bytes: number, limit: number, mask: Mask): Parsed {
  if (bytes > limit) {
    return {
      problem: `the output has ${bytes} bytes, more than the ${limit} that are read as JSON`,
      reason: 'overflow',
    };
  }
  const text = raw.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return { problem: 'the output is empty, not JSON', reason: 'invalid' };
  const read = readJson(text);
  if ('value' in read) return read;
  const { why, hint } = read.problem;
  const what = why === 'syntax' ? 'the output is not JSON' : 'the output cannot be kept as it was written';
  const problem = `${what}: ${explained(read.problem.message, mask.text(text), text)}`;
  return { problem, ...(hint !== undefined && { hint }), reason: 'invalid' };
}

/** The message of a parser quotes a piece of the text, and a piece of a secret is no secret that a mask would find. */
function explained(message: string, masked: string, text: string): string {
  if (masked === text) return message;
  const again = readJson(masked);
  return 'problem' in again
    ? again.problem.message
    : 'a secret in it, which is masked here, makes it unreadable';
}

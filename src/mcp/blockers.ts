// blockers: why a step is not done, one for each reason: what it is about, what is wrong, and a correction that passes.
// At most ten, in a fixed order, each within its bounds: the same refusal reads the same every time.

import type { JsonObject } from '../model/json.ts';
import { list, map, object, text, type ValueOf } from './schema.ts';

const MOST = 10;
const LONGEST_MESSAGE = 512;
const LONGEST_FIX = 1024;

const BLOCKER = object(
  {
    code: text('A name for what is wrong; docs/guide-drive.md has each.'),
    pointer: map('`kind` (workflow_step, output_contract, context_key, argument, …) and what it names.'),
    message: text('What was expected, and what came.'),
    suggestedFix: text('What to do.'),
  },
  ['code', 'pointer', 'message', 'suggestedFix'],
);
export const BLOCKERS = object({ blockers: list(BLOCKER, 'At most ten.') }, ['blockers']);

export type Blocker = ValueOf<typeof BLOCKER>;

export type Pointer =
  | { kind: 'workflow_step'; stepId: string }
  | { kind: 'output_contract'; stepId: string; pointer: string }
  | { kind: 'argument'; pointer: string };

export function blocker(code: string, pointer: Pointer, message: string, suggestedFix: string): Blocker {
  return {
    code,
    pointer: { ...pointer } as JsonObject,
    message: within(message, LONGEST_MESSAGE),
    suggestedFix: within(suggestedFix, LONGEST_FIX),
  };
}

export function sorted(blockers: Blocker[]): ValueOf<typeof BLOCKERS> {
  const key = ({ code, pointer, message }: Blocker): string =>
    `${code}\n${JSON.stringify(pointer)}\n${message}`;
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return { blockers: blockers.toSorted((a, b) => order(key(a), key(b))).slice(0, MOST) };
}

/** Cut to so many bytes, between characters. */
export function within(words: string, bytes: number): string {
  const all = Buffer.from(words);
  if (all.length <= bytes) return words;
  let end = bytes - Buffer.byteLength('…');
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${all.toString('utf8', 0, end)}…`;
}

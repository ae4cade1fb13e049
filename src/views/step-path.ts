// step-path: a path taken apart. `execute~2[3]/fix#1/review` is a chain of segments; a segment names a step, which
// visit of it, and for `each` and `loop` which pass.

export { placeName } from '../model/place-name.ts';

export interface Segment {
  id: string;
  visit: number;
  /** `[2]` of an `each` (from 0) or `#1` of a `loop` (from 1). */
  pass?: { kind: 'item' | 'pass'; number: number };
}

const SEGMENT = /^([^~[\]#/]+)(?:~([1-9]\d{0,8}))?(?:\[(\d{1,9})\]|#([1-9]\d{0,8}))?$/;

export function readSegment(text: string): Segment | undefined {
  const match = SEGMENT.exec(text);
  if (!match) return undefined;
  const segment: Segment = { id: match[1] as string, visit: match[2] === undefined ? 1 : Number(match[2]) };
  if (match[3] !== undefined) segment.pass = { kind: 'item', number: Number(match[3]) };
  else if (match[4] !== undefined) segment.pass = { kind: 'pass', number: Number(match[4]) };
  return segment;
}

export function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

/** `done[1]` → `{ name: 'done', index: 1 }`, `probe` → `{ name: 'probe', index: 0 }`. */
export function readPart(part: string): { name: string; index: number } {
  const match = /^([a-z_]+)\[(\d{1,9})\]$/.exec(part);
  return match ? { name: match[1] as string, index: Number(match[2]) } : { name: part, index: 0 };
}

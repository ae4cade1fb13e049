// forget: taking records out of the index.

import type { StepRecord } from '../step-record.ts';
import type { Outline } from './shape.ts';

/** Takes a record and what is below it out of the index; the records themselves stay whole for who holds them. */
export function forget(outline: Outline, record: StepRecord): void {
  outline.byPath.delete(record.path);
  for (const child of record.children) forget(outline, child);
  if (!record.passes) return;
  for (const pass of record.passes.open.values()) forget(outline, pass);
  for (const pass of record.passes.kept.values()) forget(outline, pass);
}

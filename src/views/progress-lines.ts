// progress-lines: where a run is, in the few lines that `--progress` prints:
//   [2/5] ProcessData: Running (15s)...
//     └─ for_each: [3/10] Processing item3.csv

import type { Outline } from './outline/shape.ts';
import { durationAt } from './outline.ts';
import { below, type StepRecord, type StepView } from './step-record.ts';
import { plain } from './text/plain.ts';

const WORDS: Record<StepView, string> = {
  pending: 'Pending',
  running: 'Running',
  waiting: 'Waiting',
  asking: 'Waiting for a person',
  done: 'Completed',
  failed: 'Failed',
  skipped: 'Skipped',
  cancelled: 'Cancelled',
};

/** Nothing where nothing is under way. */
export function progressLines(outline: Outline, now: number): string[] {
  const { children } = outline.root;
  const lines: string[] = [];
  children.forEach((step, index) => {
    if (!isUnderWay(step)) return;
    lines.push(`[${index + 1}/${children.length}] ${stepText(outline, step, now)}`);
    inside(outline, step, now, '  ', lines);
  });
  return lines;
}

function isUnderWay({ status }: StepRecord): boolean {
  return status === 'running' || status === 'waiting' || status === 'asking';
}

function stepText(outline: Outline, step: StepRecord, now: number): string {
  return `${nameOf(step)}: ${WORDS[step.status]} (${shortTime(durationAt(outline, step, now))})...`;
}

/** What is under way inside, each level further in. */
function inside(outline: Outline, holder: StepRecord, now: number, indent: string, lines: string[]): void {
  for (const inner of below(holder)) {
    if (!isUnderWay(inner)) continue;
    lines.push(`${indent}└─ ${inner.kind === 'pass' ? passText(inner) : stepText(outline, inner, now)}`);
    // The step of a pass is shown where it is not the only one.
    if (inner.kind !== 'pass' || inner.children.length > 1)
      inside(outline, inner, now, `${indent}   `, lines);
    else for (const only of inner.children) inside(outline, only, now, `${indent}   `, lines);
  }
}

function passText(pass: StepRecord): string {
  const total = pass.parent?.passes?.total ?? 0;
  const number = pass.number ?? 0;
  if (pass.parent?.verb === 'each') return `for_each: [${number + 1}/${total}] Processing ${pass.title}`;
  return `loop: [${number}/${total}]`;
}

function nameOf({ step, id }: StepRecord): string {
  const name = step?.labels.name;
  return plain(typeof name === 'string' && name !== '' ? name : id);
}

/** `15s`, `2m05s`, `1h02m`. */
function shortTime(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}

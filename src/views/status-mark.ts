// status-mark: which mark and colour a step's status has, the same everywhere.

import type { StepView } from './step-record.ts';
import type { Style } from './text/line.ts';
import type { Symbols } from './text/symbols.ts';

const STYLES: Record<StepView, Style> = {
  pending: 'dim',
  running: 'live',
  waiting: 'live',
  asking: 'ask',
  done: 'good',
  failed: 'bad',
  skipped: 'dim',
  cancelled: 'ask',
};

export function statusMark(status: StepView, marks: Symbols): { mark: string; style: Style } {
  return { mark: marks[status], style: STYLES[status] };
}

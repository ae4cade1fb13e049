// glyphs: the small drawings of the page: one for each status, one for each kind of step. Colour is never the only sign.

import type { StepView } from '../src/views/step-record.ts';

const STATUS: Record<StepView, string> = {
  pending: 'M8 3.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9',
  running: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  waiting: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M8 5v3.2l2 1.3',
  asking: 'M5.8 6.2a2.3 2.3 0 1 1 3.4 2c-.8.5-1.2.9-1.2 1.8M8 12.4v.2',
  done: 'M3.2 8.4l3.1 3.1l6.5-6.8',
  failed: 'M4 4l8 8M12 4l-8 8',
  skipped: 'M4 4l4 4l-4 4M8.5 4l4 4l-4 4',
  cancelled: 'M3.5 8h9',
};

const VERBS: Record<string, string> = {
  prompt: 'M3 4h10v7H7l-3 2.5V11H3z',
  run: 'M3 4.5l3.5 3.5L3 11.5M8 12h5',
  call: 'M4 8h8M9 5l3 3l-3 3',
  wait: 'M4.5 2.5h7M4.5 13.5h7M5.5 2.5c0 4 5 3.5 5 5.5s-5 1.5-5 5.5M10.5 2.5c0 4-5 3.5-5 5.5s5 1.5 5 5.5',
  ask: 'M8 3a2.3 2.3 0 1 1 0 4.6a2.3 2.3 0 0 1 0-4.6M3.5 13.5c.4-3 2.2-4 4.5-4s4.1 1 4.5 4',
  workflow: 'M3 3h4v4H3zM9 9h4v4H9zM7 5h4v4',
  sequence: 'M8 2.5v3M8 10.5v3M5 5.5h6v5H5z',
  parallel: 'M3 3v10M8 3v10M13 3v10',
  loop: 'M12.5 8a4.5 4.5 0 1 1-1.4-3.3M12.5 2.5v3h-3',
  each: 'M3 4h2M7 4h6M3 8h2M7 8h6M3 12h2M7 12h6',
  pass: 'M3 8h10',
  gate: 'M8 2.5l5 2v3.7c0 3-2.2 4.8-5 5.8c-2.8-1-5-2.8-5-5.8V4.5z',
};

export const STATUS_WORDS: Record<StepView, string> = {
  pending: 'not begun',
  running: 'running',
  waiting: 'waiting',
  asking: 'asks a person',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

export function StatusGlyph({ status }: { status: StepView }) {
  return (
    <svg class={`glyph status-${status}`} viewBox="0 0 16 16" role="img" aria-label={STATUS_WORDS[status]}>
      <path d={STATUS[status]} />
    </svg>
  );
}

export function VerbGlyph({ verb }: { verb: string }) {
  return (
    <svg class="glyph verb" viewBox="0 0 16 16" aria-hidden="true">
      <path d={VERBS[verb] ?? VERBS.call} />
    </svg>
  );
}

/** What a whole run is, in the same signs. */
export function RunStatus({ status, held }: { status: string; held?: boolean }) {
  const shown = status === 'running' && held === false ? 'stopped' : status;
  return (
    <span class={`pill status-${OF_RUN[shown] ?? 'cancelled'}`}>
      <StatusGlyph status={OF_RUN[shown] ?? 'cancelled'} />
      {shown}
    </span>
  );
}

const OF_RUN: Record<string, StepView> = {
  pending: 'pending',
  running: 'running',
  paused: 'asking',
  interrupted: 'waiting',
  stopped: 'waiting',
  completed: 'done',
  failed: 'failed',
  damaged: 'failed',
};

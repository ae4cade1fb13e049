// nursery: V8 lets the space for new objects grow to 16 MB and more when a program makes many short-lived ones, as
// every step does. A run lives long beside agents that need the memory more, and measured no slower without
// (10,000 steps with 1 KB outputs: 110 MB at the peak instead of 165).
// A small one is swept by the thread that filled it: to wake others for a megabyte costs more than they help (an eighth
// of the time of short steps).

import { setFlagsFromString } from 'node:v8';

/** Call before there is much to do: what has grown stays. */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-parallel-scavenge');
}

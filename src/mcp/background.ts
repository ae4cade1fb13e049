// background: what goes on after its call was answered: runs that Lockstep drives itself. They end with the server, paused, so
// that `lockstep resume` goes on with them.

import type { Background } from './call-context.ts';

export function makeBackground(): Background & { end(): Promise<void> } {
  const under = new Set<{ stop(): void; ended: Promise<unknown> }>();
  return {
    keep(work) {
      under.add(work);
      void work.ended.catch(() => {}).finally(() => under.delete(work));
    },
    async end() {
      for (const work of under) work.stop();
      await Promise.allSettled([...under].map(({ ended }) => ended));
    },
  };
}

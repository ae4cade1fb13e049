// background: what goes on after its call was answered: runs that Lockstep drives itself. They end with the server, paused, so
// that `lockstep resume` goes on with them.

import type { Background, BackgroundWork } from './call-context.ts';

/** Who interrupted a run that ends with its server. */
export const SERVER_END = 'the end of the MCP server';

export function makeBackground(): Background & { end(): Promise<void> } {
  const under = new Set<BackgroundWork>();
  return {
    keep(work) {
      under.add(work);
      void work.ended.catch(() => {}).finally(() => under.delete(work));
    },
    on: (run) => [...under].find((work) => work.run() === run),
    async end() {
      for (const work of under) work.stop(SERVER_END);
      await Promise.allSettled([...under].map(({ ended }) => ended));
    },
  };
}

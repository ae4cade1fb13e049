// reading: runs as their journals tell them. What folds a journal is loaded by the first call that needs it: a client waits
// until the server answers, and what it asks first needs none of that.

import type { LookedAt, ReadRun } from '../hosting/hosting.ts';
import type { Workplace } from './workplace.ts';

export type { Observer, ReadRun } from '../hosting/hosting.ts';

export async function readRunIn({ store, hash }: Workplace, id: string): Promise<ReadRun> {
  const { readRun } = await import('../hosting/hosting.ts');
  return readRun(store, id, hash);
}

/** Without reading more of it than a list needs. */
export async function lookAtRunIn({ store, hash }: Workplace, id: string): Promise<LookedAt> {
  const { lookAtRun } = await import('../hosting/hosting.ts');
  return lookAtRun(store.read(id), hash);
}

// full-records: tells a step that failed from a run whose own folder has no room left. A log that cannot be written is no failure of
// the step: the run stops, as it does when its journal cannot be written, and on resume the step is treated as one that was cut off.

import { Fault } from '../model/fault.ts';
import type { PerformContext, Performed } from './perform/context.ts';

type Records = PerformContext['run'];

export interface WatchedRecords {
  run: Records;
  /** Throws what the store said, where that is why this failed. */
  requireRoomFor(performed: Performed): void;
}

export function watchRecords({ openLog, openArtifact, location }: Records): WatchedRecords {
  let full: Fault | undefined;
  const noting = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Fault && error.retry) full = error;
      throw error;
    }
  };
  const watched = (open: Records['openLog']) => (name: string, how?: { isAnew: boolean }) => {
    const sink = noting(() => open(name, how));
    return {
      write: (chunk: Uint8Array) => noting(() => sink.write(chunk)),
      end: () => noting(() => sink.end()),
    };
  };
  return {
    run: { openLog: watched(openLog), openArtifact: watched(openArtifact), location },
    requireRoomFor(performed) {
      if (full === undefined || performed.kind !== 'outcome') return;
      if (performed.outcome.error?.details?.code === full.code) throw full;
    },
  };
}

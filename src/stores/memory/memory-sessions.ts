// memory-sessions: records of sessions that end with the process, for tests.

import type { SessionRecord } from '../../model/session-record.ts';
import { type FoundRecord, type KeepingParts, keepSessions } from '../../ports/session-keeping.ts';
import type { Sessions, TranscriptText } from '../../ports/sessions.ts';

export interface MemorySessionsOptions extends KeepingParts {
  /** By path. */
  transcripts?: Record<string, TranscriptText>;
  /** Shared by several: JSON texts, so that nobody can change a record that was kept. */
  kept?: Map<string, string>;
}

export function memorySessions(options: MemorySessionsOptions): Sessions {
  const { transcripts = {}, kept = new Map<string, string>(), ...parts } = options;
  const found = (name: string): FoundRecord => {
    const text = kept.get(name);
    const isThere = () => kept.get(name) === text;
    return {
      record: text === undefined ? undefined : (JSON.parse(text) as SessionRecord),
      replace(record) {
        if (!isThere()) return false;
        kept.set(name, JSON.stringify(record));
        return true;
      },
      remove: () => isThere() && kept.delete(name),
    };
  };
  const place = {
    open: ({ client, id }: { client: string; id: string }) => found(JSON.stringify([client, id])),
    all: () => [...kept.keys()].map(found),
  };
  return { ...keepSessions(place, parts), transcript: (path) => transcripts[path] };
}

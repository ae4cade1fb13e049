// session-book: which runs hold a session, beside the journals: `<folder>/<client>/<id>.json`. Only a cache; the entry
// `session-bound` of a run is the truth.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../model/json.ts';
import type { SessionKey } from '../../model/live-session.ts';

interface Kept {
  project: string;
  runs: { run: string; workflow: string; lifecycle: boolean }[];
}

export interface FileSessionBook {
  find(key: SessionKey): Kept | undefined;
  record(key: SessionKey): JsonObject;
  keep(key: SessionKey, project: string, runs: Kept['runs']): void;
}

export function fileSessionBook(folder: string): FileSessionBook {
  const fileOf = ({ client, id }: SessionKey) => join(folder, client, `${encodeURIComponent(id)}.json`);
  const read = (key: SessionKey): (Kept & JsonObject) | undefined => {
    try {
      return JSON.parse(readFileSync(fileOf(key), 'utf8')) as Kept & JsonObject;
    } catch {
      return undefined;
    }
  };
  return {
    find: read,
    record: (key) => ({ ...key, ...read(key) }),
    keep(key, project, runs) {
      const file = fileOf(key);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const beside = `${file}.${process.pid}`;
      writeFileSync(beside, `${JSON.stringify({ ...key, project, status: 'active', runs }, null, 2)}\n`, { mode: 0o600 });
      renameSync(beside, file);
    },
  };
}

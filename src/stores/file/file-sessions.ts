// file-sessions: records of sessions in `$LOCKSTEP_HOME/sessions/<client>/`, one folder each (session-files.ts).

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS } from '../../model/live-session.ts';
import { type KeepingParts, keepSessions } from '../../ports/session-keeping.ts';
import type { Sessions, TranscriptText } from '../../ports/sessions.ts';
import { nameOfSession, namesIn, openRecord } from './session-files.ts';
import { openFlags } from './whole-file.ts';

export interface FileSessionsOptions extends KeepingParts {
  /** `$LOCKSTEP_HOME/sessions`. */
  folder: string;
}

export function fileSessions({ folder, ...parts }: FileSessionsOptions): Sessions {
  const place = {
    open: ({ client, id }: { client: string; id: string }) =>
      openRecord({ folder: join(folder, client), client, name: nameOfSession(id) }),
    all: () =>
      CLIENTS.flatMap((client) => {
        const own = join(folder, client);
        return namesIn(own)
          .filter((name) => /^[a-z0-9][a-z0-9-]*$/.test(name))
          .map((name) => openRecord({ folder: own, client, name }));
      }),
  };
  return { ...keepSessions(place, parts), transcript: readTranscript };
}

/** A conversation may have hundreds of megabytes: its beginning says what it is about, its end where it stands. */
const HEAD_BYTES = 256 * 1024;
const TAIL_BYTES = 4 * 1024 * 1024;

function readTranscript(path: string): TranscriptText | undefined {
  if (!/\.jsonl?$/.test(path)) return undefined;
  let file: number | undefined;
  try {
    file = openSync(path, openFlags.read);
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    if (stats.size <= HEAD_BYTES + TAIL_BYTES) return { head: read(file, 0, stats.size), tail: '' };
    const head = read(file, 0, HEAD_BYTES);
    const tail = read(file, stats.size - TAIL_BYTES, TAIL_BYTES);
    return { head: head.slice(0, head.lastIndexOf('\n') + 1), tail: tail.slice(tail.indexOf('\n') + 1) };
  } catch {
    return undefined; // gone, or somebody else's
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function read(file: number, position: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  while (length < bytes) {
    const count = readSync(file, buffer, length, bytes - length, position + length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length).toString('utf8');
}

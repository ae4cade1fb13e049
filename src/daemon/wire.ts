// wire: what passes between the hook program and the daemon. A request is one line of JSON, the head, and then the bytes that
// the client gave its hook; its end is the end of the stream. An answer is one JSON text.
// W1. The number of the protocol is in every head. A side that does not know the other's says what to do, and lets nothing
//     through.

import type { ClientName } from '../model/live-session.ts';

export const PROTOCOL = 1;
/** A call that writes a large file carries it whole. More than this is refused, on both sides. */
export const MOST_BYTES = 32 * 2 ** 20;
/** The head has the environment of the client, which the system bounds at two megabytes. */
const MOST_HEAD = 4 * 2 ** 20;

/** Which Lockstep speaks. */
export interface Build {
  version: string;
  /** The hash of the program. */
  build: string;
  /** When the program was written, in milliseconds: of two builds of one version the later is the newer. */
  builtAt: number;
}

export type Head = { lockstep: number } & Build &
  (
    | {
        kind: 'event';
        client: ClientName;
        /** The number of the installed line. */
        line: number;
        /** The process of the hook program. */
        pid: number;
        /** Names this asking, the same when it is made again after a lost connection. */
        asking: string;
        /** The folder whose guard.json was found. */
        project?: string;
        /** The client's environment, for what is run on behalf of its session. Kept in memory, never written. */
        environment: Record<string, string>;
      }
    | { kind: 'hello' }
    /** Give everything back, and end: a person said so, or a newer daemon takes over. */
    | { kind: 'end' }
  );

/** What the hook program prints, and how it ends. */
export interface WireAnswer {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface Hello extends Build {
  lockstep: number;
  pid: number;
  /** ISO 8601. */
  since: string;
  /** Events taken since then, and how many of them wait for an answer. */
  events: number;
  waiting: number;
  sessions: number;
}

export function encodeRequest(head: Head, payload?: Buffer): Buffer {
  const line = Buffer.from(`${JSON.stringify(head)}\n`, 'utf8');
  return payload === undefined ? line : Buffer.concat([line, payload]);
}

/** Undefined: it is not a request of any Lockstep. */
export function decodeRequest(bytes: Buffer): { head: Head; payload: string } | undefined {
  const end = bytes.indexOf(10);
  if (end < 0 || end > MOST_HEAD) return undefined;
  try {
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as Partial<Head> | null;
    if (typeof head?.lockstep !== 'number' || typeof head.kind !== 'string') return undefined;
    return { head: head as Head, payload: bytes.toString('utf8', end + 1) };
  } catch {
    return undefined;
  }
}

/** Whether `one` is to serve where both are there. */
export function isNewer(one: Build, other: Build): boolean {
  const [ours, theirs] = [numbers(one.version), numbers(other.version)];
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return one.builtAt > other.builtAt;
}

function numbers(version: string): number[] {
  return (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}

// ask: one short command, to its end or to the end of our patience (D2).

import type { Clock } from '../ports/clock.ts';
import type { Processes, SpawnRequest } from '../ports/processes.ts';

export interface Said {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  tookMs: number;
  /** It could not be started, or did not end in time; a sentence's end such as `cannot be started: …`. */
  problem?: string;
}

const MOST_KEPT = 64 * 1024;

export async function ask(
  { processes, clock }: { processes: Processes; clock: Clock },
  request: Omit<SpawnRequest, 'onStdout' | 'onStderr'>,
  patienceMs: number,
): Promise<Said> {
  const started = clock.monotonic();
  const stdout = bounded();
  const stderr = bounded();
  let tired = false;
  const child = processes.spawn({ ...request, onStdout: stdout.add, onStderr: stderr.add });
  const disarm = clock.after(patienceMs, () => {
    tired = true;
    child.kill();
  });
  const end = await child.end;
  disarm();
  const said = {
    exitCode: end.exitCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    tookMs: clock.monotonic() - started,
  };
  if (tired) return { ...said, problem: `did not answer within ${patienceMs / 1000} s` };
  if (end.error) return { ...said, problem: `cannot be started: ${end.error.message}` };
  if (end.signal !== null) return { ...said, problem: `was ended by ${end.signal}` };
  return said;
}

/** For a person: the last line of what it said, else how it ended. */
export function lastWord({ problem, stderr, stdout, exitCode }: Said): string {
  if (problem !== undefined) return problem;
  const line = (stderr.trim() || stdout.trim()).split('\n').at(-1)?.trim().slice(0, 200);
  const how = `ended with exit code ${exitCode}`;
  return line ? `${how}: ${line}` : how;
}

function bounded() {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk: Uint8Array): void {
      if (size >= MOST_KEPT) return;
      size += chunk.length;
      chunks.push(Uint8Array.prototype.slice.call(chunk));
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

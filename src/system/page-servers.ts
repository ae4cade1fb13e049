// page-servers: which server shows the runs of a folder, noted below LOCKSTEP_HOME so that `status` can print a link. Without the token:
// the link works in a browser that has been let in already.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function noteServer(folder: string, runsFolder: string, server: { port: number } | undefined): void {
  const file = fileOf(folder, runsFolder);
  try {
    if (server === undefined) {
      if (readNote(file)?.pid === process.pid) rmSync(file, { force: true });
      return;
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ port: server.port, pid: process.pid }));
  } catch {
    // Only the links are lost.
  }
}

export function knownServer(folder: string, runsFolder: string): string | undefined {
  const note = readNote(fileOf(folder, runsFolder));
  return note && isAlive(note.pid) ? `http://127.0.0.1:${note.port}/` : undefined;
}

function fileOf(folder: string, runsFolder: string): string {
  return join(folder, `${createHash('sha256').update(runsFolder).digest('hex').slice(0, 16)}.json`);
}

function readNote(file: string): { port: number; pid: number } | undefined {
  try {
    const { port, pid } = JSON.parse(readFileSync(file, 'utf8')) as { port: unknown; pid: unknown };
    return Number.isInteger(port) && Number.isInteger(pid)
      ? { port: Number(port), pid: Number(pid) }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

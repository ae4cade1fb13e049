// records: what a run left behind, as a person would find it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, EntryKind, Outcome } from '../../src/model/entry.ts';

export interface Records {
  folder: string;
  journal: Entry[];
  // biome-ignore lint/suspicious/noExplicitAny: a view for people, looked into by path
  state: any;
  entries<Kind extends EntryKind>(kind: Kind): Extract<Entry, { kind: Kind }>[];
  /** Of the last attempt at this path. */
  outcome(path: string): Outcome;
  /** Every file of the run, by its path. */
  files: Record<string, string>;
}

export function readRecords(folder: string): Records {
  const files: Record<string, string> = {};
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue;
    const path = join(item.parentPath, item.name);
    files[path.slice(folder.length + 1)] = readFileSync(path, 'utf8');
  }
  const journal = (files['journal.jsonl'] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
  const entries = <Kind extends EntryKind>(kind: Kind) =>
    journal.filter((entry): entry is Extract<Entry, { kind: Kind }> => entry.kind === kind);
  return {
    folder,
    journal,
    state: files['state.json'] === undefined ? undefined : JSON.parse(files['state.json']),
    entries,
    outcome(path) {
      const found = entries('attempt-finished').findLast((entry) => entry.path === path && !entry.part);
      if (found === undefined) throw new Error(`nothing came of ${path}`);
      return found.outcome;
    },
    files,
  };
}

/** All runs of the project, the oldest first. */
export function readRuns(root: string): Records[] {
  const folder = join(root, '.lockstep/runs');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^\d{8}T/.test(name));
  return names.sort().map((name) => readRecords(join(folder, name)));
}

/** Undefined where no run was made. */
export function latestRun(root: string): string | undefined {
  const folder = join(root, '.lockstep/runs/latest');
  return existsSync(folder) ? folder : undefined;
}

export function noRecords(): Records {
  return {
    folder: '',
    journal: [],
    state: undefined,
    entries: () => [],
    outcome(path) {
      throw new Error(`no run was made, so nothing came of ${path}`);
    },
    files: {},
  };
}

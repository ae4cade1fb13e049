// LS-TELLER: one table tells every entry. The journals of test/journals have every kind of them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventLine } from '../cli/screen/event-line.ts';
import type { Entry, EntryKind } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import { auditRun } from './audit.ts';
import { logLines } from './log-lines.ts';
import { createRunView } from './run-view.ts';
import type { Rows } from './teller/row.ts';
import { rowOf, TELLER } from './teller.ts';
import { symbols } from './text/symbols.ts';

const FIXTURES = join(import.meta.dirname, '../../test/journals/fixtures');
const CORPUS = ['version-1', 'version-2', 'version-3'].flatMap((version) =>
  readdirSync(join(FIXTURES, version)).map((story) => join(FIXTURES, version, story)),
);

/** Told by what they lead to, in every reader. */
const UNTOLD: EntryKind[] = ['retry-due', 'observing', 'worktree-opening', 'text-prepared'];

interface Told {
  entry: Entry;
  story: string | undefined;
  log: string[];
  screen: string | undefined;
}

const told: Told[] = CORPUS.flatMap((folder) => {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { workflow } = JSON.parse(text('workflow.json')) as { workflow: Workflow };
  const entries = text('journal.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  const audit = new Map(auditRun(workflow, entries).map((line) => [line.n, line.text]));
  const view = createRunView(workflow);
  return entries.map((entry) => {
    const change = view.record(entry);
    return {
      entry,
      story: audit.get(entry.n),
      log: logLines(view.outline, change, 'debug').map(({ message }) => message),
      screen: eventLine(view.outline, change, symbols(true))
        ?.line.map((piece) => piece.text)
        .join(''),
    };
  });
});

const of = (kind: EntryKind) => told.filter(({ entry }) => entry.kind === kind);

describe('LS-TELLER-TABLE: one table from an entry to what is said about it', () => {
  it('a table that lacks a kind does not compile', () => {
    const { jumped: _, ...rest } = TELLER;
    // @ts-expect-error `jumped` has no row
    const lacking: Rows<EntryKind> = rest;
    expect(Object.keys(lacking)).toHaveLength(Object.keys(TELLER).length - 1);
  });

  it('every kind has a sentence, but for those that what they lead to tells', () => {
    for (const kind of Object.keys(TELLER) as EntryKind[]) {
      expect(of(kind).length, `no journal has ${kind}`).toBeGreaterThan(0);
      const isTold = of(kind).some(({ story }) => story !== undefined && story !== '');
      expect(isTold, kind).toBe(!UNTOLD.includes(kind));
    }
    for (const { entry, screen } of told)
      if (UNTOLD.includes(entry.kind)) expect([entry.kind, screen]).toEqual([entry.kind, undefined]);
  });

  it('nothing that is shown is empty or has a hole in it', () => {
    for (const { entry, story, log, screen } of told)
      for (const text of [story, screen, ...log].filter((one) => one !== undefined)) {
        expect(text.trim(), `${entry.kind}: ${text}`).not.toBe('');
        expect(text, entry.kind).not.toMatch(/undefined|\[object/);
      }
  });

  it('an entry that no row knows is passed over by every reader', () => {
    const entry = { n: 9, at: 0, kind: 'toString' } as unknown as Entry;
    expect(rowOf(entry)).toBeUndefined();
  });
});

describe('LS-TELLER-SAME: the log and a terminal say the same', () => {
  it.each<EntryKind>([
    'retry-scheduled',
    'attempt-in-doubt',
    'loop-tested',
    'jumped',
    'time-out-reached',
    'action-passed',
    'vars-set',
    'work-accepted',
    'question-expired',
    'step-closed',
  ])('%s', (kind) => {
    const both = of(kind).filter(({ log, screen }) => screen !== undefined && log.length > 0);
    expect(both.length).toBeGreaterThan(0);
    for (const { log, screen } of both)
      expect(
        log.some((message) => screen?.endsWith(`  ${message}`)),
        `${screen} / ${log.join(' | ')}`,
      ).toBe(true);
  });
});

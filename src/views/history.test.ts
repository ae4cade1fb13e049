import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import {
  createHistory,
  figuresAt,
  type History,
  questionsAt,
  recordHistory,
  statusAt,
  visitAt,
} from './history.ts';
import { createOutline, record } from './outline.ts';

const folder = join(import.meta.dirname, '../../test/journals/fixtures');
/** Every journal that is kept: each version, every kind of entry. */
const runs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('journal.jsonl') && existsSync(join(folder, name, '../workflow.json')))
  .map((name) => ({
    name,
    entries: readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Entry] : [])),
    workflow: (
      JSON.parse(readFileSync(join(folder, name, '../workflow.json'), 'utf8')) as { workflow: Workflow }
    ).workflow,
  }));

function told({ workflow, entries }: { workflow: Workflow; entries: Entry[] }): History {
  const history = createHistory(workflow);
  for (const entry of entries) recordHistory(history, entry);
  return history;
}

/** All that can be asked about a moment. */
function moment(history: History, n: number) {
  return {
    figures: figuresAt(history, n),
    asked: questionsAt(history, n).map(({ question }) => question.path),
    visits: history.visits
      .map(
        (visit) =>
          [visit.path, visit.earlier, statusAt(visit, n), visit.entries.filter((one) => one <= n)] as const,
      )
      .filter(([, , status, entries]) => status !== 'pending' || entries.length > 0),
  };
}

describe('the history of a run', () => {
  it('finds the journals that are kept', () => {
    expect(runs.length).toBeGreaterThan(20);
  });

  it('UI-TIME-HISTORY: shows at every entry what the outline showed when that entry was the last one', () => {
    for (const run of runs) {
      const history = told(run);
      const outline = createOutline(run.workflow);
      for (const entry of run.entries) {
        record(outline, entry);
        const figures = figuresAt(history, entry.n);
        const { done, failed, skipped, cancelled, spending } = outline.totals;
        expect(figures, `${run.name} at ${entry.n}`).toEqual({
          ...{ n: entry.n, at: outline.lastAt, status: outline.status, runTime: outline.runTime },
          ...{ done, failed, skipped, cancelled, spending },
        });
        expect(
          questionsAt(history, entry.n)
            .map(({ question }) => question.path)
            .sort(),
        ).toEqual([...outline.questions.keys()].sort());
        for (const [path, step] of outline.byPath) {
          const visit = visitAt(history, path, entry.n);
          const shown = visit ? statusAt(visit, entry.n) : 'pending';
          expect(`${path} ${shown}`, `${run.name} at ${entry.n}`).toBe(`${path} ${step.status}`);
        }
      }
    }
  });

  it('UI-TIME-HISTORY: H2: what a moment shows does not depend on what came after it', () => {
    for (const run of runs) {
      const whole = told(run);
      for (let n = 1; n <= run.entries.length; n += 7) {
        const then = told({ ...run, entries: run.entries.slice(0, n) });
        expect(moment(whole, n), `${run.name} at ${n}`).toEqual(moment(then, n));
      }
    }
  });

  it('UI-TIME-HISTORY: keeps every pass of a loop and every item, with the numbers of its entries', () => {
    for (const run of runs) {
      const history = told(run);
      const paths = new Set(
        run.entries.flatMap((entry) =>
          'path' in entry && entry.path !== undefined && entry.kind === 'attempt-finished'
            ? [entry.path]
            : [],
        ),
      );
      for (const path of paths) {
        const visits = history.visits.filter((visit) => visit.path === path);
        expect(visits.length, `${run.name}: ${path}`).toBeGreaterThan(0);
        const about = run.entries
          .filter((entry) => entry.kind === 'attempt-finished' && entry.path === path)
          .map(({ n }) => n);
        const kept = new Set(visits.flatMap(({ entries }) => entries));
        expect(
          about.filter((n) => !kept.has(n)),
          `${run.name}: ${path}`,
        ).toEqual([]);
      }
    }
  });
});

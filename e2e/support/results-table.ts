// results-table: scenario × client, as text. What is not supported says why below the table.

import type { TestRecord } from '../../test/test-report.ts';

interface Cell {
  mark: 'ok' | 'FAILED' | '–' | 'not run';
  why?: string;
}

/** `columns`: the clients by name, each with what stands above its column. */
export function resultsTable(tests: TestRecord[], columns: Record<string, string>, head: string): string {
  const rows = new Map<string, Map<string, Cell>>();
  for (const test of tests) {
    const { scenario, client, cell } = cellOf(test);
    if (!(client in columns)) continue;
    const row = rows.get(scenario) ?? new Map<string, Cell>();
    rows.set(scenario, row.set(client, cell));
  }
  const names = Object.keys(columns);
  const widest = Math.max(0, ...[...rows.keys()].map((name) => name.length));
  const line = (first: string, cells: string[]) =>
    `  ${first.padEnd(widest)}  ${cells.map((cell, at) => cell.padEnd(columns[names[at] as string]?.length ?? 0)).join('  ')}`.trimEnd();
  const lines = [head, '', line('', Object.values(columns))];
  for (const [scenario, row] of rows) {
    lines.push(
      line(
        scenario,
        names.map((name) => row.get(name)?.mark ?? ''),
      ),
    );
  }
  const reasons = [...rows].flatMap(([scenario, row]) =>
    [...row].flatMap(([client, { why }]) => (why === undefined ? [] : [`  ${scenario}, ${client}: ${why}`])),
  );
  if (reasons.length > 0) lines.push('', '– not supported; that Lockstep says so was tested:', ...reasons);
  return lines.join('\n');
}

function cellOf({ name, state }: TestRecord): { scenario: string; client: string; cell: Cell } {
  const titles = name.split(' › ');
  const [client = '', why] = (titles.pop() ?? '').split(': not supported: ');
  const at = { scenario: titles.join(': '), client };
  if (state === 'failed') return { ...at, cell: { mark: 'FAILED' } };
  if (state === 'skipped') return { ...at, cell: { mark: 'not run' } };
  return { ...at, cell: why === undefined ? { mark: 'ok' } : { mark: '–', why } };
}

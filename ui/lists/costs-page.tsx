// costs-page: what was spent: by day, workflow, step, gate and model.

import { useEffect, useState } from 'preact/hooks';
import type { CostLine } from '../../src/ui/wire.ts';
import { plain } from '../../src/views/text/plain.ts';
import { compact, dollars } from '../../src/views/text/words.ts';
import { getJson } from '../connection.ts';

type Key = 'day' | 'workflow' | 'step' | 'gate' | 'model';
const KEYS: Key[] = ['day', 'workflow', 'step', 'gate', 'model'];

interface Sum {
  name: string;
  runs: Set<string>;
  calls: number;
  input: number;
  output: number;
  cost: number;
  unpriced: number;
}

export function CostsPage() {
  const [lines, setLines] = useState<CostLine[]>();
  const [by, setBy] = useState<Key>('day');
  useEffect(() => {
    getJson<CostLine[]>('/api/costs').then(setLines, () => setLines([]));
  }, []);
  if (!lines) return <p class="empty">Adding up…</p>;
  const sums = sumsBy(lines, by);
  const most = Math.max(1e-9, ...sums.map(({ cost }) => cost));
  const mostTokens = Math.max(1, ...sums.map(({ input, output }) => input + output));
  const isPriced = sums.some(({ cost }) => cost > 0);
  return (
    <main class="costs">
      <h1>Costs</h1>
      <div class="tools" role="group" aria-label="by what">
        {KEYS.map((key) => (
          <button key={key} type="button" aria-pressed={key === by} onClick={() => setBy(key)}>
            by {key}
          </button>
        ))}
      </div>
      {sums.length === 0 ? (
        <p class="empty">No run has used anything that says what it used.</p>
      ) : (
        <div class="wide" tabIndex={0} role="region" aria-label={`costs by ${by}`}>
          <table>
            <thead>
              <tr>
                <th>{by}</th>
                <th class="bar-cell">{isPriced ? 'cost' : 'tokens'}</th>
                <th class="figure">cost</th>
                <th class="figure">calls</th>
                <th class="figure">tokens in</th>
                <th class="figure">tokens out</th>
                <th class="figure">runs</th>
              </tr>
            </thead>
            <tbody>
              {sums.map((sum) => (
                <tr key={sum.name}>
                  <th scope="row">{plain(sum.name)}</th>
                  <td class="bar-cell">
                    <span
                      style={{
                        width: `${(isPriced ? sum.cost / most : (sum.input + sum.output) / mostTokens) * 100}%`,
                      }}
                    />
                  </td>
                  <td class="figure">{costWords(sum)}</td>
                  <td class="figure">{sum.calls}</td>
                  <td class="figure">{compact(sum.input)}</td>
                  <td class="figure">{compact(sum.output)}</td>
                  <td class="figure">{sum.runs.size}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </main>
  );
}

/** What nobody knows the price of is not counted as nothing. */
function costWords({ cost, unpriced }: Sum): string {
  if (unpriced === 0) return dollars(cost);
  return cost === 0 ? 'unknown' : `at least ${dollars(cost)}`;
}

function sumsBy(lines: readonly CostLine[], by: Key): Sum[] {
  const sums = new Map<string, Sum>();
  for (const line of lines) {
    const name = line[by] ?? (by === 'gate' ? 'no gate' : 'unknown');
    const sum = sums.get(name) ?? {
      name: name || 'unknown',
      runs: new Set(),
      calls: 0,
      input: 0,
      output: 0,
      cost: 0,
      unpriced: 0,
    };
    sum.runs.add(line.run);
    for (const what of ['calls', 'input', 'output', 'cost', 'unpriced'] as const) sum[what] += line[what];
    sums.set(name, sum);
  }
  const all = [...sums.values()];
  return by === 'day'
    ? all.sort((a, b) => (a.name < b.name ? 1 : -1))
    : all.sort((a, b) => b.cost - a.cost || b.input + b.output - a.input - a.output);
}

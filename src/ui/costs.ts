// costs: what all runs used, by run, step, gate and model. A run that has not changed is not read again.

import { readStored } from '../hosting/read-run.ts';
import type { Usage } from '../model/entry.ts';
import type { Store, StoredRun } from '../ports/store.ts';
import { find } from '../views/outline/tree.ts';
import type { CostLine } from './wire.ts';

const kept = new WeakMap<Store, Map<string, { mark: string | undefined; lines: CostLine[] }>>();

/** Gives way after each run: pages go on being answered. */
export async function costLines(store: Store, hash: (text: string) => string): Promise<CostLine[]> {
  const known = kept.get(store) ?? new Map<string, { mark: string | undefined; lines: CostLine[] }>();
  kept.set(store, known);
  const all: CostLine[] = [];
  for (const id of store.list()) {
    const run = store.read(id);
    const mark = run.journalMark();
    const before = known.get(id);
    if (before && before.mark === mark) all.push(...before.lines);
    else {
      const lines = linesOf(run, hash);
      known.set(id, { mark, lines });
      all.push(...lines);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return all;
}

function linesOf(run: StoredRun, hash: (text: string) => string): CostLine[] {
  try {
    const { outline } = readStored(run, hash).view;
    const lines = new Map<string, CostLine>();
    for (const entry of run.journal().entries) {
      if (entry.kind !== 'attempt-finished') continue;
      const { outcome, path } = entry;
      const used: { model: string; usage: Usage }[] =
        outcome.usage_by_model ??
        (outcome.usage ? [{ model: outcome.model ?? '', usage: outcome.usage }] : []);
      // Items and passes of a step are one line.
      const step = path.replace(/~\d+|\[\d+\]|#\d+/g, '');
      const gate = find(outline, path)?.step?.gate?.name ?? null;
      for (const { model, usage } of used) {
        const key = `${step}\n${model}`;
        const line = lines.get(key) ?? {
          ...{ run: run.id, workflow: outline.workflow.name, step, gate, model },
          day: new Date(outline.startedAt).toISOString().slice(0, 10),
          ...{ calls: 0, input: 0, output: 0, cost: 0, unpriced: 0 },
        };
        line.calls += 1;
        line.input += usage.input_tokens;
        line.output += usage.output_tokens;
        if (usage.cost === null) line.unpriced += 1;
        else line.cost += usage.cost;
        lines.set(key, line);
      }
    }
    return [...lines.values()];
  } catch {
    return []; // the list of runs says what is wrong with it
  }
}

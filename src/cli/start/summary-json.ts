// summary-json: the last line of `--json`: how the run ended, in the spelling of the entries before it.

import type { Summary } from '../../views/summary.ts';

/** Names in `outputs` are the workflow's own. */
export function summaryJson({ stepSummary, outputs, ...summary }: Summary, exitCode: number): string {
  const rest = spelt(summary) as object;
  // Programs know `stepSummary` from elsewhere, in this spelling.
  return JSON.stringify({
    kind: 'summary',
    exit_code: exitCode,
    ...rest,
    ...(outputs && { outputs }),
    stepSummary,
  });
}

/** Names in snake_case, maps as lists of what they hold: a step's path is data, never a name. */
export function spelt(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, held]) => withKey(key, spelt(held)));
  if (Array.isArray(value)) return value.map(spelt);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      spelt(held),
    ]),
  );
}

function withKey(path: string, held: unknown): unknown {
  return typeof held === 'object' && held !== null ? { path, ...held } : { path, value: held };
}

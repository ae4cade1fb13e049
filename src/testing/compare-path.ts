// compare-path: the steps that were expected to begin against those that did, and where the two part.

/** Stands for any number of steps, none included. */
export const ANYTHING = '…';

export interface Parting {
  /** How many of each went together before they parted. */
  expected: number;
  actual: number;
}

/** Undefined: they agree. Else the furthest that any reading of the `…` gets. */
export function partingOf(
  expected: readonly string[],
  actual: readonly string[],
  agree: (expected: string, actual: string) => boolean = Object.is,
): Parting | undefined {
  // Which of the actual steps may come next once so many of the expected ones have been read.
  let reached = new Set([0]);
  let furthest: Parting = { expected: 0, actual: 0 };
  for (const [index, step] of expected.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (step === ANYTHING) for (let to = at; to <= actual.length; to += 1) next.add(to);
      else if (at < actual.length && agree(step, actual[at] as string)) next.add(at + 1);
    }
    if (next.size === 0) return { expected: index, actual: lastStretch(expected, index, reached, actual) };
    reached = next;
    furthest = { expected: index + 1, actual: Math.max(...reached) };
  }
  return reached.has(actual.length) ? undefined : furthest;
}

/** After a `…` every place is reached: then it parted where that began, as far as anybody can tell. */
function lastStretch(
  expected: readonly string[],
  index: number,
  reached: ReadonlySet<number>,
  actual: readonly string[],
): number {
  return expected[index - 1] === ANYTHING ? actual.length : Math.max(...reached);
}

const SHOWN_BEFORE = 3;
const SHOWN_AFTER = 6;

/** Both, side by side from a little before they part. */
export function showParting(
  expected: readonly string[],
  actual: readonly string[],
  parting: Parting,
): string[] {
  const lines: string[] = [];
  const before = actual.slice(Math.max(0, parting.actual - SHOWN_BEFORE), parting.actual);
  if (parting.actual > before.length) lines.push(`    … ${parting.actual - before.length} steps as expected`);
  for (const step of before) lines.push(`    ${step}`);
  const wanted = expected.slice(parting.expected);
  const came = actual.slice(parting.actual);
  lines.push(...side('-', wanted, '(nothing more)'), ...side('+', came, '(nothing more)'));
  return lines;
}

function side(mark: string, steps: readonly string[], none: string): string[] {
  if (steps.length === 0) return [`  ${mark} ${none}`];
  const shown = steps.slice(0, SHOWN_AFTER).map((step) => `  ${mark} ${step}`);
  return steps.length > SHOWN_AFTER ? [...shown, `  ${mark} … ${steps.length - SHOWN_AFTER} more`] : shown;
}

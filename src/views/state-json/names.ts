// names: what a step is called in state.json: its name in a dialect that has freer names than ids, else its id.

import type { StepRecord } from '../step-record.ts';

/** Each is another: a name that two have, or that is the id of one without a name, gives way to the id. */
export function keysOf(records: Pick<StepRecord, 'id' | 'step'>[]): string[] {
  const names = records.map(({ step }) => {
    const name = step?.labels.name;
    return typeof name === 'string' && name !== '' ? name : undefined;
  });
  if (names.every((name) => name === undefined)) return records.map(({ id }) => id);
  for (let changed = true; changed; ) {
    changed = false;
    const keys = names.map((name, index) => name ?? (records[index]?.id as string));
    const times = new Map<string, number>();
    for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
    for (const [index, key] of keys.entries()) {
      if (names[index] === undefined || times.get(key) === 1) continue;
      names[index] = undefined;
      changed = true;
    }
  }
  return names.map((name, index) => name ?? (records[index]?.id as string));
}

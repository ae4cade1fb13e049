// names: what a step is called in state.json: its name in a dialect that has freer names than ids, else its id.

import type { StepRecord } from '../step-record.ts';

export function keysOf(records: StepRecord[]): string[] {
  const ids = new Set(records.map((record) => record.id));
  const taken = new Set<string>();
  return records.map((record) => {
    const name = record.step?.labels.name;
    const isFree =
      typeof name === 'string' && name !== '' && !taken.has(name) && (name === record.id || !ids.has(name));
    const key = isFree ? name : record.id;
    taken.add(key);
    return key;
  });
}

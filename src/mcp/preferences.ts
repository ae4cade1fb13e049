// preferences: how much a person wants to be asked, and how careful the work should be, as they were set when the run began.
// Only workflows that have these inputs know them; for all others a person is asked whatever the workflow asks.

import { readRunIn } from './reading.ts';
import { object, text, type ValueOf } from './schema.ts';
import type { Workplace } from './workplace.ts';

export const PREFERENCES = object(
  {
    autonomy: text(
      'guided, full_auto_stop_on_user_deps or full_auto_never_stop: how much is asked of the person.',
    ),
    riskPolicy: text('conservative, balanced or aggressive: how careful to be.'),
  },
  ['autonomy', 'riskPolicy'],
);
export type Preferences = ValueOf<typeof PREFERENCES>;

export const CAREFUL: Preferences = { autonomy: 'guided', riskPolicy: 'conservative' };

/** They never change, and every answer has them. */
const known = new Map<string, Preferences>();
const MOST_KNOWN = 1000;

export async function preferencesOf(place: Workplace, run: string): Promise<Preferences> {
  const found = known.get(run);
  if (found) return found;
  const { inputs } = (await readRunIn(place, run)).view.outline;
  const word = (name: string, otherwise: string): string => {
    const value = inputs[name];
    return typeof value === 'string' ? value : otherwise;
  };
  const preferences = {
    autonomy: word('autonomy', CAREFUL.autonomy),
    riskPolicy: word('risk', CAREFUL.riskPolicy),
  };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(run, preferences);
  return preferences;
}

// crash-watch: when a planned crash comes. Looks at what is about to be durable and knows where it was told to die.

import type { Entry } from '../model/entry.ts';
import type { PlannedFault } from '../model/workflow-test.ts';
import { placeName } from '../views/step-path.ts';
import type { CrashPlan } from './crash-store.ts';
import { isAt } from './place.ts';

export interface CrashWatch {
  plan: CrashPlan;
  readonly used: Set<PlannedFault>;
  count(): number;
  /**
   * Where a crash would make a difference: each flush that brings the end of an effect, by the first such end in it and
   * which of its name that was. What ends in one flush is lost together.
   */
  readonly moments: { at: string; from: number }[];
}

/** On record that something of a step begins: its work, what surrounds it, a question, or the steps inside it. */
const BEGINS = new Set(['attempt-started', 'question-asked', 'step-opened', 'workflow-called']);
const ENDS = new Set(['attempt-finished', 'question-answered', 'step-closed', 'workflow-returned']);

export function crashWatch(faults: readonly PlannedFault[]): CrashWatch {
  const used = new Set<PlannedFault>();
  const met = new Map<PlannedFault, number>();
  const moments: CrashWatch['moments'] = [];
  const ended = new Map<string, number>();
  let crashes = 0;

  function noteMoment(entries: readonly Entry[]): void {
    const ends = entries.filter((entry) => entry.kind === 'attempt-finished');
    for (const [index, { path, part }] of ends.entries()) {
      const at = placeName(path, part);
      const from = (ended.get(at) ?? 0) + 1;
      ended.set(at, from);
      if (index === 0) moments.push({ at, from });
    }
  }

  /** Whether it is time, now that the step has come to this once more. */
  function isDue(planned: PlannedFault, times: number): boolean {
    const before = met.get(planned) ?? 0;
    met.set(planned, before + times);
    return before + times >= planned.from && before < planned.from + planned.times - 1;
  }

  return {
    used,
    moments,
    count: () => crashes,
    plan(entries) {
      noteMoment(entries);
      for (const planned of faults) {
        if (planned.fault.kind !== 'crash') continue;
        const kinds = planned.fault.when === 'announced' ? BEGINS : ENDS;
        const times = entries.filter((entry) => kinds.has(entry.kind) && isAtEntry(planned.at, entry)).length;
        if (times === 0 || !isDue(planned, times)) continue;
        used.add(planned);
        crashes += 1;
        return planned.fault.when === 'announced' ? 'after' : 'before';
      }
      return undefined;
    },
  };
}

function isAtEntry(at: string, entry: Entry): boolean {
  if (!('path' in entry) || typeof entry.path !== 'string') return false;
  const part = 'part' in entry && typeof entry.part === 'string' ? entry.part : undefined;
  return isAt(at, { path: entry.path, part });
}

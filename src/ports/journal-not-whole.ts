// journal-not-whole: what everything that needs a whole journal says of one that lost entries.

import { Fault } from '../model/fault.ts';

export function journalNotWhole(id: string, missing: string): Fault {
  return new Fault('journal-not-whole', `the journal of run ${id} is not all that was recorded: ${missing}`, {
    hint: `Something cut or replaced journal.jsonl while no process held the run. Put the original back. To go on from the last entry that is left instead, which runs again what finished after it: lockstep resume ${id} --repair`,
  });
}

import type { Requirement } from '../ledger.ts';

const VIEWS = 'src/hosting/views.test.ts › views on disk';
const BOUNDS = 'src/views/state-json/bounds.test.ts › the bounds of state.json';

/** What stays usable when a run, or the number of runs, grows large: views on disk and the commands that read them. */
export const growthViews: Requirement[] = [
  {
    id: 'LS-GROW-VIEWS',
    requirement:
      'A view that can be neither read nor written never stops a run; the run says so once, on the screen and in its log.',
    proof: [`${VIEWS} › LS-GROW-VIEWS: *`],
  },
  {
    id: 'LS-GROW-STATE',
    requirement:
      'state.json is bounded: what is long is cut once there is no room, and says so, with where the whole of it is.',
    proof: [`${BOUNDS} › LS-GROW-STATE: *`],
  },
  {
    id: 'LS-GROW-JSON',
    requirement:
      '`status --json`, `audit --json` and `report --json` write in pieces what no single text could hold.',
    proof: ['src/text/json-pieces.test.ts › JSON in pieces › LS-GROW-JSON: *'],
  },
  {
    id: 'LS-GROW-LIST',
    requirement:
      'A list of runs reads a small file of each, summary.json, and more only where the journal has changed since it was written.',
    proof: [`${VIEWS} › LS-GROW-LIST: *`],
  },
  {
    id: 'LS-GROW-STEPS',
    requirement:
      '`state: every-step`, `--backup-state` and `--debug` cost at most a share of the run, however many steps it has, and keep what they promise.',
    proof: ['src/hosting/pace.test.ts › what is written at every step › LS-GROW-STEPS: *'],
  },
  {
    id: 'LS-GROW-PROGRESS',
    requirement:
      '`--progress` off a terminal prints only lines that have changed, at most once a second, and not more than 50 at once.',
    proof: ['src/cli/screen/screen.test.ts › * › LS-GROW-PROGRESS: *'],
  },
  {
    id: 'LS-GROW-FAILURES',
    requirement: 'The summary and the report count every failure, however many there are.',
    proof: ['src/views/summary.test.ts › * › LS-GROW-FAILURES: *'],
  },
  {
    id: 'LS-GROW-INPUTS',
    requirement:
      '`--input-file` and `--context-file` read JSON of any size; of YAML that is too large they tell the bound.',
    proof: ['src/cli/given/inputs.test.ts › --input-file › LS-GROW-INPUTS: *'],
  },
  {
    id: 'LS-GROW-DAMAGE',
    requirement:
      '`runs`, `clean` and `logs` tell of a journal that does not verify, and go on with what else there is.',
    proof: [`${VIEWS} › LS-GROW-DAMAGE: *`, 'test/cli/damaged.test.ts › a damaged run › LS-GROW-DAMAGE: *'],
  },
];

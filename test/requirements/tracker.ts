import type { Requirement } from '../ledger.ts';

const FILES = 'src/tracker/file-tracker.test.ts';
const HANDLERS = 'src/runtime/handlers/issues.test.ts';

export const tracker: Requirement[] = [
  {
    id: 'LS-TRK-FILES',
    requirement:
      'Issues are Markdown with front matter in .lockstep/issues/NNNN-slug.md: create, list, get, update, search, dependencies.',
    proof: [
      `${FILES} › fileTracker`,
      `${FILES} › an issue on disk › is a Markdown file that a person can read`,
    ],
  },
  {
    id: 'LS-TRK-CONCURRENT',
    requirement:
      'Concurrent writers lose nothing: numbers, labels and notes of many processes are all there, once.',
    proof: [`${FILES} › several at once`],
  },
  {
    id: 'LS-TRK-BY-HAND',
    requirement:
      'Files edited by hand are tolerated; unknown fields, comments and the body stay as they are.',
    proof: [
      `${FILES} › an issue on disk › T3: what a person wrote by hand stays, comments and unknown fields too`,
    ],
  },
  {
    id: 'LS-TRK-BROKEN',
    requirement: 'A file that cannot be read as an issue is reported and never overwritten.',
    proof: [
      `${FILES} › an issue on disk › T3: *`,
      'test/cli/issues.test.ts › lockstep issues › LS-TRK-BROKEN: tells of a file that is no issue, and leaves it alone',
    ],
  },
  {
    id: 'LS-TRK-READY',
    requirement: 'What is ready, what is blocked by what, and circles of dependencies are told.',
    proof: [
      `${FILES} › fileTracker › finding › what is ready: nothing in its way, by priority; and what is in the way of the rest`,
      `${FILES} › fileTracker › changing › refuses a circle of dependencies, and names the way round`,
      `${FILES} › an issue on disk › circles that two writers made between them are named`,
    ],
  },
  {
    id: 'LS-TRK-SAFE',
    requirement: 'The tracker neither reads nor writes outside the project: no symlink is followed.',
    proof: [`${FILES} › an issue on disk › T4: no symlink is followed, neither a file nor the folder`],
  },
  {
    id: 'LS-TRK-CLI',
    requirement:
      '`lockstep issues` lists, shows, makes, changes, completes and searches issues, for people and as JSON.',
    proof: ['test/cli/issues.test.ts › lockstep issues'],
  },
  {
    id: 'LS-TRK-HANDLERS',
    requirement:
      '`create-issues`, `persist-tasks` and `save-checkpoint` work in any run, and a crash and rerun makes no second issue.',
    proof: [`${HANDLERS} › create-issues`, `${HANDLERS} › persist-tasks`, `${HANDLERS} › save-checkpoint`],
  },
  {
    id: 'LS-TRK-RUN',
    requirement: 'The issues of a run are made once and completed one by one, over a failure and a resume.',
    proof: ['test/cli/issues.test.ts › a run with the tracker'],
  },
];

// security-approvals: a person sees what they approve, and approves nothing else (THREATS.md).

import type { Requirement } from '../ledger.ts';

const cli = 'test/cli/approval.test.ts';
const engine = 'src/engine/approval.test.ts › an approval';
const trees = 'src/workspaces/git/kept-tree.test.ts › a kept tree';
const bytes = 'src/workspaces/git/kept-tree.test.ts';

export const securityApprovals: Requirement[] = [
  {
    id: 'SEC-APPROVE-SHOWN',
    requirement:
      'A question of `done.approve` shows the answer, the diffstat since the step began, the last lines of the check and the commands to see all of it: in the summary, in `status` and in blocker.json. Line breaks of the question are kept.',
    proof: [`${cli} › what is approved › SEC-APPROVE-SHOWN: *`, `${engine} › SEC-APPROVE-SHOWN: *`],
  },
  {
    id: 'SEC-APPROVE-ESCAPES',
    requirement:
      'No control, escape, direction or zero-width character of an agent reaches the screen, and every line that is not ours stands behind a bar.',
    proof: `${cli} › what is approved › SEC-APPROVE-ESCAPES: *`,
  },
  {
    id: 'SEC-APPROVE-COMMANDS',
    requirement: 'Every command that a question shows works when it is pasted.',
    proof: `${cli} › what is approved › SEC-APPROVE-COMMANDS: *`,
  },
  {
    id: 'SEC-APPROVE-BOUND',
    requirement:
      'An approval is bound to a digest of the output and of the workspace; where that changed before the answer counted, it is asked again, with what changed.',
    proof: [
      `${cli} › an approval is bound to what was shown › SEC-APPROVE-BOUND: *`,
      `${engine} › SEC-APPROVE-BOUND: *`,
      'src/engine/fuzz.test.ts › fuzz everything: *',
    ],
  },
  {
    id: 'SEC-APPROVE-QUIET',
    requirement: 'With `--quiet` no command is offered that approves what was not shown.',
    proof: `${cli} › SEC-APPROVE-QUIET: *`,
  },
  {
    id: 'SEC-APPROVE-CHECKED',
    requirement:
      'Where the files changed before an approval counted, the checks before it run again, on what is there now.',
    proof: `${cli} › an approval is bound to what was shown › SEC-APPROVE-CHECKED: *`,
  },
  {
    id: 'SEC-APPROVE-STALE',
    requirement: 'An answer to an earlier asking never counts for a later one.',
    proof: `${cli} › an approval is bound to what was shown › SEC-APPROVE-STALE: *`,
  },
  {
    id: 'SEC-APPROVE-WORKTREE',
    requirement: 'Of a run in a worktree, the worktree is what an approval is about.',
    proof: `${cli} › an approval is bound to what was shown › SEC-APPROVE-WORKTREE: *`,
  },
  {
    id: 'SEC-APPROVE-PLAIN',
    requirement: 'Without git an approval is bound to the answer alone, and the question says so.',
    proof: `${cli} › an approval is bound to what was shown › SEC-APPROVE-PLAIN: *`,
  },
  {
    id: 'SEC-APPROVE-TERMINAL',
    requirement:
      'On a terminal the same is shown in place, and a change before the answer is asked about again.',
    proof: `${cli} › on a terminal › SEC-APPROVE-TERMINAL: *`,
  },
  {
    id: 'SEC-APPROVE-DIFF',
    requirement:
      'What changed since the step began is told line by line, untracked files and files with earlier changes included.',
    proof: `${trees} › SEC-APPROVE-DIFF: *`,
  },
  {
    id: 'SEC-APPROVE-HOSTILE',
    requirement:
      'No attribute, setting or replacement of the repository hides a change from what is shown, and none starts a program.',
    proof: `${trees} › SEC-APPROVE-HOSTILE: *`,
  },
  {
    id: 'SEC-APPROVE-BYTES',
    requirement:
      'An approval is bound to the bytes of every file that is not ignored, and to what decides what is ignored: no index, time, conversion, setting, replacement or repository inside hides a change.',
    proof: `${bytes} › SEC-APPROVE-BYTES: *`,
  },
  {
    id: 'SEC-SECRET-TREES',
    requirement:
      'Names of files that a run keeps for an approval cannot be read in its folder, nor can other users open it.',
    proof: `${bytes} › SEC-GIT-TREES: * › SEC-SECRET-TREES: *`,
  },
  {
    id: 'SEC-APPROVE-FREE',
    requirement: 'A step without an approval is never looked at.',
    proof: `${engine} › SEC-APPROVE-FREE: *`,
  },
  {
    id: 'SEC-APPROVE-CRASH',
    requirement: 'After a crash at any point an approval goes on, and none counts without the look after it.',
    proof: [`${engine} › SEC-APPROVE-CRASH: *`, 'test/crash/approval.test.ts › SEC-APPROVE-CRASH: *'],
  },
  {
    id: 'SEC-APPROVE-OLD',
    requirement: 'A question of an older journal has no digest, and its answer counts as it did then.',
    proof: `${engine} › SEC-APPROVE-OLD: *`,
  },
];

// What stops a person on the first day: each was met by somebody who had the docs, a project and no patience.

import type { Requirement } from '../ledger.ts';

const redirected = 'test/cli/redirected.test.ts › output that goes into the project';
const failures = 'test/cli/told-failures.test.ts › what failed is on the screen';

export const firstDay: Requirement[] = [
  {
    id: 'UX-REDIRECTED',
    requirement:
      'A file of the project that our own output goes to is no change: neither of a step that only reads nor of an approval. Moved elsewhere, it is one.',
    proof: `${redirected} › UX-REDIRECTED: *`,
  },
  {
    id: 'UX-FAILED-LINES',
    requirement: 'A failed command shows the last lines of its stdout and stderr where the run ends.',
    proof: `${failures} › UX-FAILED-LINES: *`,
  },
  {
    id: 'UX-TELLING',
    requirement:
      'Of what failed, was sent back or was gone past, one line shows what tells most: the name of the test that failed.',
    proof: ['src/views/telling-line.test.ts › the line that says most', `${failures} › UX-TELLING: *`],
  },
  {
    id: 'UX-HABITS',
    requirement:
      'Whoever writes what another tool calls it (GitHub Actions, Archon, Conductor, Temporal, Argo, Taskfile, compose, Airflow, Prefect, n8n) is told the line to write, and that line loads.',
    proof: [
      'src/compile/habits.test.ts › what other tools call it',
      'src/compile/habits.test.ts › values as other tools have them',
      'src/compile/habits.test.ts › conditions of other tools',
      'src/compile/habits.test.ts › whole files of other tools',
    ],
  },
  {
    id: 'UX-PROMPT-TEXT',
    requirement: 'A `prompt` of several lines, or with something to fill in, is the task itself.',
    proof: 'src/compile/habits.test.ts › a prompt that is a text',
  },
  {
    id: 'UX-WORDS',
    requirement:
      'Words that other tools have for our commands, and `run wf n=3`, are told the command to type.',
    proof: 'test/cli/explain.test.ts › words of other tools',
  },
  {
    id: 'UX-EXPLAIN',
    requirement:
      '`lockstep explain CODE` and `help CODE` print the page of an error from the package; errors point there.',
    proof: 'test/cli/explain.test.ts › an error code',
  },
  {
    id: 'UX-DATA-CHOICES',
    requirement: 'One `{{ }}` gives the list of `choices`, and the files of `reads` and `wait`.',
    proof: 'test/cli/data-choices.test.ts › a list from data',
  },
  {
    id: 'UX-BRANCHES',
    requirement:
      'A workflow names the branch of a worktree with an expression, reads it as `steps.x.branch`, and summaries name passes by their items.',
    proof: 'test/cli/branches.test.ts › branches',
  },
  {
    id: 'UX-OUTPUTS',
    requirement:
      '`outputs` are in the summary, in `--json`, in the report and in `report --json`, fields in one spelling.',
    proof: 'test/cli/branches.test.ts › what a run gives',
  },
  {
    id: 'UX-INIT-SCHEMA',
    requirement:
      '`init` writes the schema for editors, with the comment that names it, and `.vscode` settings on request; a schema is no workflow.',
    proof: 'test/cli/set-up.test.ts › init › UX-INIT-SCHEMA: *',
  },
  {
    id: 'UX-CONCURRENT-EACH',
    requirement: 'Passes that run at once each show what their agent does, and that it is starting.',
    proof: 'src/cli/screen/frame.test.ts › the live tree › UX-CONCURRENT-EACH: *',
  },
  {
    id: 'UX-AGAIN-NOTE',
    requirement:
      'Who has work done again is asked what should be different; a question says what Ctrl-C does.',
    proof: '*UX-AGAIN-NOTE*',
  },
  {
    id: 'UX-DENIED',
    requirement: 'Denied calls are in `audit` and `report`, with those that the client refuses by itself.',
    proof: 'test/cli/denied-calls.test.ts › calls that were denied',
  },
  {
    id: 'UX-COST-LIMIT',
    requirement: '`limits.cost` ends a dispatch of Claude while it works: it is given what is left.',
    proof: ['*UX-COST-LIMIT*', 'test/cli/denied-calls.test.ts › a limit of cost'],
  },
];

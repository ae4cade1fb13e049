// security-shell: shell lines: values are text, and one reader (THREATS.md).

import type { Requirement } from '../ledger.ts';

const SHELL = 'test/shell';

export const securityShell: Requirement[] = [
  {
    id: 'SEC-SHELL-DENY',
    requirement:
      'A deny list sees a command through quoting, expansion, variables, wrappers, shells, eval, pipes and options; what it cannot follow it denies.',
    proof: [
      `${SHELL}/hostile.test.ts › SEC-SHELL-DENY`,
      `${SHELL}/hostile.test.ts › what the lists say is true*`,
    ],
  },
  {
    id: 'SEC-SHELL-HONEST',
    requirement:
      'Lines that agents write all day (commits with heredocs, pipes, loops, tests, searches) pass a deny list, and an allow list that names each of their commands.',
    proof: `${SHELL}/honest.test.ts › SEC-SHELL-HONEST`,
  },
  {
    id: 'SEC-SHELL-FUZZ',
    requirement:
      'Of 50,000 random lines none that the lists let through runs or writes anything else, in bash or dash.',
    proof: `${SHELL}/fuzz.test.ts › SEC-SHELL-FUZZ*`,
  },
  {
    id: 'SEC-SHELL-USEFUL',
    requirement: 'Plain random lines of harmless commands are let through.',
    proof: `${SHELL}/fuzz.test.ts › SEC-SHELL-USEFUL`,
  },
  {
    id: 'SEC-SHELL-MVDAN',
    requirement: 'A line as mvdan/sh prints it is judged like the line itself.',
    proof: `${SHELL}/mvdan.test.ts › SEC-SHELL-MVDAN*`,
  },
  {
    id: 'SEC-SHELL-VALUES',
    requirement:
      'A value in a shell line is text in dash and bash, or the line is refused when the workflow is loaded.',
    proof: [`${SHELL}/values.test.ts › SEC-SHELL-VALUES`, `${SHELL}/values.test.ts › SEC-SHELL-VALUES: *`],
  },
];

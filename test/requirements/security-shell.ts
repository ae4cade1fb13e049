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
  {
    id: 'SEC-SHELL-LISTS',
    requirement:
      'In the list form of `run`, and in the command of a provider, a value is never a command either.',
    proof: `${SHELL}/refused.test.ts › SEC-SHELL-LISTS`,
  },
  {
    id: 'SEC-SHELL-HINTS',
    requirement: 'What the hint of a refused value tells people to type loads.',
    proof: `${SHELL}/refused.test.ts › SEC-SHELL-HINTS*`,
  },
  {
    id: 'SEC-SHELL-RUN',
    requirement:
      'A value that only its own text makes an option, a program of sed or a whole command fails the step, with the reason first.',
    proof: `${SHELL}/refused.test.ts › SEC-SHELL-RUN`,
  },
  {
    id: 'SEC-SHELL-READER',
    requirement:
      'One reader in src/text/shell reads shell lines for the guard, command_runs, Codex and templates; only space and tab are blanks, `${…}` is one unit, heredoc bodies are data.',
    proof: [
      'src/text/shell/commands-run.test.ts › the commands of a line',
      'src/text/shell/commands-run.test.ts › *is seen to run*',
      'src/expressions/phrases.test.ts › runsCommand',
    ],
  },
  {
    id: 'SEC-SHELL-PLACES',
    requirement:
      'Each place of a shell line where no quoting is safe is an error at load with a hint; a text that another machine or program may read again is a warning.',
    proof: 'src/expressions/shell-value.test.ts › render for the shell',
  },
  {
    id: 'SEC-SHELL-CLI',
    requirement: 'From the command line: exit 2 with file:line:column, nothing runs, no run is left behind.',
    proof: 'test/cli/shell-values.test.ts › SEC-SHELL-CLI',
  },
  {
    id: 'SEC-SHELL-FILES',
    requirement: 'Files that a shell line visibly writes are judged as files that are written.',
    proof: [
      'src/text/shell/files-written.test.ts › *',
      'src/runtime/perform/tool-guard.test.ts › *SEC-SHELL-FILES*',
    ],
  },
  {
    id: 'SEC-SHELL-BLOCK',
    requirement: 'A `block` rule on command_runs blocks a line that cannot be followed.',
    proof: 'src/engine/guard.test.ts › *SEC-SHELL-BLOCK*',
  },
  {
    id: 'SEC-SHELL-FOUND',
    requirement:
      'What an attacker found is closed for good: values through variables, parameters, pipes and files into what reads them as commands.',
    proof: 'test/shell/refused.test.ts › SEC-SHELL-FOUND: *',
  },
  {
    id: 'SEC-SHELL-EVALUATED',
    requirement:
      'What bash evaluates although it stands in quotes (arithmetic, the index of an array, `${!x}`) counts for both lists.',
    proof: 'src/text/shell/evaluated.test.ts › SEC-SHELL-EVALUATED*',
  },
  {
    id: 'SEC-SHELL-NARROW',
    requirement:
      'A pattern of `deny` for Bash without `*`, which means the bare command only, is warned of at load.',
    proof: 'src/compile/lower/step.test.ts › *SEC-SHELL-NARROW*',
  },
  {
    id: 'SEC-SHELL-REASONS',
    requirement:
      'A denial of a shell line says what it is about: the `>`, the value, or what cannot be followed.',
    proof: 'src/engine/guard.test.ts › *SEC-SHELL-REASONS*',
  },
  {
    id: 'SEC-THREATS',
    requirement: 'THREATS.md says who attacks, what is defended, the test that tries it, and what is not.',
    proof: 'test/threats.test.ts › *',
  },
];

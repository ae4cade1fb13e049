// find-inputs: inputs with `find` whose value nobody gave → what the project says, or why it says nothing.

import type { FoundInput } from '../../model/entry.ts';
import type { InputDeclaration, InputFinder } from '../../model/workflow.ts';
import { type ProjectFiles, TEST_COMMAND_FILES, testCommands } from './find-test-command.ts';

export type { ProjectFiles } from './find-test-command.ts';

export type Sought =
  | { value: string; found: FoundInput }
  /** In words, to go on with "… , and ". */
  | { missing: string };

export function findInput(finder: InputFinder, files: ProjectFiles): Sought {
  switch (finder) {
    case 'test-command': {
      const { found, silent } = testCommands(files);
      const [first, ...others] = found;
      if (first)
        return {
          value: first.value,
          found: { from: first.from, ...(others.length > 0 && { also: others }) },
        };
      return {
        missing:
          silent.length === 0
            ? `nothing in the project says how its tests are run (looked for ${TEST_COMMAND_FILES})`
            : silent.join(', '),
      };
    }
  }
}

export function findsInputs(inputs: Record<string, InputDeclaration>): boolean {
  return Object.values(inputs).some(({ find }) => find !== undefined);
}

/** One line for a person: what was taken, from where, and what else there is. */
export function foundText(name: string, value: string, { from, by, also = [] }: FoundInput): string {
  const others = also.map((other) => `${other.value} (${other.from})`).join(', ');
  const choose = others === '' ? '' : `; there is also ${others}: --input ${name}=… chooses`;
  return `${name}: ${value}, ${from === undefined ? `as ${by ?? 'asked'} said` : `from ${from}`}${choose}`;
}

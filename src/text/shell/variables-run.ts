// variables-run: variables whose value the shell or a program runs (`PS4`, `BASH_ENV`, `GIT_SSH_COMMAND`), and the builtins
// that set variables, some of which evaluate the names that they are given.

import type { Call, Walk } from './commands-run.ts';
import { evaluatesArguments } from './evaluated.ts';
import { constantOf, possibleWords } from './possible-words.ts';
import { readsDescriptor } from './program-arguments.ts';
import { COMMAND_VARIABLES, SHELL_VARIABLES } from './programs.ts';
import type { Word } from './tree.ts';

/** The value is run by the shell itself, or by the program that it is handed to. */
export function runVariable(walk: Walk, name: string, value: Word): void {
  const text = constantOf(possibleWords(value, walk.variables)[0] ?? [{ pieces: [''], count: 'one' }]);
  if (text !== undefined) walk.maybeLine(text);
  if (/^(?:BASH_)?ENV$/.test(name) && (text === undefined || readsDescriptor(text)))
    return walk.unclear(`\`${name}\` names a script that is known only when it runs`);
  if (SHELL_VARIABLES.test(name) && (text === undefined || /[$`]/.test(text)) && name.startsWith('PS'))
    return walk.unclear(`\`${name}\` is set to something that the shell runs`);
}

/** `read PS4`, `export PROMPT_COMMAND=…`, `mapfile -C 'rm x'`. */
export function runSetter(walk: Walk, { name, texts }: Call): void {
  walk.evaluates ||= evaluatesArguments(name, texts);
  if (name === 'compgen' && texts.some((text) => /[$`]/.test(text ?? '')))
    walk.unclear('`compgen` expands what it is given');
  for (const [at, text] of texts.entries()) {
    if (text === undefined) continue;
    const [, variable = '', value] = /^([A-Za-z_]\w*)(?:\+?=([\s\S]*))?$/.exec(text) ?? [];
    if (
      SHELL_VARIABLES.test(variable) &&
      (value === undefined ? !/^(?:export|unset|readonly)$/.test(name) : /[$`]/.test(value))
    )
      return walk.unclear(`\`${name}\` sets \`${variable}\`, which the shell runs`);
    if (value !== undefined && COMMAND_VARIABLES.test(variable)) walk.maybeLine(value);
    if (/^-\w*C$/.test(texts[at - 1] ?? '')) walk.maybeLine(text);
    const attached = /^-\w*?C([\s\S]+)$/.exec(text)?.[1];
    if (attached !== undefined) walk.maybeLine(attached);
  }
}

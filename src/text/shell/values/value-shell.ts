// value-shell: a call of a shell. Its script must be free of values: the text of `-c`, a file (which the line must not
// write itself), or the standard input where there is neither. The words after the script are its parameters.

import { readsDescriptor } from '../program-arguments.ts';
import { WORD_OPTIONS } from '../programs.ts';
import { type Argument, constantText, leading } from './argument.ts';
import type { ValueCall } from './value-call.ts';
import type { ValueWalk } from './value-walk.ts';

export function noteShell(walk: ValueWalk, { name, args, stdin }: ValueCall): void {
  const takesUser = /^(?:su|runuser|sg|newgrp)$/.test(name);
  let isScript = false;
  let isInput = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Argument;
    const rest = args.slice(at + 1);
    const text = constantText(arg);
    if (isScript && text !== '--' && text !== '-' && !(text !== undefined && /^[-+]/.test(text))) {
      walk.parameters(rest);
      return walk.readAgain([arg], name, stdin);
    }
    if (arg.prints !== undefined) {
      walk.parameters(rest);
      return walk.readInput({ kind: 'commands', script: arg.prints }, name);
    }
    if (arg.holes.length > 0)
      return noteValue(walk, name, arg, rest, constantText(args[at - 1] ?? arg) === '--');
    if (text === undefined) return noteUnknown(walk, name, arg, rest, stdin, isInput);
    if (/^[-+]./.test(text) && text !== '--') {
      if (text.startsWith('--command='))
        return walk.readAgain([{ ...arg, text: text.slice(10) }], name, stdin);
      const isWord = WORD_OPTIONS.test(text);
      if (/^-[a-zA-Z]*c[a-zA-Z]*$|^--command$/.test(text) && !isWord) isScript = true;
      if (/^-[a-zA-Z]*s/.test(text) && !isWord) isInput = true;
      if (/^--?(?:rcfile|init-file)$/.test(text)) noteFile(walk, args[at + 1]);
      // Each `o` and `O` of a bundle takes a word.
      if (/^--?(?:rcfile|init-file|user|group|shell)$/.test(text)) at++;
      else if (/^[-+][a-zA-Z]+$/.test(text) && !isWord) at += text.match(/[oO]/g)?.length ?? 0;
    } else if (text !== '--' && text !== '-' && !takesUser) {
      if (!isInput && !readsDescriptor(text)) noteFile(walk, arg);
      walk.parameters(isInput ? args.slice(at) : rest);
      // A path may lead to the standard input under many names.
      const isRead = isInput || readsDescriptor(text) || stdin.kind === 'text';
      if (isRead || (/^\/(?:dev|proc)\//.test(text) && stdin.kind !== 'none')) walk.readInput(stdin, name);
      return;
    }
  }
  walk.readInput(stdin, name);
}

/** A value before the script: it may be an option, or the file. */
function noteValue(
  walk: ValueWalk,
  name: string,
  arg: Argument,
  rest: readonly Argument[],
  isAfterEnd: boolean,
): void {
  if (/^[-+]/.test(arg.text ?? ''))
    return walk.note([...arg.holes, ...rest.flatMap(({ holes }) => holes)], 'script', name);
  const isLeading = leading(arg).length > 0;
  walk.note(arg.holes, isLeading && !isAfterEnd ? 'operand' : 'command', name);
  for (const { holes } of isLeading && !isAfterEnd ? rest : []) walk.note(holes, 'script', name);
}

/** A word that is not known: a file, or `-c`. */
function noteUnknown(
  walk: ValueWalk,
  name: string,
  arg: Argument,
  rest: readonly Argument[],
  stdin: ValueCall['stdin'],
  isInput: boolean,
): void {
  const isFile = !arg.isOpen && arg.text !== undefined && /^[^-\u0002]/.test(arg.text) && !isInput;
  noteFile(walk, arg);
  if (isFile) return;
  for (const { holes } of rest) walk.note(holes, 'script', name);
  for (const one of rest) walk.perhapsRead(one, name);
  walk.parameters(rest);
  walk.readInput(stdin, name);
}

/** A file that is run. */
export function noteFile(walk: ValueWalk, arg: Argument | undefined): void {
  if (arg === undefined) return;
  if (arg.prints !== undefined) return walk.readInput({ kind: 'commands', script: arg.prints }, 'a shell');
  if (arg.holes.length > 0) return walk.note(arg.holes, 'command', 'a script');
  if (walk.carriers.mayHaveWritten(arg.text))
    walk.note(walk.carriers.all, 'file', constantText(arg) ?? 'a script');
}

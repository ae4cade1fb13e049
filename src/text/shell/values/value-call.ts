// value-call: what a command does with the values among its words, its input and its variables.

import { readsDescriptor } from '../program-arguments.ts';
import { looksLikeShell, PLAIN, SUBCOMMAND_WRAPPERS, WRAPPERS } from '../programs.ts';
import type { Stdin } from '../stdin.ts';
import { type Argument, constantText, UNKNOWN } from './argument.ts';
import { noteInterpreter, noteStdinProgram } from './value-code.ts';
import { noteGit } from './value-git.ts';
import { noteOptions } from './value-options.ts';
import { noteShell } from './value-shell.ts';
import { noteSetter, setsVariables } from './value-variables.ts';
import type { ValueWalk } from './value-walk.ts';
import { noteFed, noteFound, noteLines, noteRemote, noteWrapped } from './value-wrapper.ts';

/** A command whose name is known. */
export interface ValueCall {
  name: string;
  args: readonly Argument[];
  stdin: Stdin;
  /** How many commands ran one another to come here. */
  nested: number;
}

/** It gives commands other names, or runs what was typed before. */
const TABLES = /^(?:alias|enable|fc|bind)$/;

export function noteNamed(walk: ValueWalk, call: ValueCall): void {
  const { name, args, stdin } = call;
  const isFunction = walk.carriers.functions.has(name);
  if (isFunction || name === 'set') walk.parameters(args);
  noteSplit(walk, call, isFunction);
  noteWritten(walk, call);
  if (TABLES.test(name) || (name === 'hash' && args.length > 0) || (name === 'history' && args.length > 0))
    return walk.unclear(`\`${name}\` changes what commands mean`);
  if (name === 'exec' && args.length === 0) walk.ambient = stdin;
  if (name === 'eval') return walk.readAgain(args, 'eval', stdin);
  if (name === 'trap') return noteTrap(walk, args);
  if (name === '.' || name === 'source') return noteSourced(walk, call);
  if (name === 'git' || name.startsWith('git-')) noteGit(walk, call);
  if (name === 'find') noteFound(walk, call);
  if (looksLikeShell(name)) noteShell(walk, call);
  noteInterpreter(walk, call);
  noteStdinProgram(walk, call);
  noteFed(walk, call);
  noteWrapped(walk, call);
  noteLines(walk, call);
  noteRemote(walk, call);
  noteOptions(walk, call);
  if (setsVariables(name)) noteSetter(walk, call);
  const isFollowed = looksLikeShell(name) || WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name);
  if (!PLAIN.has(name) && !isFollowed) noteShellWithin(walk, call);
}

/** A program that nothing is known about may run a shell that is among its words. */
function noteShellWithin(walk: ValueWalk, { args, stdin, nested }: ValueCall): void {
  const at = args.findIndex((arg) => {
    const text = constantText(arg) ?? '';
    return looksLikeShell(text.slice(text.lastIndexOf('/') + 1));
  });
  if (at !== -1) walk.run(args.slice(at), stdin, nested + 1);
}

/** A command whose name is not known may be `eval`, a shell or a wrapper: it takes no values. */
export function noteUnnamed(walk: ValueWalk, args: readonly Argument[], stdin: Stdin): void {
  const holes = [...args.flatMap((arg) => arg.holes), ...walk.carriers.carriedByStdin(stdin)];
  walk.parameters(args);
  if (holes.length > 0) walk.note(holes, 'unclear', 'the name of the program is known only when it runs');
  for (const arg of args) walk.perhapsRead(arg, '');
}

/** No word makes these do more than print, read, or make a folder or an empty file. */
const HARMLESS_WITH_ANY_WORDS =
  /^(?:echo|cat|head|tail|grep|egrep|fgrep|wc|ls|stat|file|diff|cmp|mkdir|rmdir|touch|cd|sleep|true|false|:|jq|cut|tr|md5sum|sha1sum|sha256sum|sha512sum|basename|dirname|realpath|readlink|seq)$/;

function noteSplit(walk: ValueWalk, { name, args }: ValueCall, isFunction: boolean): void {
  if (!isFunction && HARMLESS_WITH_ANY_WORDS.test(name)) return;
  if (!isFunction && name === 'printf' && args[0]?.isSplit !== true) return;
  for (const { isSplit, holes } of args) if (isSplit) walk.note(holes, 'split', name);
}

/** They only read the files that they name, or do not change what is in them. */
const READS_ONLY =
  /^(?:echo|printf|cat|head|tail|grep|egrep|fgrep|rg|wc|ls|stat|test|\[|file|diff|cmp|chmod|chown|mkdir|cd|pushd|sleep|true|false|:|exit|return|export|set|local|declare|readonly|jq|sort|uniq|cut|tr|md5sum|sha256sum|basename|dirname|realpath|command|type|which|npm|npx|pnpm|yarn|cargo|go|gh|curl|docker|kubectl|make|find|xargs|seq|date)$/;
const COPIES = /^(?:cp|mv|ln|install|rsync|dd|tee|sponge|patch|truncate)$/;

/** Files that a command may put a value into, because it is given one, or may copy one to. */
function noteWritten(walk: ValueWalk, { name, args, stdin }: ValueCall): void {
  const isGiven =
    args.some(({ holes }) => holes.length > 0) || walk.carriers.carriedByStdin(stdin).length > 0;
  const copies = COPIES.test(name) && walk.carriers.mayHaveWritten(undefined);
  if (!copies && (!isGiven || READS_ONLY.test(name) || WRAPPERS.has(name))) return;
  // What an interpreter is given first is what it runs.
  const own =
    looksLikeShell(name) || RUNS_A_FILE.test(name)
      ? args.findIndex(({ text }) => !text?.startsWith('-'))
      : -1;
  for (const [at, { text, holes }] of args.entries()) {
    if (
      at === own ||
      text === undefined ||
      /^[-+]/.test(text) ||
      holes.length > 0 ||
      text.includes(UNKNOWN) ||
      /^(?:-f|--file)$/.test(args[at - 1]?.text ?? '')
    )
      continue;
    if (COPIES.test(name) || /[./]/.test(text)) walk.writes(text.replace(/^\w+=/, ''));
  }
}

const RUNS_A_FILE =
  /^(?:python[\d.]*|node|perl|ruby|php|deno|bun|tsx|ts-node|lua|Rscript|awk|gawk|mawk|sed|\.|source)$/;

function noteTrap(walk: ValueWalk, args: readonly Argument[]): void {
  const [first, ...others] = args.filter((arg) => !/^--?$|^-[lp]$/.test(constantText(arg) ?? ''));
  if (first !== undefined && (others.length > 0 || first.holes.length > 0)) walk.readAgain([first], 'trap');
}

function noteSourced(walk: ValueWalk, { args: [file, ...others], stdin }: ValueCall): void {
  if (file === undefined) return;
  walk.parameters(others);
  if (file.prints !== undefined) return walk.readInput({ kind: 'commands', script: file.prints }, 'source');
  if (file.holes.length > 0) return walk.note(file.holes, 'command', 'source');
  const text = constantText(file);
  if (walk.carriers.mayHaveWritten(file.text)) walk.note(walk.carriers.all, 'file', text ?? 'source');
  // A path may lead to the standard input under many names.
  if (stdin.kind !== 'none' && stdin.kind !== 'file') walk.readInput(stdin, 'source');
  else if (text !== undefined && readsDescriptor(text)) walk.readInput(stdin, 'source');
}

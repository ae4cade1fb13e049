// known-call: what a command runs whose name is known: itself a shell, a wrapper, git, an interpreter, or nothing more.

import type { Call, Walk } from './commands-run.ts';
import { runGit } from './git-call.ts';
import type { Possible } from './possible-words.ts';
import { readsDescriptor, setsVariables } from './program-arguments.ts';
import { LINE_TAKERS, looksLikeShell, PLAIN, SUBCOMMAND_WRAPPERS, startsOf, WRAPPERS } from './programs.ts';
import { runShell } from './shell-call.ts';
import { textOfParts } from './stdin.ts';
import { runSetter } from './variables-run.ts';
import { runFound, runJoined, runLines, runPerhapsWrapped, runWrapped } from './wrapper-call.ts';

export function runKnown(walk: Walk, call: Call): void {
  const { name, args, texts, stdin, isLoose, nested } = call;
  if (name === 'exec' && args.length === 0) walk.ambient = stdin;
  if (name === 'eval') return runEval(walk, call);
  if (name === 'trap') return runTrap(walk, texts);
  if (name === 'alias') return runAlias(walk, texts);
  if (name === 'hash' && texts.some((text) => text === undefined || /^-\w*p/.test(text)))
    return walk.unclear('`hash -p` gives commands other names');
  if (name === '.' || name === 'source') return runSourced(walk, call);
  if (name === 'git') runGit(walk, call);
  const subcommand = /^git-(.+)$/.exec(name)?.[1];
  if (subcommand !== undefined)
    walk.run([plainWord('git'), plainWord(subcommand), ...args], stdin, isLoose, nested + 1);
  if (name === 'find') runFound(walk, call);
  if (looksLikeShell(name)) runShell(walk, call);
  runInterpreted(walk, call);
  const isWrapper = WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name);
  if (isWrapper) runWrapped(walk, call);
  runJoined(walk, call);
  if (isWrapper || LINE_TAKERS.has(name)) runLines(walk, call);
  if (/^(?:ssh|rsh|at|batch|crontab)$/.test(name) && stdin.kind === 'text') walk.standardInput(stdin, name);
  if (/^(?:at|batch|crontab)$/.test(name) && stdin.kind === 'commands') walk.standardInput(stdin, name);
  if (setsVariables(name)) runSetter(walk, call);
  if (PLAIN.has(name) || isLoose) return;
  runPerhapsWrapped(walk, call);
}

function runEval(walk: Walk, { texts, stdin }: Call): void {
  if (texts.length === 0) return;
  const isKnown = texts.every((text) => text !== undefined);
  walk.texts([isKnown ? texts.join(' ') : undefined], 'eval', stdin);
}

/** A name for a command, which may be half of one: using it in the same line is unclear. */
function runAlias(walk: Walk, texts: readonly (string | undefined)[]): void {
  for (const text of texts) {
    const [, name, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text ?? '') ?? [];
    if (text === undefined) return walk.unclear('`alias` gives a name that is not known to a command');
    if (name !== undefined) walk.aliases.add(name);
    walk.maybeLine(value);
  }
}

function runTrap(walk: Walk, texts: readonly (string | undefined)[]): void {
  const [first, ...others] = texts.filter((text) => text === undefined || !/^--?$|^-[lp]$/.test(text));
  if (others.length > 0) walk.texts([first], 'trap');
}

function runSourced(walk: Walk, { args: [word = []], texts: [file], stdin }: Call): void {
  if (walk.substituted(word)) return;
  if (file === undefined) return;
  if (/fd\/[^0]|fd\/0./.test(file)) walk.unclear('a script is read from another descriptor');
  if (readsDescriptor(file)) walk.standardInput(stdin, `source ${file}`);
  else walk.file(file, stdin);
}

/** Program texts in other languages that start commands. */
function runInterpreted(walk: Walk, { name, texts, stdin }: Call): void {
  const starts = startsOf(name);
  if (starts === undefined) return;
  const input = stdin.kind === 'text' ? (textOfParts(stdin.parts, walk.variables) ?? []) : [];
  for (const text of [...texts, ...input]) {
    if (text !== undefined && text.length > 3 && starts.test(text)) walk.programs.push(text);
  }
}

function plainWord(text: string): Possible[] {
  return [{ pieces: [text], count: 'one' }];
}

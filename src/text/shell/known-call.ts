// known-call: what a command runs whose name is known: itself a shell, a wrapper, git, an interpreter, or nothing more.

import type { Call, Walk } from './commands-run.ts';
import { runGit } from './git-call.ts';
import { looseArguments, looseCommands } from './loose-text.ts';
import { constantOf, type Possible } from './possible-words.ts';
import { plainWord, setsVariables } from './program-arguments.ts';
import { LINE_TAKERS, looksLikeShell, PLAIN, SUBCOMMAND_WRAPPERS, startsOf, WRAPPERS } from './programs.ts';
import { runShell } from './shell-call.ts';
import { printedBy, textOfParts } from './stdin.ts';
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
  if (name === 'cd' || name === 'pushd')
    walk.moveTo((args.find((_, at) => !texts[at]?.startsWith('-')) ?? []).flatMap(folderOf));
  if (name === 'git') runGit(walk, call);
  const subcommand = /^git-(.+)$/.exec(name)?.[1];
  if (subcommand !== undefined)
    walk.run([plainWord('git'), plainWord(subcommand), ...args], stdin, isLoose, nested + 1);
  const isFinder = /^(?:find|fd|fdfind)$/.test(name);
  if (isFinder) runFound(walk, call);
  if (looksLikeShell(name)) runShell(walk, call);
  runInterpreted(walk, call);
  const isWrapper = !isFinder && (WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name));
  if (isWrapper) runWrapped(walk, call);
  runJoined(walk, call);
  if (isWrapper || LINE_TAKERS.has(name)) runLines(walk, call);
  if (/^(?:at|batch|crontab)$/.test(name) || (/^(?:ssh|rsh)$/.test(name) && stdin.kind === 'text'))
    walk.standardInput(stdin, name);
  if (setsVariables(name)) runSetter(walk, call);
  if (!walk.functions.has(name)) runLoose(walk, call);
  if (PLAIN.has(name) || isLoose) return;
  runPerhapsWrapped(walk, call);
}

/** Programs that read lines of their own, some of which are for a shell: `!rm x` of ed. */
const READS_LINES = /^(?:dc|ed|ex|vi|vim|psql|sqlite3|mysql|gdb|lldb|m4|gnuplot)$/;
/** Programs with their own subcommands that run a command behind `exec`, `run`, `ssh` or `--`. */
const RUNS_AFTER =
  /^(?:lerna|nx|rush|turbo|gh|tox|fly|flyctl|heroku|yarn|pnpm|bun|pre-commit|hatch|cargo|rye)$/;

/** Arguments and input that read as a line for a shell, whatever the program is: for patterns of two words and more. */
function runLoose(walk: Walk, { name, args, texts, stdin }: Call): void {
  for (const command of looseArguments(name, texts)) walk.add(command);
  if (READS_LINES.test(name)) {
    const printed =
      stdin.kind === 'text' ? textOfParts(stdin.parts, walk.variables) : printedBy(stdin, walk.variables);
    for (const line of (printed ?? []).flatMap((text) => text.split('\n')))
      for (const command of looseCommands(line)) walk.add(command);
  }
  if (!RUNS_AFTER.test(name)) return;
  // The first word of `yarn` and `pnpm` may be a program.
  const starts = /^(?:yarn|pnpm|bun)$/.test(name) ? /^(?:run|exec|--)$/ : /^(?:exec|run|ssh|--)$/;
  for (const [at, text] of texts.entries()) {
    const isFirst = /^(?:yarn|pnpm)$/.test(name) && texts.slice(0, at).every((one) => one?.startsWith('-'));
    const follows = at > 0 && starts.test(texts[at - 1] ?? '');
    if ((isFirst || follows) && text !== undefined && !text.startsWith('-'))
      walk.add({ words: args.slice(at), isLoose: true });
  }
}

/** As far as it is written out. */
function folderOf(possible: Possible): string[] {
  const text = constantOf([possible]);
  return text === undefined || text === '' ? [] : [text];
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
  if (!walk.substituted(word)) walk.scriptOf(file, word, stdin);
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

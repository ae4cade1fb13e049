// commands-run: every command that a shell line may run, also those that other commands run for it: wrappers (`sudo`,
// `timeout`, `xargs`), shells with `-c`, `eval`, a pipe or heredoc into a shell, `find -exec`.
// Owns: what a denial looks at. It is generous: a command that only may run is in the list. What single programs do with
// their arguments is in the `…-call` files.
//
// C1. A text that a shell reads again is read again, at any depth. Where that text is known only when it runs, the line
//     is unclear.
// C2. Programs that are not in the tables may be wrappers too: their words count as commands `isLoose`ly, which is
//     enough for a pattern of two words and more (`git push`), and not for one (`rm`, which is also a subcommand).

import { assignedVariables } from './assigned.ts';
import { evaluationIn } from './evaluated.ts';
import { runKnown } from './known-call.ts';
import { looseCommands, looseValues } from './loose-text.ts';
import { constantOf, type Possible, possibleWords, type Variables } from './possible-words.ts';
import { baseName, descriptorOf, plainPath } from './program-arguments.ts';
import { COMMAND_VARIABLES, GIT_SETTINGS } from './programs.ts';
import { readScript } from './read-script.ts';
import { printedBy, type Stdin, stdinOf, textOfParts, textOfStdin } from './stdin.ts';
import type { Command, Part, Redirection, Script, Simple, Word } from './tree.ts';
import { Unclear } from './unclear.ts';
import { runVariable } from './variables-run.ts';

/** A command with its arguments, as it may reach the machine. Each word has the ways in which it may turn out. */
export interface RunCommand {
  words: Possible[][];
  isLoose: boolean;
}

export interface CommandsRun {
  commands: RunCommand[];
  /** Texts in other languages that start commands of their own. */
  programs: string[];
  /** The simple commands as written, those inside substitutions and blocks included. */
  written: Simple[];
  /** What commands and blocks redirect to, each with the ways in which it may turn out. */
  targets: Possible[][];
}

export type CommandsReading = ({ kind: 'run' } & CommandsRun) | { kind: 'unclear'; why: string; at: number };

/** A command whose name is known. `texts`: its arguments, as far as each can be only one thing. */
export interface Call {
  name: string;
  args: Possible[][];
  texts: readonly (string | undefined)[];
  stdin: Stdin;
  isLoose: boolean;
  /** How many commands ran one another to come here. */
  nested: number;
}

/** A command or a target of a redirection, with the folders that it may happen in: '' is where the line begins. */
export interface Place {
  words: Possible[][];
  isTarget: boolean;
  folders: readonly string[];
}

/** All commands and targets that the line shows, also where it cannot be said what else it runs. */
export function placesIn(line: string): Place[] | undefined {
  if (readScript(line).kind === 'unclear') return undefined;
  const walk = new Walk(PLACES);
  walk.line(line, 0);
  return walk.places;
}

/** Texts that stand for a place, as a path says it. */
const PLACES: Variables = new Map([
  ['PWD', ['.']],
  ['HOME', ['~']],
  ['$(pwd)', ['.']],
  ['$(git rev-parse --show-toplevel)', ['.']],
  ['$(git rev-parse --git-dir)', ['.git']],
]);
const MOST_FOLDERS = 32;

const DEEPEST = 8;
const MOST = 5_000;

export function commandsRun(line: string): CommandsReading {
  const walk = new Walk();
  try {
    walk.line(line, 0);
    walk.finish();
  } catch (thrown) {
    if (thrown instanceof Unclear) return { kind: 'unclear', why: thrown.message, at: thrown.at };
    throw thrown;
  }
  return {
    kind: 'run',
    commands: walk.commands,
    programs: walk.programs,
    written: walk.written,
    targets: walk.targets,
  };
}

export class Walk implements CommandsRun {
  readonly commands: RunCommand[] = [];
  readonly programs: string[] = [];
  readonly written: Simple[] = [];
  readonly targets: Possible[][] = [];
  readonly aliases = new Set<string>();
  /** Names that the line itself gives to functions: what their bodies run is looked at. */
  readonly functions = new Set<string>();
  variables: Variables = new Map();
  /** Something is evaluated that may be a text of the line (evaluated.ts). */
  evaluates = false;
  /** What `exec < …` has made the standard input of all that follows. */
  ambient: Stdin = { kind: 'none' };
  /** What the line writes into files, by their paths. */
  readonly #files = new Map<string, string[]>();
  readonly places: Place[] = [];
  /** Known from outside; where there are any, what is unclear is passed over. */
  readonly #given: Variables | undefined;
  #folders: readonly string[] = [''];
  /** Where it stands if the last `cd` has failed. */
  #left: readonly string[] = [];
  /** Reading what a POSIX shell would make of `[[ ]]` or `(( ))`. */
  #isOtherwise = false;
  #hides = false;
  #depth = 0;
  /** The line as it was given. */
  #text = '';

  constructor(given?: Variables) {
    this.#given = given;
  }

  line(text: string, depth: number, stdin: Stdin = { kind: 'none' }): void {
    const read = readScript(text);
    if (read.kind === 'unclear') throw new Unclear(read.why, read.at);
    if (depth > DEEPEST) return this.unclear('shells are nested too deeply in it');
    const [variables, outer] = [this.variables, this.#depth];
    // Another shell sees the exported variables, and may set its own.
    const assigned = new Map([...assignedVariables(read.script, text), ...(this.#given ?? [])]);
    this.variables = depth === 0 ? assigned : merged(variables, assigned);
    this.#depth = depth;
    if (depth === 0) this.#text = text;
    const { evaluates, hides } = evaluationIn(read.script);
    this.evaluates ||= evaluates;
    this.#hides ||= hides;
    this.#refuseTables(text);
    if (depth === 0) this.#script(read.script, stdin);
    else this.#apart(() => this.#script(read.script, stdin));
    this.variables = variables;
    this.#depth = outer;
  }

  unclear(why: string): never {
    throw new Unclear(why, 0);
  }

  finish(): void {
    // Bash evaluates what a variable holds when it stands in arithmetic: `x='a[$(rm y)]'; (( x ))` runs `rm y`.
    if (this.evaluates && this.#hides) return this.unclear('it may hide a command in the index of an array');
    const called = this.commands.map(({ words }) => constantOf(words[0] ?? []) ?? '');
    if (called.some((name) => this.aliases.has(name)))
      return this.unclear('it uses an alias that it has just made');
  }

  /** A text that is some shell's to read, if it can be read; for programs that may do something else with it. */
  maybeLine(text: string): void {
    if (readScript(text).kind === 'script') this.line(text, this.#depth + 1);
  }

  add(command: RunCommand): void {
    if (!command.isLoose) this.places.push({ words: command.words, isTarget: false, folders: this.#folders });
    if (this.commands.push(command) > MOST) this.unclear('it is too long to follow');
  }

  /** `cd`: what follows happens there, or, if it fails, where it was. */
  moveTo(paths: readonly string[]): void {
    const moved = paths.flatMap((path) =>
      /^[/~]/.test(path)
        ? [path]
        : this.#folders.map((folder) => (folder === '' ? path : `${folder}/${path}`)),
    );
    if (moved.length === 0) return;
    this.#left = [...this.#left, ...this.#folders].slice(0, MOST_FOLDERS);
    this.#folders = [...new Set(moved)].slice(0, MOST_FOLDERS);
  }

  /** What is done in a subshell does not move the shell around it. */
  #apart(run: () => void): void {
    const kept = [this.#folders, this.#left] as const;
    run();
    [this.#folders, this.#left] = kept;
  }

  /** `env -C folder command` */
  inFolder(paths: readonly string[], run: () => void): void {
    this.#apart(() => {
      this.moveTo(paths);
      run();
    });
  }

  #script(script: Script, stdin: Stdin): void {
    for (const command of script) {
      if (!command.isAfterSuccess && this.#left.length > 0) {
        this.#folders = [...new Set([...this.#folders, ...this.#left])].slice(0, MOST_FOLDERS);
        this.#left = [];
      }
      try {
        this.#command(command, stdin.kind === 'none' ? this.ambient : stdin);
      } catch (thrown) {
        if (this.#given === undefined || !(thrown instanceof Unclear)) throw thrown;
      }
    }
  }

  #command(command: Command, stdin: Stdin): void {
    if (command.kind === 'pipeline') {
      let input = stdin;
      for (const [at, part] of command.parts.entries()) {
        const from = input;
        this.#apart(() => this.#command(part, from));
        // What is printed may come from any part before it.
        input = { kind: 'commands', script: command.parts.slice(0, at + 1) };
      }
      return;
    }
    const input = stdinOf(command.redirections) ?? stdin;
    this.#redirections(command.redirections);
    if (command.kind === 'simple') return this.#simple(command, input);
    for (const word of command.words) this.#parts(word.parts);
    if (command.form === 'function') this.functions.add(command.name ?? '');
    // A function may be called with anything as its input.
    const from: Stdin = command.form === 'function' ? { kind: 'unknown' } : input;
    if (command.form === 'subshell') this.#apart(() => this.#script(command.body, from));
    else this.#script(command.body, from);
    this.#isOtherwise = true;
    this.#script(command.otherwise, input);
    this.#isOtherwise = false;
  }

  #redirections(redirections: readonly Redirection[]): void {
    for (const { operator, target, body } of redirections) {
      if (operator.includes('>')) {
        const words = possibleWords(target, this.variables);
        this.targets.push(...words);
        this.places.push({ words, isTarget: true, folders: this.#folders });
      }
      const isTwice = operator === '>&' || operator === '<&';
      if (
        isTwice &&
        possibleWords(target, this.variables)
          .flat()
          .some(({ pieces }) => pieces.some((piece) => /[$`]/.test(piece ?? '')))
      )
        this.unclear('the target of `>&` is read twice');
      this.#parts(target.parts);
      this.#parts(body ?? []);
    }
  }

  #parts(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'command')
        this.#apart(() => this.#script(part.script, { kind: part.form === '>(' ? 'unknown' : 'none' }));
      if (part.kind === 'parameter' || part.kind === 'arithmetic') this.#parts(part.inner);
    }
  }

  #simple(command: Simple, stdin: Stdin): void {
    this.written.push(command);
    this.#remember(command);
    for (const { name, value, items, subscript } of command.assignments) {
      this.#parts([
        ...(value?.parts ?? []),
        ...(items ?? []).flatMap(({ parts }) => parts),
        ...(subscript ?? []),
      ]);
      if (GIT_SETTINGS.test(name)) return this.unclear('settings of git are given in variables');
      if (value !== undefined && COMMAND_VARIABLES.test(name)) runVariable(this, name, value);
      const text =
        value === undefined ? undefined : constantOf(possibleWords(value, this.variables)[0] ?? []);
      // What is handed to a program may be run by it; a variable of the shell alone is only text.
      if (text !== undefined && command.words.length > 0)
        for (const one of looseValues(`${name}=${text}`, false)) this.add(one);
    }
    for (const word of command.words) this.#parts(word.parts);
    const words = command.words.flatMap((word) => possibleWords(word, this.variables));
    this.run(words, stdin, false, 0);
  }

  /** A command, and what it runs in its turn. */
  run(words: Possible[][], stdin: Stdin, isLoose: boolean, nested: number): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    const isKnown = first.every((possible) => constantOf([possible]) !== undefined);
    if (isKnown || !this.#isOtherwise) this.add({ words, isLoose });
    if (nested > 20) return this.unclear('too many commands in it run other commands');
    const texts = args.map((arg) => constantOf(arg));
    if (first.some(({ isOptional }) => isOptional)) this.run(args, stdin, isLoose, nested + 1);
    for (const { pieces, count } of first) {
      const name = constantOf([{ pieces, count }]);
      if (name === undefined && this.#isOtherwise) continue;
      if (name === undefined) this.#unknown(args, stdin, nested);
      else {
        this.file(name, stdin);
        runKnown(this, { name: baseName(name), args, texts, stdin, isLoose, nested });
      }
    }
  }

  /** A command whose name is not known may be `eval`, a shell or a wrapper. */
  #unknown(args: Possible[][], stdin: Stdin, nested: number): void {
    const texts = args.map((arg) => constantOf(arg));
    if (args.length > 0 && texts.every((text) => text !== undefined)) this.maybeLine(texts.join(' '));
    const isOpen = ({ pieces }: Possible) =>
      pieces.includes(null) && pieces.some((piece) => /\s/.test(piece ?? ''));
    if (args.flat().some(isOpen))
      this.unclear('a command that is not known is given a text that is not known');
    for (const possible of args.flat()) {
      const text = constantOf([possible]);
      if (text !== undefined && /\s/.test(text)) this.maybeLine(text);
    }
    for (let from = 0; from < args.length; from++) this.run(args.slice(from), stdin, false, nested + 1);
  }

  /** Texts that a shell reads for sure: one that is not known makes the line unclear. */
  texts(texts: readonly (string | undefined)[], who: string, stdin: Stdin = { kind: 'none' }): void {
    for (const text of texts) {
      if (text === undefined)
        return this.unclear(
          `${who === 'a shell' ? who : `\`${who}\``} runs a text that is known only when it runs`,
        );
      this.line(text, this.#depth + 1, stdin);
    }
  }

  /** A script that the same line has just written. What stands in other files is not looked at. */
  file(path: string, stdin: Stdin): void {
    for (const text of this.#files.get(plainPath(path)) ?? [])
      if (readScript(text).kind === 'script') this.line(text, this.#depth + 1, stdin);
  }

  /**
   * A script that a shell is given as a file. One that may be the standard input by another name (`/dev//stdin`, a link to
   * it) is read from there.
   */
  scriptOf(path: string | undefined, word: readonly Possible[], stdin: Stdin): void {
    const descriptor = path === undefined ? undefined : descriptorOf(path);
    if (descriptor !== undefined)
      return descriptor === '0'
        ? this.standardInput(stdin, 'a shell')
        : this.unclear('a script is read from another descriptor');
    if (path !== undefined) this.file(path, stdin);
    const mayBeInput =
      path === undefined
        ? word.some(({ pieces }) => /proc|fd|stdin|^$/.test(pieces.join('')))
        : /(?:^|\/)(?:stdin|\d+)$/.test(path) || /\/dev\/|\/proc\//.test(this.#text);
    if (mayBeInput) this.standardInput(stdin, 'a shell');
    else this.maybeInput(stdin);
  }

  /** What arrives at the standard input may be read as commands, and may be data. */
  maybeInput(stdin: Stdin): void {
    if (stdin.kind !== 'text' && stdin.kind !== 'commands') return;
    const texts =
      stdin.kind === 'text' ? textOfParts(stdin.parts, this.variables) : printedBy(stdin, this.variables);
    for (const one of (texts ?? []).flatMap((text) => looseCommands(text))) this.add(one);
  }

  /** `cat > x.sh <<EOF`, `echo 'rm y' > x.sh`: what a later command of the line may run. */
  #remember(command: Simple): void {
    const target = command.redirections.findLast(({ operator }) => /^(?:&?>>?|>\|)$/.test(operator))?.target;
    const path = target && constantOf(possibleWords(target, this.variables)[0] ?? []);
    const isTee = command.words[0]?.source === 'tee';
    const file =
      path ??
      (isTee ? constantOf(possibleWords(command.words.at(-1) as Word, this.variables)[0] ?? []) : undefined);
    if (file === undefined) return;
    const printed = isTee
      ? textOfStdin(stdinOf(command.redirections), this.variables)
      : printedBy({ kind: 'commands', script: [command] }, this.variables);
    if (printed !== undefined)
      this.#files.set(plainPath(file), [...(this.#files.get(plainPath(file)) ?? []), ...printed]);
  }

  /** `bash <(…)`: the commands are what another command prints. */
  substituted(word: readonly Possible[]): boolean {
    const scripts = word.flatMap(({ prints }) => (prints === undefined ? [] : [prints]));
    for (const script of scripts) this.standardInput({ kind: 'commands', script }, 'a shell');
    return scripts.length > 0;
  }

  /** Whatever arrives at the standard input is read as commands. */
  standardInput(stdin: Stdin, who: string): void {
    if (stdin.kind === 'none') return;
    if (stdin.kind === 'file') {
      const path = constantOf(possibleWords(stdin.target, this.variables)[0] ?? []);
      return path === undefined ? undefined : this.file(path, { kind: 'none' });
    }
    const texts =
      stdin.kind === 'text' ? textOfParts(stdin.parts, this.variables) : printedBy(stdin, this.variables);
    this.texts(texts ?? [undefined], who);
  }

  /** Tables of bash that give commands other names, and its history. */
  #refuseTables(text: string): void {
    if (/\bBASH_(?:CMDS|ALIASES)\b/.test(text)) this.unclear('it changes what names of commands mean');
    if (/\bhistexpand\b|\bset\s+-\w*H|-o\s+history|(?:^|[\s;&|])fc(?:\s|$)|\bhistory\s+-s/.test(text))
      this.unclear('it runs what was typed before');
  }
}

function merged(outer: Variables, inner: Variables): Variables {
  const both = new Map(inner);
  for (const [name, values] of outer) both.set(name, [...(both.get(name) ?? []), ...values]);
  return both;
}

// hole-notes: the values of a line that stand where they would be more than text. It follows the line as commands-run does,
// and looks for values only.
//
// C1. A text that a shell reads again is read again, at any depth. Where that text is known only when it runs, the line
//     is unclear.
// C2. Programs that are not in the tables may be wrappers too: their words count as commands `isLoose`ly, which is
//     enough for a pattern of two words and more (`git push`), and not for one (`rm`, which is also a subcommand).

import { assignedVariables, variablesWithHoles } from './assigned.ts';
import type { CommandsRun, RunCommand } from './commands-run.ts';
import { eachPart, type Hole, holesInside } from './parts-of.ts';
import { constantOf, holeMark, type Possible, possibleWords, type Variables } from './possible-words.ts';
import {
  baseName,
  codeArgument,
  fed,
  namesVariable,
  OPTIONS_ANYWHERE,
  OPTIONS_RUN,
  plainPath,
  readsDescriptor,
  replaced,
  runsSubcommand,
  setsVariables,
} from './program-arguments.ts';
import {
  COMMAND_VARIABLES,
  FEEDERS,
  GIT_SETTINGS,
  LINE_OPTION,
  LINE_TAKERS,
  looksLikeShell,
  PLAIN,
  RUNS_LINES,
  SHELL_VARIABLES,
  SUBCOMMAND_WRAPPERS,
  startsOf,
  VALUE_OPTIONS,
  WRAPPERS,
} from './programs.ts';
import { readScript } from './read-script.ts';
import { printedBy, type Stdin, stdinOf, textOfParts, textOfStdin } from './stdin.ts';
import {
  type Command,
  HOLE,
  type Part,
  type Redirection,
  type Script,
  type Simple,
  type Word,
} from './tree.ts';
import { Unclear } from './unclear.ts';

const DEEPEST = 8;
const MOST = 5_000;
const ANYTHING: Possible = { pieces: [null], count: 'any' };

/** A value that stands where it would be more than text. */
export interface HoleNote {
  index: number;
  /**
   * `script`: a text that a shell reads again; `line`: one that perhaps a shell reads; `code`: a program text;
   * `command`: the name of a program; `operand`: the script of a shell, or its `-c`; `name`: the name of a variable, or arithmetic; `option`: it may be taken for an option.
   */
  place: 'script' | 'line' | 'code' | 'command' | 'operand' | 'name' | 'option';
  /** The program whose argument it is in. */
  program: string;
}

/** Of a line with HOLEs in it. */
export function holeNotes(line: string): HoleNote[] {
  const notes: HoleNote[] = [];
  new Walk(notes).line(line, 0);
  return notes;
}

/** Stands for a text that is not known, in one that is. */
const UNKNOWN = '\u0002';
const HOLES = new RegExp(`${HOLE}(\\d+);`, 'g');

class Walk implements CommandsRun {
  readonly commands: RunCommand[] = [];
  readonly programs: string[] = [];
  readonly written: Simple[] = [];
  readonly targets: Possible[][] = [];
  /** Only the values in the line are looked for; what is unclear otherwise does not matter. */
  readonly #notes: HoleNote[] | undefined;
  readonly #aliases = new Set<string>();
  /** What the line writes into files, by their paths. */
  readonly #files = new Map<string, string[]>();
  #variables: Variables = new Map();
  /** Reading what a POSIX shell would make of `[[ ]]` or `(( ))`. */
  #isOtherwise = false;
  #hasArithmetic = false;
  #hasHiddenIndex = false;
  #depth = 0;
  /** The values of the line. */
  #all: Hole[] = [];
  /** The command that is looked at, for messages. */
  #program = '';
  /** What `exec < …` has made the standard input of all that follows. */
  #ambient: Stdin = { kind: 'none' };

  constructor(notes?: HoleNote[]) {
    this.#notes = notes;
  }

  line(text: string, depth: number, stdin: Stdin = { kind: 'none' }): void {
    if (depth > 0 && this.#noteText(text, 'script')) return;
    const read = readScript(text, this.#notes !== undefined);
    if (read.kind === 'unclear') {
      if (this.#notes === undefined) throw new Unclear(read.why, read.at);
      return;
    }
    if (depth > DEEPEST) return this.#unclear('shells are nested too deeply in it');
    const [variables, outer] = [this.#variables, this.#depth];
    // Another shell sees the exported variables, and may set its own.
    const assigned =
      this.#notes === undefined
        ? assignedVariables(read.script, text)
        : new Map([...assignedVariables(read.script, text), ...variablesWithHoles(read.script)]);
    this.#variables = depth === 0 ? assigned : merged(variables, assigned);
    this.#depth = depth;
    if (depth === 0) this.#all = eachPart(read.script, holesInside);
    refuseTables(text, (why) =>
      this.#notes === undefined ? this.#unclear(why) : this.#noteInput({ kind: 'unknown' }, why),
    );
    this.#script(read.script, stdin);
    this.#variables = variables;
    this.#depth = outer;
  }

  /** A text that can only be one thing. When values are looked for, what is around them does not matter. */
  #textOf(word: readonly Possible[]): string | undefined {
    const text = constantOf(word);
    if (text !== undefined || this.#notes === undefined) return text;
    const [first] = word.filter(({ pieces }) => pieces.some((piece) => piece?.includes(HOLE)));
    return first?.pieces.map((piece) => piece ?? UNKNOWN).join('');
  }

  #whole(texts: readonly (string | undefined)[]): string | undefined {
    const isKnown = this.#notes !== undefined || texts.every((text) => text !== undefined);
    return isKnown ? texts.map((text) => text ?? UNKNOWN).join(' ') : undefined;
  }

  #unclear(why: string): void {
    if (this.#notes === undefined) throw new Unclear(why, 0);
  }

  /** Values that stand in a text; whether there are any. */
  #noteText(text: string, place: HoleNote['place'], program = this.#program): boolean {
    const found = [...text.matchAll(HOLES)];
    const isSure = place === 'line' && RUNS_LINES.has(program);
    for (const [, index] of found)
      this.#notes?.push({ index: Number(index), place: isSure ? 'script' : place, program });
    return found.length > 0;
  }

  /** A text that is some shell's to read, if it can be read; for programs that may do something else with it. */
  #maybeLine(text: string): void {
    if (this.#noteText(text, 'line')) return;
    if (readScript(text).kind === 'script') this.line(text, this.#depth + 1);
  }

  #script(script: Script, stdin: Stdin): void {
    for (const command of script) this.#command(command, stdin.kind === 'none' ? this.#ambient : stdin);
  }

  #command(command: Command, stdin: Stdin): void {
    if (command.kind === 'pipeline') {
      let input = stdin;
      for (const [at, part] of command.parts.entries()) {
        this.#command(part, input);
        // What is printed may come from any part before it.
        input = { kind: 'commands', script: command.parts.slice(0, at + 1) };
      }
      return;
    }
    const input = stdinOf(command.redirections) ?? stdin;
    this.#redirections(command.redirections);
    if (command.kind === 'simple') return this.#simple(command, input);
    for (const { operator, target } of command.redirections)
      if (operator.includes('>')) this.#rememberHoles(command, target.source);
    for (const word of command.words) this.#parts(word.parts);
    if (command.form === 'arithmetic' || command.form === 'conditional') this.#hasArithmetic = true;
    if (command.form === 'arithmetic' || (command.form === 'for' && command.name === undefined))
      this.#noteEvaluated(command.words.flatMap(({ parts }) => parts));
    if (
      command.form === 'conditional' &&
      command.words.some(({ source }) => /^-(?:eq|ne|lt|le|gt|ge|v)$/.test(source))
    )
      this.#noteEvaluated(command.words.flatMap(({ parts }) => parts));
    // A function may be called with anything as its input.
    this.#script(command.body, command.form === 'function' ? { kind: 'unknown' } : input);
    if (this.#notes !== undefined) return;
    this.#isOtherwise = true;
    this.#script(command.otherwise, input);
    this.#isOtherwise = false;
  }

  #redirections(redirections: readonly Redirection[]): void {
    for (const { operator, target, body } of redirections) {
      if (operator.includes('>')) this.targets.push(...possibleWords(target, this.#variables));
      const isTwice = operator === '>&' || operator === '<&';
      if (
        isTwice &&
        possibleWords(target, this.#variables)
          .flat()
          .some(({ pieces }) => pieces.some((piece) => /[$`]/.test(piece ?? '')))
      )
        this.#unclear('the target of `>&` is read twice');
      this.#parts(target.parts);
      // What a heredoc says is no text of a variable.
      const hadIndex = this.#hasHiddenIndex;
      this.#parts(body ?? []);
      this.#hasHiddenIndex = hadIndex;
    }
  }

  #parts(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'command')
        this.#script(part.script, { kind: part.form === '>(' ? 'unknown' : 'none' });
      if (part.kind === 'parameter' || part.kind === 'arithmetic') this.#parts(part.inner);
      if (part.kind === 'arithmetic' || (part.kind === 'parameter' && part.inner.length > 0))
        this.#hasArithmetic = true;
      if (part.kind === 'arithmetic') this.#noteEvaluated(part.inner);
      if (part.kind === 'parameter' && part.inner.length > 0) this.#noteEvaluated(part.inner);
      if (part.kind === 'text' && part.quote !== 'none' && /\$\(|`|^\$$|\$$/.test(part.text))
        this.#hasHiddenIndex = true;
    }
  }

  /** Variables whose value came from outside, in a place that the shell evaluates: `x={{ x }}; echo $((x))`. */
  #noteEvaluated(parts: readonly Part[]): void {
    if (this.#notes === undefined) return;
    const names = parts.flatMap((part) => {
      if (part.kind === 'parameter') return [part.name];
      return part.kind === 'text' ? [...part.text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name) : [];
    });
    for (const name of names)
      for (const value of this.#variables.get(name) ?? []) this.#noteText(value, 'name', `$((${name}))`);
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
      this.#noteEvaluated([
        ...(subscript ?? []),
        ...(items ?? []).filter(({ source }) => source.startsWith('[')).flatMap(({ parts }) => parts),
      ]);
      if (subscript !== undefined || items?.some(({ source }) => source.startsWith('[')))
        this.#hasArithmetic = true;
      if (GIT_SETTINGS.test(name)) return this.#unclear('settings of git are given in variables');
      if (value !== undefined && COMMAND_VARIABLES.test(name)) this.#variable(name, value);
    }
    for (const word of command.words) this.#parts(word.parts);
    // `exec {b[x]}>f`
    if (command.words.some(({ source }) => /^\{\w+\[/.test(source))) this.#hasArithmetic = true;
    const words = command.words.flatMap((word) => possibleWords(word, this.#variables));
    this.#run(words, stdin, false, 0);
  }

  /** The value is run by the shell itself, or by the program that it is handed to. */
  #variable(name: string, value: Word): void {
    const text = this.#textOf(possibleWords(value, this.#variables)[0] ?? [{ pieces: [''], count: 'one' }]);
    if (text !== undefined && this.#noteText(text, SHELL_VARIABLES.test(name) ? 'script' : 'line', name))
      return;
    if (text !== undefined) this.#maybeLine(text);
    if (/^(?:BASH_)?ENV$/.test(name) && (text === undefined || readsDescriptor(text)))
      return this.#unclear(`\`${name}\` names a script that is known only when it runs`);
    if (SHELL_VARIABLES.test(name) && (text === undefined || /[$`]/.test(text)) && name.startsWith('PS'))
      return this.#unclear(`\`${name}\` is set to something that the shell runs`);
  }

  /** A command, and what it runs in its turn. */
  #run(words: Possible[][], stdin: Stdin, isLoose: boolean, nested: number): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    const isKnown = first.every((possible) => constantOf([possible]) !== undefined);
    if (isKnown || !this.#isOtherwise) this.commands.push({ words, isLoose });
    if (this.commands.length > MOST) return this.#unclear('it is too long to follow');
    if (nested > 20) return this.#unclear('too many commands in it run other commands');
    for (const possible of first) {
      const name = possible.count === 'one' ? this.#textOf([possible]) : undefined;
      if (name === undefined && this.#isOtherwise) continue;
      if (name === undefined) this.#unknown(args, stdin, nested);
      else if (!this.#noteText(name, 'command', '')) {
        this.#file(name, stdin);
        this.#known(baseName(name), args, stdin, isLoose, nested);
      }
    }
  }

  /** A command whose name is not known may be `eval`, a shell or a wrapper. */
  #unknown(args: Possible[][], stdin: Stdin, nested: number): void {
    const texts = args.map((arg) => this.#textOf(arg));
    if (args.length > 0 && texts.every((text) => text !== undefined)) this.#maybeLine(texts.join(' '));
    const isOpen = ({ pieces }: Possible) =>
      pieces.includes(null) && pieces.some((piece) => /\s/.test(piece ?? ''));
    if (args.flat().some(isOpen))
      this.#unclear('a command that is not known is given a text that is not known');
    for (const possible of args.flat()) {
      const text = constantOf([possible]);
      if (text !== undefined && /\s/.test(text)) this.#maybeLine(text);
    }
    for (let from = 0; from < args.length; from++) this.#run(args.slice(from), stdin, false, nested + 1);
  }

  #known(name: string, args: Possible[][], stdin: Stdin, isLoose: boolean, nested: number): void {
    const texts = args.map((arg) => this.#textOf(arg));
    this.#program = name;
    if (name === 'exec' && args.length === 0) this.#ambient = stdin;
    if (name === 'eval') return this.#texts(texts.length === 0 ? [] : [this.#whole(texts)], 'eval', stdin);
    if (name === 'trap') return this.#trap(texts);
    if (name === 'alias') return this.#alias(texts);
    if (name === 'hash' && texts.some((text) => text === undefined || /^-\w*p/.test(text)))
      return this.#unclear('`hash -p` gives commands other names');
    if (name === '.' || name === 'source') return this.#sourced(args[0] ?? [], texts[0], stdin);
    if (name === 'git') this.#git(args, texts, nested);
    if (texts.includes('for-each-repo') && name === 'git')
      this.#unclear('git runs itself in other repositories');
    const subcommand = /^git-(.+)$/.exec(name)?.[1];
    if (subcommand !== undefined)
      this.#run([plainWord('git'), plainWord(subcommand), ...args], stdin, isLoose, nested + 1);
    if (name === 'find') this.#find(args, texts, stdin, nested);
    if (looksLikeShell(name)) this.#shell(name, args, texts, stdin, nested);
    this.#programText(startsOf(name), texts, stdin);
    if (WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name)) this.#wrapper(name, args, texts, stdin, nested);
    this.#program = name;
    if (this.#notes !== undefined) this.#noteCommand(name, texts);
    else this.#joined(name, texts);
    if (WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name) || LINE_TAKERS.has(name))
      this.#lines(name, texts);
    if (/^(?:ssh|rsh|at|batch|crontab)$/.test(name) && stdin.kind === 'text')
      this.#standardInput(stdin, name);
    if (/^(?:at|batch|crontab)$/.test(name) && stdin.kind === 'commands') this.#standardInput(stdin, name);
    if (setsVariables(name)) this.#setVariables(name, texts);
    if (PLAIN.has(name) || isLoose) return;
    this.#possibleWrapper(name, args, texts, stdin, nested);
  }

  /** Values in arguments that some program reads as more than text. */
  #noteCommand(name: string, texts: readonly (string | undefined)[]): void {
    const isCode = codeArgument(name);
    const takesOptions = startsOf(name) !== undefined || OPTIONS_RUN.has(name);
    // Most programs take options before their other words only.
    const isFirst = (at: number) => texts.slice(0, at).every((text) => text?.startsWith('-'));
    const end = texts.indexOf('--');
    for (const [at, text] of texts.entries()) {
      if (!text?.includes(HOLE)) continue;
      const before = texts[at - 1];
      if (isCode?.(texts, at)) this.#noteText(text, /^g?sed$/.test(name) ? 'line' : 'code');
      const leads = text.startsWith(HOLE) && (end === -1 || at < end);
      if (looksLikeShell(name) && text.startsWith(HOLE) && isFirst(at))
        this.#noteText(text, end !== -1 && end === at - 1 ? 'command' : 'operand');
      else if (leads && takesOptions && (isFirst(at) || OPTIONS_ANYWHERE.test(name)))
        this.#noteText(text.slice(0, text.indexOf(';') + 1), 'option');
      if (namesVariable(name, texts, at, before)) this.#noteText(text, 'name');
    }
  }

  /** Texts that a shell reads for sure: one that is not known makes the line unclear. */
  #texts(texts: readonly (string | undefined)[], who: string, stdin: Stdin = { kind: 'none' }): void {
    for (const text of texts) {
      if (text === undefined) return this.#unclear(`\`${who}\` runs a text that is known only when it runs`);
      this.line(text, this.#depth + 1, stdin);
    }
  }

  /** A script that the same line has just written. What stands in other files is not looked at. */
  #file(path: string, stdin: Stdin): void {
    for (const text of this.#files.get(plainPath(path)) ?? []) {
      if (this.#noteText(text, 'script', path)) continue;
      if (readScript(text).kind === 'script') this.line(text, this.#depth + 1, stdin);
    }
  }

  #rememberHoles(command: Command, file: string): void {
    const holes = this.#notes === undefined ? [] : eachPart([command], holesInside);
    if (holes.length > 0)
      this.#files.set(
        plainPath(file),
        holes.map(({ index }) => holeMark(index)),
      );
  }

  /** `cat > x.sh <<EOF`, `echo 'rm y' > x.sh`: what a later command of the line may run. */
  #remember(command: Simple): void {
    const target = command.redirections.findLast(({ operator }) => /^(?:&?>>?|>\|)$/.test(operator))?.target;
    const path = target && constantOf(possibleWords(target, this.#variables)[0] ?? []);
    const isTee = command.words[0]?.source === 'tee';
    const file =
      path ??
      (isTee ? constantOf(possibleWords(command.words.at(-1) as Word, this.#variables)[0] ?? []) : undefined);
    if (file === undefined) return;
    const holes = this.#notes === undefined ? [] : eachPart([command], holesInside);
    if (holes.length > 0)
      this.#files.set(
        plainPath(file),
        holes.map(({ index }) => holeMark(index)),
      );
    const printed = isTee
      ? textOfStdin(stdinOf(command.redirections), this.#variables)
      : printedBy({ kind: 'commands', script: [command] }, this.#variables);
    if (printed !== undefined)
      this.#files.set(plainPath(file), [...(this.#files.get(plainPath(file)) ?? []), ...printed]);
  }

  /** A name for a command, which may be half of one: using it in the same line is unclear. */
  #alias(texts: readonly (string | undefined)[]): void {
    for (const text of texts) {
      const [, name, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text ?? '') ?? [];
      if (text === undefined) return this.#unclear('`alias` gives a name that is not known to a command');
      if (name !== undefined) this.#aliases.add(name);
      this.#maybeLine(value);
    }
  }

  #trap(texts: readonly (string | undefined)[]): void {
    const [first, ...others] = texts.filter((text) => text === undefined || !/^--?$|^-[lp]$/.test(text));
    if (others.length > 0) this.#texts([first], 'trap');
  }

  #sourced(word: readonly Possible[], file: string | undefined, stdin: Stdin): void {
    if (this.#substituted(word)) return;
    if (file === undefined) return;
    if (/fd\/[^0]|fd\/0./.test(file)) this.#unclear('a script is read from another descriptor');
    if (readsDescriptor(file)) this.#standardInput(stdin, `source ${file}`);
    else this.#file(file, stdin);
  }

  /** `bash <(…)`: the commands are what another command prints. */
  #substituted(word: readonly Possible[]): boolean {
    const scripts = word.flatMap(({ prints }) => (prints === undefined ? [] : [prints]));
    for (const script of scripts) this.#standardInput({ kind: 'commands', script }, 'a shell');
    return scripts.length > 0;
  }

  /** Values that may arrive at the standard input of something that reads commands. */
  #noteInput(stdin: Stdin, who: string): void {
    const holes =
      stdin.kind === 'text'
        ? holesInside(stdin.parts)
        : stdin.kind === 'commands'
          ? eachPart(stdin.script, holesInside)
          : stdin.kind === 'unknown'
            ? this.#all
            : [];
    for (const { index } of holes) this.#notes?.push({ index, place: 'script', program: who });
  }

  /** Whatever arrives at the standard input is read as commands. */
  #standardInput(stdin: Stdin, who: string): void {
    if (this.#notes !== undefined) this.#noteInput(stdin, who);
    if (stdin.kind === 'none') return;
    if (stdin.kind === 'file') {
      const path = constantOf(possibleWords(stdin.target, this.#variables)[0] ?? []);
      return path === undefined ? undefined : this.#file(path, { kind: 'none' });
    }
    const texts =
      stdin.kind === 'text' ? textOfParts(stdin.parts, this.#variables) : printedBy(stdin, this.#variables);
    this.#texts(texts ?? [undefined], who);
  }

  #shell(
    name: string,
    args: Possible[][],
    texts: readonly (string | undefined)[],
    stdin: Stdin,
    nested: number,
  ): void {
    const takesUser = /^(?:su|runuser|sg|newgrp)$/.test(name);
    let isScript = false;
    let isInput = false;
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at];
      if (!isScript && this.#substituted(args[at] ?? [])) return;
      if (text === undefined) {
        if (isScript) return this.#unclear('a shell runs a text that is known only when it runs');
        const isFile = args[at]?.every(
          ({ pieces: [first], count }) => count !== 'any' && first !== null && !first?.startsWith('-'),
        );
        if (isFile && !isInput) return;
        if (args[at]?.some(({ count }) => count !== 'one'))
          return this.#unclear('a shell is given words that are not known');
        // It may be a file, or `-c`.
        this.#maybeAll(texts.slice(at + 1));
        return this.#standardInput(stdin, 'a shell');
      }
      if (/^[-+]./.test(text) && text !== '--') {
        if (/^(?:-[a-zA-Z]*c[a-zA-Z]*|--command)$/.test(text) && !/^-(?:norc|rcfile|restricted)$/.test(text))
          isScript = true;
        if (text.startsWith('--command=')) this.#texts([text.slice(10)], 'a shell');
        if (/^-[a-zA-Z]*s/.test(text)) isInput = true;
        if (/^--?(?:rcfile|init-file)$/.test(text)) {
          if (!this.#substituted(args[at + 1] ?? []) && texts[at + 1] !== undefined)
            this.#file(texts[at + 1] ?? '', stdin);
        }
        if (/^[-+][a-zA-Z]*[oO][a-zA-Z]*$|^--?(?:rcfile|init-file|user|group|shell)$/.test(text)) at++;
      } else if (isScript && text !== '--' && text !== '-') {
        return this.#texts([text], 'a shell', stdin);
      } else if (text !== '--' && text !== '-' && !takesUser) {
        const isFile = !isInput && !readsDescriptor(text);
        if (!isFile)
          return /fd\/[^0]|fd\/0./.test(text)
            ? this.#unclear('a shell reads another descriptor')
            : this.#standardInput(stdin, 'a shell');
        this.#file(text, stdin);
        // Without a folder it is looked for like a command.
        return text.includes('/') || this.#notes !== undefined
          ? undefined
          : this.#run(args.slice(at), stdin, false, nested + 1);
      }
    }
    this.#standardInput(stdin, 'a shell');
  }

  #maybeAll(texts: readonly (string | undefined)[]): void {
    for (const text of texts) if (text !== undefined) this.#maybeLine(text);
  }

  #wrapper(
    name: string,
    args: Possible[][],
    texts: readonly (string | undefined)[],
    stdin: Stdin,
    nested: number,
  ): void {
    if (name === 'command' && /^-[vV]$/.test(texts[0] ?? '')) return;
    const isFed = FEEDERS.has(name);
    const isShell =
      texts.some((text) => looksLikeShell(baseName(text ?? ''))) &&
      texts.some((text) => /^-\w*c$/.test(text ?? ''));
    if (isFed && isShell && this.#notes !== undefined) this.#noteInput(stdin, name);
    const given = isFed ? fed(args, texts) : args;
    if (
      isFed &&
      !texts.some((text) => text !== undefined && !text.startsWith('-')) &&
      name !== 'xargs' &&
      stdin.kind !== 'none'
    )
      return this.#unclear(`\`${name}\` runs lines that are known only when it runs`);
    let ownWords = WRAPPERS.get(name) ?? 0;
    const values = VALUE_OPTIONS.get(name);
    const subcommand = SUBCOMMAND_WRAPPERS.get(name);
    if (subcommand !== undefined) {
      // After `exec` come a container or a folder, and then the command.
      if (!runsSubcommand(name, subcommand, texts)) return;
      ownWords = 3;
    }
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at];
      const isOption = text !== undefined && (text.startsWith('-') || /^[A-Za-z_]\w*\+?=/.test(text));
      const before = texts[at - 1];
      const isValue =
        at > 0 && (before === undefined || (before.startsWith('-') && (values?.test(before) ?? true)));
      const isOwn = this.#notes !== undefined && this.#isOwnWord(name, text, isValue || ownWords > 0);
      if (!isOption && !(isValue && values !== undefined) && !isOwn)
        this.#run(given.slice(at), stdin, false, nested + 1);
      // The words after a shell are its own.
      if (this.#notes !== undefined && looksLikeShell(baseName(text ?? ''))) return;
      if (text !== undefined && !isOption && !isValue && ownWords-- <= 0) return;
    }
  }

  /** Whether a wrapper has this word for itself, when values are looked for: then it does not name a program. */
  #isOwnWord(name: string, text: string | undefined, isLikely: boolean): boolean {
    if (looksLikeShell(baseName(text ?? ''))) return false;
    const isLine = LINE_TAKERS.has(name) && /\s/.test(text ?? '');
    return isLikely || isLine || SUBCOMMAND_WRAPPERS.has(name);
  }

  /** A program that nothing is known about may run its arguments. */
  #possibleWrapper(
    name: string,
    args: Possible[][],
    texts: readonly (string | undefined)[],
    stdin: Stdin,
    nested: number,
  ): void {
    if (looksLikeShell(name) || WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name)) return;
    for (let at = 0; at < Math.min(texts.length, 12); at++) {
      const text = texts[at];
      const isAfterOption = LINE_OPTION.test(texts[at - 1] ?? '');
      if (text !== undefined && isAfterOption) this.#maybeLine(text);
      if (text !== undefined && looksLikeShell(baseName(text)))
        this.#run(args.slice(at), stdin, false, nested + 1);
      else if (args[at]?.some(({ pieces: [first] }) => first !== null && !/^-|^$/.test(first ?? '')))
        this.#loose(args.slice(at), nested === 0);
    }
  }

  /** `watch` and `ssh` make one line of their words. */
  #joined(name: string, texts: readonly (string | undefined)[]): void {
    if (!/^(?:watch|ssh|rsh|g?parallel)$/.test(name)) return;
    const end = texts.indexOf(':::');
    const from = texts.findIndex((text) => !text?.startsWith('-'));
    for (const start of [from, from + 1]) {
      const words = texts.slice(Math.max(start, 0), end === -1 ? undefined : end);
      if (words.every((text) => text !== undefined)) this.#maybeLine(words.join(' '));
      else if (name === 'watch') this.#unclear('`watch` runs a text that is known only when it runs');
    }
  }

  /** `npx -c 'rm x'`, `env -S 'rm x'`, `watch 'rm x'`, `env EDITOR='rm x' git commit`: texts that are lines for a shell. */
  #lines(name: string, texts: readonly (string | undefined)[]): void {
    const starts = SUBCOMMAND_WRAPPERS.get(name);
    const isMultiplexer = /^(?:tmux|screen)$/.test(name) && texts.some((text) => starts?.test(text ?? ''));
    const takesAny = LINE_TAKERS.has(name) || isMultiplexer;
    for (const [at, text] of texts.entries()) {
      if (text === undefined) continue;
      const [, variable = '', value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? [];
      if (GIT_SETTINGS.test(variable) || (/^(?:BASH_)?ENV$/.test(variable) && readsDescriptor(value ?? '')))
        return this.#unclear(`\`${variable}\` is set in a way that is not followed`);
      const isCommand =
        COMMAND_VARIABLES.test(variable) || (/^(?:ssh|scp|sftp)$/.test(name) && /command$/i.test(variable));
      if (value !== undefined && isCommand) this.#maybeLine(value);
      const attached =
        /^(?:-S|--split-string=|--[\w-]+=)([\s\S]*)$/.exec(text)?.[1] ??
        (/^(?:script|su|runuser|flock|npx|sg)$/.test(name) ? /^-\w*?c([\s\S]+)$/.exec(text)?.[1] : undefined);
      const rest = texts
        .slice(at + 1)
        .map((one) => one ?? '"$x"')
        .join(' ');
      if (attached !== undefined) for (const one of [attached, `${attached} ${rest}`]) this.#maybeLine(one);
      const isSplit = texts[at - 1] === '-S' || texts[at - 1] === '--split-string';
      if (isSplit) this.#maybeLine(`${text} ${rest}`);
      if (text.includes(HOLE) && RUNS_LINES.has(name) && LINE_OPTION.test(texts[at - 1] ?? ''))
        this.#noteText(text, 'line', name);
      if (/\s/.test(text) && (takesAny || LINE_OPTION.test(texts[at - 1] ?? ''))) {
        if (RUNS_LINES.has(name) && readScript(text).kind === 'unclear')
          this.#unclear(`\`${name}\` runs a text that cannot be followed`);
        this.#maybeLine(text);
      }
      // Its words are one line.
      if (/^(?:watch|g?parallel|ssh|rsh)$/.test(name) && text.includes(HOLE) && at > 0)
        this.#noteText(text, 'line', name);
    }
  }

  /** Behind a known wrapper a program is more likely another one. */
  #loose(words: Possible[][], isLoose: boolean): void {
    if (this.commands.push({ words, isLoose }) > MOST) return this.#unclear('it is too long to follow');
  }

  #find(args: Possible[][], texts: readonly (string | undefined)[], stdin: Stdin, nested: number): void {
    for (let at = 0; at < texts.length; at++) {
      if (!/^-(?:exec|execdir|ok|okdir)$/.test(texts[at] ?? '-exec')) continue;
      const end = texts.findIndex((text, index) => index > at && (text === ';' || text === '+'));
      const inner = replaced(args.slice(at + 1, end === -1 ? undefined : end), '{}');
      this.#run(inner, stdin, false, nested + 1);
    }
  }

  #git(args: Possible[][], texts: readonly (string | undefined)[], nested: number): void {
    for (const [at, text] of texts.entries()) {
      const before = texts[at - 1] ?? '';
      const setting = /^(?:-c|--config-env=?|--config|--add|--replace-all|set)$/.test(before)
        ? text
        : undefined;
      const [, key = '', value] = /^([\w.-]+)=([\s\S]*)$/.exec(setting ?? '') ?? [];
      if (value !== undefined) this.#gitSetting(key, value, nested, texts.slice(at + 2));
      if (/^alias\./i.test(before) && text !== undefined) this.#gitSetting(before, text, nested, []);
      if (text === undefined && before === '-c')
        return this.#unclear('a setting of git is known only when it runs');
      if (
        /^(?:-\w*x|--exec|--extcmd|--upload-pack|--receive-pack|foreach|--recursive|run|--\w+-filter)$/.test(
          before,
        ) &&
        text !== undefined
      ) {
        this.#maybeLine(text);
        this.#run(args.slice(at), { kind: 'none' }, true, nested + 1);
      }
      if (/^--config-env/.test(text ?? '')) return this.#unclear('a setting of git is given in a variable');
      const [, line] =
        /^(?:--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager|\w+-filter)=|-O|-x)([\s\S]+)$/.exec(
          text ?? '',
        ) ?? [];
      if (line !== undefined) this.#maybeLine(line);
    }
  }

  #gitSetting(written: string, value: string, nested: number, rest: readonly (string | undefined)[]): void {
    const key = written.toLowerCase();
    if (value.startsWith('!')) {
      this.#maybeLine(value.slice(1));
      this.#maybeLine(`${value.slice(1)} ${rest.map((text) => text ?? '"$x"').join(' ')}`);
    } else if (key.startsWith('alias.')) {
      if (/["'\\]/.test(value)) return this.#unclear('an alias of git has quotes in it');
      const words = `git ${value}`.split(/\s+/).map((text): Possible[] => [{ pieces: [text], count: 'one' }]);
      this.#run([...words, [ANYTHING]], { kind: 'none' }, false, nested + 1);
    } else if (/\s/.test(value) || GIT_COMMANDS.test(key)) this.#maybeLine(value);
  }

  #programText(starts: RegExp | undefined, texts: readonly (string | undefined)[], stdin: Stdin): void {
    if (starts === undefined) return;
    const isScripted = texts.some(
      (text) => !text?.startsWith('-') || /^-[cempr]/.test(text) || text === '--eval',
    );
    if (this.#notes !== undefined && READS_PROGRAMS.test(this.#program) && !isScripted)
      this.#noteInput(stdin, this.#program);
    const input = stdin.kind === 'text' ? (textOfParts(stdin.parts, this.#variables) ?? []) : [];
    for (const text of [...texts, ...input]) {
      if (text !== undefined && text.length > 3 && starts.test(text)) this.programs.push(text);
    }
  }

  /** `read PS4`, `export PROMPT_COMMAND=…`, `mapfile -C 'rm x'`. */
  #setVariables(name: string, texts: readonly (string | undefined)[]): void {
    if (
      !/^(?:test|\[|export|local|readonly|complete|compgen)$/.test(name) ||
      texts.some((text) => /^-[vR]/.test(text ?? ''))
    )
      this.#hasArithmetic ||= name !== 'printf' || texts.some((text) => text?.startsWith('-v'));
    if (name === 'compgen' && texts.some((text) => /[$`]/.test(text ?? '')))
      this.#unclear('`compgen` expands what it is given');
    if (name === 'let')
      this.#noteEvaluated(texts.map((text): Part => ({ kind: 'text', text: text ?? '', quote: 'none' })));
    for (const [at, text] of texts.entries()) {
      if (text === undefined) continue;
      const [, variable = '', value] = /^([A-Za-z_]\w*)(?:\+?=([\s\S]*))?$/.exec(text) ?? [];
      if (
        SHELL_VARIABLES.test(variable) &&
        (value === undefined ? !/^(?:export|unset|readonly)$/.test(name) : /[$`]/.test(value))
      )
        return this.#unclear(`\`${name}\` sets \`${variable}\`, which the shell runs`);
      if (value !== undefined && COMMAND_VARIABLES.test(variable)) this.#maybeLine(value);
      if (/^-\w*C$/.test(texts[at - 1] ?? '')) this.#maybeLine(text);
      const attached = /^-\w*?C([\s\S]+)$/.exec(text)?.[1];
      if (attached !== undefined) this.#maybeLine(attached);
    }
  }
}

/** Programs that read a program text from their standard input. */
const READS_PROGRAMS =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|perl|ruby|php|lua|luajit|tclsh|ed|ex|gdb|expect|make|gmake)$/;
/** Settings of git whose value is a command. */
const GIT_COMMANDS =
  /editor|pager|program|command|helper|cmd|textconv|driver|proxy|askpass|external|fsmonitor|process|clean|smudge|browser|sendmail|packobjects/;

function plainWord(text: string): Possible[] {
  return [{ pieces: [text], count: 'one' }];
}

/** Tables of bash that give commands other names, and its history. */
function refuseTables(text: string, refuse: (why: string) => void): void {
  if (/\bBASH_(?:CMDS|ALIASES)\b/.test(text)) refuse('it changes what names of commands mean');
  if (/\bhistexpand\b|\bset\s+-\w*H|-o\s+history|(?:^|[\s;&|])fc(?:\s|$)|\bhistory\s+-s/.test(text))
    refuse('it runs what was typed before');
}

function merged(outer: Variables, inner: Variables): Variables {
  const both = new Map(inner);
  for (const [name, values] of outer) both.set(name, [...(both.get(name) ?? []), ...values]);
  return both;
}

// value-walk: the values of a line that stand where they would be more than text. It asks the opposite of commands-run: not
// what may run, but whether each value surely stays text.
//
// W1. What is read again as commands or as a program is constant text. Where that cannot be shown, each value of the line
//     is noted: nothing is left out because it is hard to follow.
// W2. A file that the line writes is not run by it.
// W3. A word that is made of a value and not quoted is several words, and may be options and commands.

import { assignedVariables } from '../assigned.ts';
import { type Possible, possibleWords, type Variables } from '../possible-words.ts';
import { readScript } from '../read-script.ts';
import { printedBy, type Stdin, stdinOf, textOfParts } from '../stdin.ts';
import type { Assignment, Block, Command, Part, Redirection, Script, Simple, Word } from '../tree.ts';
import { type Argument, argumentsOf, constantText, isExact, leading, UNKNOWN } from './argument.ts';
import { Carriers } from './carriers.ts';
import { noteNamed, noteUnnamed } from './value-call.ts';
import { noteAssigned } from './value-variables.ts';

/** A value that stands where it would be more than text. */
export interface HoleNote {
  index: number;
  place: NotePlace;
  /** The program, variable or file that it is about. */
  program: string;
  /** The argument that it stands in, with marks for values. */
  text?: string;
}

/**
 * `script`: a text that a shell reads again; `line`: one that perhaps a shell reads; `code`: a program text; `sed`: one of sed;
 * `command`: the name of a program; `variable`: a variable in its place; `operand`: the script of a shell, or its `-c`; `name`: the name of a variable, or
 * arithmetic; `option`: it may be taken for an option; `options`: so, and it cannot be told before it runs; `split`: several
 * words; `file`: a file that the line writes is run by it; `unclear`: something in the line cannot be followed.
 */
export type NotePlace =
  | 'script'
  | 'line'
  | 'code'
  | 'sed'
  | 'command'
  | 'variable'
  | 'operand'
  | 'name'
  | 'option'
  | 'options'
  | 'split'
  | 'file'
  | 'unclear';

const DEEPEST = 8;
const MOST_ROUNDS = 20;

/** Of a line with HOLEs in it. */
export function holeNotes(line: string): HoleNote[] {
  const read = readScript(line, true);
  if (read.kind === 'unclear') return [];
  const carriers = new Carriers(read.script);
  let walk = new ValueWalk(carriers);
  for (let round = 0, size = -1; size !== carriers.size; round++) {
    size = carriers.size;
    walk = new ValueWalk(carriers);
    walk.line(line);
    if (round > MOST_ROUNDS) walk.unclear('it sets too many variables');
  }
  return walk.notes;
}

export class ValueWalk {
  readonly notes: HoleNote[] = [];
  readonly carriers: Carriers;
  /** What `exec < …` has made the standard input of all that follows. */
  ambient: Stdin = { kind: 'none' };
  #known: Variables = new Map();
  #depth = 0;

  constructor(carriers: Carriers) {
    this.carriers = carriers;
  }

  note(holes: readonly number[], place: NotePlace, program: string, text?: string): void {
    for (const index of holes)
      this.notes.push(text === undefined ? { index, place, program } : { index, place, program, text });
  }

  unclear(why: string): void {
    this.note(this.carriers.all, 'unclear', why);
  }

  line(text: string, stdin: Stdin = { kind: 'none' }): void {
    const read = readScript(text, this.#depth === 0);
    if (read.kind === 'unclear') return this.unclear(read.why);
    if (this.#depth > DEEPEST) return this.unclear('shells are nested too deeply in it');
    if (/\bBASH_(?:CMDS|ALIASES)\b|\bhistexpand\b|\bset\s+-\w*H|-o\s+history/.test(text))
      this.unclear('it changes what names of commands mean');
    const outer = this.#known;
    this.#known = new Map([...outer, ...assignedVariables(read.script, text)]);
    this.#depth++;
    this.script(read.script, stdin);
    this.#depth--;
    this.#known = outer;
  }

  get variables(): Variables {
    return this.carriers.variables(this.#known);
  }

  argumentsOf(word: Word): Argument[] {
    return argumentsOf(word, this.variables, (parts) => this.carriers.carriedBy(parts));
  }

  possible(word: Word): Possible[][] {
    return possibleWords(word, this.variables);
  }

  script(script: Script, stdin: Stdin): void {
    for (const command of script) this.#command(command, stdin.kind === 'none' ? this.ambient : stdin);
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
    const before = this.carriers.input;
    this.carriers.input = this.carriers.carriedByStdin(input);
    this.#redirections(command.redirections);
    if (command.kind === 'simple') this.#simple(command, input);
    else this.#block(command, input);
    this.carriers.input = before;
  }

  #block(command: Block, input: Stdin): void {
    for (const word of command.words) this.parts(word.parts);
    if (command.form === 'function' && command.name !== undefined) this.carriers.functions.add(command.name);
    if (command.form === 'for') this.#loop(command);
    if (command.form === 'arithmetic') this.evaluated(partsOf(command.words), '(( ))');
    if (command.form === 'conditional') this.evaluated(partsOf(evaluatedWords(command)), '[[ ]]');
    // A function may be called with anything as its input.
    this.script(command.body, command.form === 'function' ? { kind: 'unknown' } : input);
  }

  #loop({ name, words }: Block): void {
    if (name === undefined) return this.evaluated(partsOf(words), '(( ))');
    const list = words.length === 0 ? [POSITIONALS] : words;
    const args = list.flatMap((word) => this.argumentsOf(word));
    for (const arg of args) {
      this.carriers.hold(name, arg.holes, isExact(arg));
      noteAssigned(this, name, arg);
    }
  }

  #redirections(redirections: readonly Redirection[]): void {
    for (const { operator, target, body } of redirections) {
      this.parts([...target.parts, ...(body ?? [])]);
      if (!operator.includes('>') || /^\d+$|^-$/.test(target.source)) continue;
      for (const { text } of this.argumentsOf(target)) this.writes(text, target.parts);
      if (operator === '>&' && this.carriers.carriedBy(target.parts).length > 0)
        this.note(this.carriers.carriedBy(target.parts), 'name', '>&');
    }
  }

  /** The line writes this file. */
  writes(text: string | undefined, parts: readonly Part[] = []): void {
    const isTemporary = parts.some((part) => part.kind === 'parameter' && this.#temporary.has(part.name));
    this.carriers.write(text?.replace(/\u{f8f0}\d+;/gu, UNKNOWN), isTemporary);
  }

  readonly #temporary = new Set<string>();

  parts(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'command') {
        this.script(part.script, { kind: part.form === '>(' ? 'unknown' : 'none' });
      } else if (part.kind === 'arithmetic') {
        this.parts(part.inner);
        this.evaluated(part.inner, '$(( ))');
      } else if (part.kind === 'parameter') this.#parameter(part);
    }
  }

  #parameter(part: Part & { kind: 'parameter' }): void {
    this.parts(part.inner);
    if (part.name === '!' && !part.isPlain)
      return this.unclear('`${!x}` is a name that is made when it runs');
    const [first] = part.inner;
    if (first === undefined) return;
    const operator = first.kind === 'text' ? first.text : '';
    if (/^:?=/.test(operator)) this.carriers.hold(part.name, this.carriers.carriedBy(part.inner), false);
    // `${x:-…}` and `${x%…}` take a text; `${x:…}` and `${x[…]}` a number.
    if (!/^:?[-=+?]|^[#%/^,@]/.test(operator)) this.evaluated(part.inner, '${ }');
  }

  /** What the shell evaluates: a variable in there is evaluated too, and what it holds can run commands. */
  evaluated(parts: readonly Part[], where: string, deep = 0): void {
    for (const part of parts) {
      if (part.kind !== 'text') {
        this.note(this.carriers.carriedBy([part]), 'name', where);
        if (part.kind === 'arithmetic') this.evaluated(part.inner, where, deep + 1);
      }
      const names =
        part.kind === 'text'
          ? (part.text.match(/[A-Za-z_]\w*/g) ?? [])
          : part.kind === 'parameter'
            ? [part.name]
            : [];
      for (const name of names) {
        this.note(this.carriers.holesOf(name), 'name', where);
        // `y={{ x }}; z=y; (( z ))`
        for (const text of deep < 5 ? (this.#known.get(name) ?? []) : [])
          this.evaluated([{ kind: 'text', text, quote: 'none' }], where, deep + 1);
      }
    }
  }

  #simple(command: Simple, stdin: Stdin): void {
    for (const assignment of command.assignments) this.#assignment(assignment);
    for (const word of command.words) this.parts(word.parts);
    const args = command.words.flatMap((word) => this.argumentsOf(word));
    if (args.some(({ text }) => /^\{\w+\[/.test(text ?? '')))
      this.evaluated(partsOf(command.words), '{a[ ]}');
    this.run(args, stdin, 0);
  }

  #assignment({ name, value, items, subscript, isAppended }: Assignment): void {
    const parts = [...(value?.parts ?? []), ...partsOf(items ?? [])];
    this.parts([...parts, ...(subscript ?? [])]);
    this.evaluated(
      [...(subscript ?? []), ...partsOf((items ?? []).filter(({ source }) => source.startsWith('[')))],
      'an index',
    );
    if (value !== undefined && isTemporaryPath(value)) this.#temporary.add(name);
    else this.#temporary.delete(name);
    const isOne = value?.parts.length === 1 && items === undefined && !isAppended;
    const isCopy = isOne && value.parts[0]?.kind === 'hole';
    this.carriers.hold(name, this.carriers.carriedBy(parts), isCopy);
    for (const arg of value === undefined ? [] : this.argumentsOf(value)) noteAssigned(this, name, arg);
  }

  /** A command, and what it runs in its turn. */
  run(words: readonly Argument[], stdin: Stdin, nested: number): void {
    const [first, ...args] = words;
    if (first === undefined) return;
    if (nested > 20) return this.unclear('too many commands in it run other commands');
    const { text = UNKNOWN, holes, isOpen } = first;
    if (first.isSplit) return this.note(holes, 'variable', '');
    if (holes.length > 0) {
      // Only a value that stands there itself may be one that names a program.
      const isDirect = leading(first).length < holes.length || isExact(first) || !text.includes(UNKNOWN);
      return this.note(holes, isDirect ? 'command' : 'variable', '');
    }
    const base = text.slice(text.lastIndexOf('/') + 1);
    const isNamed = base !== '' && !base.includes(UNKNOWN) && (!isOpen || text.startsWith(`${UNKNOWN}/`));
    if (!isNamed) return noteUnnamed(this, args, stdin);
    if (text.includes('/') && this.carriers.mayHaveWritten(text)) this.note(this.carriers.all, 'file', base);
    noteNamed(this, { name: base, args, stdin, nested });
  }

  /** A function, `set --` or another shell has them as its parameters. */
  parameters(args: readonly Argument[]): void {
    for (const arg of args) this.carriers.holdPositional(arg.holes, isExact(arg));
  }

  /** Texts that a shell reads for sure. */
  readAgain(args: readonly Argument[], who: string, stdin: Stdin = { kind: 'none' }): void {
    const holes = args.flatMap((arg) => arg.holes);
    if (holes.length > 0) return this.note(holes, 'script', who);
    const texts = args.map(constantText);
    if (texts.some((text) => text === undefined))
      return this.unclear(`\`${who}\` runs a text that is known only when it runs`);
    this.line(texts.join(' '), stdin);
  }

  /** A text that perhaps a shell reads. */
  perhapsRead(arg: Argument, who: string): void {
    if (arg.holes.length > 0) return this.note(arg.holes, 'line', who);
    const text = constantText(arg);
    if (text !== undefined && readScript(text).kind === 'script') this.line(text);
  }

  /** Whatever arrives at the standard input is read as commands. */
  readInput(stdin: Stdin, who: string): void {
    const holes = this.carriers.carriedByStdin(stdin);
    if (holes.length > 0) return this.note(holes, 'script', who);
    if (stdin.kind === 'none' || stdin.kind === 'file') return;
    const texts =
      stdin.kind === 'text' ? textOfParts(stdin.parts, this.variables) : printedBy(stdin, this.variables);
    if (texts === undefined) return this.unclear(`${who} reads commands that are known only when it runs`);
    for (const text of texts) this.line(text);
  }
}

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** What `[[ ]]` evaluates: beside `-eq` and its like, and after `-v`. A value in the place of an operator may be one of them. */
function evaluatedWords({ words }: Block): Word[] {
  return words.filter(({ parts }, at) => {
    const [before, after] = [words[at - 1]?.source ?? '', words[at + 1]?.source ?? ''];
    const isOperator =
      parts[0]?.kind === 'hole' &&
      /^(?:\[\[|!|\(|&&|\|\|)?$/.test(before) &&
      after !== '' &&
      !/^(?:&&|\|\||\)|=~|==?|!=|<|>|-..)$/.test(after);
    return (
      isOperator || COMPARES_NUMBERS.test(before) || COMPARES_NUMBERS.test(after) || /^-[vR]$/.test(before)
    );
  });
}

const POSITIONALS: Word = {
  source: '"$@"',
  parts: [{ kind: 'parameter', name: '@', isPlain: true, quote: 'double', inner: [] }],
};

function partsOf(words: readonly Word[]): Part[] {
  return words.flatMap(({ parts }) => parts);
}

/** `$(mktemp …)` */
function isTemporaryPath({ parts }: Word): boolean {
  const [only, ...others] = parts;
  if (only?.kind !== 'command' || others.length > 0) return false;
  const [command, ...more] = only.script;
  return more.length === 0 && command?.kind === 'simple' && command.words[0]?.source === 'mktemp';
}

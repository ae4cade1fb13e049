// carriers: what in a line may hold a value: variables, positional parameters, files, what a command prints. It only
// grows: the line is walked until nothing new is found, so that no order of commands has to be known.
//
// R1. Here a doubt counts against the line: what may carry a value does.

import { eachPart, holesInside } from '../parts-of.ts';
import { constantOf, holeMark, possibleWords, type Variables } from '../possible-words.ts';
import { baseName } from '../program-arguments.ts';
import type { Stdin } from '../stdin.ts';
import type { Command, Part, Script, Simple } from '../tree.ts';
import { UNKNOWN } from './argument.ts';

interface Holding {
  holes: Set<number>;
  /** Each of its values is one `{{ }}` as it was given, not a text made of it. */
  isExact: boolean;
}

/** They are set by the shell to words or texts of the line. */
const SET_BY_SHELL = /^(?:_|BASH_\w+|OPTARG|REPLY|MAPFILE|COPROC|READLINE_\w+|COMP_\w+|HISTCMD)$/;
/** They print what variables hold, or the line itself. */
const TELLERS =
  /^(?:env|printenv|set|declare|typeset|local|export|readonly|ps|pgrep|jobs|history|fc|alias|trap|compgen|caller)$/;

const TEMPORARY = '\u0003';

export class Carriers {
  /** Every value of the line. */
  readonly all: readonly number[];
  readonly functions = new Set<string>();
  readonly #held = new Map<string, Holding>();
  readonly #positional: Holding = { holes: new Set(), isExact: true };
  /** The last part of each path that the line writes; UNKNOWN: it cannot be told. */
  readonly #written = new Set<string>();
  /** What the standard input of the command that is looked at carries. */
  input: readonly number[] = [];

  constructor(script: Script) {
    this.all = [...new Set(eachPart(script, holesInside).map(({ index }) => index))];
  }

  /** Grows with each thing that is found. */
  get size(): number {
    const held = [...this.#held.values(), this.#positional];
    const holes = held.reduce((sum, { holes, isExact }) => sum + holes.size + (isExact ? 0 : 1), 0);
    return holes + this.#held.size + this.functions.size + this.#written.size;
  }

  hold(name: string, holes: readonly number[], isExact: boolean): void {
    if (holes.length === 0) return;
    const known = this.#held.get(name);
    this.#held.set(name, {
      holes: new Set([...(known?.holes ?? []), ...holes]),
      isExact: isExact && (known?.isExact ?? true),
    });
  }

  holdPositional(holes: readonly number[], isExact: boolean): void {
    for (const hole of holes) this.#positional.holes.add(hole);
    if (holes.length > 0) this.#positional.isExact &&= isExact;
  }

  /** `isTemporary`: the path comes from `mktemp`, so it differs from every path that is written out in the line. */
  write(path: string | undefined, isTemporary = false): void {
    const last = path === undefined ? UNKNOWN : lastOf(path);
    if (!/^\/dev\//.test(path ?? '')) this.#written.add(isTemporary && last === UNKNOWN ? TEMPORARY : last);
  }

  /** Whether the line itself may have written the file. A path that is not known may be any. */
  mayHaveWritten(path: string | undefined): boolean {
    const last = path === undefined ? UNKNOWN : lastOf(path);
    if (this.#written.size === 0) return false;
    return last.includes(UNKNOWN) || this.#written.has(UNKNOWN) || this.#written.has(last);
  }

  /** What is known of the variables, the values in them marked. */
  variables(known: Variables): Variables {
    const all = new Map(known);
    const entries = [
      ...this.#held,
      ...[...'0123456789@*'].map((name): [string, Holding] => [name, this.#positional]),
    ];
    for (const [name, { holes, isExact }] of entries) {
      if (holes.size === 0 || known.get(name)?.some((value) => value.includes(holeMark([...holes][0] ?? 0))))
        continue;
      const marks = [...holes].map(holeMark);
      const others = (known.get(name) ?? []).filter((value) => value !== '');
      all.set(name, isExact ? [...others, ...marks] : [UNKNOWN + marks.join(UNKNOWN)]);
    }
    return all;
  }

  carriedBy(parts: readonly Part[]): number[] {
    const found = new Set<number>();
    const add = (holes: Iterable<number>) => {
      for (const hole of holes) found.add(hole);
    };
    for (const part of parts) {
      if (part.kind === 'hole') found.add(part.index);
      if (part.kind === 'parameter') add(this.carriedByParameter(part));
      if (part.kind === 'command') add(this.carriedByScript(part.script));
    }
    return [...found];
  }

  carriedByParameter({ name, isPlain, inner }: Part & { kind: 'parameter' }): number[] {
    // `${#x}` is a number, and so are `$?` and its like.
    if (!isPlain && inner.length === 0 && name !== '!') return [];
    if (/^[#?$-]$/.test(name)) return [];
    if (name === '!') return isPlain ? [] : [...this.all];
    if (SET_BY_SHELL.test(name)) return [...this.all];
    const holding = /^\d+$|^[@*]$/.test(name) ? this.#positional : this.#held.get(name);
    return [...(holding?.holes ?? []), ...this.carriedBy(inner)];
  }

  /** The values that what these commands print may be made of. */
  carriedByScript(script: Script): number[] {
    if (printsNumber(script)) return [];
    const direct = eachPart(script, (parts) => this.carriedBy(parts));
    const isOpen = eachSimple(script).some((command) => this.#mayTell(command));
    return [...new Set([...direct, ...this.input, ...(isOpen ? this.all : [])])];
  }

  carriedByStdin(stdin: Stdin): readonly number[] {
    switch (stdin.kind) {
      case 'none':
        return [];
      case 'text':
        return this.carriedBy(stdin.parts);
      case 'commands':
        return this.carriedByScript(stdin.script);
      case 'file':
        return this.mayHaveWritten(pathOf(stdin.target.parts))
          ? this.all
          : this.carriedBy(stdin.target.parts);
      case 'unknown':
        return this.all;
    }
  }

  /** It prints what is held somewhere, in another way than by naming it. */
  #mayTell({ words, redirections }: Simple): boolean {
    const name = constantOf(possibleWords(words[0] ?? { source: '', parts: [] }, new Map())[0] ?? []);
    if (name === undefined) return words.length > 0 || redirections.some(({ operator }) => operator === '<');
    if (this.functions.has(name) || TELLERS.test(baseName(name))) return true;
    if (name === 'echo' || name === 'printf') return false;
    const paths = [...words.slice(1), ...redirections.map(({ target }) => target)];
    return paths.some(({ parts }) => this.mayHaveWritten(pathOf(parts)) && !/^-/.test(pathOf(parts) ?? ''));
  }

  names(): Iterable<string> {
    return this.#held.keys();
  }

  holesOf(name: string): readonly number[] {
    return [...(this.#held.get(name)?.holes ?? [])];
  }
}

/** The text of a path, UNKNOWN where it depends. */
function pathOf(parts: readonly Part[]): string | undefined {
  return parts.map((part) => (part.kind === 'text' ? part.text : UNKNOWN)).join('');
}

function lastOf(path: string): string {
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.includes(UNKNOWN) || /^\.{0,2}$/.test(last) || /[*?[{]/.test(last) ? UNKNOWN : last;
}

function eachSimple(script: readonly Command[]): Simple[] {
  return script.flatMap((command): Simple[] => {
    if (command.kind === 'simple') return [command];
    return eachSimple(command.kind === 'pipeline' ? command.parts : command.body);
  });
}

/** `… | wc -l`, `wc -c < f`, `grep -c x f`: digits, whatever is counted. */
function printsNumber(script: Script): boolean {
  const [only, ...others] = script;
  if (only === undefined || others.length > 0) return false;
  const last = only.kind === 'pipeline' ? only.parts.at(-1) : only;
  if (last?.kind !== 'simple' || last.assignments.length > 0) return false;
  const [name = '', ...args] = last.words.map(({ source }) => source);
  const options = args.filter((arg) => arg.startsWith('-'));
  if (name === 'wc') return args.every((arg) => /^-[lwcm]$/.test(arg));
  const isCount = options.some((option) => /^-[a-zA-Z]*c/.test(option) || option === '--count');
  const isPlain = options.every((option) => /^-(?:[ciwvxFEe]+|-count|-)$/.test(option));
  return name === 'grep' && isCount && isPlain && args.length - options.length <= 2;
}

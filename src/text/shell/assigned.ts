// assigned: the values that a line itself gives to its variables. A value counts as known only if every place that could
// set the variable is a plain text; one doubtful place, and the variable can be anything.

import { eachPart } from './parts-of.ts';
import { ABSOLUTE, constantOf, holeMark, possibleWords, type Variables } from './possible-words.ts';
import type { Assignment, Command, Part, Simple, Word } from './tree.ts';

const NOTHING: Variables = new Map();
/** They set variables that they name as arguments. */
const SETTERS = new Set('read mapfile readarray printf getopts let unset wait select'.split(' '));
const DECLARERS = new Set('export local declare typeset readonly'.split(' '));
/** After one of these, any variable may be anything. */
const UPHEAVALS = new Set('. source eval'.split(' '));

export function assignedVariables(script: readonly Command[], text: string): Variables {
  const found = new Map<string, string[] | undefined>();
  const gathering: Gathering = {
    set(name, value) {
      const known = found.has(name) ? found.get(name) : [];
      found.set(name, value === undefined || known === undefined ? undefined : [...known, value]);
    },
    isUpheaval: false,
    called: [],
  };
  gatherAll(script, gathering);
  // With another IFS, values are split at other places than blanks.
  if (gathering.isUpheaval || found.has('IFS')) return NOTHING;
  const known = new Map<string, string[]>();
  const mentions = mentionsIn(script);
  for (const [name, values] of found) {
    if (values === undefined || SET_BY_SHELL.test(name)) continue;
    // Every mention of the name in the line is one that is understood: nothing else can set it.
    const written = text.match(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g'))?.length ?? 0;
    // `read -ax` has the name behind its option.
    const isAttached = new RegExp(`(?<!\\w)-\\w+${name}(?!\\w)`).test(text);
    if (written === (mentions.get(name) ?? 0) && !isAttached) known.set(name, [...new Set(values)]);
  }
  if (gathering.called.some((word) => maySet(word, known))) return NOTHING;
  for (const [name, count] of mentions) {
    if (found.has(name) || !/^[A-Za-z_]/.test(name)) continue;
    if (text.match(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g'))?.length !== count) continue;
    if (name === 'HOME' || name === 'PWD') known.set(name, [ABSOLUTE]);
    else if (!SET_BY_SHELL.test(name)) known.set(`${name}?`, []);
  }
  // Unless the line gives the names of these programs to something else.
  if (!/\(\s*\)|\bfunction\b|\balias\b|\bPATH\b/.test(text))
    for (const printer of PRINT_PATHS) known.set(`$(${printer})`, [ABSOLUTE]);
  return known;
}

/** They print one absolute path. */
const PRINT_PATHS = [
  ...['pwd', 'npm bin', 'npm root', 'npm prefix', 'npm root -g', 'npm prefix -g', 'yarn bin', 'pnpm bin'],
  ...['git rev-parse --show-toplevel', 'go env GOPATH', 'go env GOROOT', 'brew --prefix', 'pyenv root'],
];

/** Variables that the shell sets by itself. */
const SET_BY_SHELL =
  /^(?:_|REPLY|MAPFILE|OPTARG|OPTIND|RANDOM|SECONDS|LINENO|PWD|OLDPWD|COPROC|PIPESTATUS|DIRSTACK|HOSTNAME|UID|EUID|PPID|SHLVL|BASH\w*|READLINE\w*|COMP_\w*|FUNCNAME|GROUPS|HISTCMD)$/;

/** How often each name is assigned, looped over, or expanded. */
function mentionsIn(script: readonly Command[]): Map<string, number> {
  const mentions = new Map<string, number>();
  const count = (name: string) => mentions.set(name, (mentions.get(name) ?? 0) + 1);
  const countParts = (parts: readonly Part[]): never[] => {
    for (const part of parts) {
      if (part.kind === 'parameter') count(part.name);
      if (part.kind === 'parameter' || part.kind === 'arithmetic') countParts(part.inner);
      if (part.kind === 'command') countNames(part.script);
    }
    return [];
  };
  const countNames = (commands: readonly Command[]): void => {
    for (const command of commands) {
      if (command.kind === 'pipeline') countNames(command.parts);
      else if (command.kind === 'block') {
        if (command.form === 'for' && command.name !== undefined) count(command.name);
        countNames(command.body);
      } else for (const { name } of command.assignments) count(name);
    }
    for (const command of commands) if (command.kind !== 'pipeline') eachOwnPart(command, countParts);
  };
  countNames(script);
  return mentions;
}

/** The parts of a command itself, not of the commands in its body. */
function eachOwnPart(
  command: Exclude<Command, { kind: 'pipeline' }>,
  read: (parts: readonly Part[]) => never[],
): void {
  eachPart(command.kind === 'block' ? [{ ...command, body: [] }] : [command], read);
}

/** Whether a command whose name is in a variable may be one that sets variables. */
function maySet(word: Word, known: Variables): boolean {
  const names = possibleWords(word, known)[0]?.map(({ pieces }) => pieces.join('')) ?? [];
  return names.some((name) => UPHEAVALS.has(name) || SETTERS.has(name) || DECLARERS.has(name));
}

interface Gathering {
  /** Undefined: it can be anything. */
  set(name: string, value: string | undefined): void;
  isUpheaval: boolean;
  /** Words in the place of a command that are no plain text. */
  called: Word[];
}

function gatherAll(commands: readonly Command[], gathering: Gathering): void {
  for (const command of commands) gather(command, gathering);
}

function gather(command: Command, gathering: Gathering): void {
  if (command.kind === 'pipeline') return gatherAll(command.parts, gathering);
  for (const { target, body } of command.redirections)
    gatherParts([...target.parts, ...(body ?? [])], gathering);
  for (const word of command.words) gatherParts(word.parts, gathering);
  if (command.kind === 'simple') return gatherSimple(command, gathering);
  if (command.form === 'for' && command.name !== undefined) {
    for (const word of command.words) for (const value of valuesOf(word)) gathering.set(command.name, value);
  }
  if (command.form === 'arithmetic' || command.form === 'for')
    gatherArithmetic(command.words, gathering, command.name);
  gatherAll(command.body, gathering);
}

/** Names in arithmetic may be set there. */
function gatherArithmetic(words: readonly Word[], gathering: Gathering, name: string | undefined): void {
  if (name !== undefined) return;
  for (const part of words.flatMap(({ parts }) => parts)) nameAll(part, gathering);
}

function nameAll(part: Part, gathering: Gathering): void {
  if (part.kind !== 'text') return;
  for (const [name] of part.text.matchAll(/[A-Za-z_]\w*/g)) gathering.set(name, undefined);
}

function gatherSimple({ assignments, words }: Simple, gathering: Gathering): void {
  for (const assignment of assignments) gatherAssignment(assignment, gathering);
  const all = words.map((word) => constantOf(possibleWords(word, NOTHING)[0] ?? []));
  // `command export x=y`: the builtin stands behind it.
  const start = all.findIndex(
    (text) => text === undefined || !/^(?:command|builtin|exec|-\w*|--)$/.test(text),
  );
  const at = Math.max(start, 0);
  const [first, ...others] = all.slice(at);
  const name = first?.slice(first.lastIndexOf('/') + 1) ?? '';
  if (UPHEAVALS.has(name)) gathering.isUpheaval = true;
  if (first === undefined && words[at] !== undefined) gathering.called.push(words[at]);
  if (SETTERS.has(name)) {
    for (const [index, other] of others.entries()) {
      // The format of `printf` may be `-vx`, and what follows `-v` is a name.
      const isName = name !== 'printf' || index === 0 || others[index - 1] === '-v';
      if (other === undefined) gathering.isUpheaval ||= isName;
      else for (const [variable] of other.matchAll(/[A-Za-z_]\w*/g)) gathering.set(variable, undefined);
    }
  }
  if (DECLARERS.has(name)) declare(words.slice(at + 1), others, gathering);
}

function declare(
  words: readonly Word[],
  constants: readonly (string | undefined)[],
  gathering: Gathering,
): void {
  // An option may change what an assignment means: lower case, a number, another name for a variable.
  const isPlain = !constants.some(
    (constant) => constant !== undefined && /^[-+]/.test(constant) && !/^-[xrg]+$/.test(constant),
  );
  if (constants.some((constant) => constant !== undefined && /^[-+]\w*n/.test(constant)))
    gathering.isUpheaval = true;
  // The name is what the shell makes of the word, whatever quotes it is written with.
  for (const possible of words.flatMap((word) => possibleWords(word, NOTHING)).flat()) {
    const [begun] = possible.pieces;
    const name = /^([A-Za-z_]\w*)(?=\+?=|\[)/.exec(begun ?? '')?.[1];
    const constant = constantOf([possible]);
    const value = constant === undefined ? undefined : /^[A-Za-z_]\w*=([\s\S]*)$/.exec(constant)?.[1];
    if (name !== undefined) gathering.set(name, isPlain ? value : undefined);
    else if (constant === undefined) gathering.isUpheaval = true;
  }
}

function gatherAssignment(
  { name, value, items, subscript, isAppended }: Assignment,
  gathering: Gathering,
): void {
  if (value) gatherParts(value.parts, gathering);
  for (const item of items ?? []) gatherParts(item.parts, gathering);
  if (value === undefined || isAppended || subscript !== undefined) return gathering.set(name, undefined);
  // No files are looked up and no braces expanded in what is assigned.
  const texts = value.parts.map((part) =>
    part.kind === 'text' && part.posix === undefined
      ? part.text
      : part.kind === 'hole'
        ? holeMark(part.index)
        : undefined,
  );
  gathering.set(name, texts.every((text) => text !== undefined) ? texts.join('') : undefined);
}

function gatherParts(parts: readonly Part[], gathering: Gathering): void {
  for (const part of parts) {
    if (part.kind === 'command') gatherAll(part.script, gathering);
    if (part.kind === 'arithmetic') for (const inner of part.inner) nameAll(inner, gathering);
    if (part.kind === 'parameter') {
      const [operator] = part.inner;
      if (operator?.kind === 'text' && /^:?=/.test(operator.text)) gathering.set(part.name, undefined);
    }
    if (part.kind === 'parameter' || part.kind === 'arithmetic') gatherParts(part.inner, gathering);
  }
}

/** The values that a word of a `for` list gives to its variable. */
function valuesOf(word: Word): (string | undefined)[] {
  return possibleWords(word, NOTHING).map((possible) => constantOf(possible));
}

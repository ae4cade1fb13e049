// value-variables: variables whose value the shell or a program runs, and the builtins that set variables.

import { namesVariable } from '../program-arguments.ts';
import { COMMAND_VARIABLES, GIT_SETTINGS, SHELL_VARIABLES } from '../programs.ts';
import { type Argument, constantText, hasValue, isExact, UNKNOWN } from './argument.ts';
import type { ValueCall } from './value-call.ts';
import type { ValueWalk } from './value-walk.ts';

/** They say which programs, or which code, other programs run. */
const SAYS_WHAT_RUNS =
  /^(?:PATH|SHELL|CC|CXX|LD|AR|MAKE|MAKEFLAGS|LD_\w+|DYLD_\w+|PERL5?(?:OPT|LIB|DB)|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|NODE_(?:OPTIONS|PATH)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GOFLAGS|GIT_(?:EXEC_PATH|DIR|TEMPLATE_DIR|CONFIG\w*)|CDPATH|RUSTC\w*|CARGO_TARGET_\w+|npm_config_\w+)$/;
const RUN_BY_A_SHELL =
  /(?:EDITOR|PAGER|VISUAL|ASKPASS|_COMMAND|_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|BROWSER|_RUNNER)$/;

/** A variable is given a value: by `=`, `export`, `env`, `for`, `read`. */
export function noteAssigned(walk: ValueWalk, name: string, arg: Argument): void {
  if (SHELL_VARIABLES.test(name)) {
    if (arg.holes.length > 0) walk.note(arg.holes, 'script', name);
    else if (constantText(arg) === undefined)
      walk.unclear(`\`${name}\` is set to something that the shell runs`);
    else walk.perhapsRead(arg, name);
  } else if (arg.holes.length === 0) {
    if (COMMAND_VARIABLES.test(name) || RUN_BY_A_SHELL.test(name)) walk.perhapsRead(arg, name);
  } else if (COMMAND_VARIABLES.test(name) || RUN_BY_A_SHELL.test(name) || GIT_SETTINGS.test(name))
    walk.note(arg.holes, 'script', name);
  else if (name === 'IFS') walk.note(arg.holes, 'name', 'IFS');
  else if (SAYS_WHAT_RUNS.test(name)) walk.note(arg.holes, 'command', name);
}

/** `NAME=text` as a word: `export X={{ x }}`, `env X={{ x }} npm test`. */
export function noteAssignment(walk: ValueWalk, arg: Argument): boolean {
  const [, name, text] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(arg.text ?? '') ?? [];
  if (name === undefined) return false;
  const value: Argument = { ...arg, text };
  walk.carriers.hold(name, arg.holes, isExact(value));
  noteAssigned(walk, name, value);
  return true;
}

const DECLARERS = /^(?:declare|typeset|local|export|readonly)$/;
/** These read what they set from their standard input, or out of the words of the line. */
const READERS = /^(?:read|mapfile|readarray|getopts)$/;

export function setsVariables(name: string): boolean {
  return (
    DECLARERS.test(name) ||
    READERS.test(name) ||
    /^(?:printf|let|unset|wait|test|\[|complete|compgen)$/.test(name)
  );
}

export function noteSetter(walk: ValueWalk, { name, args }: ValueCall): void {
  const { carriers } = walk;
  const texts = args.map(({ text }) => text);
  const isElsewhere = name === 'getopts' || texts.some((text) => /^-\w*u/.test(text ?? ''));
  const given = args.flatMap(({ holes }) => holes);
  const read = name === 'printf' ? given : isElsewhere ? carriers.all : carriers.input;
  const isVariable = (at: number) =>
    name === 'printf' && (texts[at - 1] === '-v' || /^-v./.test(texts[at] ?? ''));
  for (const [at, arg] of args.entries()) {
    const { text } = arg;
    // A name that is made when it runs may be that of any variable.
    const isName =
      READERS.test(name) || isVariable(at) || (DECLARERS.test(name) && !/^[A-Za-z_]\w*\+?=/.test(text ?? ''));
    const isUnknown = text === undefined || text.includes(UNKNOWN) || arg.isOpen;
    if (isName && isUnknown && arg.holes.length === 0)
      walk.unclear(`\`${name}\` sets a variable whose name is made when it runs`);
    if (DECLARERS.test(name) && /^[-+]\w*n/.test(text ?? ''))
      walk.unclear(`\`${name} -n\` gives a variable another name`);
    if (arg.holes.length > 0 && namesVariable(name, texts, at, texts[at - 1]))
      walk.note(arg.holes, 'name', name);
    if (DECLARERS.test(name)) noteAssignment(walk, arg);
    const isSet = READERS.test(name) || isVariable(at);
    for (const variable of isSet && !isUnknown ? namesIn(text) : []) setTo(walk, variable, read);
    if (/^-\w*C$/.test(texts[at - 1] ?? '') && /^(?:mapfile|readarray|complete|compgen)$/.test(name))
      walk.readAgain([arg], name);
    if (/^-\w*C./.test(text ?? '') && /^(?:mapfile|readarray)$/.test(name))
      walk.readAgain([{ ...arg, text: text?.replace(/^-\w*?C/, '') }], name);
  }
  if (name === 'let')
    walk.evaluated(
      args.map(({ text = '' }) => ({ kind: 'text', text, quote: 'none' })),
      'let',
    );
  if (/^(?:complete|compgen)$/.test(name)) walk.note(given, 'script', name);
  if (name === 'wait') walk.note(given, 'name', name);
}

function setTo(walk: ValueWalk, variable: string, holes: readonly number[]): void {
  walk.carriers.hold(variable, holes, false);
  if (holes.length > 0) noteAssigned(walk, variable, { text: UNKNOWN, holes, isSplit: false, isOpen: false });
}

/** `-ra` and `x` of `read -ra x`, `-vx` of `printf`. */
function namesIn(text: string): string[] {
  if (hasValue(text)) return [];
  return text.startsWith('-')
    ? [text.slice(2), text.slice(1)].filter((one) => /^[A-Za-z_]\w*$/.test(one))
    : (text.match(/[A-Za-z_]\w*/g) ?? []);
}

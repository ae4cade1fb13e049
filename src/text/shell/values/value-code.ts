// value-code: programs that take a text in another language: as an argument (`python3 -c`), as a file (`awk -f`), or on
// their standard input. That text is constant.

import { holeMark } from '../possible-words.ts';
import { readsDescriptor } from '../program-arguments.ts';
import { type Argument, constantText } from './argument.ts';
import type { ValueCall } from './value-call.ts';
import { noteFile } from './value-shell.ts';
import type { ValueWalk } from './value-walk.ts';

interface Language {
  names: RegExp;
  /** An option whose value is a text of the language; with the text attached to it, in the first group. */
  code: RegExp;
  attached: RegExp;
  /** An option whose value is a file with such a text. */
  file?: RegExp;
  /** An option that takes the word after it, which is no text and no file. */
  value?: RegExp;
  /** What the first word is that is no option: a text, a file that is run, or something else (then there is a program). */
  operand: 'code' | 'file' | 'data';
  /** Without a text and a file it reads the standard input. */
  readsInput: boolean;
  /** `-m module`: then no file follows, and no program comes in. */
  module?: RegExp;
}

const NEVER = /^\b$/;

const LANGUAGES: readonly Language[] = [
  {
    names: /^(?:python[\d.]*|pypy[\d.]*)$/,
    code: /^-[a-zA-Z]*c$/,
    attached: /^-[bBdEhiIOPqsSuvx]*c([\s\S]+)$/,
    value: /^-[WX]$/,
    module: /^-[a-zA-Z]*m$/,
    operand: 'file',
    readsInput: true,
  },
  {
    names: /^(?:perl|ruby)[\d.]*$/,
    code: /^-[a-zA-Z0-9]*[eE]$/,
    attached: /^-[a-zA-Z0-9]*?[eE]([\s\S]+)$/,
    operand: 'file',
    readsInput: true,
  },
  {
    names: /^(?:node|nodejs|deno|bun|tsx|ts-node)$/,
    code: /^-(?:[a-z]*[ep]|-eval|-print)$|^eval$/,
    attached: /^(?:-[ep]+|--(?:eval|print)=)([\s\S]+)$/,
    module: /^--test$|^(?:run|test|x|install|add)$/,
    operand: 'file',
    readsInput: true,
  },
  {
    names: /^[gmn]?awk$/,
    code: /^(?:-e|--source)$/,
    attached: /^(?:-e|--source=)([\s\S]+)$/,
    file: /^(?:-f|--file|-E|--exec|-i|--include)$/,
    value: /^(?:-[vFl]|--(?:assign|field-separator|load))$/,
    operand: 'code',
    readsInput: false,
  },
  {
    names: /^g?sed$/,
    code: /^(?:-[nErsuzi]*e|--expression)$/,
    attached: /^(?:-e|--expression=)([\s\S]+)$/,
    file: /^(?:-[nErsuz]*f|--file)$/,
    value: /^(?:-l|--line-length)$/,
    operand: 'code',
    readsInput: false,
  },
  {
    names:
      /^(?:php|lua|luajit|tclsh|wish|Rscript|R|julia|osascript|groovy|guile|racket|elixir|erl|swift|scala|pwsh|powershell|octave|ghci|runghc|clojure|bb|janet|fennel|gnuplot|expect)[\d.]*$/,
    code: /^-(?:[a-zA-Z]*[eErc]|eval|Command|EncodedCommand|-eval|-expression|-command)$/i,
    attached: /^(?:-[eErc]|--(?:eval|expression|command)=)([\s\S]+)$/,
    operand: 'file',
    readsInput: true,
  },
  {
    names: /^(?:vim?|nvim|view|ex|ed|emacs|gdb|lldb)$/,
    code: /^(?:-c|-ex|-iex|-eval|--one-line|--cmd|--eval|--command)$/,
    attached: /^(?:\+|-(?:c|ex)(?=.)|--(?:cmd|eval|command)=)([\s\S]+)$/,
    file: /^-[xS]$/,
    operand: 'data',
    readsInput: true,
  },
  {
    names: /^(?:dc|bc|m4)$/,
    code: /^-(?:e|-expression)$/,
    attached: /^-(?:e|-expression=)([\s\S]+)$/,
    operand: 'file',
    readsInput: true,
  },
  {
    names: /^(?:mysql|mariadb|mongosh|mongo|redis-cli|sqlite3|psql|clickhouse-client|sqlplus|duckdb)$/,
    code: /^(?:-[ec]|--(?:execute|command|eval|cmd))$/,
    attached: /^(?:-[ec]|--(?:execute|command|eval)=)([\s\S]+)$/,
    file: /^(?:-f|--file|-init)$/,
    value: /^(?:-[vhUpdPu]|--(?:set|variable|host|user|dbname|port))$/,
    operand: 'data',
    readsInput: true,
  },
  {
    names: /^g?make$/,
    code: /^--eval$/,
    attached: /^--eval=([\s\S]+)$/,
    file: /^(?:-f|--file|--makefile)$/,
    value: /^-[CjIoWl]$/,
    operand: 'data',
    readsInput: false,
  },
  { names: /^sftp$/, code: NEVER, attached: NEVER, file: /^-b$/, operand: 'data', readsInput: false },
];

export function noteInterpreter(walk: ValueWalk, { name, args, stdin }: ValueCall): void {
  const language = LANGUAGES.find(({ names }) => names.test(name));
  if (language === undefined) return;
  const isDatabase = language.names.test('psql');
  let hasProgram = false;
  for (const [at, arg] of args.entries()) {
    const before = constantText(args[at - 1] ?? arg) ?? '';
    const isAfter = at > 0;
    const text = arg.text ?? '';
    if (isAfter && language.code.test(before)) {
      noteCode(walk, name, arg, isDatabase);
      hasProgram = true;
    } else if (isAfter && language.file?.test(before)) {
      noteProgramFile(walk, name, arg, stdin);
      hasProgram = true;
    } else if (isAfter && language.value?.test(before)) {
      // Its value.
    } else if (language.attached.test(text)) {
      noteCode(walk, name, arg, isDatabase);
      hasProgram = true;
    } else if (language.module?.test(text)) hasProgram = true;
    else if (!/^[-+]./.test(text) && !hasProgram) {
      if (language.operand === 'code') noteCode(walk, name, arg, false);
      else if (language.operand === 'file') noteProgramFile(walk, name, arg, stdin);
      else if (/^sqlite3$/.test(name) && at > 0) noteCode(walk, name, arg, true);
      hasProgram ||= language.operand !== 'data' && text !== '-';
    }
  }
  if (language.readsInput && !hasProgram) noteInput(walk, name, stdin);
  if (
    /^g?make$/.test(name) &&
    ['Makefile', 'makefile', 'GNUmakefile'].some((file) => walk.carriers.mayHaveWritten(file))
  )
    walk.note(walk.carriers.all, 'file', 'Makefile');
}

/** `isDatabase`: it has commands that run programs, which stand at the beginning. */
function noteCode(walk: ValueWalk, name: string, { holes, text = '' }: Argument, isDatabase: boolean): void {
  if (/^g?sed$/.test(name)) {
    // What the value may be is told when it is there, if it stands in the text itself.
    for (const hole of holes) walk.note([hole], text.includes(holeMark(hole)) ? 'sed' : 'code', name, text);
  } else if (
    isDatabase &&
    /^\s*(?:select|insert|update|delete|with|create|alter|drop)\b/i.test(text) &&
    name !== 'mysql'
  )
    walk.note(holes, 'line', name);
  else walk.note(holes, 'code', name);
}

function noteProgramFile(walk: ValueWalk, name: string, arg: Argument, stdin: ValueCall['stdin']): void {
  const text = constantText(arg);
  if (
    arg.prints !== undefined ||
    (text !== undefined && (readsDescriptor(text) || /^\/(?:dev|proc)\//.test(text)))
  )
    return noteInput(walk, name, arg.prints === undefined ? stdin : { kind: 'commands', script: arg.prints });
  if (arg.holes.length === 0) noteFile(walk, arg);
}

function noteInput(walk: ValueWalk, name: string, stdin: ValueCall['stdin']): void {
  walk.note(walk.carriers.carriedByStdin(stdin), 'code', name);
}

/** Programs that read commands for a shell from their standard input. */
export function noteStdinProgram(walk: ValueWalk, { name, stdin }: ValueCall): void {
  if (/^(?:at|batch|crontab)$/.test(name)) walk.note(walk.carriers.carriedByStdin(stdin), 'script', name);
}

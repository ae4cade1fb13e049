// program-arguments: which arguments of a program are more than text to it: program texts, names of variables, options,
// subcommands, words that it is fed.

import type { Possible } from './possible-words.ts';
import { VALUE_OPTIONS } from './programs.ts';
import { HOLE } from './tree.ts';

const ANYTHING: Possible = { pieces: [null], count: 'any' };

export const OPTIONS_ANYWHERE = /^(?:git|tar|rsync|scp|sftp|zip)$/;
/** Programs with options that run something. */
export const OPTIONS_RUN = new Set('git ssh scp sftp rsync tar find zip man less env sudo xargs'.split(' '));

const BINARY = /^(?:=|==|!=|=~|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

/** Bash evaluates the names of variables: `unset 'a[$(rm x)]'` runs `rm x`. */
export function namesVariable(
  name: string,
  texts: readonly (string | undefined)[],
  at: number,
  before: string | undefined,
): boolean {
  const text = texts[at] ?? '';
  if (/^(?:read|mapfile|readarray|unset|let|getopts|compgen|complete)$/.test(name)) return true;
  if (name === 'printf') return before === '-v' || (at === 0 && text.startsWith(HOLE));
  if (name === 'test' || name === '[')
    return before === '-v' || before === '-R' || (text.startsWith(HOLE) && !isOperand(texts, at));
  if (!/^(?:declare|typeset|local|export|readonly)$/.test(name)) return false;
  return !/^[A-Za-z_]\w*=/.test(text) || texts.some((one) => one !== undefined && /^-\w*[inA]/.test(one));
}

/** Not the place of an operator such as `-v`. */
function isOperand(texts: readonly (string | undefined)[], at: number): boolean {
  const [before, after] = [texts[at - 1], texts[at + 1]];
  if (before !== undefined && /^-[a-zA-Z]$|^(?:=|==|!=)$|^-..$/.test(before)) return true;
  return after === undefined || after === ']' || BINARY.test(after);
}

/** Whether the subcommand is one that runs a command; what follows an option may be its value, or the subcommand. */
export function runsSubcommand(
  name: string,
  subcommand: RegExp,
  texts: readonly (string | undefined)[],
): boolean {
  const values = VALUE_OPTIONS.get(name);
  for (const [at, text] of texts.entries()) {
    if (text === undefined) return true;
    if (subcommand.test(text)) return true;
    const before = texts[at - 1] ?? '';
    const isValue = before.startsWith('-') && (values?.test(before) ?? true);
    if (!text.startsWith('-') && !isValue) return false;
  }
  return false;
}

export function setsVariables(name: string): boolean {
  return /^(?:read|mapfile|readarray|printf|export|local|declare|typeset|readonly|unset|let|test|\[|wait|complete|compgen)$/.test(
    name,
  );
}

export function plainWord(text: string): Possible[] {
  return [{ pieces: [text], count: 'one' }];
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

export function readsDescriptor(file: string): boolean {
  return /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/.*\/fd\/\d+)$/.test(file);
}

/** The number of the descriptor that the path is another name for: `/dev//stdin`, `/proc/self/fd/0`. Undefined: none. */
export function descriptorOf(path: string): string | undefined {
  if (path === '-') return '0';
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const plain = `/${names.join('/')}`.replace(/^\/proc\/[^/]+\/root(?=\/)/, '');
  if (!path.startsWith('/') && !path.includes('../dev') && !path.includes('../proc')) return undefined;
  if (/(?:^|\/)dev\/stdin$/.test(plain)) return '0';
  return /\/(?:dev|proc\/.+)\/fd\/(\d+)$/.exec(plain)?.[1];
}

/** Without what makes two spellings of one path. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '').replace(/\/+/g, '/');
}

/** `xargs -I{}`: `{}` is a word read from somewhere; without it such words come at the end. */
export function fed(args: Possible[][], texts: readonly (string | undefined)[]): Possible[][] {
  const flag = texts.findIndex((text) => /^(?:-I|--replace|-i|-J)/.test(text ?? ''));
  const written = texts[flag] ?? '';
  const inline = /^(?:-I|-i|-J|--replace=)(.+)$/.exec(written)?.[1];
  const mark = flag === -1 ? '{}' : (inline ?? (/^-[IJ]$/.test(written) ? texts[flag + 1] : '{}') ?? '{}');
  return [...replaced(replaced(args, mark), '{}'), [ANYTHING]];
}

export function replaced(words: Possible[][], mark: string): Possible[][] {
  if (mark === '') return words;
  return words.map((word) =>
    word.map(({ pieces, count }) => ({
      pieces: pieces.flatMap((piece) =>
        piece?.includes(mark)
          ? piece.split(mark).flatMap((text, index) => (index === 0 ? [text] : [null, text]))
          : [piece],
      ),
      count,
    })),
  );
}

// writing-programs: which arguments of a program are files that it writes.

import { constantOf, type Possible } from './possible-words.ts';
import { baseName, plainWord } from './program-arguments.ts';

interface Arg {
  word: Possible[];
  /** Undefined: it depends. */
  text: string | undefined;
}

/** Options of these that take the word after them, by their letters. */
const VALUES: Readonly<Record<string, string>> = {
  truncate: 'sor',
  touch: 'dtr',
  mkdir: 'm',
  install: 'mogt',
  cp: 't',
  mv: 't',
  ln: 't',
  shred: 'ns',
  split: 'abnlC',
  sed: 'efl',
  gsed: 'efl',
  perl: 'eE',
  ruby: 'e',
  patch: 'pio',
};
const ALL =
  /^(?:tee|touch|truncate|rm|rmdir|mkdir|shred|unlink|mkfifo|mknod|sponge|gzip|gunzip|bzip2|bunzip2|xz|unxz|ed|ex)$/;
/** Their first operand is a mode, an owner, a rule. */
const ALL_BUT_FIRST = /^(?:chmod|chown|chgrp|setfacl|chattr)$/;
const LAST = /^(?:cp|mv|install|ln|rsync|scp)$/;
/** With these options a program writes the file that they name; the value may be attached. */
const OUTPUTS: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^curl$/, /^(?:-[a-zA-Z]*o|--output(?:=|$))(.*)$/],
  [/^wget$/, /^(?:-[a-zA-Z]*O|--output-document(?:=|$))(.*)$/],
  [/^(?:sort|shuf|iconv|strace|time|gtime|pandoc|dot)$/, /^(?:-[a-zA-Z]*o|--output(?:=|$))(.*)$/],
  [/^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|rustc|go|nasm)$/, /^-o(.*)$/],
  [/^openssl$/, /^-out()$/],
  [/^git$/, /^--output=(.+)$/],
  [/^tsc$/, /^--out[Ff]ile()$/],
  [/^esbuild$/, /^--outfile=(.+)$/],
];
/** With these it writes files into the folder that they name. */
const FOLDERS: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^curl$/, /^--output-dir(?:=(.+))?$/],
  [/^wget$/, /^(?:-[a-zA-Z]*P|--directory-prefix(?:=|$))(.*)$/],
];

/** The words of a command that are files which it writes, each with the ways in which it may turn out. */
export function writtenBy([first = [], ...rest]: readonly Possible[][]): Possible[] {
  const args = rest.map((word): Arg => ({ word, text: constantOf(word) }));
  return first.flatMap((possible) => {
    const name = constantOf([possible]);
    return name === undefined ? [] : filesOf(baseName(name), args);
  });
}

function filesOf(name: string, args: readonly Arg[]): Possible[] {
  const operands = operandsOf(args, VALUES[name] ?? '');
  const words = (found: readonly Arg[]) => found.flatMap(({ word }) => word);
  const outputs = [
    ...optionValues(name, args, OUTPUTS),
    ...optionValues(name, args, FOLDERS).flatMap(inside),
  ];
  if (ALL.test(name)) return words(operands);
  if (ALL_BUT_FIRST.test(name)) return words(operands.slice(1));
  if (LAST.test(name)) return copiedTo(name, args, operands);
  if (name === 'dd')
    return args.flatMap(({ text }) => (text?.startsWith('of=') ? plainWord(text.slice(3)) : []));
  if (/^(?:g?sed|perl|ruby)$/.test(name)) return editedInPlace(args, operands);
  if (name === 'yq')
    return args.some(({ text }) => /^(?:-i|--inplace)$/.test(text ?? '')) ? words(operands.slice(1)) : [];
  if (name === 'split') return words(operands.slice(1, 2)).flatMap(inside);
  if (name === 'patch') return words(operands.slice(0, 1));
  if (name === 'xxd')
    return args.some(({ text }) => /^-\w*r/.test(text ?? '')) ? words(operands.slice(1, 2)) : [];
  if (name === 'uniq') return words(operands.slice(1, 2));
  if (name === 'git') return [...outputs, ...gitFiles(args)];
  return outputs;
}

/** What is no option and no value of one. */
function operandsOf(args: readonly Arg[], letters: string): Arg[] {
  const end = args.findIndex(({ text }) => text === '--');
  return args.filter(({ text, word }, at) => {
    if (end !== -1 && at >= end) return at > end;
    if (text === '' || word.every(({ pieces: [first] }) => first?.startsWith('-'))) return false;
    const before = args[at - 1]?.text ?? '';
    const isShort = /^-[a-zA-Z]+$/.test(before) && letters.includes(before.slice(-1));
    return !(isShort && letters !== '');
  });
}

function optionValues(
  name: string,
  args: readonly Arg[],
  table: readonly (readonly [RegExp, RegExp])[],
): Possible[] {
  return table
    .filter(([names]) => names.test(name))
    .flatMap(([, option]) =>
      args.flatMap(({ text }, at) => {
        const found = option.exec(text ?? '');
        if (found === null) return [];
        return found[1] ? plainWord(found[1]) : (args[at + 1]?.word ?? []);
      }),
    );
}

/** Some file below it. */
function inside({ pieces, count }: Possible): Possible {
  return { pieces: [...pieces, '/', null], count };
}

/** The script stands in an option, or is the first operand. */
function editedInPlace(args: readonly Arg[], operands: readonly Arg[]): Possible[] {
  if (!args.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text ?? ''))) return [];
  const hasScript = args.some(({ text }) => /^(?:-[a-zA-Z]*[eEf]|--expression|--file)/.test(text ?? ''));
  return (hasScript ? operands : operands.slice(1)).flatMap(({ word }) => word);
}

/** `git config -f F key value`, `git format-patch -o D`, `git archive -o F`. */
function gitFiles(args: readonly Arg[]): Possible[] {
  const texts = args.map(({ text }) => text);
  const after = (flag: RegExp) =>
    args.flatMap((_, at) => (flag.test(texts[at - 1] ?? '') ? (args[at]?.word ?? []) : []));
  if (texts.includes('config') && operandsOf(args, 'f').length > 2) return after(/^(?:-f|--file)$/);
  if (texts.includes('format-patch')) return after(/^(?:-o|--output-directory)$/).flatMap(inside);
  return texts.includes('archive') ? after(/^(?:-o|--output)$/) : [];
}

/** The target, and what lies in it by the names of the sources. A moved file is written too: it is gone afterwards. */
function copiedTo(name: string, args: readonly Arg[], operands: readonly Arg[]): Possible[] {
  const flag = args.findIndex(({ text }) => /^(?:-t|--target-directory)$/.test(text ?? ''));
  const attached = args
    .map(({ text }) => /^(?:-t|--target-directory=)(.+)$/.exec(text ?? '')?.[1])
    .find((one) => one !== undefined);
  const target =
    attached !== undefined ? plainWord(attached) : flag === -1 ? operands.at(-1)?.word : args[flag + 1]?.word;
  if (target === undefined) return [];
  const sources = operands.filter(({ word }) => word !== target);
  const below = sources.flatMap(({ text }) =>
    text === undefined
      ? []
      : target.map(({ pieces, count }): Possible => ({ pieces: withName(pieces, text), count })),
  );
  return [...target, ...below, ...(name === 'mv' ? sources.flatMap(({ word }) => word) : [])];
}

function withName(pieces: readonly (string | null)[], source: string): (string | null)[] {
  const last = pieces.at(-1);
  const name = `/${source.slice(source.replace(/\/$/, '').lastIndexOf('/') + 1)}`;
  return typeof last === 'string'
    ? [...pieces.slice(0, -1), last.replace(/\/$/, '') + name]
    : [...pieces, name];
}

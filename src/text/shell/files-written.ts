// files-written: the files that a shell line visibly writes: targets of redirections, and arguments of programs that are
// known to write them. What a program writes by itself does not show in the line.

import { commandsRun, type RunCommand } from './commands-run.ts';
import { constantOf, type Possible } from './possible-words.ts';

/** As spelt, those after a `cd` also as they would be from there. Empty for a line that cannot be followed. */
export function filesWritten(line: string): string[] {
  const reading = commandsRun(line);
  if (reading.kind === 'unclear') return [];
  const commands = reading.commands.filter(({ isLoose }) => !isLoose).map(wordsOf);
  const folders = commands.flatMap(([name, ...operands]) => {
    return name === 'cd' || name === 'pushd'
      ? operands.filter((word) => !word.startsWith('-')).slice(0, 1)
      : [];
  });
  const files = [...reading.targets.flatMap(redirectedTo), ...commands.flatMap(namedBy)];
  const below = files
    .filter((file) => !file.startsWith('/'))
    .flatMap((file) => folders.map((folder) => `${folder}/${file}`));
  return [...new Set([...files, ...below])];
}

/** Each text that the target may be; one that only the shell knows is left out. */
function redirectedTo(target: readonly Possible[]): string[] {
  return target.flatMap((possible) => {
    const text = constantOf([possible]);
    return text === undefined || /^(?:\d+-?|-)$/.test(text) ? [] : [text];
  });
}

/** The known words of a command, its name without a folder; what is not known is left out. */
function wordsOf({ words }: RunCommand): string[] {
  const [name = '', ...rest] = words.flatMap((word) => constantOf(word) ?? []);
  return [name.slice(name.lastIndexOf('/') + 1), ...rest];
}

const ALL =
  /^(?:tee|touch|truncate|rm|rmdir|mkdir|shred|unlink|chmod|chown|chgrp|mkfifo|mknod|setfacl|chattr)$/;
const LAST = /^(?:cp|mv|install|ln|rsync|scp)$/;

function namedBy([name = '', ...args]: readonly string[]): string[] {
  const operands = args.filter((word) => !word.startsWith('-'));
  if (ALL.test(name)) return operands;
  if (LAST.test(name)) return copiedTo(name, args, operands);
  if (name === 'dd') return operands.flatMap((word) => (word.startsWith('of=') ? [word.slice(3)] : []));
  if (/^(?:g?sed|perl|ruby)$/.test(name) && args.some((word) => /^(?:-\w*i|--in-place)/.test(word)))
    return operands;
  if (/^(?:sort|curl|wget)$/.test(name))
    return args.flatMap((word, at) =>
      /^(?:-[oO]|--output)$/.test(word)
        ? (args[at + 1] ?? [])
        : (/^(?:-o|-O|--output=)(.+)$/.exec(word)?.[1] ?? []),
    );
  return [];
}

/** The target, and what lies in it by the names of the sources. A moved file is written too: it is gone afterwards. */
function copiedTo(name: string, args: readonly string[], operands: readonly string[]): string[] {
  const flag = args.findIndex((word) => /^(?:-t|--target-directory)$/.test(word));
  const attached = args
    .map((word) => /^(?:-t|--target-directory=)(.+)$/.exec(word)?.[1])
    .find((one) => one !== undefined);
  const target = attached ?? (flag === -1 ? operands.at(-1) : args[flag + 1]);
  if (target === undefined) return [];
  const sources = operands.filter((word) => word !== target);
  const inside = sources.map(
    (source) => `${target.replace(/\/$/, '')}/${source.slice(source.lastIndexOf('/') + 1)}`,
  );
  return [target, ...inside, ...(name === 'mv' ? sources : [])];
}

// reading: a command line that does nothing but look at files, as the tools it stands for. Codex has no tools for
// that: it reads with `cat` and searches with `rg`. Whoever may Read is allowed as much, also without Bash.
// What is not plainly such a line is a command like any other.

import type { JsonObject } from '../../model/json.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import { readScript } from '../../text/shell/shell.ts';
import type { Word } from '../../text/shell/tree.ts';

type Reader = (words: string[]) => Looked[] | undefined;
interface Looked {
  tool: 'Read' | 'Grep' | 'Glob' | 'LS';
  file?: string;
}

/** Undefined: it may do something else. */
export function readingEvents(command: string): ToolAct[] | undefined {
  const commands = split(command);
  if (commands === undefined || commands.length === 0) return undefined;
  const looked: Looked[] = [];
  for (const [name = '', ...words] of commands) {
    const found = Object.hasOwn(READERS, name) ? READERS[name]?.(words) : undefined;
    if (found === undefined) return undefined;
    looked.push(...found);
  }
  const input: JsonObject = { command };
  // Of a pipe's later parts nothing is left; a line without any file still looks at where it stands.
  if (looked.length === 0) return [{ tool: 'LS', input }];
  return looked.map(({ tool, file }) => ({ tool, input, ...(file !== undefined && { file }) }));
}

const files = (words: string[]) => words.filter((word) => !word.startsWith('-'));
const reads: Reader = (words) => (namesMore(words) ? undefined : looksAt('Read', files(words)));

const READERS: Record<string, Reader> = {
  cat: reads,
  nl: reads,
  wc: reads,
  head: (words) => reads(withoutCounts(words)),
  tail: (words) => reads(withoutCounts(words)),
  // Printing a range is all that is known to be harmless: `w`, `e` and `-i` are not.
  sed: ([flag, script = '', ...rest]) =>
    flag === '-n' && /^(\d+|\$)(,(\d+|\$))?p$/.test(script) && files(rest).length === rest.length
      ? reads(rest)
      : undefined,
  ls: (words) => somewhere('LS', files(words)),
  pwd: () => [],
  grep: searches,
  rg: (words) => {
    // These start programs.
    if (words.some((word) => /^(--pre|--hostname-bin|--search-zip|-[a-zA-Z]*z)/.test(word))) return undefined;
    return words.includes('--files') ? somewhere('Glob', files(words)) : searches(words);
  },
  find(words) {
    if (words.some((word) => /^-(exec|ok|delete|fprint|fls|files0)/.test(word))) return undefined;
    const tests = words.findIndex((word) => /^[-(!]/.test(word));
    return somewhere('Glob', tests === -1 ? words : words.slice(0, tests));
  },
};

/** The first word that is no option is what is looked for. */
function searches(words: string[]): Looked[] | undefined {
  return namesMore(words) ? undefined : somewhere('Grep', files(words).slice(1));
}

/** An option with a file of its own. */
function namesMore(words: string[]): boolean {
  return words.some((word) =>
    /^(-[a-zA-Z]*f$|--(file|files0-from|ignore-file|exclude-from)(=|$))/.test(word),
  );
}

function looksAt(tool: Looked['tool'], places: string[]): Looked[] {
  return places.map((file) => ({ tool, file }));
}

/** Without a place it is where the command stands. */
function somewhere(tool: Looked['tool'], places: string[]): Looked[] {
  return places.length === 0 ? [{ tool }] : looksAt(tool, places);
}

/** `-n 20` has its number in a word of its own. */
function withoutCounts(words: string[]): string[] {
  return words.filter((_, index) => !/^-[nc]$/.test(words[index - 1] ?? ''));
}

/** The commands of a line, in words. Undefined where it holds anything but plain commands and plain words. */
function split(line: string): string[][] | undefined {
  const read = readScript(line);
  if (read.kind === 'unclear') return undefined;
  const commands = read.script.flatMap((command) =>
    command.kind === 'pipeline' ? command.parts : [command],
  );
  const plain = commands.map((command) => {
    if (command.kind !== 'simple' || command.words.length === 0) return undefined;
    if (command.assignments.length + command.redirections.length > 0) return undefined;
    const words = command.words.map(plainWord);
    return words.every((word) => word !== undefined) ? words : undefined;
  });
  return plain.every((words) => words !== undefined) ? plain : undefined;
}

/** A word that reaches the program as it is written, quotes aside. */
function plainWord({ parts }: Word): string | undefined {
  const texts = parts.map((part) => {
    if (part.kind !== 'text' || part.posix !== undefined) return undefined;
    return part.quote === 'none' && !/^[\w\-./,:=@%+^]*$/.test(part.text) ? undefined : part.text;
  });
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}

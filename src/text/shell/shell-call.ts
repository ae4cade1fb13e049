// shell-call: what a shell runs that is called by its name: `sh -c '…'`, `bash < f`, `su -c '…'`, a script as its operand.

import type { Call, Walk } from './commands-run.ts';
import { WORD_OPTIONS } from './programs.ts';

export function runShell(walk: Walk, { name, args, texts, stdin, nested }: Call): void {
  const takesUser = /^(?:su|runuser|sg|newgrp)$/.test(name);
  let isScript = false;
  let isInput = false;
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    if (!isScript && walk.substituted(args[at] ?? [])) return;
    if (text === undefined) {
      if (isScript)
        return walk.unclear(
          'a shell runs a text that is known only when it runs; hand the values over: sh -c \'… "$1"\' sh "$x"',
        );
      const isFile = args[at]?.every(
        ({ pieces: [first], count }) => count !== 'any' && first !== null && !first?.startsWith('-'),
      );
      if (isFile && !isInput) return walk.scriptOf(undefined, args[at] ?? [], stdin);
      if (args[at]?.some(({ count }) => count !== 'one'))
        return walk.unclear('a shell is given words that are not known');
      // It may be a file, or `-c`.
      for (const later of texts.slice(at + 1)) if (later !== undefined) walk.maybeLine(later);
      return walk.standardInput(stdin, 'a shell');
    }
    if (/^[-+]./.test(text) && text !== '--') {
      const isWord = WORD_OPTIONS.test(text);
      if (/^(?:-[a-zA-Z]*c[a-zA-Z]*|--command)$/.test(text) && !isWord) isScript = true;
      if (text.startsWith('--command=')) walk.texts([text.slice(10)], 'a shell');
      if (/^-[a-zA-Z]*s/.test(text) && !isWord) isInput = true;
      if (/^--?(?:rcfile|init-file)$/.test(text)) {
        if (!walk.substituted(args[at + 1] ?? []) && texts[at + 1] !== undefined)
          walk.file(texts[at + 1] ?? '', stdin);
      }
      // Each `o` takes a word of its own: `-ooc errexit pipefail 'rm x'`.
      if (/^[-+][a-zA-Z]*[oO][a-zA-Z]*$/.test(text) && !isWord) at += text.match(/[oO]/g)?.length ?? 0;
      else if (/^--?(?:rcfile|init-file|user|group|shell)$/.test(text)) at++;
    } else if (isScript && text !== '--' && text !== '-') {
      return walk.texts([text], 'a shell', stdin);
    } else if (text !== '--' && text !== '-' && !takesUser) {
      if (isInput) return walk.standardInput(stdin, 'a shell');
      walk.scriptOf(text, args[at] ?? [], stdin);
      // Without a folder it is looked for like a command.
      return text.includes('/') ? undefined : walk.run(args.slice(at), stdin, false, nested + 1);
    }
  }
  walk.standardInput(stdin, 'a shell');
}

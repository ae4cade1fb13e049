// value-options: values that a program would take for an option, and options whose value is a command.

import { OPTIONS_ANYWHERE, OPTIONS_RUN } from '../program-arguments.ts';
import { LINE_OPTION, looksLikeShell, PLAIN, SUBCOMMAND_WRAPPERS, startsOf } from '../programs.ts';
import { type Argument, constantText, isExact, leading } from './argument.ts';
import type { ValueCall } from './value-call.ts';
import type { ValueWalk } from './value-walk.ts';

/** Options whose value a program runs: the word after it, or the text attached to it. */
const RUNS_VALUE: readonly (readonly [names: RegExp, option: RegExp, attached: RegExp])[] = [
  [/^split$/, /^--filter$/, /^--filter=/],
  [/^sort$/, /^--compress-program$/, /^--compress-program=/],
  [/^man$/, /^(?:-P|--pager|-H|--html)$/, /^(?:-P|--pager=|-H|--html=)./],
  [/^(?:rsync)$/, /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)$/, /^(?:-e|--rsh=|--rsync-path=)./],
  [
    /^(?:tar|bsdtar|gtar)$/,
    /^(?:-I|-F|--use-compress-program|--to-command|--checkpoint-action|--info-script|--new-volume-script|--rsh-command|--rmt-command)$/,
    /^(?:-I|-F|--(?:use-compress-program|to-command|checkpoint-action|info-script|new-volume-script|rsh-command|rmt-command)=)./,
  ],
  [/^(?:ssh|scp|sftp|rsh|mosh|ssh-keygen|ssh-add)$/, /^-[oFSDJP]$|^--ssh$/, /^(?:-o|-F|-S|--ssh=)./],
  [
    /^(?:npx|npm|pnpm|yarn|bunx)$/,
    /^(?:-c|--call|--script-shell|--node-options)$/,
    /^(?:--call=|--script-shell=|--node-options=)/,
  ],
  [/^zip$/, /^(?:-TT|--unzip-command)$/, /^--unzip-command=/],
  [/^(?:fd|fdfind)$/, /^(?:-[xX]|--exec|--exec-batch)$/, /^--exec(?:-batch)?=/],
  [/^rg$/, /^(?:--pre|--hostname-bin)$/, /^--(?:pre|hostname-bin)=/],
  [/^go$/, /^--?(?:exec|toolexec|vettool)$/, /^--?(?:exec|toolexec|vettool)=/],
  [/^(?:less|more)$/, /^$/, /^\+/],
  [/^(?:docker|podman|nerdctl)$/, /^--entrypoint$/, /^--entrypoint=/],
  [
    /^(?:nodemon|watchexec|entr|hyperfine|concurrently|cargo-watch)$/,
    /^(?:-[xsSpc]|--exec|--shell|--prepare|--setup|--cleanup)$/,
    /^--(?:exec|shell|prepare|setup|cleanup)=/,
  ],
  [/^(?:env)$/, /^(?:-[a-zA-Z]*S|--split-string)$/, /^(?:-[a-zA-Z]*S.|--split-string=)/],
  [
    /^(?:script|su|runuser|flock|sg|nix-shell|newgrp)$/,
    /^(?:-[a-zA-Z]*c|--command|--run)$/,
    /^(?:-[a-zA-Z]*c.|--(?:command|run)=)/,
  ],
  [/^(?:xterm|gnome-terminal|konsole)$/, /^(?:-e|--command)$/, /^--command=/],
  [/^(?:strace|ltrace)$/, /^$/, /^-o[|!]/],
  [
    /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)$/,
    /^(?:-wrapper|-specs|-fplugin)$/,
    /^(?:-wrapper|-specs=|-fplugin=)/,
  ],
  [/^(?:apt|apt-get)$/, /^-o$/, /^-o./],
  [/^(?:ansible|ansible-playbook)$/, /^(?:-a|--args)$/, /^--args=/],
];

/** Options of git that take the next word as their value, also one that begins with `-`; by the subcommand. */
const TAKES_WORD: readonly (readonly [subcommand: RegExp, option: RegExp])[] = [
  [
    /^(?:commit|tag|merge|notes|stash|revert|cherry-pick|am)$/,
    /^(?:-[a-zA-Z]*[mF]|--(?:message|file|author|date|trailer))$/,
  ],
  [/^(?:checkout|switch|worktree)$/, /^-[bBcC]$/],
  [
    /^(?:log|shortlog|rev-list|show)$/,
    /^(?:-[nSG]|--(?:grep|author|committer|since|until|after|before|max-count))$/,
  ],
  [/^clone$/, /^(?:-[bo]|--(?:branch|origin|depth))$/],
];

const FIND_VALUES =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|newer\w*|anewer|cnewer|[acm]min|[acm]time|size|type|xtype|user|group|uid|gid|perm|maxdepth|mindepth|links|inum|samefile|regextype|fstype|used)$/;

export function noteOptions(walk: ValueWalk, call: ValueCall): void {
  const { name, args } = call;
  const texts = args.map((arg) => constantText(arg));
  for (const [names, option, attached] of RUNS_VALUE) {
    if (!names.test(name)) continue;
    for (const [at, arg] of args.entries()) {
      const isValue = at > 0 && option.test(texts[at - 1] ?? '\0');
      if (!isValue && !attached.test(arg.text ?? '')) continue;
      const isSafe = name === 'ssh' && isPlainSetting(arg);
      if (arg.holes.length > 0 && !isSafe)
        walk.note(arg.holes, name === 'docker' ? 'command' : 'script', name);
      else if (isValue) walk.perhapsRead(arg, name);
    }
  }
  if (!looksLikeShell(name) && (startsOf(name) !== undefined || OPTIONS_RUN.has(name)))
    noteDashes(walk, call, texts);
  if (!PLAIN.has(name) && !SUBCOMMAND_WRAPPERS.has(name)) {
    for (const [at, arg] of args.entries())
      if (at > 0 && arg.holes.length > 0 && LINE_OPTION.test(texts[at - 1] ?? ''))
        walk.note(arg.holes, 'line', name);
  }
}

/** `-o ConnectTimeout={{ x }}`: the name of the setting is known, and it runs nothing. */
function isPlainSetting({ text = '' }: Argument): boolean {
  const key = /^(?:-o)?\s*([A-Za-z]+)=/.exec(text)?.[1] ?? '';
  return key !== '' && !/command|include|exec|provider|match|library|config/i.test(key);
}

/** Words that begin with a value, where a word that begins with `-` is an option. */
function noteDashes(
  walk: ValueWalk,
  { name, args }: ValueCall,
  texts: readonly (string | undefined)[],
): void {
  // What `find` runs has options of its own.
  const end = texts.findIndex(
    (text) => text === '--' || (name === 'find' && /^-(?:exec|ok)/.test(text ?? '')),
  );
  const subcommand = texts.find((text) => text !== undefined && /^[a-z]/.test(text)) ?? '';
  for (const [at, arg] of args.entries()) {
    const holes = leading(arg);
    if (holes.length === 0 || (end !== -1 && at > end)) continue;
    // Most programs take options before their other words only.
    const isFirst = texts.slice(0, at).every((text) => text?.startsWith('-'));
    if (!isFirst && !OPTIONS_ANYWHERE.test(name) && name !== 'find') continue;
    const before = texts[at - 1] ?? '';
    if (name === 'git' && TAKES_WORD.some(([of, option]) => of.test(subcommand) && option.test(before)))
      continue;
    if (name === 'find' && FIND_VALUES.test(before)) continue;
    if (/^[gmn]?awk$/.test(name) && /^-[vF]$/.test(before)) continue;
    // Whether it begins with `-` can be told when it is there, unless something else is made of it first.
    walk.note(holes, isExact(arg) || isWritten(arg) ? 'option' : 'options', name);
  }
}

function isWritten({ text = '' }: Argument): boolean {
  return text.codePointAt(0) === 0xf8f0;
}

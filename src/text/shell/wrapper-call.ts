// wrapper-call: what programs run that are given a command as words (`timeout 5 rm x`, `docker exec c rm x`) or as a line
// (`watch 'rm x'`, `env -S 'rm x'`).

import type { Call, Walk } from './commands-run.ts';
import { baseName, fed, readsDescriptor, replaced, runsSubcommand } from './program-arguments.ts';
import {
  COMMAND_VARIABLES,
  FEEDERS,
  GIT_SETTINGS,
  LINE_OPTION,
  LINE_TAKERS,
  looksLikeShell,
  RUNS_LINES,
  SUBCOMMAND_WRAPPERS,
  VALUE_OPTIONS,
  WRAPPERS,
} from './programs.ts';
import { readScript } from './read-script.ts';

export function runWrapped(walk: Walk, { name, args, texts, stdin, nested }: Call): void {
  if (name === 'command' && /^-[vV]$/.test(texts[0] ?? '')) return;
  const isFed = FEEDERS.has(name);
  const given = isFed ? fed(args, texts) : args;
  if (
    isFed &&
    !texts.some((text) => text !== undefined && !text.startsWith('-')) &&
    name !== 'xargs' &&
    stdin.kind !== 'none'
  )
    return walk.unclear(`\`${name}\` runs lines that are known only when it runs`);
  let ownWords = WRAPPERS.get(name) ?? 0;
  const values = VALUE_OPTIONS.get(name);
  const subcommand = SUBCOMMAND_WRAPPERS.get(name);
  if (subcommand !== undefined) {
    // After `exec` come a container or a folder, and then the command.
    if (!runsSubcommand(name, subcommand, texts)) return;
    ownWords = 3;
  }
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    const isOption = text !== undefined && (text.startsWith('-') || /^[A-Za-z_]\w*\+?=/.test(text));
    const before = texts[at - 1];
    const isValue =
      at > 0 && (before === undefined || (before.startsWith('-') && (values?.test(before) ?? true)));
    if (!isOption && !(isValue && values !== undefined)) walk.run(given.slice(at), stdin, false, nested + 1);
    if (text !== undefined && !isOption && !isValue && ownWords-- <= 0) return;
  }
}

/** A program that nothing is known about may run its arguments. */
export function runPerhapsWrapped(walk: Walk, { name, args, texts, stdin, nested }: Call): void {
  if (looksLikeShell(name) || WRAPPERS.has(name) || SUBCOMMAND_WRAPPERS.has(name)) return;
  for (let at = 0; at < Math.min(texts.length, 12); at++) {
    const text = texts[at];
    const isAfterOption = LINE_OPTION.test(texts[at - 1] ?? '');
    if (text !== undefined && isAfterOption) walk.maybeLine(text);
    if (text !== undefined && looksLikeShell(baseName(text)))
      walk.run(args.slice(at), stdin, false, nested + 1);
    else if (args[at]?.some(({ pieces: [first] }) => first !== null && !/^-|^$/.test(first ?? '')))
      // Behind a known wrapper a program is more likely another one.
      walk.add({ words: args.slice(at), isLoose: nested === 0 });
  }
}

/** `watch` and `ssh` make one line of their words. */
export function runJoined(walk: Walk, { name, texts }: Call): void {
  if (!/^(?:watch|ssh|rsh|g?parallel)$/.test(name)) return;
  const end = texts.indexOf(':::');
  const from = texts.findIndex((text) => !text?.startsWith('-'));
  for (const start of [from, from + 1]) {
    const words = texts.slice(Math.max(start, 0), end === -1 ? undefined : end);
    if (words.every((text) => text !== undefined)) walk.maybeLine(words.join(' '));
    else if (name === 'watch') walk.unclear('`watch` runs a text that is known only when it runs');
  }
}

/** `npx -c 'rm x'`, `env -S 'rm x'`, `watch 'rm x'`, `env EDITOR='rm x' git commit`: texts that are lines for a shell. */
export function runLines(walk: Walk, { name, texts }: Call): void {
  const starts = SUBCOMMAND_WRAPPERS.get(name);
  const isMultiplexer = /^(?:tmux|screen)$/.test(name) && texts.some((text) => starts?.test(text ?? ''));
  const takesAny = LINE_TAKERS.has(name) || isMultiplexer;
  for (const [at, text] of texts.entries()) {
    if (text === undefined) continue;
    const [, variable = '', value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? [];
    if (GIT_SETTINGS.test(variable) || (/^(?:BASH_)?ENV$/.test(variable) && readsDescriptor(value ?? '')))
      return walk.unclear(`\`${variable}\` is set in a way that is not followed`);
    const isCommand =
      COMMAND_VARIABLES.test(variable) || (/^(?:ssh|scp|sftp)$/.test(name) && /command$/i.test(variable));
    if (value !== undefined && isCommand) walk.maybeLine(value);
    const attached =
      /^(?:-S|--split-string=|--[\w-]+=)([\s\S]*)$/.exec(text)?.[1] ??
      (/^(?:script|su|runuser|flock|npx|sg)$/.test(name) ? /^-\w*?c([\s\S]+)$/.exec(text)?.[1] : undefined);
    const rest = texts
      .slice(at + 1)
      .map((one) => one ?? '"$x"')
      .join(' ');
    if (attached !== undefined) for (const one of [attached, `${attached} ${rest}`]) walk.maybeLine(one);
    const isSplit = texts[at - 1] === '-S' || texts[at - 1] === '--split-string';
    if (isSplit) walk.maybeLine(`${text} ${rest}`);
    if (/\s/.test(text) && (takesAny || LINE_OPTION.test(texts[at - 1] ?? ''))) {
      if (RUNS_LINES.has(name) && readScript(text).kind === 'unclear')
        walk.unclear(`\`${name}\` runs a text that cannot be followed`);
      walk.maybeLine(text);
    }
  }
}

export function runFound(walk: Walk, { args, texts, stdin, nested }: Call): void {
  for (let at = 0; at < texts.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(texts[at] ?? '-exec')) continue;
    const end = texts.findIndex((text, index) => index > at && (text === ';' || text === '+'));
    const inner = replaced(args.slice(at + 1, end === -1 ? undefined : end), '{}');
    walk.run(inner, stdin, false, nested + 1);
  }
}

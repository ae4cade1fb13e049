// wrapper-call: what programs run that are given a command as words (`timeout 5 rm x`, `docker exec c rm x`) or as a line
// (`watch 'rm x'`, `env -S 'rm x'`).

import type { Call, Walk } from './commands-run.ts';
import { baseName, fed, plainWord, readsDescriptor, replaced, runsSubcommand } from './program-arguments.ts';
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
import type { Stdin } from './stdin.ts';

export function runWrapped(walk: Walk, call: Call): void {
  const at =
    call.name === 'env' ? call.texts.findIndex((text) => /^(?:-C|--chdir)(?:=|$)/.test(text ?? '')) : -1;
  const folder = /^--chdir=(.+)$/.exec(call.texts[at] ?? '')?.[1] ?? call.texts[at + 1];
  if (at === -1 || folder === undefined) runWords(walk, call);
  else walk.inFolder([folder], () => runWords(walk, call));
}

function runWords(walk: Walk, { name, args, texts, stdin, nested }: Call): void {
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
    const isValue = at === 0 ? 'no' : takesValue(values, texts[at - 1]);
    if (!isOption && isValue !== 'yes') walk.run(given.slice(at), stdin, false, nested + 1);
    if (text !== undefined && !isOption && isValue === 'no' && ownWords-- <= 0) return;
  }
  if (!isFed) runInput(walk, name, texts, stdin);
}

/** Whether the word after this one is its value. What is not known may be an option, or the value of one. */
function takesValue(values: RegExp | undefined, before: string | undefined): 'yes' | 'no' | 'maybe' {
  if (before === undefined) return 'maybe';
  if (!before.startsWith('-') || before === '--') return 'no';
  if (values === undefined) return 'maybe';
  if (values.test(before)) return 'yes';
  if (before.startsWith('--')) return before.includes('=') ? 'no' : 'maybe';
  // Several letters may be several options, of which the last takes the value.
  return [...before.slice(2)].some((letter) => values.test(`-${letter}`)) ? 'maybe' : 'no';
}

/** They start a shell where they are given no command; the rest of the wrappers do nothing then. */
const SHELL_STARTERS =
  /^(?:sudo|doas|unshare|chroot|nsenter|ssh-agent|fakeroot|proot|firejail|bwrap|script|ssh|rsh|mosh|pkexec|setarch|linux32|linux64|newgrp|dbus-run-session)$/;

/** A wrapper without a command: what arrives at its standard input may be commands. */
function runInput(walk: Walk, name: string, texts: readonly (string | undefined)[], stdin: Stdin): void {
  if (SHELL_STARTERS.test(name)) walk.standardInput(stdin, name);
  const operands = texts.filter((text) => text === undefined || !text.startsWith('-'));
  if (/^(?:docker|podman|nerdctl)$/.test(name) && operands.length <= 2) walk.maybeInput(stdin);
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
    if (words.every((text) => text !== undefined)) {
      walk.maybeLine(words.join(' '));
      // What stands behind `:::` is put in, or added.
      for (const value of end === -1 ? [] : texts.slice(end + 1, end + 9))
        walk.maybeLine(filled(words.join(' '), value ?? '"$x"'));
    } else if (name === 'watch') walk.unclear('`watch` runs a text that is known only when it runs');
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
      (name === 'env' ? /^-[a-zA-Z]*S([\s\S]+)$/.exec(text)?.[1] : undefined) ??
      (/^(?:script|su|runuser|flock|npx|sg)$/.test(name) ? /^-\w*?c([\s\S]+)$/.exec(text)?.[1] : undefined);
    const rest = texts
      .slice(at + 1)
      .map((one) => one ?? '"$x"')
      .join(' ');
    if (attached !== undefined)
      for (const one of [attached, `${attached} ${rest}`]) walk.maybeLine(split(name, one));
    const isSplit = /^(?:-[a-zA-Z]*S|--split-string)$/.test(texts[at - 1] ?? '');
    if (isSplit) walk.maybeLine(split(name, `${text} ${rest}`));
    if (/\s/.test(text) && (takesAny || LINE_OPTION.test(texts[at - 1] ?? ''))) {
      if (RUNS_LINES.has(name) && readScript(text).kind === 'unclear')
        walk.unclear(`\`${name}\` runs a text that cannot be followed`);
      walk.maybeLine(text);
    }
  }
}

function filled(line: string, value: string): string {
  return line.includes('{}') ? line.replaceAll('{}', value) : `${line} ${value}`;
}

/** `env -S` has escapes of its own for a blank. */
function split(name: string, text: string): string {
  return name === 'env' ? text.replace(/\\[_tnfrv]/g, ' ') : text;
}

/** `find -exec`, `fd --exec`. */
export function runFound(walk: Walk, { name, args, texts, stdin, nested }: Call): void {
  const flag = name === 'find' ? /^-(?:exec|execdir|ok|okdir)$/ : /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/;
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    const attached = name === 'find' ? undefined : /^(?:-[xX]|--exec(?:-batch)?=)(.+)$/.exec(text ?? '')?.[1];
    if (attached !== undefined)
      walk.run([plainWord(attached), ...args.slice(at + 1)], stdin, false, nested + 1);
    if (text === undefined ? name !== 'find' : !flag.test(text)) continue;
    const end = texts.findIndex((text, index) => index > at && (text === ';' || text === '+'));
    const inner = replaced(args.slice(at + 1, end === -1 ? undefined : end), '{}');
    walk.run(inner, stdin, false, nested + 1);
  }
}

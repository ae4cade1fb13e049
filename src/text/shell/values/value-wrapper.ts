// value-wrapper: programs that run the words after them (`timeout 5 npm test`), also with words that they read
// (`xargs`), or that make a line of their words (`watch`, `ssh`).

import { OPTIONS_RUN, runsSubcommand } from '../program-arguments.ts';
import { FEEDERS, looksLikeShell, SUBCOMMAND_WRAPPERS, VALUE_OPTIONS, WRAPPERS } from '../programs.ts';
import { type Argument, constantText, constantWord, leading, UNKNOWN } from './argument.ts';
import type { ValueCall } from './value-call.ts';
import { noteAssignment } from './value-variables.ts';
import type { ValueWalk } from './value-walk.ts';

/** They name a container, a machine or a folder before the command. */
const CONTAINERS =
  /^(?:docker|podman|nerdctl|kubectl|oc|buildah|docker-compose|lxc|incus|multipass|distrobox|toolbox|tmux|screen|ip)$/;
const CONTAINER_VALUES =
  /^(?:-[a-zA-Z]*[uwevpmlhcnfP]|--(?:user|workdir|env|env-file|volume|publish|name|network|mount|platform|cpus|memory|label|add-host|hostname|container|namespace|context|kubeconfig|file|project-name|profile|pull|gpus|shm-size|restart|tmpfs|device|cap-add|cap-drop|security-opt|ulimit|index|detach-keys|target|image|filter|project|directory|python|with|package|extra|group|env))$/;

export function noteWrapped(walk: ValueWalk, call: ValueCall): void {
  const { name, args, stdin, nested } = call;
  const subcommand = SUBCOMMAND_WRAPPERS.get(name);
  if (
    (!WRAPPERS.has(name) && subcommand === undefined) ||
    FEEDERS.has(name) ||
    /^(?:ssh|rsh|mosh|dsh|pssh)$/.test(name)
  )
    return;
  const texts = args.map(constantText);
  if (name === 'command' && /^-[vV]$/.test(texts[0] ?? '')) return;
  if (subcommand !== undefined && !runsSubcommand(name, subcommand, texts)) return;
  for (const at of startsOf(walk, name, args)) {
    // An image has a command of its own, and takes words for it.
    const [first] = args.slice(at);
    if (texts.includes('run') && CONTAINERS.test(name) && first !== undefined && first.holes.length > 0)
      walk.note(first.holes, 'line', name);
    else walk.run(args.slice(at), stdin, nested + 1);
  }
}

/** Where the command may begin that a wrapper is given. */
function startsOf(walk: ValueWalk, name: string, args: readonly Argument[]): number[] {
  const subcommand = SUBCOMMAND_WRAPPERS.get(name);
  const values = subcommand === undefined ? VALUE_OPTIONS.get(name) : CONTAINER_VALUES;
  let own = WRAPPERS.get(name) ?? (CONTAINERS.test(name) ? 1 : 0);
  let isBefore = subcommand !== undefined;
  const found: number[] = [];
  for (const [at, arg] of args.entries()) {
    const text = constantText(arg);
    const written = arg.text ?? '';
    const before = constantText(args[at - 1] ?? constantWord('')) ?? '';
    const isAfterOption = at > 0 && before.startsWith('-') && before !== '--';
    if (isBefore) {
      // `docker compose run app npm test`
      isBefore = !(
        subcommand?.test(text ?? '') && !/^(?:compose|container|tool|netns|vrf)$/.test(text ?? '')
      );
      continue;
    }
    if (/^-/.test(written)) continue;
    if (noteAssignment(walk, arg)) continue;
    if (isAfterOption && values?.test(before)) continue;
    // Without a shell name, a word after an unknown option is its value or the command.
    if (isAfterOption && values === undefined && leading(arg).length === 0) found.push(at);
    if (isAfterOption && values === undefined) continue;
    if (own > 0) {
      own--;
      continue;
    }
    // `sudo $OPTIONS npm test`
    if (arg.isOpen && arg.holes.length === 0 && arg.text !== undefined && /^\u0002/.test(arg.text)) continue;
    return [...found, at];
  }
  return found;
}

/** `echo {{ x }} | xargs npm test`: the words that are read become words of the command. */
export function noteFed(walk: ValueWalk, call: ValueCall): void {
  const { name, args, stdin, nested } = call;
  if (!FEEDERS.has(name)) return;
  const texts = args.map(constantText);
  const list = args[texts.findIndex((text) => /^(?:-a|--arg-file)$/.test(text ?? '')) + 1];
  const isListed = texts.some((text) => /^(?:-a|--arg-file)/.test(text ?? ''));
  const holes = [
    ...walk.carriers.carriedByStdin(stdin),
    ...(isListed
      ? [...(list?.holes ?? []), ...(walk.carriers.mayHaveWritten(list?.text) ? walk.carriers.all : [])]
      : []),
  ];
  const flag = texts.findIndex((text) => /^(?:-I|--replace|-i|-J)/.test(text ?? ''));
  const written = texts[flag] ?? '';
  const mark =
    flag === -1
      ? '{}'
      : (/^(?:-I|-i|-J|--replace=)(.+)$/.exec(written)?.[1] ??
        (/^-[IJ]$/.test(written) ? texts[flag + 1] : '{}') ??
        '{}');
  const [start] = startsOf(walk, name, args);
  if (start === undefined) {
    if (name !== 'xargs') walk.note(holes, 'script', name);
    return;
  }
  const given = args
    .slice(start)
    .map(
      (arg): Argument =>
        mark !== '' && arg.text?.includes(mark)
          ? { ...arg, text: arg.text.split(mark).join(UNKNOWN), holes: [...arg.holes, ...holes] }
          : arg,
    );
  const words =
    flag === -1 || name !== 'xargs'
      ? [...given, { text: UNKNOWN, holes, isSplit: false, isOpen: true }]
      : given;
  noteFedWords(walk, words, holes);
  if (name !== 'xargs')
    walk.note(
      args.flatMap((arg) => arg.holes),
      'script',
      name,
    );
  walk.run(words, { kind: 'none' }, nested + 1);
}

/** Words that are read may be options: only before something that runs what options say does that matter. */
function noteFedWords(walk: ValueWalk, words: readonly Argument[], holes: readonly number[]): void {
  const [first, ...others] = words;
  const name = constantText(first ?? constantWord('')) ?? '';
  const base = name.slice(name.lastIndexOf('/') + 1);
  const isEnded = others.some((arg) => constantText(arg) === '--');
  if (OPTIONS_RUN.has(base) && !isEnded && others.some((arg) => leading(arg).length > 0))
    walk.note(holes, 'options', base);
}

export function noteFound(walk: ValueWalk, { args, stdin, nested }: ValueCall): void {
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(constantText(args[at] as Argument) ?? '')) continue;
    const end = args.findIndex((arg, index) => index > at && /^[;+]$/.test(constantText(arg) ?? ''));
    const inner = args
      .slice(at + 1, end === -1 ? undefined : end)
      .map((arg): Argument => ({ ...arg, text: arg.text?.split('{}').join(UNKNOWN) }));
    walk.run(inner, stdin, nested + 1);
  }
}

/** They make a line of their words, for a shell of this machine. */
const JOINS = /^(?:watch|hyperfine|concurrently|at|batch|sem|retry)$/;

export function noteLines(walk: ValueWalk, { name, args }: ValueCall): void {
  const isMultiplexer = /^(?:tmux|screen)$/.test(name);
  if (!JOINS.test(name) && !isMultiplexer) return;
  const starts = SUBCOMMAND_WRAPPERS.get(name);
  if (isMultiplexer && !args.some((arg) => starts?.test(constantText(arg) ?? ''))) return;
  for (const [at, arg] of args.entries()) {
    const before = constantText(args[at - 1] ?? constantWord('')) ?? '';
    const isOwn =
      /^-/.test(before) &&
      !/^-(?:c|x|-exec|-command)$/.test(before) &&
      leading(arg).length > 0 &&
      at < args.length - 1;
    const isName = isMultiplexer && /^-[tsnc]$/.test(before);
    if (arg.holes.length > 0 && !isOwn && !isName) walk.note(arg.holes, 'script', name);
    else if (arg.holes.length === 0 && /\s/.test(arg.text ?? '')) walk.readAgain([arg], name);
  }
}

/** A shell of another machine reads the words after the host as a line, or its input where there are none. */
export function noteRemote(walk: ValueWalk, { name, args, stdin }: ValueCall): void {
  if (!/^(?:ssh|rsh|mosh|dsh|pssh)$/.test(name)) return;
  const values = /^-[bcDEeFIiJLlmOopQRSWwBP]$/;
  const operands = args.filter((arg, at) => {
    const before = constantText(args[at - 1] ?? constantWord('')) ?? '';
    return !/^-/.test(arg.text ?? '') && !(at > 0 && values.test(before));
  });
  const [, ...words] = operands;
  for (const arg of words) {
    if (arg.holes.length > 0) walk.note(arg.holes, 'line', name);
    else if (looksLikeShell(constantText(arg) ?? ''))
      walk.readInput(words.length > 1 ? { kind: 'none' } : stdin, name);
  }
  if (words.length === 0) walk.note(walk.carriers.carriedByStdin(stdin), 'script', name);
}

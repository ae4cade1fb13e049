// value-git: where git takes a command: settings, aliases, `--exec`, `rebase -x`, `submodule foreach`, `bisect run`.

import { GIT_COMMANDS } from '../git-call.ts';
import { type Argument, constantText } from './argument.ts';
import type { ValueCall } from './value-call.ts';
import type { ValueWalk } from './value-walk.ts';

/** The word after one of these is a command. */
const TAKES_COMMAND =
  /^(?:-x|--exec|--extcmd|--upload-pack|--receive-pack|foreach|--\w+-filter|--open-files-in-pager|--textconv|--sequence-editor|--config-env)$/;
const WITH_COMMAND =
  /^(?:--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager|\w+-filter|config-env)=|-O|-x)(?=[\s\S])/;

export function noteGit(walk: ValueWalk, { args }: ValueCall): void {
  const texts = args.map((arg) => constantText(arg) ?? '');
  const subcommand = texts.findIndex(
    (text, at) => text !== '' && !text.startsWith('-') && !/^-[Cc]$/.test(texts[at - 1] ?? ''),
  );
  const name = texts[subcommand] ?? '';
  for (const [at, arg] of args.entries()) {
    const before = texts[at - 1] ?? '';
    if (before === '-c' && at - 1 < (subcommand === -1 ? args.length : subcommand)) noteSetting(walk, arg);
    if (before === '-c' && name === 'clone') noteSetting(walk, arg);
    const isPack = before === '-u' && /^(?:clone|fetch|pull|ls-remote|push)$/.test(name);
    const isRun = before === 'run' && name === 'bisect';
    if ((at > 0 && TAKES_COMMAND.test(before)) || isPack || isRun) noteCommand(walk, name, args.slice(at));
    if (WITH_COMMAND.test(arg.text ?? '')) noteCommand(walk, name, [arg]);
  }
  if (name === 'config') noteConfig(walk, args.slice(subcommand + 1));
  if (name === 'for-each-repo') walk.unclear('git runs itself in other repositories');
}

function noteCommand(walk: ValueWalk, name: string, args: readonly Argument[]): void {
  const isRest = /^(?:submodule|bisect)$/.test(name);
  for (const arg of isRest ? args : args.slice(0, 1)) {
    if (arg.holes.length > 0) walk.note(arg.holes, 'script', `git ${name}`);
    else walk.perhapsRead(arg, `git ${name}`);
  }
}

/** `-c user.name={{ x }}` is a text, `-c core.pager={{ x }}` a command, `-c {{ x }}` either. */
function noteSetting(walk: ValueWalk, arg: Argument): void {
  const [, key, value] = /^([\w.*/:-]+)=([\s\S]*)$/.exec(arg.text ?? '') ?? [];
  noteSet(walk, key, value === undefined ? arg : { ...arg, text: value });
}

function noteConfig(walk: ValueWalk, args: readonly Argument[]): void {
  const words = args.filter(({ text }) => !/^--?[a-z-]+$/.test(text ?? '') && text !== 'set');
  const [key, ...values] = words;
  if (key === undefined) return;
  const name = key.holes.length > 0 && values.length === 0 ? '' : constantText(key);
  for (const value of values) noteSet(walk, name, value);
  if (key.holes.length > 0 && values.length > 0) walk.note(key.holes, 'script', 'git config');
}

function noteSet(walk: ValueWalk, key: string | undefined, value: Argument): void {
  const isCommand =
    key === undefined ||
    /^(?:alias|include|includeif|url|filter|hook|core\.(?:hooks|attributes|worktree|sshc|gitp|askp))/i.test(
      key,
    ) ||
    GIT_COMMANDS.test(key.toLowerCase());
  if (value.holes.length > 0 && isCommand) walk.note(value.holes, 'script', 'a setting of git');
  if (value.holes.length > 0 || !isCommand) return;
  const text = constantText(value);
  if (text !== undefined) walk.perhapsRead({ ...value, text: text.replace(/^!/, '') }, 'git');
}

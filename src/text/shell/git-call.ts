// git-call: what git runs for a line: aliases and settings that are commands, `--exec`, `rebase -x`, `submodule foreach`.

import type { Call, Walk } from './commands-run.ts';
import type { Possible } from './possible-words.ts';

const ANYTHING: Possible = { pieces: [null], count: 'any' };
/** Settings of git whose value is a command. */
export const GIT_COMMANDS =
  /editor|pager|program|command|helper|cmd|textconv|driver|proxy|askpass|external|fsmonitor|process|clean|smudge|browser|sendmail|packobjects/;

export function runGit(walk: Walk, { args, texts, nested }: Call): void {
  for (const [at, text] of texts.entries()) {
    const before = texts[at - 1] ?? '';
    const setting = /^(?:-c|--config-env=?|--config|--add|--replace-all|set)$/.test(before)
      ? text
      : undefined;
    const [, key = '', value] = /^([\w.-]+)=([\s\S]*)$/.exec(setting ?? '') ?? [];
    if (value !== undefined) runSetting(walk, key, value, nested, texts.slice(at + 2));
    if (/^alias\./i.test(before) && text !== undefined) runSetting(walk, before, text, nested, []);
    if (text === undefined && before === '-c')
      return walk.unclear('a setting of git is known only when it runs');
    if (
      /^(?:-\w*x|-u|--exec|--extcmd|--upload-pack|--receive-pack|foreach|--recursive|run|--\w+-filter)$/.test(
        before,
      ) &&
      text !== undefined
    ) {
      walk.maybeLine(text);
      walk.run(args.slice(at), { kind: 'none' }, true, nested + 1);
    }
    if (/^--config-env/.test(text ?? '')) return walk.unclear('a setting of git is given in a variable');
    const [, line] =
      /^(?:--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager|\w+-filter)=|-O|-x)([\s\S]+)$/.exec(
        text ?? '',
      ) ?? [];
    if (line !== undefined) walk.maybeLine(line);
  }
  if (texts.includes('for-each-repo')) walk.unclear('git runs itself in other repositories');
}

function runSetting(
  walk: Walk,
  written: string,
  value: string,
  nested: number,
  rest: readonly (string | undefined)[],
): void {
  const key = written.toLowerCase();
  if (value.startsWith('!')) {
    walk.maybeLine(value.slice(1));
    walk.maybeLine(`${value.slice(1)} ${rest.map((text) => text ?? '"$x"').join(' ')}`);
  } else if (key.startsWith('alias.')) {
    if (/["'\\]/.test(value)) return walk.unclear('an alias of git has quotes in it');
    const words = `git ${value}`.split(/\s+/).map((text): Possible[] => [{ pieces: [text], count: 'one' }]);
    walk.run([...words, [ANYTHING]], { kind: 'none' }, false, nested + 1);
  } else if (/\s/.test(value) || GIT_COMMANDS.test(key)) walk.maybeLine(value);
}

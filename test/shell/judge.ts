// judge: what Lockstep says about a shell line.

import { whyWithheld } from '../../src/engine/guard/tool-lists.ts';

/** Why the lists of a step do not let an agent run the line; undefined: they do. */
export function refusal(lists: { allow?: string[]; deny?: string[] }, line: string): string | undefined {
  const call = { tool: 'Bash', input: { command: line }, command: line };
  return whyWithheld({ allow: lists.allow, deny: lists.deny ?? [] }, call, { root: '/work/project' });
}

/** A program and its arguments are `git push`, whatever options of git stand between. */
export function isPush([program, ...words]: readonly string[]): boolean {
  if (program !== 'git') return false;
  const valued = new Set([
    '-C',
    '-c',
    '--git-dir',
    '--work-tree',
    '--namespace',
    '--exec-path',
    '--config-env',
    '--super-prefix',
  ]);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith('-')) return word === 'push';
    if (valued.has(word)) at++;
  }
  return false;
}

export function isRemoval([program]: readonly string[]): boolean {
  return program === 'rm';
}

/** Whether the program, as it was started, is what one of these items names. `*` is any text. */
export function fitsPatterns(items: readonly string[], program: readonly string[]): boolean {
  // An expansion may have left nothing of the last words: `git diff $x`.
  const texts = [program.join(' '), `${program.join(' ')} `];
  return items.some((item) => {
    const pattern = item
      .replace(/^Bash\(/, '')
      .replace(/\)$/, '')
      .replace(/:\*$/, '*');
    const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}/]/g, '\\$&'));
    return texts.some((text) => new RegExp(`^${parts.join('[^]*')}$`).test(text));
  });
}

/** All that is wrong in one message: the first alone would hide the others. */
export function reportOf(problems: readonly string[], of: number): string {
  return problems.length === 0 ? '' : `${problems.length} of ${of}:\n${problems.join('\n')}`;
}

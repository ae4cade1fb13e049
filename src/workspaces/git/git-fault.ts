// git-fault: what git says when it fails, and what to do about it.

import { Fault } from '../../model/fault.ts';
import { shellWord } from '../../text/shell/quote.ts';

export function gitFault(root: string, args: string[], said: string): Fault {
  if (said.includes('dubious ownership')) {
    const folder = /repository at '(.+)'/.exec(said)?.[1] ?? root;
    return new Fault('git-refused', `git does not read ${folder}: the folder belongs to another user`, {
      hint: `If you trust it: git config --global --add safe.directory ${shellWord(folder)}`,
    });
  }
  if (said.includes('not a git repository'))
    return new Fault('not-a-git-repository', `${root} is no longer in a git repository: ${said}`);
  const hint = /bad object|unknown revision|Not a valid object/.test(said)
    ? 'The commit the run began at is not in this repository any more: it was rewritten and cleaned up, or fetched without its history.'
    : undefined;
  return new Fault('git-failed', `"git ${args.join(' ')}" failed in ${root}: ${said}`, { hint });
}

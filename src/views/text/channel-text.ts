// channel-text: how a word reached a run, in a few words.

import type { Channel } from '../../model/entry.ts';

const MOST_ABOVE = 6;

export function channelText({ kind, pid, above, terminal, step, unchecked }: Channel): string {
  if (kind === 'terminal')
    return `typed where the run was driven${terminal === undefined ? '' : ` (${terminal})`}`;
  if (kind === 'form')
    return `put into a form of an MCP client, which says that a person did; server process ${pid}`;
  if (kind === 'session')
    return `typed as a prompt in the session${above[0] === undefined ? '' : ` of ${above[0]}`}, as its client says`;
  if (kind === 'page')
    return `in the page of lockstep ui${terminal === undefined ? '' : `, which was started in ${terminal}`}; server process ${pid}`;
  const shown = above.slice(0, MOST_ABOVE).join(' < ');
  const more = above.length > MOST_ABOVE ? ' < …' : '';
  const where = [
    terminal === undefined ? 'without a terminal: it may not have been typed by a person' : `in ${terminal}`,
    ...(step === undefined ? [] : [`from the step ${step}`]),
    `process ${pid}${above.length === 0 ? '' : ` < ${shown}${more}`}`,
    ...(unchecked ? ['not checked: this system does not show other processes'] : []),
  ];
  return `with a command, ${where.join('; ')}`;
}

/** Whether a person may have been far when it was said. */
export function isUnattended(channel: Channel | undefined): boolean {
  return channel?.kind === 'command' && channel.terminal === undefined;
}

// mark-session-status: { status, target }. Says where this session or its parent stands. A session that is ready to be handed
// over has a handoff: one is made where there is none that waits, so that exactly one session goes on from it. Gives the status.

import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import { textArgument, wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { plainHandoff } from './handoff-of.ts';
import { givenTo, note, sessionOf } from './live-call.ts';

export function markSessionStatus(call: HandlerCall): Handled {
  const given = givenTo(call);
  const status = textArgument(given, 'status').trim().toLowerCase().replaceAll('-', '_');
  if (!/^[a-z0-9_]{1,40}$/.test(status)) throw wrong('status', 'a word', given.status);
  const { key, sessions } = sessionOf(call);
  const target = given.target ?? 'this';
  if (target !== 'this' && target !== 'self' && target !== 'parent')
    throw wrong('target', '`this` or `parent`', given.target);
  const marked = target === 'parent' ? sessions.get(key)?.parent : key;
  if (marked === undefined)
    throw new Breakdown(
      {
        class: 'error',
        message: 'the session has no parent to mark',
        hint: 'Find one with `call: find-parent-session` first, and ask for it: `if: session.parent != ""`.',
      },
      UNPERFORMABLE,
    );
  const at = new Date(call.context.clock.now()).toISOString();
  sessions.update(marked, (record) => ({
    ...record,
    status,
    ...(status === 'handoff_ready' && target !== 'parent' && { handoff: plainHandoff(call, record, at) }),
  }));
  note(call, `session ${marked.id} is ${status}`);
  return { output: status };
}

// speak: a word to a run, handed to the process that holds it. Ends when that process has journaled it or refused it. A
// holder that lets go without having looked leaves the word to the caller, who then takes the run: no word is left lying.

import { Fault } from '../model/fault.ts';
import type { InboxMessage, PostedMessage, Store, StoredRun } from '../ports/store.ts';
import type { Services } from './services.ts';

/** A holder looks as soon as something lies there; after this it is stopped, or its disk is. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 20;

export interface Heard {
  pid: number;
  host: string;
}

/** Who took it; undefined: nobody holds the run. */
async function speak(
  services: Services,
  store: Store,
  id: string,
  message: InboxMessage,
): Promise<Heard | undefined> {
  const stored = store.read(id);
  if (!isHeld(stored)) return undefined;
  const sealed = await (await services.callers()).seal(message);
  try {
    for (;;) {
      const holder = stored.holder();
      if (!holder || holder.alive === false) return undefined;
      if (holder.alive === 'unknown') throw heldElsewhere(id, holder);
      const posted = store.post(id, sealed.message);
      const end = await settled(stored, posted, holder.pid);
      posted.withdraw();
      const came = whatCame(stored, sealed.id);
      if (came?.kind === 'message-refused') throw refused(id, message, came.why);
      if (came) return holder;
      if (end !== 'let-go') throw end === 'late' ? pending(id, message, holder) : lost(id, message);
    }
  } finally {
    sealed.open();
  }
}

/**
 * Says it to whoever holds the run; where nobody does, `alone` says it here. Another process may take the run in
 * between, which `alone` is told by a Fault: then it is that process which is spoken to.
 */
export async function speakOr<T>(
  services: Services,
  store: Store,
  id: string,
  message: InboxMessage,
  alone: () => Promise<T>,
): Promise<{ heard: Heard } | { done: T }> {
  for (;;) {
    const heard = await speak(services, store, id, message);
    if (heard) return { heard };
    try {
      return { done: await alone() };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'run-locked') throw error;
    }
  }
}

function isHeld(stored: StoredRun): boolean {
  const holder = stored.holder();
  return holder !== undefined && holder.alive !== false;
}

/** `gone`: it no longer lies there; `let-go`: that process no longer holds the run; `late`: neither, in good time. */
async function settled(
  stored: StoredRun,
  posted: PostedMessage,
  pid: number,
): Promise<'gone' | 'let-go' | 'late'> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    if (!posted.lies()) return 'gone';
    const holder = stored.holder();
    if (!holder || holder.alive === false || holder.pid !== pid) return 'let-go';
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return 'late';
}

/** One that was taken and came again is refused the second time: the first counts. */
function whatCame(stored: StoredRun, message: string) {
  const about = stored.journal().entries.filter((entry) => 'message' in entry && entry.message === message);
  const taken = about.find((entry) => entry.kind !== 'message-refused');
  return taken ?? about.find((entry) => entry.kind === 'message-refused');
}

function refused(id: string, { kind }: InboxMessage, why: string): Fault {
  return new Fault('message-refused', `the process that runs ${id} refused the ${kind}: ${why}`, {
    hint: `Nothing was changed. See where the run stands: lockstep status ${id}`,
    exitCode: 2,
  });
}

function lost(id: string, { kind }: InboxMessage): Fault {
  return new Fault(
    'message-lost',
    `the ${kind} did not reach the process that runs ${id}: its file in the inbox was removed or altered`,
    { hint: `Nothing was changed. Look at what the run refused, then say it again: lockstep audit ${id}` },
  );
}

function pending(id: string, { kind }: InboxMessage, { pid, host }: Heard): Fault {
  return new Fault(
    'message-pending',
    `process ${pid} on ${host}, which runs ${id}, did not take the ${kind}`,
    {
      hint: `It was taken back. Look whether that process is stopped, and at \`lockstep status ${id}\`; then say it again.`,
    },
  );
}

function heldElsewhere(id: string, { pid, host }: Heard): Fault {
  return new Fault(
    'run-held-elsewhere',
    `run ${id} is held by process ${pid} on ${host}, another host or container`,
    {
      hint: 'It takes the word of processes that it can look at only. Say it there.',
    },
  );
}

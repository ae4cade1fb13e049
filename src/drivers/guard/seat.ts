// seat: one run that a live session is held to, in hand while the session is busy.
// Owns: when the lease is held, and what waits for what. Never: what an event means (engine/), what the client is told (guard.ts).
// S1. The lease is taken with an event and given back when nothing came for a moment: a command of the person waits no longer
//     than that.
// S2. What the loop does goes on beside the events; entries that come meanwhile are journaled through it.
// S3. What was being done when a process died is gone on with when the run is next in hand.

import { refuseGoingOn } from '../../hosting/going-on.ts';
import type { HeldRun, HostedRun, Hosting } from '../../hosting/hosting.ts';
import type { EntryBody } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';

export interface Seat {
  readonly run: string;
  readonly isLifecycle: boolean;
  /** In hand, and everything that was to be done before begun. */
  hold(): Promise<HeldRun>;
  /** Goes on with this, beside the events that come. */
  advance(run: HeldRun, first?: readonly EntryBody[]): void;
  /** Whether the loop came to rest in time. */
  rested(ms: number): Promise<boolean>;
  /** Counts are durable soon: a crash may lose one, never a phase. */
  flushSoon(run: HeldRun): void;
  /** Nothing more is asked of it for now. */
  release(): void;
  close(): Promise<void>;
  isBusy(): boolean;
}

const IDLE_MS = 1_000;
const FLUSH_MS = 50;
const LOCKED_LOOK_MS = 25;
/** How long another process may have the run before an event is answered without it. */
const LOCKED_PATIENCE_MS = 5_000;

export function createSeat(hosting: Hosting, hosted: HostedRun, isLifecycle: boolean, isNew: boolean): Seat {
  let held: HeldRun | undefined;
  let opening: Promise<HeldRun> | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  let letGo: (() => void) | undefined;
  let going: Promise<unknown> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let flushing: NodeJS.Timeout | undefined;
  let isFresh = isNew;

  function take(): Promise<HeldRun> {
    return new Promise((resolve, reject) => {
      closed = keepHeld(resolve).catch(reject);
    });
  }

  async function keepHeld(opened: (run: HeldRun) => void): Promise<void> {
    const until = performance.now() + LOCKED_PATIENCE_MS;
    for (;;) {
      try {
        await hosted.call(async (run) => {
          held = run;
          const left = new Promise<void>((resolve) => {
            letGo = resolve;
          });
          opened(run);
          await left;
          clearTimeout(flushing);
          flushing = undefined;
          held = undefined;
          await run.flush();
          run.rest();
        });
        return;
      } catch (error) {
        const isLocked = error instanceof Fault && error.code === 'run-locked';
        if (!isLocked || performance.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOCKED_LOOK_MS));
      }
    }
  }

  const seat: Seat = {
    run: hosted.id,
    isLifecycle,
    async hold() {
      clearTimeout(idle);
      if (held) return held;
      if (!opening) {
        const before = closed;
        opening = before.then(take);
        opening.then(
          () => {
            opening = undefined;
          },
          () => {
            opening = undefined;
          },
        );
      }
      const run = await opening;
      if (isFresh) {
        isFresh = false;
        seat.advance(run);
      } else if (isBehind(run.state) && !going) {
        refuseGoingOn(hosting, run);
        seat.advance(run, [{ kind: 'run-resumed', by: hosting.holder }]);
      }
      return run;
    },
    advance(run, first = []) {
      if (going) {
        for (const body of first) run.note(body);
        return;
      }
      going = run.go(first).finally(() => {
        going = undefined;
      });
      going.catch(() => {});
    },
    async rested(ms) {
      if (!going) return true;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), ms);
      });
      try {
        return await Promise.race([going.then(() => true), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    flushSoon(run) {
      flushing ??= setTimeout(() => {
        flushing = undefined;
        // What cannot be written is a fault of the next event: other sessions have nothing to do with it.
        if (held === run) flushed(run).catch(() => {});
      }, FLUSH_MS);
    },
    release() {
      clearTimeout(idle);
      idle = setTimeout(() => {
        if (going) void going.catch(() => {}).then(() => seat.release());
        else letGo?.();
      }, IDLE_MS);
    },
    async close() {
      clearTimeout(idle);
      await opening?.catch(() => {});
      if (going) {
        held?.interrupt('the end of the daemon');
        await going.catch(() => {});
      }
      letGo?.();
      await closed.catch(() => {});
    },
    isBusy: () => going !== undefined || held !== undefined,
  };
  return seat;
}

/** A journal that was changed is found before anything is awaited. */
async function flushed(run: HeldRun): Promise<void> {
  await run.flush();
}

function isBehind({ status, ready, running, driven }: State): boolean {
  if (driven.drive !== 'guard') return false;
  return status === 'running' || (status === 'paused' && (ready.size > 0 || running.size > 0));
}

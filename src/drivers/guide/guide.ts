// guide: the drive in which a client takes the turns, one step at a time: it is handed a step, hands in its work, and the engine
// says whether that was enough. Runs are warm between the calls of a client; the lease is held for the length of a call.
// Owns: calls on guided runs: which wait for which, how long one waits. Never: speaks MCP, decides what counts.
//
// G1. A claim is journaled once. Handed in again, it gives the same answer, whatever became of the process in between.
// G2. A call answers within `patienceMs`: what is not over by then goes on, and the next call joins it.
// G3. Calls on one run take turns, those of other processes too.

import { refuseGoingOn } from '../../hosting/going-on.ts';
import {
  answered,
  type HeldRun,
  type HostedRun,
  type Hosting,
  hostRun,
  makeRun,
  type Observer,
  type PersonsAnswer,
  type StartRequest,
} from '../../hosting/hosting.ts';
import { foldAll, readStored } from '../../hosting/read-run.ts';
import type { Entry } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import { claimEntry, type GivenClaim } from '../../runtime/inbox.ts';
import type { LiveEvent } from '../../runtime/perform/perform.ts';
import { createRunView } from '../../views/run-view.ts';
import { admit } from './admission.ts';
import { type ClaimFate, type Turn, turnOf } from './turn.ts';

export type { GivenClaim } from '../../runtime/inbox.ts';
export type { HandedStep, Turn } from './turn.ts';

export interface Guide {
  /** Faults as those of a start, and `review-needs-provider`: then nothing was made. */
  start(request: Omit<StartRequest, 'driven' | 'warnings'>): Promise<Turn>;
  /** Hands in work on a step. Fault `run-unknown`, and those of going on. */
  claim(id: string, claim: GivenClaim): Promise<Turn>;
  /** Where it is. Goes on where a person has answered meanwhile, or a process died. */
  look(id: string): Promise<Turn>;
  /** A person's word on a question, and the run goes on. Fault `answer-invalid`. */
  answer(id: string, answer: PersonsAnswer): Promise<Turn>;
  /** No more calls come: what is under way is finished, within bounds. */
  close(): Promise<void>;
}

export interface GuideOptions {
  patienceMs?: number;
  /** How long `close` waits for checks before it interrupts them; they are then done again. */
  lastMs?: number;
  /** What commands and agents of a run do right now. */
  live?(id: string, event: LiveEvent): void;
}

const PATIENCE_MS = 20_000;
const LAST_MS = 600_000;
const LOCKED_LOOK_MS = 25;
/** A client that comes back sooner is in the middle of something: its views can wait. */
const REST_MS = 1000;
/** Runs that are kept warm; the one that was called longest ago goes first. */
const MOST_WARM = 50;

/** What this process knows of a run between calls. */
interface Desk {
  hosted: HostedRun;
  /** The last call; the next one waits for it. */
  last: Promise<unknown>;
  /** While a call holds the run. */
  held?: HeldRun;
  /** Calls that were made and are not over. */
  calls: number;
  /** Until its views are written, where no other call comes before. */
  resting?: NodeJS.Timeout;
  warnings: string[];
}

export function createGuide(hosting: Hosting, options: GuideOptions = {}): Guide {
  const { patienceMs = PATIENCE_MS, lastMs = LAST_MS } = options;
  const desks = new Map<string, Desk>();
  let isClosing = false;

  function newDesk(hosted: HostedRun, warnings: string[]): Desk {
    const desk: Desk = { hosted, last: Promise.resolve(), warnings, calls: 0 };
    desks.set(hosted.id, desk);
    return desk;
  }

  function observe(warnings: string[], id: () => string): Observer {
    const { live } = options;
    return {
      warned: (message) => {
        if (!warnings.includes(message)) warnings.push(message);
      },
      ...(live && { live: (event) => live(id(), event) }),
    };
  }

  /** After those before it, and for as long as it may take; the answer comes in time (G2, G3). */
  async function call(id: string, desk: Desk, work: (run: HeldRun) => Promise<Turn>): Promise<Turn> {
    clearTimeout(desk.resting);
    desk.calls += 1;
    const mine = desk.last.then(() => held(desk, work));
    desk.last = mine.then(
      (turn) => called(id, desk, turn),
      () => called(id, desk),
    );
    return await inTime(mine, () => stillWorking(id, desk));
  }

  /** What has ended, or failed, is forgotten; what goes on stays warm, within bounds. */
  function called(id: string, desk: Desk, turn?: Turn): void {
    desk.calls -= 1;
    desks.delete(id);
    if (desk.calls === 0 && (!turn || isOver(turn))) return;
    desks.set(id, desk);
    // The views of a run that waits for a person are written by then.
    if (turn?.handed && !isClosing) desk.resting = setTimeout(() => restSoon(desk), REST_MS).unref();
    for (const [oldest, other] of desks) {
      if (desks.size <= MOST_WARM) break;
      if (other.calls > 0) continue;
      clearTimeout(other.resting);
      restSoon(other);
      desks.delete(oldest);
    }
  }

  function restSoon(desk: Desk): void {
    desk.last = desk.last.then(() => rest(desk.hosted));
  }

  async function held(desk: Desk, work: (run: HeldRun) => Promise<Turn>): Promise<Turn> {
    for (;;) {
      try {
        return await desk.hosted.call(async (run) => {
          desk.held = run;
          try {
            return await work(run);
          } finally {
            desk.held = undefined;
          }
        });
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'run-locked' || isClosing) throw error;
        // Another process has a call on it, or is stopped in one: whoever waits too long is told which.
        await new Promise((resolve) => setTimeout(resolve, LOCKED_LOOK_MS));
      }
    }
  }

  async function inTime(turn: Promise<Turn>, late: () => Turn): Promise<Turn> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<Turn>((resolve, reject) => {
      timer = setTimeout(() => {
        try {
          resolve(late());
        } catch (error) {
          reject(error);
        }
      }, patienceMs);
    });
    try {
      return await Promise.race([turn, patience]);
    } finally {
      clearTimeout(timer);
      turn.catch(() => {});
    }
  }

  function stillWorking(id: string, { held: run, warnings }: Desk): Turn {
    if (run) {
      const [what = run.id] = run.state.running.keys();
      return { ...withoutHanded(turn(run, warnings)), working: { what } };
    }
    const stored = hosting.store.read(id);
    const { state, view } = readStored(stored, hosting.hash);
    const holder = stored.holder();
    const [what = id] = state.running.keys();
    const by = holder && { pid: holder.pid, host: holder.host };
    return { ...withoutHanded(turnOf(state, view, stored.location)), working: { what, ...(by && { by }) } };
  }

  /** Each warning is told once. */
  function turn(run: HeldRun, warnings: string[]): Turn {
    return turnOf(run.state, run.view, run.location, warnings.splice(0));
  }

  function existing(id: string): Desk {
    const known = desks.get(id);
    if (known) return known;
    const warnings: string[] = [];
    return newDesk(hostRun(hosting, id, { observer: observe(warnings, () => id) }), warnings);
  }

  /** What a person said meanwhile, or a process that died had not done. */
  async function catchUp(run: HeldRun): Promise<void> {
    if (!isBehind(run.state)) return;
    refuseGoingOn(hosting, run);
    await run.go([{ kind: 'run-resumed', by: hosting.holder }]);
  }

  return {
    async start(request) {
      const agents = hosting.agentsFor(request.workflow, request.script);
      const { driven, warnings } = admit(request.workflow, agents);
      const told: string[] = [];
      const made: HostedRun = await makeRun(
        hosting,
        { ...request, driven, warnings },
        observe(told, () => made.id),
      );
      const desk = newDesk(made, told);
      return await call(made.id, desk, async (run) => {
        await run.go();
        return turn(run, desk.warnings);
      });
    },

    async claim(id, given) {
      const desk = existing(id);
      return await call(id, desk, async (run) => {
        await catchUp(run);
        const entry = claimEntry(run.state, given);
        if (entry.kind === 'claim-received') {
          refuseGoingOn(hosting, run);
          await run.go([entry]);
          return { ...turn(run, desk.warnings), claim: { status: 'taken' } };
        }
        const { entries } = hosting.store.read(id).journal();
        const earlier = claimOn(entries, given);
        if (!earlier) {
          if (!run.state.messages.has(given.message)) await run.say(entry);
          const { refusal, why } = entry;
          return { ...turn(run, desk.warnings), claim: { status: 'refused', refusal, why } };
        }
        const fate: ClaimFate = { status: 'known', by: earlier.by, same: earlier.message === given.message };
        return { ...answeredThen(run, entries, earlier.n), claim: fate };
      });
    },

    async look(id) {
      const desk = existing(id);
      return await call(id, desk, async (run) => {
        await catchUp(run);
        return turn(run, desk.warnings);
      });
    },

    async answer(id, given) {
      const desk = existing(id);
      return await call(id, desk, async (run) => {
        refuseGoingOn(hosting, run);
        await run.go([{ kind: 'run-resumed', by: hosting.holder }, answered(hosting, run.state, given)]);
        return turn(run, desk.warnings);
      });
    },

    async close() {
      isClosing = true;
      const all = Promise.all([...desks.values()].map(({ last }) => last));
      const timer = setTimeout(() => {
        for (const { held: run } of desks.values()) run?.interrupt('the end of its client');
      }, lastMs);
      await all;
      clearTimeout(timer);
      for (const { hosted, resting } of desks.values()) {
        clearTimeout(resting);
        await rest(hosted);
      }
    },
  };
}

/** Whoever holds the run now sees to its views; and what is gone has none. */
async function rest(hosted: HostedRun): Promise<void> {
  try {
    await hosted.call((run) => run.rest());
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** Something is to be decided, and nobody does. What was handed over is not ours to go on with. */
function isBehind({ status, ready, driven }: State): boolean {
  if (driven.drive !== 'guide') return false;
  return status === 'running' || (status === 'paused' && ready.size > 0);
}

function isOver({ run: { status } }: Turn): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function withoutHanded({ handed: _, ...turn }: Turn): Turn {
  return turn;
}

type ClaimReceived = Extract<Entry, { kind: 'claim-received' }>;

/** The one that was taken for this try of this step. */
function claimOn(entries: readonly Entry[], given: GivenClaim): ClaimReceived | undefined {
  return entries.find(
    (entry): entry is ClaimReceived =>
      entry.kind === 'claim-received' &&
      entry.path === given.path &&
      entry.try === given.try &&
      (given.handing === undefined || entry.handing === given.handing),
  );
}

/** What a claim led to: the next step that was handed out, or the end. Of one that led no further yet, where the run is now. */
function answeredThen(run: HeldRun, entries: readonly Entry[], claimed: number): Turn {
  const end = entries.findIndex((entry) => entry.n > claimed && isAnswer(entry));
  if (end < 0 || end === entries.length - 1) return turnOf(run.state, run.view, run.location);
  const view = createRunView(run.workflow);
  const state = foldAll(run.pinned, entries.slice(0, end + 1), view);
  return turnOf(state, view, run.location);
}

function isAnswer(entry: Entry): boolean {
  switch (entry.kind) {
    case 'run-paused':
      return (entry.handed?.length ?? 0) > 0;
    case 'run-completed':
    case 'run-failed':
    case 'run-cancelled':
      return true;
    default:
      return false;
  }
}

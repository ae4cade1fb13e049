// lease: one writer per run (J3).
// lease/ holds one file per taking, named by a number that only grows; the highest counts. Nobody replaces a file:
// to take a lease is to make the next number, which the file system grants to exactly one (`link`).
// L1. The highest file is never removed, so no number is ever given twice to two who both hold it.
// L2. Who made a number and then sees a higher one has lost: it acted on an old listing.
// L3. An empty file is a lease given back. The holder empties it through its open file, so one that was taken over
//     in the meantime cannot touch the new one.
// L4. A holder whose file is not under its name any more must not write: it was taken over, or something else deleted,
//     moved or replaced the file, and nothing keeps a second holder out.
// L5. Nothing is removed here but what was made here: numbers, and drafts by their names. Nothing is followed (F4).
// L6. A lease need not survive the machine: after a restart its holder is dead, and a file that the restart left empty says
//     the same (L3). So nothing is synced. But who can read the name must read the text: it is closed first, which a network
//     disk answers by handing it to its server, and only then linked.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Holder } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { diskFault, errorCode, isMissing, partReplaced, unknownRun } from './disk-fault.ts';
import { isOwnFolder, ownFolder } from './inside.ts';
import { type Machine, processRuns, startOfProcess } from './machine.ts';
import { openFlags, readWhole, writeAll } from './whole-file.ts';

export interface Lease {
  /** Whether this process still holds the run. `deleted`: its file is gone, and nobody else has taken the run. */
  state(): 'held' | 'taken-over' | 'deleted';
  release(): void;
}

/** The lease as `takeLease` gives it: the folder may get its name only later. */
export interface TakenLease extends Omit<Lease, 'state'> {
  state(folder: string): ReturnType<Lease['state']>;
}

/** Who holds a run, and whether that process still does anything. */
export interface Held {
  holder: Holder;
  since: Date;
  alive: boolean | 'unknown';
}

export interface LeaseRequest {
  id: string;
  /** The run's folder. */
  folder: string;
  holder: Holder;
  machine: Machine;
  takeOver: boolean;
}

/** What the file holds. */
interface LeaseRecord extends Holder, Machine {
  started: string;
}

interface Newest {
  /** 0: never taken. */
  generation: number;
  held?: Held;
}

/** Each round but the last was lost to somebody who was quicker: more than a few means something else is wrong. */
const rounds = 1_000;

export function takeLease(request: LeaseRequest): TakenLease {
  const directory = join(request.folder, 'lease');
  const task = `take the lease of run ${request.id}`;
  try {
    ownFolder(directory);
    for (let round = 0; round < rounds; round += 1) {
      const newest = newestLease(directory, request.holder.host, request.machine);
      refuseWhereHeld(request, newest.held);
      const lease = claim(directory, newest.generation + 1, request);
      if (lease === undefined) continue;
      // Perhaps it still runs: what it was about to write is written before the journal is read here.
      if (newest.held !== undefined && newest.held.alive !== false) waitFor(SETTLE_MS);
      return lease;
    }
  } catch (error) {
    throw isMissing(error) ? unknownRun(request.id, dirname(request.folder)) : diskFault(error, task);
  }
  throw new Fault('store-failed', `cannot ${task}: it changes hands all the time`, { retry: true });
}

/** Longer than a holder goes on writing without a look at its lease (journal-custody.ts). */
const SETTLE_MS = 50;

function waitFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Who holds it now; undefined: nobody, or one who is certainly gone. */
export function currentHolder(folder: string, host: string, machine: Machine): Held | undefined {
  const { held } = newestLease(join(folder, 'lease'), host, machine);
  return held?.alive === false ? undefined : held;
}

function refuseWhereHeld(request: LeaseRequest, held: Held | undefined): void {
  if (held === undefined || held.alive === false) return;
  const { user, pid, host } = held.holder;
  const who = `${user} (process ${pid} on ${host}, since ${held.since.toISOString()})`;
  if (held.alive === true) {
    throw new Fault('run-locked', `run ${request.id} is held by ${who}`, {
      hint: `Wait for that process, or ask it to end: lockstep cancel ${request.id}`,
      retry: true,
    });
  }
  if (request.takeOver) return;
  throw new Fault('run-held-elsewhere', `run ${request.id} is held on another host or container by ${who}`, {
    hint: `Whether that process still runs cannot be seen from here. If it is gone for certain: lockstep resume ${request.id} --take-over`,
  });
}

/** The file of that number, made by us; undefined: somebody was quicker. */
export function claim(directory: string, generation: number, request: LeaseRequest): TakenLease | undefined {
  const draft = join(directory, `.tmp-${randomUUID()}`);
  const path = join(directory, String(generation));
  const { user, host, pid, version } = request.holder;
  const record: LeaseRecord = { user, host, pid, version, ...request.machine, started: startOfProcess(pid) };
  const text = `${JSON.stringify(record)}\n`;
  let file: number | undefined;
  try {
    writeDraft(draft, text);
    file = openSync(draft, openFlags.readWrite);
    linkSync(draft, path);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    rmSync(draft, { force: true });
    // ENOENT: whoever won swept our draft away.
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  rmSync(draft, { force: true });
  const items = readdirSync(directory, { withFileTypes: true });
  if (items.some(({ name }) => numberOf(name) > generation)) {
    closeSync(file);
    rmSync(path, { force: true });
    return undefined;
  }
  for (const item of items) {
    const isPassed = numberOf(item.name) > 0 ? numberOf(item.name) < generation : isDraft(item.name);
    if (isPassed && item.isFile()) rmSync(join(directory, item.name), { force: true });
  }
  return heldLease(file, generation, lstatSync(path), text);
}

function writeDraft(path: string, text: string): void {
  const file = openSync(path, openFlags.create);
  try {
    const bytes = Buffer.from(text);
    writeAll(file, bytes, bytes.length, null);
  } finally {
    closeSync(file);
  }
}

export function leaseLost(id: string): Fault {
  return new Fault('lease-lost', `run ${id} was taken over by another process while this one held it`, {
    hint: 'Nothing more is written from here. Look at the run with "lockstep status"; the other process goes on with it.',
  });
}

/**
 * `named`: the file as its name shows it, which some file systems number otherwise than an open file. `text`: what is in
 * it.
 */
function heldLease(file: number, generation: number, named: Stats, text: string): TakenLease {
  let open = true;
  return {
    state(folder) {
      const directory = join(folder, 'lease');
      // The number of an inode is not given to another file while ours is open, so one look at the name is enough.
      if (open && isSame(join(directory, String(generation)), named)) return 'held';
      // Our own file is not there any more, so any other is another holder's, whatever its number, or a copy of ours.
      const isOthers = (number: number) => number > 0 && readWhole(join(directory, String(number))) !== text;
      return leaseNumbers(directory).some(isOthers) ? 'taken-over' : 'deleted';
    },
    release() {
      if (!open) return;
      open = false;
      try {
        ftruncateSync(file, 0);
      } catch {
        // On a disk gone read-only the lease stays; it ends with this process.
      }
      closeSync(file);
    },
  };
}

function isSame(path: string, named: Stats): boolean {
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    return there?.ino === named.ino && there.dev === named.dev;
  } catch {
    return false;
  }
}

function newestLease(directory: string, host: string, machine: Machine): Newest {
  for (let round = 0; round < rounds; round += 1) {
    const generation = Math.max(0, ...leaseNumbers(directory));
    if (generation === 0) return { generation };
    const path = join(directory, String(generation));
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === false)
      throw partReplaced(path, stats.isSymbolicLink() ? 'a symlink' : 'not a file');
    const since = stats?.mtime;
    const text = readWhole(path);
    if (since === undefined || text === undefined) continue; // swept: there is a higher one
    if (text === '') return { generation };
    return { generation, held: heldBy(text, since, host, machine) };
  }
  throw new Fault('store-failed', `cannot read ${directory}: it changes all the time`, { retry: true });
}

function heldBy(text: string, since: Date, host: string, machine: Machine): Held {
  const record = parseLease(text);
  if (record === undefined) {
    const holder = { user: 'somebody', host: 'unknown', pid: 0, version: '' };
    return { holder, since, alive: 'unknown' };
  }
  const { user, pid, version } = record;
  return { holder: { user, host: record.host, pid, version }, since, alive: isAlive(record, host, machine) };
}

function isAlive(record: LeaseRecord, host: string, machine: Machine): boolean | 'unknown' {
  if (record.host !== host) return 'unknown';
  if (record.boot !== machine.boot) return false;
  // Another container on this machine: its process ids mean nothing here.
  if (record.namespace !== machine.namespace) return 'unknown';
  return processRuns(record.pid, record.started);
}

function parseLease(text: string): LeaseRecord | undefined {
  try {
    const record = JSON.parse(text) as LeaseRecord;
    const texts = [record.user, record.host, record.version, record.boot, record.namespace, record.started];
    return record.pid > 0 && Number.isInteger(record.pid) && texts.every((field) => typeof field === 'string')
      ? record
      : undefined;
  } catch {
    return undefined;
  }
}

function leaseNumbers(directory: string): number[] {
  if (!isOwnFolder(directory)) return [];
  try {
    return readdirSync(directory).map(numberOf);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isDraft(name: string): boolean {
  return /^\.tmp-[0-9a-f-]{36}$/.test(name);
}

/** 0 for a draft. */
function numberOf(name: string): number {
  return /^[1-9][0-9]*$/.test(name) ? Number(name) : 0;
}

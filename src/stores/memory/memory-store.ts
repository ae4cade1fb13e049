// memory-store: runs that end with the process, for tests.
// Owns: the behaviour of the store port and nothing more. Never: a hash chain, a file, another process.
// M1. Everything goes in and out as a copy, through JSON: a test cannot change what was journaled.
// M2. `snapshot` holds what was flushed, as a crash at that moment would leave it.

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Entry, Holder } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { refuseNewer } from '../../ports/journal-newer.ts';
import type { InboxMessage, JournalEnd, OpenRun, Store, StoredRun } from '../../ports/store.ts';
import { memoryFiles } from './memory-files.ts';

/** A run as a crash would leave it. Plain data: cut `entries`, copy it, start a store from it. */
export interface RunSnapshot {
  id: string;
  documents: Record<string, string>;
  entries: Entry[];
  logs: Record<string, Uint8Array>;
  artifacts: Record<string, Uint8Array>;
  inbox: { id: string; message: InboxMessage }[];
}

export interface MemoryStore extends Store {
  /** Of what was flushed, whoever holds the run. */
  snapshot(id: string): RunSnapshot;
}

interface Run {
  id: string;
  documents: Map<string, string>;
  /** One JSON text each. */
  journal: string[];
  logs: Map<string, Uint8Array>;
  artifacts: Map<string, Uint8Array>;
  inbox: Map<string, string>;
  /** A new object for every taking, so that a holder knows its own. */
  lease: { holder: Holder } | undefined;
  watchers: Set<() => void>;
  inboxWatchers: Set<() => void>;
}

/** `from`: snapshots to start with; nobody holds them. */
export function memoryStore(from: RunSnapshot[] = []): MemoryStore {
  const runs = new Map<string, Run>();
  for (const snapshot of from) runs.set(snapshot.id, restored(snapshot));

  const find = (id: string): Run => {
    const run = runs.get(id);
    if (run === undefined)
      throw new Fault('run-unknown', `there is no run "${id}" in memory`, { exitCode: 2 });
    return run;
  };

  return {
    create(id, documents, holder, first) {
      if (runs.has(id)) throw new Fault('run-exists', `there is already a run "${id}" in memory`);
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(id) || id === 'latest') {
        throw misuse(`"${id}" cannot be the id of a run`);
      }
      const entries = first ? [first(locationOf(id))] : [];
      const run = restored({ id, documents, entries, logs: {}, artifacts: {}, inbox: [] });
      runs.set(id, run);
      return openRun(run, holder);
    },
    open(id, holder, options = {}) {
      const run = find(id);
      refuseWhereHeld(run, holder.host, options.takeOver ?? false);
      storedRun(run).journal();

      return openRun(run, holder, options.known);
    },
    read: (id) => storedRun(find(id)),
    list: () => [...runs.keys()].sort(),
    latest: () => [...runs.keys()].at(-1),
    remove(id) {
      const run = find(id);
      refuseWhereHeld(run, run.lease?.holder.host, false);
      runs.delete(id);
      tell(run.watchers);
    },
    useRescued(id, holder, options = {}) {
      refuseWhereHeld(find(id), holder.host, options.takeOver ?? false);
      throw nothingRescued(id);
    },
    repair(id, holder, options = {}) {
      refuseWhereHeld(find(id), holder.host, options.takeOver ?? false);
      return undefined; // entries are kept one by one: there is nothing to damage
    },
    post(id, message) {
      const run = find(id);
      const key = randomUUID();
      run.inbox.set(key, JSON.stringify(message));
      tell(run.watchers);
      tell(run.inboxWatchers);
      return { lies: () => run.inbox.has(key), withdraw: () => void run.inbox.delete(key) };
    },
    snapshot: (id) => snapshotOf(find(id)),
  };
}

/** Without a chain the last line itself stands for its hash. */
function endOf({ journal, id }: Run): JournalEnd {
  const bytes = journal.reduce((sum, { length }) => sum + length, 0);
  return { n: journal.length, bytes, hash: journal.at(-1) ?? id };
}

function locationOf(id: string): string {
  return `memory:${id}`;
}

function storedRun(run: Run): StoredRun {
  const entries = (): Entry[] => {
    const all = run.journal.map((text) => JSON.parse(text) as Entry);
    if (all[0]) refuseNewer(run.id, all[0]);
    return all;
  };
  return {
    id: run.id,
    location: locationOf(run.id),
    hasJournal: () => true,
    journalMark: () => `${run.journal.length} entries`,
    journalText: (offset) => Buffer.from(run.journal.map((text) => `${text}\n`).join('')).subarray(offset),
    journal: () => ({ entries: entries(), torn: 0 }),
    hasRescued: () => false, // nobody else can reach the journal
    rescued() {
      throw nothingRescued(run.id);
    },
    wholeEntries: entries,
    document: (name) => run.documents.get(name),
    documents: () => [...run.documents.keys()].reverse(),
    holder: () => (run.lease === undefined ? undefined : { ...run.lease.holder, alive: true }),
    logs: () => [...run.logs.keys()].sort(),
    readLog: (name, offset) => memoryFiles(run.logs).read(name, offset),
    watch: (changed) => watching(run.watchers, changed),
  };
}

function openRun(run: Run, holder: Holder, known?: JournalEnd): OpenRun {
  const stored = storedRun(run);
  const lease = { holder: structuredClone(holder) };
  run.lease = lease;
  let pending: string[] = [];
  let next = run.journal.length + 1;
  let end = endOf(run);
  const isAsKnown = known !== undefined && isDeepStrictEqual(known, end);
  let open = true;
  const refuseWhenClosed = (): void => {
    if (!open) throw misuse(`run ${run.id} is closed`);
  };
  const changed = (): void => tell(run.watchers);
  const flush = (): void => {
    if (pending.length === 0) return;
    refuseWhenClosed();
    if (run.lease !== lease) throw new Fault('lease-lost', `run ${run.id} was taken over by another process`);
    run.journal.push(...pending);
    pending = [];
    end = endOf(run);
    changed();
  };

  return {
    ...stored,
    isAsKnown,
    end: () => end,
    append(entry) {
      refuseWhenClosed();
      if (entry.n !== next) throw misuse(`entry ${entry.n} cannot follow entry ${next - 1} of run ${run.id}`);
      pending.push(JSON.stringify(entry));
      next += 1;
    },
    flush,
    replaceDocument(name, text) {
      refuseWhenClosed();
      run.documents.delete(name); // the one written last is last
      run.documents.set(name, typeof text === 'string' ? text : text.join(''));
      changed();
    },
    removeDocument(name) {
      refuseWhenClosed();
      run.documents.delete(name);
      changed();
    },
    openLog: (name, { isAnew } = { isAnew: false }) =>
      isAnew ? memoryFiles(run.logs).replace(name, changed) : memoryFiles(run.logs).append(name, changed),
    openArtifact(name) {
      const parts = name.split('/');
      if (parts.some((part) => part === '' || part === '.' || part === '..') || /[\u0000\\]/.test(name)) {
        throw new Fault('path-outside', `${JSON.stringify(name)} would leave the folder of the run`);
      }
      return memoryFiles(run.artifacts).replace(name, changed);
    },
    takeInbox() {
      refuseWhenClosed();
      return [...run.inbox].map(([id, text]) => ({
        id,
        message: withNull(JSON.parse(text) as InboxMessage),
        done: () => void run.inbox.delete(id),
        refuse: () => void run.inbox.delete(id),
      }));
    },
    watchInbox: (arrived) => watching(run.inboxWatchers, arrived),
    close() {
      if (!open) return;
      try {
        flush();
      } finally {
        open = false;
        if (run.lease === lease) run.lease = undefined;
        changed();
      }
    },
  };
}

/** Whoever holds it lives, for it is this process; of another host that cannot be said. */
function refuseWhereHeld(run: Run, host: string | undefined, takeOver: boolean): void {
  if (run.lease === undefined) return;
  const { user, pid, host: theirs } = run.lease.holder;
  const who = `${user} (process ${pid} on ${theirs})`;
  if (theirs === host) throw new Fault('run-locked', `run ${run.id} is held by ${who}`, { retry: true });
  if (!takeOver) throw new Fault('run-held-elsewhere', `run ${run.id} is held on another host by ${who}`);
}

function restored(snapshot: RunSnapshot): Run {
  return {
    id: snapshot.id,
    documents: new Map(Object.entries(snapshot.documents)),
    journal: snapshot.entries.map((entry) => JSON.stringify(entry)),
    logs: new Map(Object.entries(snapshot.logs)),
    artifacts: new Map(Object.entries(snapshot.artifacts)),
    inbox: new Map(snapshot.inbox.map(({ id, message }) => [id, JSON.stringify(message)])),
    lease: undefined,
    watchers: new Set(),
    inboxWatchers: new Set(),
  };
}

function snapshotOf(run: Run): RunSnapshot {
  return {
    id: run.id,
    documents: Object.fromEntries(run.documents),
    entries: run.journal.map((text) => JSON.parse(text) as Entry),
    logs: Object.fromEntries([...run.logs].map(([name, bytes]) => [name, bytes.slice()])),
    artifacts: Object.fromEntries([...run.artifacts].map(([name, bytes]) => [name, bytes.slice()])),
    inbox: [...run.inbox].map(([id, text]) => ({ id, message: JSON.parse(text) as InboxMessage })),
  };
}

/** JSON has no undefined. */
function withNull(message: InboxMessage): InboxMessage {
  if (message.kind === 'answer') return { ...message, answer: message.answer ?? null };
  return message.kind === 'signal' ? { ...message, data: message.data ?? null } : message;
}

function watching(watchers: Set<() => void>, callback: () => void): () => void {
  const own = (): void => callback();
  watchers.add(own);
  return () => void watchers.delete(own);
}

/** Later, as the file store does it, and only to those who still watch then. */
function tell(watchers: Set<() => void>): void {
  for (const watcher of watchers) setImmediate(() => watchers.has(watcher) && watcher());
}

function nothingRescued(id: string): Fault {
  return new Fault('nothing-rescued', `run ${id} has no rescued journal`, { exitCode: 2 });
}

function misuse(message: string): Fault {
  return new Fault('store-misuse', message);
}

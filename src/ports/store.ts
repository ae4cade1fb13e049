// store: where runs are kept. One writer per run (J3), append-only, hash-chained (J4).
// What is appended is durable when `flush` has returned, and not before.

import type { Claim, Driven, Entry, Holder } from '../model/entry.ts';

export interface Store {
  /**
   * Makes the run and takes its lease. `documents` (workflow.json, …) are durable when it returns, and so is the
   * `first` entry (given where the run will lie): a run is there whole, with its beginning, or not at all.
   */
  create(
    id: string,
    documents: Record<string, string>,
    holder: Holder,
    first?: (location: string) => Entry,
  ): OpenRun;
  /**
   * Takes the lease. Fault `run-locked` names the holder; a dead one on this host is replaced. Fault `journal-not-whole`
   * where entries that were durable are missing; `journal-rescued` where they are in a rescued journal; `journal-newer` where
   * its first entry names a version of the format that this Lockstep does not know. So says everything that reads a journal.
   * `known`: where the journal ended when the caller gave it back. Where it still does, it is not read again.
   */
  open(id: string, holder: Holder, options?: { takeOver?: boolean; known?: JournalEnd }): OpenRun;
  /** Reads without a lease, also while another process writes. Fault `run-unknown`. */
  read(id: string): StoredRun;
  /** Ids, oldest first. */
  list(): string[];
  /** The one made last, if any: not the greatest id, for the clock may have jumped back between two. */
  latest(): string | undefined;
  /** Fault `run-locked` or `run-held-elsewhere` where somebody holds it: a run is never removed under its holder. */
  remove(id: string): void;
  /**
   * Puts the rescued journal in the place of the journal, which is kept aside where it holds something else. Takes the lease
   * as `open` does, and gives it back. Fault `nothing-rescued`; `journal-corrupt` where the rescued one does not verify.
   */
  useRescued(id: string, holder: Holder, options?: { takeOver?: boolean }): RescuedJournal;
  /**
   * Cuts a journal that does not verify after its last good entry; what is cut off is kept beside it. One that ends too
   * early is accepted as it is. Undefined: it is whole, and nothing was done. Fault `journal-rescued` as for `open`. Takes the lease as `open` does, and gives it back.
   */
  repair(id: string, holder: Holder, options?: { takeOver?: boolean }): JournalRepair | undefined;
  /** Leaves a message for whoever holds the run, or will. */
  post(id: string, message: InboxMessage): PostedMessage;
}

/** What reading a journal gave: whole entries, and whether the last line was torn (J4). */
export interface JournalReading {
  entries: Entry[];
  /** Bytes cut from (or, when read without a lease, ignored at) the end. */
  torn: number;
  /** The last hash of the chain, where the store keeps one: what an auditor notes down to find a shortened journal later. */
  head?: string;
  /** Says what is missing, where more was durable once than is here. */
  missing?: string;
}

/** Where a journal ends: how many entries and bytes it has, and its last hash. The store's own to read. */
export interface JournalEnd {
  n: number;
  bytes: number;
  hash: string;
}

/** `why` is for people; `entries` is how many are left. */
export type JournalRepair =
  | {
      kind: 'cut';
      /** The first line that did not verify. */
      line: number;
      why: string;
      entries: number;
      /** Bytes that were cut off, and where they are now. */
      cut: number;
      aside: string;
    }
  | { kind: 'ends-early'; why: string; entries: number };

export interface RescuedJournal {
  entries: number;
  /** Where the journal is now that was there before, if it held something else. */
  aside?: string;
}

export interface StoredRun {
  readonly id: string;
  /** For people: where it lies. */
  readonly location: string;
  /** False: somebody took the journal away, and with it all that is certain. The rest is for people to look at. */
  hasJournal(): boolean;
  /**
   * Changes with everything that is written into the journal: the same mark twice means the same journal, as far as can
   * be told without reading it. undefined: there is none, or it cannot be looked at.
   */
  journalMark(): string | undefined;
  /**
   * The text of the journal from a byte offset, as it lies there and not verified: for who verifies it elsewhere, or sends it on.
   * At most 1 MiB, which may end within a line; empty: nothing more yet; undefined: there is no journal.
   */
  journalText(offset: number): Uint8Array | undefined;
  /** Fault `journal-corrupt` with the byte offset where a whole line does not verify; `journal-gone`. */
  journal(): JournalReading;
  /** Whether there is a rescued journal: what a run had recorded when its journal was changed under it. */
  hasRescued(): boolean;
  /** Fault `nothing-rescued`, `journal-corrupt`. */
  rescued(): JournalReading;
  /** What there is before anything that does not verify, or is gone: for people who want to save what can be saved. */
  wholeEntries(): Entry[];
  document(name: string): string | undefined;
  /** Names of the documents there are, the one written last first. */
  documents(): string[];
  /** Who holds the lease now, if anybody alive or unknown does. */
  holder(): (Holder & { alive: boolean | 'unknown' }) | undefined;
  /** Names of the logs there are. */
  logs(): string[];
  /**
   * Part of a log from a byte offset (negative: that many bytes before the end); undefined: no such log.
   * At most 1 MiB, so that any log fits in memory: read on from where it ended until nothing comes.
   */
  readLog(name: string, offset: number): Uint8Array | undefined;
  /**
   * Called when something in the run may have changed (entries, documents, logs, inbox); the answer ends it.
   * Keeps the process alive until then: whoever watches is waiting for something.
   */
  watch(changed: () => void): () => void;
}

export interface OpenRun extends StoredRun {
  /** Whether the journal ended where `known` says when the run was opened. */
  readonly isAsKnown: boolean;
  /** Where the journal ends, as far as it is durable; also when the run is closed. */
  end(): JournalEnd;
  /** In memory until flush. The store numbers nothing: `n` is the caller's, and checked to have no gap. */
  append(entry: Entry): void;
  /**
   * Durable when it returns. Fault `disk-full`, `run-read-only`, `lease-lost`. After `disk-full` it may be called
   * again: nothing is lost, nothing is written twice. Fault `journal-changed` where something else replaced, deleted or
   * wrote the journal: what was appended is rescued, and nothing more can be written.
   */
  flush(): void | Promise<void>;
  /** Replaces atomically. A view, not the truth: need not be durable. */
  replaceDocument(name: string, text: string | readonly string[]): void;
  removeDocument(name: string): void;
  /**
   * A log to stream into, made on first write; `name` is a step path with a suffix such as `.stdout`. What is there
   * already stays before it, unless it is to be written anew.
   */
  openLog(name: string, how?: { isAnew: boolean }): LogSink;
  /** A file under artifacts/, truncated first; `name` is relative, with `/`, and stays inside (Fault `path-outside`). */
  openArtifact(name: string): LogSink;
  /**
   * What lies in the inbox, oldest first. A message is taken once `done` was called on it; after a crash between
   * journaling it and `done` it comes again under the same `id`. What is no message comes too, with the reason. Never
   * throws for what others have put there.
   */
  takeInbox(): Received[];
  /** As `watch`, for the inbox alone: the holder is not woken by its own writing. Look once after calling it. */
  watchInbox(arrived: () => void): () => void;
  /** Flushes and gives the lease back. */
  close(): void;
}

export interface LogSink {
  write(chunk: Uint8Array): void;
  end(): void;
}

export interface PostedMessage {
  /** Whether it still lies there: once it does not, what came of it is durable. */
  lies(): boolean;
  /** Takes it back where it still lies there. */
  withdraw(): void;
}

export type Received = ReceivedMessage | NoMessage;

export interface ReceivedMessage {
  id: string;
  message: InboxMessage;
  problem?: undefined;
  done: () => void;
  /** Instead of `done`: it is kept where a person can look at it, and not given again. */
  refuse: () => void;
}

/** Something in the inbox that cannot be read as a message. */
export interface NoMessage {
  id: string;
  problem: string;
  refuse: () => void;
}

/** What a message says of the process that sent it. */
export interface Origin {
  host: string;
  pid: number;
  /** When the process started, as the system counts; with the pid it names a process for good. */
  started: string;
  /** Different for every message. */
  nonce: string;
}

export type InboxMessage = {
  by: string;
  from?: Origin;
} /** `asked`: the number of the entry that asks. An answer to one asking is none to a later one at the same path. */ & (
  | { kind: 'answer'; path?: string; asked?: number; answer: unknown; note?: string; through?: 'page' }
  | { kind: 'signal'; name: string; data: unknown }
  | { kind: 'cancel'; why?: string }
  /** Work on a step that was handed out. */
  | { kind: 'claim'; path: string; try: number; claim: Claim; session?: string }
  /** Somebody else is to take the turns. */
  | { kind: 'handover'; to: Driven; why?: string }
);

// crash-store: a store whose process dies at a moment that was chosen, without a process dying.
// What a SIGKILL leaves is what was flushed: entries that were only appended are lost, and nothing is written after
// it. So entries are held back until the flush, and from the crash on nothing reaches the store any more.
// K1. Up to the crash the store holds what it would hold without us, flush by flush.
// K2. After it, not a byte: no entry, no view, no log. (test/testing/crash.test.ts compares with a real SIGKILL.)

import type { Entry } from '../model/entry.ts';
import type { LogSink, OpenRun, Store } from '../ports/store.ts';

/** Thrown where the process would be gone. */
export class Crashed extends Error {}

/**
 * Asked about what is about to be flushed: `before` it is, `after` it is, or not at all (undefined). Whoever asks for it
 * is told, and may end the process for good instead.
 */
export type CrashPlan = (entries: readonly Entry[]) => 'before' | 'after' | undefined;

export function crashStore(store: Store, plan: CrashPlan, die: () => void = () => {}): Store {
  return {
    ...store,
    create: (...given) => crashing(store.create(...given), plan, die),
    open: (...given) => crashing(store.open(...given), plan, die),
  };
}

function crashing(run: OpenRun, plan: CrashPlan, die: () => void): OpenRun {
  let held: Entry[] = [];
  let gone = false;
  const crash = (): never => {
    gone = true;
    held = [];
    die();
    throw new Crashed('the process was killed here');
  };
  const write = (): void | Promise<void> => {
    for (const entry of held) run.append(entry);
    held = [];
    return run.flush();
  };
  return {
    ...run,
    append(entry) {
      if (!gone) held.push(entry);
    },
    flush() {
      if (gone) throw new Crashed('the process was killed before this');
      const when = held.length > 0 ? plan(held) : undefined;
      if (when === 'before') crash();
      const written = write();
      if (when !== 'after') return written;
      return written ? written.then(crash) : crash();
    },
    replaceDocument: (name, text) => void (gone || run.replaceDocument(name, text)),
    removeDocument: (name) => void (gone || run.removeDocument(name)),
    openLog: (name) => (gone ? NOWHERE : mortal(run.openLog(name), () => gone)),
    openArtifact: (name) => (gone ? NOWHERE : mortal(run.openArtifact(name), () => gone)),
    takeInbox: () => (gone ? [] : run.takeInbox()),
    close() {
      if (!gone && held.length > 0) write();
      run.close();
    },
  };
}

const NOWHERE: LogSink = { write() {}, end() {} };

function mortal(sink: LogSink, gone: () => boolean): LogSink {
  return { write: (chunk) => void (gone() || sink.write(chunk)), end: () => sink.end() };
}

// journal-version: which version of its format a journal is written in. The first entry says it, so that a Lockstep that is too
// old for a journal refuses it instead of reading half of it.

/**
 * What this Lockstep writes, and the newest that it reads. One more whenever an older Lockstep would read a new journal
 * wrongly: a new kind of entry, another meaning of a field, another way to chain lines. A field that may be left out and that
 * nothing is decided by is no new version. docs/runs-on-disk.md tells what each version brought.
 */
export const JOURNAL_VERSION = 3;

/** Journals from before there was a number say none: they are version 1. */
export function journalVersion(first: { journal_version?: unknown }): unknown {
  return first.journal_version ?? 1;
}

export function isReadable(version: unknown): boolean {
  return Number.isInteger(version) && (version as number) >= 1 && (version as number) <= JOURNAL_VERSION;
}

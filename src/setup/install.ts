// install: hooks in a file of settings, and out again.
// N1. Before a file is changed, its bytes are kept (0600, in a folder of the user's alone: settings may hold keys). Where the file is
//     still what was written, `restore` puts back those very bytes, or removes the file and the folders that were made for it.
//     Where it was changed since, only what is ours is taken out.
// N2. A file is replaced whole or not at all, with its mode; a link stays one.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../model/fault.ts';
import { type HookSettings, hooksIn, withHooks, withoutHooks } from './hook-settings.ts';

export interface Change {
  file: string;
  /** Undefined: there is no such file. */
  before: string | undefined;
  after: string | undefined;
}

interface Kept {
  file: string;
  /** Base64; null: there was no such file. */
  before: string | null;
  /** sha256 of what was written. */
  after: string;
  made: string[];
  /** Folders that were made, the outermost first. */
  folders: string[];
}

/** What `install` would do; `before` and `after` are the same where it is done already. Fault `settings-unreadable`. */
export function planInstall(file: string, settings: HookSettings): Change {
  const before = readText(file);
  return { file, before, after: withHooks(before ?? '', settings, file).text };
}

/** `keep` is the folder for the bytes that were there. */
export function install(file: string, settings: HookSettings, keep: string): void {
  const bytes = readBytes(file);
  const current = bytes?.toString('utf8') ?? '';
  const { text, made } = withHooks(current, settings, file);
  if (text === current) return;
  const earlier = keptOf(file, keep);
  // Installed over an earlier version of ours: what was there before that one is what comes back.
  const isOurs = earlier !== undefined && bytes !== undefined && hashOf(bytes) === earlier.after;
  const folders = missingFolders(dirname(file));
  const kept: Kept = {
    file,
    before: isOurs
      ? earlier.before
      : (strippedBytes(bytes, earlier?.made ?? [], file)?.toString('base64') ?? null),
    after: hashOf(Buffer.from(text)),
    made: [...new Set([...(earlier?.made ?? []), ...made])],
    folders: [...(earlier?.folders ?? []), ...folders],
  };
  mkdirSync(keep, { recursive: true, mode: 0o700 });
  replaceFile(keptFile(file, keep), Buffer.from(`${JSON.stringify(kept)}\n`), 0o600);
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, Buffer.from(text));
}

/** What `restore` would do. */
export function planRestore(file: string, keep: string): Change {
  const bytes = readBytes(file);
  return {
    file,
    before: bytes?.toString('utf8'),
    after: restored(file, bytes, keptOf(file, keep))?.toString('utf8'),
  };
}

export function restore(file: string, keep: string): void {
  const kept = keptOf(file, keep);
  const bytes = readBytes(file);
  const back = restored(file, bytes, kept);
  if (back === undefined) {
    rmSync(file, { force: true });
    for (const folder of [...(kept?.folders ?? [])].reverse()) removeEmpty(folder);
  } else if (bytes === undefined || !back.equals(bytes)) {
    replaceFile(file, back);
  }
  rmSync(keptFile(file, keep), { force: true });
}

function restored(file: string, bytes: Buffer | undefined, kept: Kept | undefined): Buffer | undefined {
  if (bytes === undefined) return undefined;
  if (kept !== undefined && hashOf(bytes) === kept.after)
    return kept.before === null ? undefined : Buffer.from(kept.before, 'base64');
  const stripped = strippedBytes(bytes, kept?.made ?? [], file);
  const isBare = kept?.before === null && stripped?.toString('utf8').replace(/\s/g, '') === '{}';
  return isBare ? undefined : stripped;
}

/** Without our hooks; the same bytes where there are none. */
function strippedBytes(bytes: Buffer | undefined, made: string[], file: string): Buffer | undefined {
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  if (text.trim() === '' || hooksIn(text, file).length === 0) return bytes;
  return Buffer.from(withoutHooks(text, made, file));
}

function readBytes(file: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw unreadable(file, `it cannot be read (${code})`, cause);
  }
  // What cannot be written back byte for byte is not touched.
  if (!Buffer.from(bytes.toString('utf8')).equals(bytes)) throw unreadable(file, 'it is not UTF-8');
  return bytes;
}

function readText(file: string): string | undefined {
  return readBytes(file)?.toString('utf8');
}

function unreadable(file: string, why: string, cause?: unknown): Fault {
  return new Fault('settings-unreadable', `${file} cannot be changed: ${why}`, {
    ...{ hint: 'Nothing was written. Mend the file, then try again.', exitCode: 2, cause },
  });
}

/** (N2) */
function replaceFile(file: string, bytes: Buffer, mode?: number): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const beside = `${target}.${process.pid}.tmp`;
  const before = statSync(target, { throwIfNoEntry: false });
  writeFileSync(beside, bytes, { mode: mode ?? 0o600, flush: true });
  chmodSync(beside, mode ?? (before ? before.mode & 0o777 : 0o644));
  renameSync(beside, target);
}

function keptFile(file: string, keep: string): string {
  return join(keep, `${hashOf(Buffer.from(file)).slice(0, 24)}.json`);
}

function keptOf(file: string, keep: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(keptFile(file, keep), 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

function missingFolders(folder: string): string[] {
  if (existsSync(folder)) return [];
  return [...missingFolders(dirname(folder)), folder];
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // something else lies in it by now
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

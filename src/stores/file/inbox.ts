// inbox: messages for whoever holds a run, from any process that may write in its folder.
// A message is a file, renamed into place whole. Its name begins with a number one above the highest that lies there,
// so the order is that of arrival whatever the clocks say; the rest makes it unique, for ever: it is the message's id.

import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import { isObject, type Json } from '../../model/json.ts';
import type { InboxMessage, PostedMessage, Received } from '../../ports/store.ts';
import { isMissing } from './disk-fault.ts';
import { isOwnFolder, ownFolder } from './inside.ts';
import { readWhole, syncFolder, writeNew } from './whole-file.ts';

const longest = 16 << 20;
/** The folder for what was refused. */
const aside = 'bad';

export function postMessage(inbox: string, message: InboxMessage): PostedMessage {
  ownFolder(inbox);
  const text = `${JSON.stringify(message)}\n`;
  if (Buffer.byteLength(text) > longest) throw tooLarge(message);
  const highest = Math.max(0, ...names(inbox).filter(isMessageName).map(numberOf));
  const name = `${String(highest + 1).padStart(9, '0')}-${randomUUID()}.json`;
  const draft = join(inbox, `.tmp-${name}`);
  const path = join(inbox, name);
  writeNew(draft, text);
  // The holder may be another user: whatever umask the poster has, the holder can read it.
  chmodSync(draft, 0o644);
  renameSync(draft, path);
  syncFolder(inbox);
  return { lies: () => existsSync(path), withdraw: () => rmSync(path, { force: true }) };
}

/**
 * Everything that lies there but drafts. What is refused is moved to inbox/bad/ and kept there: it must neither stop
 * the run nor be looked at again. `stuck` has the names of those that could not be moved.
 */
export function receiveMessages(inbox: string, stuck: Set<string>): Received[] {
  return names(inbox)
    .filter((name) => !stuck.has(name))
    .map((name) => {
      const path = join(inbox, name);
      const refuse = () => setAside(inbox, name, stuck);
      const id = name.replace(/\.json$/, '');
      if (!isMessageName(name)) return { id, problem: 'it is not named as a message is', refuse };
      const read = readMessage(path);
      if ('problem' in read) return { id, problem: read.problem, refuse };
      return { id, message: read.message, done: () => rmSync(path, { force: true }), refuse };
    });
}

/** In the order of arrival. An inbox that is no folder of its own holds nothing of ours (F4). */
function names(inbox: string): string[] {
  if (!isOwnFolder(inbox)) return [];
  try {
    return readdirSync(inbox)
      .filter((name) => name !== aside && !name.startsWith('.'))
      .sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMessageName(name: string): boolean {
  return /^[0-9]{1,12}-.*\.json$/.test(name);
}

/** What has no number comes last. */
function numberOf(name: string): number {
  return isMessageName(name) ? Number.parseInt(name, 10) : 1e12;
}

function readMessage(path: string): { message: InboxMessage } | { problem: string } {
  let text: string | undefined;
  try {
    text = readWhole(path, longest);
  } catch {
    // A socket, a file without rights: whoever put it there must not be able to end the run with it.
  }
  if (text === undefined)
    return { problem: `it is not a file of at most ${longest >> 20} MiB that can be read` };
  const message = parseMessage(text);
  return message ? { message } : { problem: 'its content is not a message' };
}

function tooLarge(message: InboxMessage): Fault {
  return new Fault('message-too-large', `this ${message.kind} is larger than ${longest >> 20} MiB`, {
    hint: 'Put the data in a file of the workspace and send its path.',
    exitCode: 2,
  });
}

function setAside(inbox: string, name: string, stuck: Set<string>): void {
  const folder = join(inbox, aside);
  try {
    ownFolder(folder);
    renameSync(join(inbox, name), join(folder, freeName(folder, name)));
  } catch (error) {
    if (!isMissing(error)) stuck.add(name);
  }
}

/** The second of the same name does not replace the first. */
function freeName(folder: string, name: string): string {
  return lstatSync(join(folder, name), { throwIfNoEntry: false })
    ? `${randomUUID()}-${name}`.slice(0, 255)
    : name;
}

function parseMessage(text: string): InboxMessage | undefined {
  let value: Partial<Record<string, unknown>>;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || typeof value.by !== 'string') return undefined;
  const optional = (field: string): boolean => value[field] === undefined || typeof value[field] === 'string';
  const fits =
    (value.kind === 'answer' && optional('path') && optional('note')) ||
    (value.kind === 'signal' && typeof value.name === 'string') ||
    (value.kind === 'cancel' && optional('why')) ||
    (value.kind === 'claim' && isClaim(value) && optional('session')) ||
    (value.kind === 'handover' && isDriven(value.to) && optional('why'));
  // JSON has no undefined: a signal without data, an answer that is nothing.
  if (value.kind === 'answer') value.answer ??= null;
  if (value.kind === 'signal') value.data ??= null;
  return fits ? (value as unknown as InboxMessage) : undefined;
}

function isClaim({ path, try: tried, claim }: Partial<Record<string, unknown>>): boolean {
  return typeof path === 'string' && Number.isInteger(tried) && isObject(claim as Json);
}

function isDriven(value: unknown): boolean {
  const to = value as Json;
  return isObject(to) && (to.drive === 'run' || to.drive === 'guide' || to.drive === 'guard');
}

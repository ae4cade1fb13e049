// inbox: messages for whoever holds a run, from any process that may write in its folder.
// A message is a file, renamed into place whole. Its name begins with a number one above the highest that lies there,
// so the order is that of arrival whatever the clocks say; the rest makes it unique, for ever: it is the message's id.

import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { InboxMessage, ReceivedMessage } from '../../ports/store.ts';
import { isMissing } from './disk-fault.ts';
import { readWhole, syncFolder, writeNew } from './whole-file.ts';

const longest = 16 << 20;

export function postMessage(inbox: string, message: InboxMessage): void {
  // Not recursive: a run that was removed a moment ago must not come back as an empty folder.
  if (!existsSync(inbox)) mkdirSync(inbox);
  const text = `${JSON.stringify(message)}\n`;
  if (Buffer.byteLength(text) > longest) throw tooLarge(message);
  const highest = Math.max(0, ...messageFiles(inbox).map(numberOf));
  const name = `${String(highest + 1).padStart(9, '0')}-${randomUUID()}.json`;
  const draft = join(inbox, `.tmp-${name}`);
  writeNew(draft, text);
  // The holder may be another user: whatever umask the poster has, the holder can read it.
  chmodSync(draft, 0o644);
  renameSync(draft, join(inbox, name));
  syncFolder(inbox);
}

/** What is no message is moved to inbox/bad/ and kept there: it must neither stop the run nor be looked at again. */
export function receiveMessages(inbox: string): ReceivedMessage[] {
  const received: ReceivedMessage[] = [];
  for (const name of messageFiles(inbox)) {
    const path = join(inbox, name);
    const message = parseMessage(readWhole(path, longest));
    if (message === undefined) setAside(inbox, name);
    else
      received.push({ id: name.replace(/\.json$/, ''), message, done: () => rmSync(path, { force: true }) });
  }
  return received;
}

function messageFiles(inbox: string): string[] {
  try {
    return readdirSync(inbox)
      .filter((name) => /^[0-9]{1,12}-.*\.json$/.test(name))
      .sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

function tooLarge(message: InboxMessage): Fault {
  return new Fault('message-too-large', `this ${message.kind} is larger than ${longest >> 20} MiB`, {
    hint: 'Put the data in a file of the workspace and send its path.',
    exitCode: 2,
  });
}

function setAside(inbox: string, name: string): void {
  mkdirSync(join(inbox, 'bad'), { recursive: true });
  try {
    renameSync(join(inbox, name), join(inbox, 'bad', name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function parseMessage(text: string | undefined): InboxMessage | undefined {
  let value: Partial<Record<string, unknown>>;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || typeof value.by !== 'string') return undefined;
  const optional = (field: string): boolean => value[field] === undefined || typeof value[field] === 'string';
  const fits =
    (value.kind === 'answer' && optional('path') && optional('note')) ||
    (value.kind === 'signal' && typeof value.name === 'string') ||
    (value.kind === 'cancel' && optional('why'));
  // JSON has no undefined: a signal without data, an answer that is nothing.
  if (value.kind === 'answer') value.answer ??= null;
  if (value.kind === 'signal') value.data ??= null;
  return fits ? (value as unknown as InboxMessage) : undefined;
}

// mask-entry: an entry without secrets. Only what came from outside is looked at: a secret that happens to be called
// like a step, a kind or a class must not tear the journal apart.

import type { EntryBody, Fact, Failure } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { Mask } from './mask.ts';

/** Fields that hold values or words of users, commands and agents. */
const FOREIGN: ReadonlySet<string> = new Set([
  'answer',
  'argv',
  'choices',
  'command',
  'data',
  'details',
  'inputs',
  'items',
  'message',
  'note',
  'output',
  'outputs',
  'reasons',
  'text',
  'title',
  'values',
  'vars',
  'warnings',
  'why',
  'with',
]);

/** What a person answers with, in our words. */
const OURS: ReadonlySet<Json> = new Set(['approve', 'reject', 'again', 'accept', 'fail']);

/** An outcome is masked where it is made (perform), so it is left as it is. */
export function maskEntry(mask: Mask, body: EntryBody): EntryBody {
  if (mask.names.size === 0) return body;
  const fields = Object.entries(body).map(([name, value]): [string, unknown] => {
    if (value === undefined) return [name, value];
    if (name === 'facts')
      return [name, (value as Fact[]).map((fact) => ({ ...fact, value: mask.deep(fact.value) }))];
    if (name === 'error') return [name, maskFailure(mask, value as Failure)];
    // Everywhere else `message` is the id of a message in the inbox.
    const isOurs = name === 'message' && body.kind !== 'limit-reached';
    if (isOurs || !FOREIGN.has(name) || (name === 'answer' && OURS.has(value as Json))) return [name, value];
    return [name, mask.deep(value as Json)];
  });
  return Object.fromEntries(fields) as unknown as EntryBody;
}

export function maskFailure(mask: Mask, failure: Failure): Failure {
  return {
    ...failure,
    message: mask.text(failure.message),
    ...(failure.hint !== undefined && { hint: mask.text(failure.hint) }),
    ...(failure.details !== undefined && { details: mask.deep(failure.details) }),
  };
}

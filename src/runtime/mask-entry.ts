// mask-entry: an entry without secrets. Only what came from outside is looked at: a secret that happens to be called
// like a step, a kind or a class must not tear the journal apart.

import type { Channel, EntryBody, Fact, Failure } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import { withoutMarks } from '../model/mask-mark.ts';
import type { Mask } from './mask.ts';

/** Fields that hold values or words of users, commands and agents. */
const FOREIGN: ReadonlySet<string> = new Set([
  'answer',
  'argv',
  'by',
  'choices',
  'claim',
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
  'system',
  'text',
  'title',
  'values',
  'vars',
  'warnings',
  'why',
  'with',
]);

/** Of a file in the inbox that is no message of ours everything is foreign: what it is called, and what it names. */
const REFUSED: ReadonlySet<string> = new Set(['file', 'message', 'question']);

/** What a person answers with, in our words. */
const OURS: ReadonlySet<Json> = new Set(['approve', 'reject', 'again', 'accept', 'fail']);

/**
 * The entry as it is journaled: without secrets, without marks, and saying whether its values had either.
 * `hasMarks`: some value of the run was masked before, so this one may have been made from it.
 */
export function maskEntry(mask: Mask, body: EntryBody, hasMarks = false): EntryBody & { masked?: true } {
  const hidden = mask.isEmpty ? body : withoutSecrets(mask, body);
  const plain = hasMarks ? withoutMarks(hidden) : hidden;
  if (plain === body) return body;
  if (plain.kind !== 'attempt-finished') return { ...plain, masked: true };
  return plain === hidden ? plain : { ...plain, outcome: { ...plain.outcome, masked: true } };
}

/** An outcome is masked where it is made (perform), so it is left as it is. */
function withoutSecrets(mask: Mask, body: EntryBody): EntryBody {
  let changed = false;
  const fields = Object.entries(body).map(([name, value]): [string, unknown] => {
    const hidden = value === undefined ? value : hide(name, value);
    if (hidden !== value) changed = true;
    return [name, hidden];
  });
  return changed ? (Object.fromEntries(fields) as unknown as EntryBody) : body;

  function hide(name: string, value: unknown): unknown {
    if (name === 'facts') return maskFacts(mask, value as Fact[]);
    if (name === 'error') return maskFailure(mask, value as Failure);
    if (name === 'channel') return maskChannel(mask, value as Channel);
    if (body.kind === 'message-refused' && REFUSED.has(name)) return mask.deep(value as Json);
    // Everywhere else `message` is the id of a message in the inbox.
    const isOurs = name === 'message' && body.kind !== 'limit-reached';
    if (isOurs || !FOREIGN.has(name) || (name === 'answer' && OURS.has(value as Json))) return value;
    return mask.deep(value as Json);
  }
}

/** Programs choose their own names. */
function maskChannel(mask: Mask, channel: Channel): Channel {
  const above = mask.deep(channel.above);
  return above === channel.above ? channel : { ...channel, above };
}

function maskFacts(mask: Mask, facts: Fact[]): Fact[] {
  const hidden = facts.map((fact) => {
    const value = mask.deep(fact.value);
    return value === fact.value ? fact : { ...fact, value };
  });
  return hidden.some((fact, index) => fact !== facts[index]) ? hidden : facts;
}

export function maskFailure(mask: Mask, failure: Failure): Failure {
  const { message, hint, details } = failure;
  const hidden = {
    ...failure,
    message: mask.text(message),
    ...(hint !== undefined && { hint: mask.text(hint) }),
    ...(details !== undefined && { details: mask.deep(details) }),
  };
  const isSame = hidden.message === message && hidden.hint === hint && hidden.details === details;
  return isSame ? failure : hidden;
}

// masked-entry: an entry without secrets (S3). What comes from outside or was put together is masked; what the fold
// finds its way by (paths, ids, kinds, numbers) is not: a secret that happens to be "plan" must not rename a step.
// Outcomes arrive masked from perform/.

import type { EntryBody, Failure } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { Mask } from './mask.ts';

const CONTENT = [
  'answer',
  'choices',
  'data',
  'inputs',
  'items',
  'note',
  'output',
  'outputs',
  'reasons',
  'text',
  'title',
  'values',
  'vars',
  'why',
] as const;

export function maskedEntry(mask: Mask, body: EntryBody): EntryBody {
  if (mask.names.size === 0) return body;
  const masked: Record<string, unknown> = { ...body };
  for (const key of CONTENT) {
    const value = masked[key];
    if (value !== undefined) masked[key] = mask.deep(value as Json);
  }
  if ('error' in body)
    masked.error = { ...body.error, message: mask.text(body.error.message) } satisfies Failure;
  if (body.kind === 'limit-reached') masked.message = mask.text(body.message);
  if (body.kind === 'observed') {
    masked.facts = body.facts.map((fact) => ({ ...fact, value: mask.deep(fact.value) }));
  }
  return masked as unknown as EntryBody;
}

// step-results: what the steps of a run came to, read off its journal: only what has happened, never what is to come.

import type { Entry } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import { within } from './blockers.ts';
import { choice, list, object, text, type ValueOf, whole } from './schema.ts';

export const CHECKPOINT_SIGNAL = 'session_checkpoint';
const LONGEST_SUMMARY = 600;

export const STEP_RESULT = object(
  {
    step: text('The step, with visits, items and passes.'),
    status: choice(['done', 'failed', 'rejected', 'skipped'], 'What came of it.'),
    by: text('Who did it, where that is known.'),
    summary: text('What it gave, why it does not count, or why it was left out; the beginning.'),
    at: text('When, ISO 8601.'),
  },
  ['step', 'status', 'summary', 'at'],
);
export type StepResult = ValueOf<typeof STEP_RESULT>;

export const CHECKPOINT = object(
  {
    entry: whole('Where in the journal.'),
    at: text('When, ISO 8601.'),
    note: text('What was said about it.'),
  },
  ['entry', 'at'],
);

/** The last one of each step and pass, in the order in which they ended. `after`: the number of an entry. */
export function stepResults(entries: readonly Entry[], after = 0): StepResult[] {
  const results = new Map<string, StepResult>();
  const doers = new Map<string, string>();
  const verbs = new Map<string, string>();
  const put = (entry: Entry & { path: string }, status: StepResult['status'], words: string): void => {
    results.delete(entry.path); // its place is that of the last word on it
    const by = doers.get(entry.path);
    results.set(entry.path, {
      ...{
        step: entry.path,
        status,
        summary: within(words, LONGEST_SUMMARY),
        at: new Date(entry.at).toISOString(),
      },
      ...(by !== undefined && { by }),
    });
  };
  for (const entry of entries) {
    if (entry.kind === 'claim-received') doers.set(entry.path, entry.by);
    if (entry.kind === 'attempt-started' && entry.part === undefined) verbs.set(entry.path, entry.verb);
    if (entry.n <= after) continue;
    switch (entry.kind) {
      case 'attempt-finished':
        // What is handed out has not been done yet.
        if (entry.part !== undefined || verbs.get(entry.path) === 'hand-out') break;
        if (entry.outcome.ok) put(entry, 'done', words(entry.outcome.output));
        else put(entry, 'failed', entry.outcome.error?.message ?? '');
        break;
      case 'work-rejected':
        put(entry, 'rejected', entry.reasons.join('; '));
        break;
      case 'step-failed':
        put(entry, 'failed', entry.error.message);
        break;
      case 'step-skipped':
        put(entry, 'skipped', entry.why);
        break;
      default:
    }
  }
  return [...results.values()];
}

export function checkpointsIn(entries: readonly Entry[]): ValueOf<typeof CHECKPOINT>[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'signal-received' || entry.name !== CHECKPOINT_SIGNAL) return [];
    const note = typeof entry.data === 'string' ? entry.data : '';
    return [{ entry: entry.n, at: new Date(entry.at).toISOString(), ...(note !== '' && { note }) }];
  });
}

/** Of a claim, its notes. */
function words(output: Json): string {
  if (typeof output === 'string') return output;
  if (
    typeof output === 'object' &&
    output !== null &&
    !Array.isArray(output) &&
    typeof output.notesMarkdown === 'string'
  )
    return output.notesMarkdown;
  return JSON.stringify(output);
}

export function resultLine({ step, status, summary }: StepResult): string {
  const short = within(summary.replaceAll(/\s+/g, ' ').trim(), 240);
  return `- ${step}: ${status}${short === '' ? '' : `. ${short}`}`;
}

export const RESULTS = list(STEP_RESULT, 'In the order in which they ended.');

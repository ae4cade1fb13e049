// same-journal: a journal without what has to differ between two runs of one workflow with two clients. What is named
// here is all that may differ; anything else that does is a difference in behaviour.

import type { Entry } from '../../src/model/entry.ts';

/** Of any entry: time and the chain. Of the run: its name, where it is, who runs it, the text (it names the provider). */
const OF_EVERY_RUN = new Set(['at', 'h', 'run', 'by', 'workflow_hash']);
/** Who answered, and what that client says of itself and its work. */
const OF_THE_CLIENT = new Set([
  'provider',
  'session',
  'session_totals',
  'usage',
  'usage_by_model',
  'invocation',
  'stderr',
  // A client with a tool for structured answers has no text to show.
  'raw',
]);
/** How long things took. */
const OF_TIME = new Set(['duration_ms', 'milliseconds', 'metrics', 'delay_ms']);

/** `root`: where the project is, in any text. */
export function onlyWhatMustBeSame(journal: Entry[], root: string): unknown {
  const [start] = journal;
  const id = start?.kind === 'run-started' ? start.run.id : 'RUN';
  const text = JSON.stringify(journal).replaceAll(root, 'PROJECT').replaceAll(id, 'RUN');
  // Commits are made at different times.
  return without(JSON.parse(text.replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')));
}

function without(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/(duration_ms:?) [\d.]+/g, '$1 …');
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => ![OF_EVERY_RUN, OF_THE_CLIENT, OF_TIME].some((names) => names.has(name)))
      .map(([name, each]) => [name, name === 'warnings' ? ofOurs(each as string[]) : without(each)])
      .filter(([name, each]) => name !== 'warnings' || (each as string[]).length > 0),
  );
}

/** A client warns of things of its own (that it never heard of the model, say) and is named first. */
function ofOurs(warnings: string[]): string[] {
  return warnings.filter((warning) => !/^(?:claude|codex|gemini): /.test(warning));
}

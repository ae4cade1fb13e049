// cut-text: what an entry says of outputs that were not kept whole, and of what was decided on a part of one.
// Every view that tells a run tells these: nothing is left out in silence.

import type { Cut, Entry, Outcome, Truncated } from '../model/entry.ts';
import { count, thousands } from './text/words.ts';

/** One sentence each, without the place: that is the entry's. */
export function cutTexts(entry: Entry): readonly string[] {
  const texts = entry.kind === 'attempt-finished' ? outcomeTexts(entry.outcome) : NONE;
  // That it failed is said by its failure.
  if (!entry.cut || entry.kind === 'step-failed') return texts;
  return [...texts, ...entry.cut.map((cut) => decidedText(entry, cut))];
}

/** Most entries have none to tell. */
const NONE: readonly string[] = [];

function outcomeTexts({ truncated, injection }: Outcome): readonly string[] {
  if (!truncated && !injection) return NONE;
  const texts: string[] = [];
  if (truncated) texts.push(`its output was cut: ${figures(truncated)}`);
  if (injection) {
    const left = injection.files_truncated + injection.files_omitted;
    texts.push(
      `the files in its prompt were cut: ${thousands(injection.shown_size)} of ${thousands(injection.total_size)} bytes are in it${left === 0 ? '' : `, and ${count(left, 'file')} not whole`}`,
    );
  }
  return texts;
}

function decidedText(entry: Entry, cut: Cut): string {
  const source = `the output of "${cut.path}" (${figures(cut)})`;
  if (cut.of !== undefined) {
    return entry.kind === 'step-opened'
      ? `it goes over a part of its list only, which comes from ${source}`
      : `\`${cut.of}\` was made from a part of ${source}`;
  }
  if (entry.kind === 'attempt-started') return `it was given a part of ${source}`;
  return `this was decided on a part of ${source}`;
}

function figures({ bytes, kept, chosen }: Truncated): string {
  const why = chosen ? ', as its `capture.limit` says' : '';
  return `${thousands(kept)} of ${thousands(bytes)} bytes were kept${why}`;
}

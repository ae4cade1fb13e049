// synthesize-title: { generator, template, instruction }. Finds a title for the session, and keeps it in its record. Gives the title.

import { extractTitle, titleFrom } from './extract-summary.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { whatHappened } from './happened.ts';
import { changeRecord, sessionOf } from './live-call.ts';
import { writtenText } from './written-text.ts';

const TASK = `Give this session of a coding agent a title of at most eight words, by what the person wants. Answer with the title alone.`;

export async function synthesizeTitle(call: HandlerCall): Promise<Handled> {
  sessionOf(call);
  const happened = await whatHappened(call);
  const { text, ...written } = await writtenText(call, {
    task: TASK,
    happened,
    extracted: extractTitle(happened),
  });
  const { title } = changeRecord(call, (record) => ({ ...record, title: titleFrom(text) || record.title }));
  return { output: title, sessionFacts: { title }, ...written };
}

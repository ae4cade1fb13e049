// generate-summary: { generator, template, instruction }. Sums the session up. The text is kept in the record of the session, for
// the one that goes on from it. Gives the text.

import { extractSummary } from './extract-summary.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { whatHappened } from './happened.ts';
import { changeRecord, sessionOf } from './live-call.ts';
import { writtenText } from './written-text.ts';

const TASK = `Sum up this session of a coding agent for the agent that goes on with the work. Say what the goal is, what was done, what was decided and why, which files matter, what is left to do, and what went wrong. At most 400 words, in Markdown. Answer with the summary alone.`;

export async function generateSummary(call: HandlerCall): Promise<Handled> {
  sessionOf(call);
  const happened = await whatHappened(call);
  const { text, ...written } = await writtenText(call, {
    task: TASK,
    happened,
    extracted: extractSummary(happened),
  });
  const { summary } = changeRecord(call, (record) => ({ ...record, summary: text }));
  return { output: summary, ...written };
}

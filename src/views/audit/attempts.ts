// attempts: sentences about what was dispatched and what came of it.

import type { Entry, Outcome } from '../../model/entry.ts';
import { doingText } from '../definition/doing.ts';
import type { Change } from '../outline/shape.ts';
import { placeName } from '../step-path.ts';
import { cost, count, duration, noSpending, thousands } from '../text/words.ts';
import type { Sentence } from './sentence.ts';

export function tellAttempt(change: Change): Sentence | undefined {
  const { entry } = change;
  switch (entry.kind) {
    case 'attempt-started':
      return started(entry);
    case 'attempt-finished':
      return finished(entry, change);
    case 'attempt-in-doubt': {
      const remedy = {
        rerun: 'it runs again',
        probe: 'a probe is asked',
        ask: 'a person is asked',
        wait: 'the wait goes on',
      };
      const place = placeName(entry.path, entry.part);
      return { text: `${place} was under way when the process ended: ${remedy[entry.remedy]}.`, tone: 'ask' };
    }
    case 'attempt-cancelled':
      return { text: `${placeName(entry.path, entry.part)} was told to end: ${entry.why}.`, tone: 'ask' };
    case 'retry-scheduled':
      return {
        text: `${entry.path} is dispatched again in ${duration(entry.delay_ms)} (retry ${entry.retry}): ${entry.why}.`,
        tone: 'ask',
      };
    case 'observed': {
      const seen = entry.facts.map(
        ({ kind, pattern, value }) =>
          `${kind}(${JSON.stringify(pattern)}) found ${count(value.length, 'file')}`,
      );
      return { text: `${entry.path} looked at the workspace: ${seen.join(', ')}.` };
    }
    default:
      return undefined;
  }
}

/** Who was given what. Of a command the end is told, with what it was. */
function started(entry: Entry & { kind: 'attempt-started' }): Sentence | undefined {
  const place = placeName(entry.path, entry.part);
  if (entry.verb === 'wait') {
    const what = entry.signal === undefined ? '' : ` for signal ${entry.signal}`;
    return { text: `${place} waits${what}.` };
  }
  if (entry.verb !== 'prompt') return undefined;
  const who = [entry.provider, entry.model].filter((word) => word !== undefined).join(', ');
  const agent = entry.agent === undefined ? 'an agent' : `agent ${entry.agent}`;
  const prompt = entry.prompt === undefined ? '' : ` with prompt ${entry.prompt}`;
  const again = entry.part === undefined && entry.try > 1 ? `, try ${entry.try}` : '';
  const session = entry.session === undefined ? '' : ', in the same session';
  return {
    text: `${place} was given to ${agent}${who === '' ? '' : ` (${who})`}${prompt}${again}${session}.`,
  };
}

function finished(entry: Entry & { kind: 'attempt-finished' }, { record, attempt }: Change): Sentence {
  const { outcome, part } = entry;
  const place = placeName(entry.path, part);
  const figures = `${duration(outcome.duration_ms)}${usageText(outcome)}`;
  const details = [...(outcome.warnings ?? []), ...denialTexts(outcome), ...(outcome.violations ?? [])];
  const isCheck = part?.startsWith('done') === true;
  const verb = attempt?.verb ?? record?.step?.work.kind ?? 'run';
  const what =
    verb === 'prompt' || verb === 'wait' ? place : `${place}: ${doingText(record?.step, part, attempt)}`;
  if (outcome.ok) {
    const how = isCheck ? 'held' : verb === 'prompt' ? 'was answered' : 'ended well';
    return { text: `${what} ${how} (${figures}).`, tone: isCheck ? 'good' : 'none', details };
  }
  const code = outcome.exit_code === undefined ? '' : ` with exit code ${outcome.exit_code}`;
  const isAction = part !== undefined && !isCheck && part !== 'probe';
  // Why the work failed is in what is decided about it next.
  const why = isAction && outcome.error ? `: ${outcome.error.message}` : '';
  const how = isCheck
    ? `did not hold${code === '' ? '' : `, and ended${code}`}`
    : `ended${code === '' ? ' badly' : code}`;
  const action = isAction ? ' An action that fails changes nothing.' : '';
  return { text: `${what} ${how} (${figures})${why}.${action}`, tone: 'bad', details };
}

function denialTexts({ denials }: Outcome): string[] {
  if (!denials) return [];
  const told = denials.calls.map(({ tool, about, reason }) => `denied: ${tool} ${about}: ${reason}`);
  const more = denials.count - denials.calls.length;
  return more > 0 ? [...told, `and ${count(more, 'more denied call')}`] : told;
}

function usageText(outcome: Outcome): string {
  const { usage, model } = outcome;
  if (!usage) return '';
  const spent = cost({
    ...noSpending(),
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cost: usage.cost ?? 0,
    priced: usage.cost === null ? 0 : 1,
    unpriced: usage.cost === null ? 1 : 0,
  });
  const tokens = `${thousands(usage.input_tokens)} tokens in, ${thousands(usage.output_tokens)} out`;
  const by = model === undefined ? '' : `, ${model}`;
  return spent === undefined ? '' : `, ${spent}, ${tokens}${by}`;
}

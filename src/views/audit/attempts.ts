// attempts: sentences about what was dispatched and what came of it.

import type { Entry, Outcome } from '../../model/entry.ts';
import type { Action, Check, Step } from '../../model/workflow.ts';
import { commandText, workText } from '../definition/describe.ts';
import { placeName, readPart } from '../step-path.ts';
import type { StepRecord } from '../step-record.ts';
import { cost, count, duration, noSpending, thousands, valueText } from '../text/words.ts';
import type { Sentence, Telling } from './sentence.ts';

export function tellAttempt(
  telling: Telling,
  entry: Entry,
  record: StepRecord | undefined,
): Sentence | undefined {
  switch (entry.kind) {
    case 'attempt-started':
      telling.attempts.set(placeName(entry.path, entry.part), {
        path: entry.path,
        at: entry.at,
        verb: entry.verb,
        ...(entry.part !== undefined && { part: entry.part }),
      });
      return started(entry);
    case 'attempt-finished': {
      const place = placeName(entry.path, entry.part);
      const verb = telling.attempts.get(place)?.verb ?? record?.step?.work.kind ?? 'run';
      telling.attempts.delete(place);
      return finished(entry, verb, record?.step);
    }
    case 'attempt-in-doubt': {
      telling.attempts.delete(placeName(entry.path, entry.part));
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

/** What an action, a check, a probe or the work itself does. */
export function doingText(step: Step | undefined, part: string | undefined, verb: string): string {
  if (part === undefined) return step ? workText(step.work) : verb;
  const { name, index } = readPart(part);
  if (name === 'done') {
    const check: Check | undefined = step?.done?.checks[index];
    return check?.kind === 'run' ? commandText(check.command) : 'the check';
  }
  if (name === 'probe')
    return step?.recover.kind === 'probe' ? `probe ${commandText(step.recover.command)}` : 'the probe';
  const action: Action | undefined =
    name === 'enter' ? step?.enter[index] : name === 'exit' ? step?.exit[index] : undefined;
  if (!action || action.work.kind === 'set' || action.work.kind === 'say') return verb;
  return workText(action.work);
}

function finished(
  entry: Entry & { kind: 'attempt-finished' },
  verb: string,
  step: Step | undefined,
): Sentence {
  const { outcome, part } = entry;
  const place = placeName(entry.path, part);
  const figures = `${duration(outcome.duration_ms)}${usageText(outcome)}`;
  const details = [...(outcome.warnings ?? []), ...(outcome.violations ?? [])];
  const isCheck = part?.startsWith('done') === true;
  const what = verb === 'prompt' || verb === 'wait' ? place : `${place}: ${doingText(step, part, verb)}`;
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

function usageText(outcome: Outcome): string {
  const { usage } = outcome;
  if (!usage) return '';
  const spent = cost({
    ...noSpending(),
    cost: usage.cost ?? 0,
    priced: usage.cost === null ? 0 : 1,
    unpriced: usage.cost === null ? 1 : 0,
  });
  const tokens = `${thousands(usage.input_tokens)} tokens in, ${thousands(usage.output_tokens)} out`;
  return `, ${spent ?? valueText(usage.cost)}, ${tokens}`;
}

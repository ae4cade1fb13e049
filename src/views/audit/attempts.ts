// attempts: sentences about what was dispatched and what came of it.

import type { ApprovalMoment, CallVerdict, Entry, Outcome } from '../../model/entry.ts';
import type { Workflow } from '../../model/workflow.ts';
import { doingText } from '../definition/doing.ts';
import type { Change } from '../outline/shape.ts';
import { placeName } from '../step-path.ts';
import { referenceTexts, settingTexts } from '../text/repository-text.ts';
import { cost, count, duration, noSpending, thousands } from '../text/words.ts';
import type { AuditFacts, Sentence, Used } from './sentence.ts';

export function tellAttempt(change: Change, workflow: Workflow): Sentence | undefined {
  const { entry } = change;
  switch (entry.kind) {
    case 'attempt-started':
      return started(entry, workflow);
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
      if (entry.seen) return { text: `${entry.path} looked at the workspace ${LOOKS[entry.seen.moment]}.` };
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

const LOOKS: Record<ApprovalMoment, string> = {
  start: 'before it began, because its result is to be approved',
  question: 'for what is to be approved',
  answer: 'again, for whether it is still what was approved',
};

/** Who was given what. Of a command the end is told, with what it was. */
function started(entry: Entry & { kind: 'attempt-started' }, workflow: Workflow): Sentence | undefined {
  const place = placeName(entry.path, entry.part);
  if (entry.verb === 'wait') {
    const what = entry.signal === undefined ? '' : ` for signal ${entry.signal}`;
    return { text: `${place} waits${what}.` };
  }
  if (entry.verb !== 'prompt') return undefined;
  const agentUsed = used(entry.agent, entry.agent_source, workflow);
  const promptUsed = used(entry.prompt, entry.prompt_source, workflow);
  const client = [entry.provider, entry.model].filter((word) => word !== undefined).join(', ');
  const who = [layerOf(agentUsed), client].filter((word) => word !== '').join('; ');
  const agent = entry.agent === undefined ? 'an agent' : `agent ${entry.agent}`;
  const from = layerOf(promptUsed);
  const prompt =
    entry.prompt === undefined ? '' : ` with prompt ${entry.prompt}${from === '' ? '' : ` (${from})`}`;
  const again = entry.part === undefined && entry.try > 1 ? `, try ${entry.try}` : '';
  const session = entry.session === undefined ? '' : ', in the same session';
  return {
    text: `${place} was given to ${agent}${who === '' ? '' : ` (${who})`}${prompt}${again}${session}.`,
    facts: {
      ...(agentUsed && { agent: agentUsed }),
      ...(promptUsed && { prompt: promptUsed }),
      ...(entry.model !== undefined && { model: entry.model }),
    },
  };
}

function used(name: string | undefined, index: number | undefined, { sources }: Workflow): Used | undefined {
  if (name === undefined) return undefined;
  const source = index === undefined ? undefined : sources[index];
  return source ? { name, layer: source.layer, path: source.path, hash: source.hash } : { name };
}

/** Where it was found, in words. */
function layerOf(found: Used | undefined): string {
  if (found?.layer === undefined) return '';
  return found.layer === 'builtin' ? 'built in' : found.layer === 'wrangler' ? '.wrangler' : found.layer;
}

function finished(entry: Entry & { kind: 'attempt-finished' }, { record, attempt }: Change): Sentence {
  const { outcome, part } = entry;
  const place = placeName(entry.path, part);
  const figures = `${duration(outcome.duration_ms)}${usageText(outcome)}`;
  const details = [
    ...(outcome.warnings ?? []),
    ...settingTexts(outcome),
    ...referenceTexts(outcome),
    ...callTexts(outcome),
    ...denialTexts(outcome),
    ...(outcome.violations ?? []),
  ];
  const facts = resultOf(outcome);
  const isCheck = part?.startsWith('done') === true;
  const verb = attempt?.verb ?? record?.step?.work.kind ?? 'run';
  const what =
    verb === 'prompt' || verb === 'wait' ? place : `${place}: ${doingText(record?.step, part, attempt)}`;
  if (outcome.ok) {
    const how = isCheck ? 'held' : verb === 'prompt' ? 'was answered' : 'ended well';
    return { text: `${what} ${how} (${figures}).`, tone: isCheck ? 'good' : 'none', details, facts };
  }
  const code = outcome.exit_code === undefined ? '' : ` with exit code ${outcome.exit_code}`;
  const isAction = part !== undefined && !isCheck && part !== 'probe';
  // Why the work failed is in what is decided about it next.
  const why = isAction && outcome.error ? `: ${outcome.error.message}` : '';
  const how = isCheck
    ? `did not hold${code === '' ? '' : `, and ended${code}`}`
    : `ended${code === '' ? ' badly' : code}`;
  const action = isAction ? ' An action that fails changes nothing.' : '';
  return { text: `${what} ${how} (${figures})${why}.${action}`, tone: 'bad', details, facts };
}

function resultOf({ duration_ms, model, output }: Outcome): AuditFacts {
  return {
    duration_ms,
    ...(model !== undefined && { model }),
    ...(output !== undefined && { output }),
  };
}

const CALLS: Record<CallVerdict, string> = {
  allowed: 'let happen',
  rewritten: 'rewritten by a rule',
  denied: 'denied',
  refused: 'refused by the client',
  unasked: 'that nobody was asked about',
};

function callTexts({ calls }: Outcome): string[] {
  if (!calls) return [];
  const verdicts = Object.keys(CALLS) as CallVerdict[];
  const told = verdicts
    .filter((verdict) => calls[verdict])
    .map((verdict) => `${calls[verdict]} ${CALLS[verdict]}`);
  return told.length === 0 ? [] : [`tool calls: ${told.join(', ')}`];
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

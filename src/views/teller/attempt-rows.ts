// attempt-rows: how what was dispatched, and what came of it, is told.

import type { ApprovalMoment, CallVerdict, DeniedCalls, Outcome } from '../../model/entry.ts';
import type { Workflow } from '../../model/workflow.ts';
import { doingText } from '../definition/doing.ts';
import { layerName } from '../layer-name.ts';
import type { Change } from '../outline/shape.ts';
import { placeName } from '../step-path.ts';
import { namedText } from '../step-record.ts';
import { gitTexts, meanwhileTexts } from '../text/git-text.ts';
import { referenceTexts, settingTexts } from '../text/repository-text.ts';
import { cost, count, crowded, duration, noSpending, thousands } from '../text/words.ts';
import { type EntryOf, type Rows, type Shown, UNTOLD } from './row.ts';
import type { AuditFacts, Sentence, Used } from './sentence.ts';

type AttemptKind =
  | 'attempt-started'
  | 'attempt-finished'
  | 'attempt-in-doubt'
  | 'attempt-cancelled'
  | 'retry-scheduled'
  | 'retry-due'
  | 'observing'
  | 'observed';

const REMEDIES = {
  rerun: 'it runs again',
  probe: 'a probe is asked',
  ask: 'a person is asked',
  wait: 'the wait goes on',
} as const;

const LONGEST_COMMAND = 200;

/** Between the engine and a client: what the client was given, and what it handed in, is told by entries of their own. */
const ASIDE = new Set(['hand-out', 'claim']);
const BRIEF = new Set([...ASIDE, 'call']);

export const attemptRows: Rows<AttemptKind> = {
  'attempt-started': {
    words(entry, { change: { record, attempt } }) {
      const again = entry.part === undefined && entry.try > 1 ? ` (try ${entry.try})` : '';
      const doing = doingText(record?.step, entry.part, attempt);
      return `started${again}${record ? namedText(record) : ''}: ${shortened(doing)}`;
    },
    // A handler is over at once: one line, for its end, says it all.
    log: ({ part, verb }) => (part === undefined && !BRIEF.has(verb) ? 'info' : 'debug'),
    screen: (entry, { change }) => (ASIDE.has(entry.verb) ? undefined : startedShown(entry, change)),
    story: (entry, { outline }) => startedStory(entry, outline.workflow),
  },
  'attempt-finished': {
    words: ({ outcome }) => endedText(outcome),
    log: ({ part, outcome }) => (outcome.ok || part === undefined ? 'debug' : 'warn'),
    screen: (entry, { change }) => (entry.part === undefined ? undefined : partShown(entry, change)),
    story: (entry, { change }) => finishedStory(entry, change),
  },
  'attempt-in-doubt': {
    words: ({ remedy }) => `was under way when the process ended: ${REMEDIES[remedy]}`,
    log: () => 'warn',
    screen: () => ({ mark: 'notice', style: 'ask', level: 'normal' }),
    story: ({ path, part, remedy }) => ({
      text: `${placeName(path, part)} was under way when the process ended: ${REMEDIES[remedy]}.`,
      tone: 'ask',
    }),
  },
  'attempt-cancelled': {
    words: ({ why }) => `told to end: ${why}`,
    log: () => 'warn',
    screen: () => undefined,
    story: ({ path, part, why }) => ({
      text: `${placeName(path, part)} was told to end: ${why}.`,
      tone: 'ask',
    }),
  },
  'retry-scheduled': {
    words(entry, { change: { record } }) {
      const retry = `retry ${entry.retry}${record?.step ? ` of ${record.step.retry.max}` : ''}`;
      const delay = duration(entry.delay_ms);
      const why = crowded(entry.class);
      return why === undefined
        ? `${retry} in ${delay}: ${entry.why}`
        : `${why}, again in ${delay} (${retry}): ${entry.why}`;
    },
    log: () => 'warn',
    screen: () => ({ mark: 'again', style: 'ask', level: 'normal' }),
    story: ({ path, delay_ms: delay, retry, why }) => ({
      text: `${path} is dispatched again in ${duration(delay)} (retry ${retry}): ${why}.`,
      tone: 'ask',
    }),
  },
  // The attempt that begins with it tells it.
  'retry-due': UNTOLD,
  // What was seen tells it.
  observing: UNTOLD,
  observed: {
    words: (entry) => `looked: ${factTexts(entry).join(', ')}`,
    log: () => 'debug',
    logWords: factTexts,
    screen: ({ facts }) => (facts.length === 0 ? undefined : { mark: 'dot', style: 'dim', level: 'verbose' }),
    story: (entry) =>
      entry.seen
        ? { text: `${entry.path} looked at the workspace ${LOOKS[entry.seen.moment]}.` }
        : { text: `${entry.path} looked at the workspace: ${factTexts(entry).join(', ')}.` },
  },
};

function factTexts({ facts }: EntryOf<'observed'>): string[] {
  return facts.map(
    ({ kind, pattern, value }) => `${kind}(${JSON.stringify(pattern)}) found ${count(value.length, 'file')}`,
  );
}

function shortened(text: string): string {
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}

function endedText({ ok, exit_code: exit, duration_ms: took, error }: Outcome): string {
  const code = exit === undefined ? '' : ` with exit code ${exit}`;
  return `ended${code} (${duration(took)})${ok ? '' : `: ${error?.message ?? 'it failed'}`}`;
}

function startedShown(entry: EntryOf<'attempt-started'>, { record, attempt }: Change): Shown {
  const doing = doingText(record?.step, entry.part, attempt);
  if (entry.part !== undefined) return { mark: 'dot', style: 'dim', level: 'verbose', words: doing };
  const begun = { mark: 'running', style: 'live', level: 'normal', logOnly: true } as const;
  if (entry.verb !== 'prompt')
    return { ...begun, words: entry.try > 1 ? `try ${entry.try}: ${doing}` : doing };
  const who = [entry.agent === undefined ? undefined : `agent ${entry.agent}`, entry.provider, entry.model];
  const tries = entry.try > 1 ? `try ${entry.try}${record ? ` of ${record.tries}` : ''}: ` : '';
  const words = who.filter((word) => word !== undefined).join(', ');
  return { ...begun, words: tries + (words === '' ? 'prompt' : words) };
}

/** Checks and actions: told in detail only on request, but an action that failed is told. */
function partShown(entry: EntryOf<'attempt-finished'>, { record, attempt }: Change): Shown {
  const { outcome, part = '' } = entry;
  const doing = doingText(record?.step, part, attempt);
  const took = duration(outcome.duration_ms);
  if (outcome.ok) return { mark: 'done', style: 'good', level: 'verbose', words: `${doing}, ${took}` };
  const isCheck = part.startsWith('done');
  const why =
    outcome.exit_code === undefined ? (outcome.error?.message ?? 'failed') : `exit code ${outcome.exit_code}`;
  return {
    ...{ mark: 'failed', style: isCheck ? 'ask' : 'bad', words: `${doing}: ${why}, ${took}` },
    level: isCheck || part === 'probe' ? 'verbose' : 'normal',
  };
}

const LOOKS: Record<ApprovalMoment, string> = {
  start: 'before it began, because its result is to be approved',
  question: 'for what is to be approved',
  answer: 'again, for whether it is still what was approved',
};

const WELL: Record<string, string> = { prompt: 'was answered', claim: 'was read' };

/** Who was given what. Of a command the end is told, with what it was. */
function startedStory(entry: EntryOf<'attempt-started'>, workflow: Workflow): Sentence | undefined {
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
  const name = layerName(found.layer, found.path ?? '');
  return found.layer === 'wrangler' ? `.${name}` : name;
}

function finishedStory(entry: EntryOf<'attempt-finished'>, { record, attempt }: Change): Sentence {
  const { outcome, part } = entry;
  const place = placeName(entry.path, part);
  const figures = `${duration(outcome.duration_ms)}${usageText(outcome)}`;
  const details = [
    ...(outcome.warnings ?? []),
    ...settingTexts(outcome),
    ...referenceTexts(outcome),
    ...gitTexts(outcome),
    ...meanwhileTexts(outcome),
    ...callTexts(outcome),
    ...denialTexts('denied', outcome.denials),
    ...denialTexts('refused by the client', outcome.refusals),
    ...(outcome.violations ?? []),
  ];
  const facts = resultOf(outcome);
  const isCheck = part?.startsWith('done') === true;
  const verb = attempt?.verb ?? record?.step?.work.kind ?? 'run';
  const what =
    verb === 'prompt' || verb === 'wait' || verb === 'claim'
      ? place
      : `${place}: ${doingText(record?.step, part, attempt)}`;
  if (outcome.ok) {
    const how = isCheck ? 'held' : (WELL[verb] ?? 'ended well');
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
  allowed: 'allowed',
  rewritten: 'rewritten by a rule',
  denied: 'denied',
  refused: 'refused by the client',
  unasked: 'made without asking',
};

function callTexts({ calls }: Outcome): string[] {
  if (!calls) return [];
  const verdicts = Object.keys(CALLS) as CallVerdict[];
  const told = verdicts
    .filter((verdict) => calls[verdict])
    .map((verdict) => `${calls[verdict]} ${CALLS[verdict]}`);
  return told.length === 0 ? [] : [`tool calls: ${told.join(', ')}`];
}

function denialTexts(how: string, denials: DeniedCalls | undefined): string[] {
  if (!denials) return [];
  const told = denials.calls.map(({ tool, about, reason }) => `${how}: ${tool} ${about}: ${reason}`);
  const more = denials.count - denials.calls.length;
  return more > 0 ? [...told, `and ${count(more, 'more call')} ${how}`] : told;
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

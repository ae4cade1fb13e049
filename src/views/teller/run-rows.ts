// run-rows: how entries about the run as a whole are told.

import type { Channel, Failure, FoundInput, Skips } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import { failureText } from '../failure-text.ts';
import { modelText } from '../model-text.ts';
import type { Outline } from '../outline/shape.ts';
import { channelText } from '../text/channel-text.ts';
import { switchedOffTexts } from '../text/git-text.ts';
import { refusedText } from '../text/refused-text.ts';
import { cost, count, duration, list, tokens, valueText } from '../text/words.ts';
import type { EntryOf, Rows, Shown, Telling } from './row.ts';
import type { Sentence } from './sentence.ts';

type RunKind =
  | 'run-started'
  | 'worktree-prepared'
  | 'run-resumed'
  | 'end-requested'
  | 'limit-reached'
  | 'run-paused'
  | 'drive-changed'
  | 'run-interrupted'
  | 'run-completed'
  | 'run-failed'
  | 'run-cancelled'
  | 'signal-received'
  | 'message-refused';

const after = ({ outline }: Telling): string => ` after ${duration(outline.runTime)}`;

function whyFailed(path: string | undefined, error: Failure, { outline }: Telling): string {
  return failureText(error, path === undefined ? undefined : outline.byPath.get(path));
}

/** The end of a run, in the line of its workflow: the summary tells it where there is a live tree. */
function ending(
  mark: Shown['mark'],
  style: Shown['style'],
  { outline }: Telling,
  how: string,
  rest = '',
): Shown {
  const spent = cost(outline.totals.spending);
  const figures = spent === undefined ? '' : `, ${spent}`;
  return {
    ...{ mark, style, level: 'quiet', logOnly: true },
    words: `${how} ${duration(outline.runTime)}${figures}${rest}`,
  };
}

const pastText = ({ continued_past: past }: EntryOf<'run-completed'>): string =>
  past > 0 ? `, past ${count(past, 'failure')}` : '';

export const runRows: Rows<RunKind> = {
  'run-started': {
    words: ({ run }) => `run ${run.id} started`,
    log: () => 'info',
    logWords: ({ run, workflow, workflow_file: file, by, worktree }) =>
      `run ${run.id} started: ${workflow} (${file}) by ${by.user}@${by.host}, lockstep ${by.version}${worktree ? `, in the worktree ${worktree.path} on ${worktree.branch}` : ''}`,
    screen: () => ({ mark: 'running', style: 'live', level: 'normal' }),
    story(entry, { outline }) {
      const { by, run } = entry;
      const hash = entry.workflow_hash.replace(/^sha256:/, '').slice(0, 12);
      return {
        text: `${by.user} on ${by.host} started ${entry.workflow} (${entry.workflow_file}, sha256 ${hash}) as run ${run.id}, with lockstep ${by.version}.`,
        tone: 'strong',
        details: [
          ...worktreeText(entry),
          ...inputs(entry.inputs, entry.found),
          ...values('var', entry.vars),
          ...skipsText(entry.skips),
          ...warningTexts(entry),
          ...switchedOffTexts(entry, outline.workflow),
        ],
      };
    },
  },
  'worktree-prepared': {
    words: ({ how, worktree }) => `the worktree ${HOW[how]}: ${worktree.path}, on ${worktree.branch}`,
    log: ({ how }) => (how === 'put-back' ? 'warn' : 'info'),
    screen: ({ how, step }) =>
      how === 'put-back'
        ? { mark: 'notice', style: 'ask', level: 'normal', ...(step !== undefined && { name: step }) }
        : undefined,
    story(entry) {
      const { path, branch } = entry.worktree;
      const whose = entry.step === undefined ? 'The worktree of the run' : `The worktree of ${entry.step}`;
      return {
        text: `${whose} ${HOW[entry.how]}: ${path}, on branch ${branch}.`,
        details: warningTexts(entry),
      };
    },
  },
  'run-resumed': {
    words: (_, { outline }) => `run ${outline.run?.id ?? ''} goes on`,
    log: ({ warnings }) => (warnings ? 'warn' : 'info'),
    logWords: ({ by, warnings = [] }) => [`run resumed by ${by.user}@${by.host}`, ...warnings].join('. '),
    // Whoever answered in place sees that it does.
    screen: (_, { outline }) => ({
      mark: 'running',
      style: 'live',
      level: 'normal',
      logOnly: outline.wentOn,
    }),
    story(entry, { outline }) {
      if (outline.wentOn) return { text: 'The run went on.', details: warningTexts(entry) };
      const limits = Object.entries(entry.limits ?? {}).map(([name, value]) => `${name} ${value}`);
      const with_ = limits.length === 0 ? '' : `, with new limits: ${list(limits)}`;
      return {
        text: `${entry.by.user} on ${entry.by.host} resumed the run${with_}.`,
        tone: 'strong',
        details: [...warningTexts(entry), ...switchedOffTexts(entry, outline.workflow)],
      };
    },
  },
  'end-requested': {
    words: ({ by, to }) => `is being ${to} by ${by}; what runs is ended first`,
    log: () => 'warn',
    logWords: ({ by, to }) => `${by} asked for the run to be ${to}`,
    screen: () => ({ mark: 'notice', style: 'ask', level: 'normal' }),
    story: ({ by, to, why, channel }) => ({
      text: `${by} asked for the run to be ${to}${why === undefined ? '' : `: ${why}`}. What runs is ended first.`,
      tone: 'ask',
      ...through(channel),
    }),
  },
  'limit-reached': {
    words: ({ limit, message }) => `the limit on ${limit} was reached: ${message}`,
    log: () => 'error',
    screen: ({ limit, message }) => ({
      ...{ mark: 'failed', style: 'bad', level: 'quiet', name: `limit on ${limit}` },
      words: message,
    }),
    story: ({ limit, message }) => ({
      text: `The limit on ${limit} was reached: ${message}.`,
      tone: 'bad',
    }),
  },
  'run-paused': {
    words: (entry, telling) => `run paused${after(telling)}, waits for ${waitedFor(entry).join(' and ')}`,
    log: ({ questions }) => (questions.length > 0 ? 'warn' : 'info'),
    screen: ({ questions, handed = [] }, telling) =>
      ending(
        'asking',
        'ask',
        telling,
        'paused after',
        questions.length > 0
          ? `: ${count(questions.length, 'question')} for a person`
          : handed.length > 0
            ? `: a client works on ${list(handed, 3)}`
            : ': handed over',
      ),
    story: ({ questions }) =>
      // That a step was handed out is told by the entry before.
      questions.length === 0
        ? undefined
        : { text: `The run paused: ${count(questions.length, 'question')} for a person.`, tone: 'ask' },
  },
  'drive-changed': {
    words: ({ by, to }) => `handed over by ${by}: ${DRIVES[to.drive]}`,
    log: () => 'warn',
    screen: () => ({ mark: 'notice', style: 'ask', level: 'normal' }),
    story: ({ by, to, why, channel }) => ({
      text: `${by} handed the run over: ${DRIVES[to.drive]}${why === undefined ? '' : ` (${why})`}.`,
      tone: 'strong',
      ...through(channel),
    }),
  },
  'run-interrupted': {
    words: ({ by }, telling) => `run interrupted by ${by}${after(telling)}`,
    log: () => 'warn',
    screen: (_, telling) => ending('cancelled', 'ask', telling, 'interrupted after'),
    story: ({ by }) => ({ text: `The run stopped where it was; ${by} interrupted it.`, tone: 'ask' }),
  },
  'run-completed': {
    words: (entry, telling) => `run completed${after(telling)}${pastText(entry)}`,
    log: () => 'info',
    screen: (entry, telling) => ending('done', 'good', telling, 'completed in', pastText(entry)),
    story: (entry, { outline }) => ({
      text: `The run completed${pastText(entry)}.`,
      tone: 'good',
      details: [...values('output', entry.outputs), ...spent(outline)],
    }),
  },
  'run-failed': {
    words: ({ path, error }, telling) =>
      `run failed${after(telling)}${path === undefined ? '' : ` at ${path}`}: ${error.message}`,
    log: () => 'error',
    screen: ({ path, error }, telling) =>
      ending('failed', 'bad', telling, 'failed after', `: ${whyFailed(path, error, telling)}`),
    story: ({ path, error }, { outline }) => ({
      text: `The run failed${path === undefined ? '' : ` at ${path}`}: ${error.message}.`,
      tone: 'bad',
      details: spent(outline),
    }),
  },
  'run-cancelled': {
    words: ({ by, why }) => `run cancelled by ${by}${why === undefined ? '' : `: ${why}`}`,
    log: () => 'warn',
    screen: ({ by }, telling) => ending('cancelled', 'ask', telling, `cancelled by ${by} after`),
    story: ({ by, why, channel }) => ({
      text: `The run was cancelled by ${by}${why === undefined ? '' : `: ${why}`}.`,
      tone: 'ask',
      ...through(channel),
    }),
  },
  'signal-received': {
    words: ({ name, by }) => `signal ${name} received from ${by}`,
    log: () => 'info',
    screen: ({ name, by }) => ({
      ...{ mark: 'notice', style: 'dim', level: 'normal', name: `signal ${name}` },
      words: `received from ${by}`,
    }),
    story: ({ by, name, data, channel }) => ({
      text: `${by} sent the signal ${name}${data === null ? '' : ` with ${valueText(data)}`}.`,
      ...through(channel),
    }),
  },
  'message-refused': {
    words: (entry) => `refused ${refusedText(entry)}`,
    log: () => 'warn',
    logWords: (entry) => `the run refused ${refusedText(entry)}`,
    screen: () => ({ mark: 'failed', style: 'bad', level: 'quiet' }),
    story: (entry) => ({
      text: `The run refused ${refusedText(entry)}`,
      tone: 'bad',
      details: refusedDetails(entry),
    }),
  },
};

const DRIVES = {
  run: 'from here on Lockstep starts the agents itself',
  guide: 'from here on a client is handed one step at a time',
  guard: 'from here on a live session is held to it',
} as const;

function waitedFor({ questions, handed = [] }: EntryOf<'run-paused'>): string[] {
  const waited = [
    ...(questions.length > 0 ? [`a person at ${list(questions, 3)}`] : []),
    ...(handed.length > 0 ? [`a client at ${list(handed, 3)}`] : []),
  ];
  return waited.length > 0 ? waited : ['whoever it was handed over to'];
}

function warningTexts({ warnings = [] }: { warnings?: string[] }): string[] {
  return warnings.map((warning) => `warning: ${warning}`);
}

function through(channel: Channel | undefined): Pick<Sentence, 'details'> {
  return channel ? { details: [channelText(channel)] } : {};
}

function refusedDetails({ file }: EntryOf<'message-refused'>): string[] {
  return file === '' ? [] : [`kept in inbox/bad/: ${file}`];
}

/** What the agents used, and by model where they are told apart. */
function spent({ totals }: Outline): string[] {
  const { spending, models } = totals;
  const words = [cost(spending), tokens(spending)].filter((word) => word !== undefined);
  if (words.length === 0) return [];
  const named = models.filter(({ model }) => model !== '');
  return [
    `used: ${words.join(', ')}`,
    ...(named.length === 0 ? [] : models.map((each) => modelText(each, ', '))),
  ];
}

const HOW = { made: 'was made', 'put-back': 'had gone and was put back', found: 'is there' } as const;

function worktreeText({ worktree }: EntryOf<'run-started'>): string[] {
  if (worktree === undefined) return [];
  const { path, branch, base } = worktree;
  return [`works in the worktree ${path}, on branch ${branch}, from commit ${base.slice(0, 12)}`];
}

function values(label: string, object: JsonObject): string[] {
  return Object.entries(object).map(([name, value]) => `${label} ${name} = ${valueText(value, 160)}`);
}

function inputs(given: JsonObject, found: Record<string, FoundInput> = {}): string[] {
  return Object.entries(given).map(([name, value]) => {
    const where = Object.hasOwn(found, name) ? found[name] : undefined;
    const from = where && (where.from === undefined ? `, said by ${where.by}` : `, found in ${where.from}`);
    return `input ${name} = ${valueText(value, 160)}${from ?? ''}`;
  });
}

function skipsText(skips: Skips): string[] {
  return [
    ...skips.steps.map((step) => `left out on request: --skip-step ${step}`),
    ...(skips.checks ? ['left out on request: --skip-checks'] : []),
    ...(skips.dry_run ? ['a dry run: only steps marked for it'] : []),
  ];
}

// run: sentences about the run as a whole.

import type { Channel, Entry, FoundInput, Skips } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import { modelText } from '../model-text.ts';
import type { Outline } from '../outline/shape.ts';
import { channelText } from '../text/channel-text.ts';
import { refusedText } from '../text/refused-text.ts';
import { cost, count, list, tokens, valueText } from '../text/words.ts';
import type { Sentence } from './sentence.ts';

export function tellRun(outline: Outline, entry: Entry): Sentence | undefined {
  switch (entry.kind) {
    case 'run-started': {
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
          ...(entry.warnings ?? []).map((warning) => `warning: ${warning}`),
        ],
      };
    }
    case 'worktree-prepared': {
      const { path, branch } = entry.worktree;
      const whose = entry.step === undefined ? 'The worktree of the run' : `The worktree of ${entry.step}`;
      return {
        text: `${whose} ${HOW[entry.how]}: ${path}, on branch ${branch}.`,
        details: (entry.warnings ?? []).map((warning) => `warning: ${warning}`),
      };
    }
    case 'run-resumed': {
      if (outline.wentOn) return { text: 'The run went on.' };
      const limits = Object.entries(entry.limits ?? {}).map(([name, value]) => `${name} ${value}`);
      const with_ = limits.length === 0 ? '' : `, with new limits: ${list(limits)}`;
      return {
        text: `${entry.by.user} on ${entry.by.host} resumed the run${with_}.`,
        tone: 'strong',
        details: (entry.warnings ?? []).map((warning) => `warning: ${warning}`),
      };
    }
    case 'end-requested': {
      const why = entry.why === undefined ? '' : `: ${entry.why}`;
      const what = entry.to === 'cancelled' ? 'cancelled' : 'interrupted';
      return {
        text: `${entry.by} asked for the run to be ${what}${why}. What runs is ended first.`,
        tone: 'ask',
        ...through(entry.channel),
      };
    }
    case 'limit-reached':
      return { text: `The limit on ${entry.limit} was reached: ${entry.message}.`, tone: 'bad' };
    case 'run-paused':
      return {
        text: `The run paused: ${count(entry.questions.length, 'question')} for a person.`,
        tone: 'ask',
      };
    case 'run-interrupted':
      return { text: `The run stopped where it was; ${entry.by} interrupted it.`, tone: 'ask' };
    case 'run-completed': {
      const past = entry.continued_past > 0 ? `, past ${count(entry.continued_past, 'failure')}` : '';
      const details = [...values('output', entry.outputs), ...spent(outline)];
      return { text: `The run completed${past}.`, tone: 'good', details };
    }
    case 'run-failed': {
      const where = entry.path === undefined ? '' : ` at ${entry.path}`;
      const text = `The run failed${where}: ${entry.error.message}.`;
      return { text, tone: 'bad', details: spent(outline) };
    }
    case 'run-cancelled': {
      const why = entry.why === undefined ? '' : `: ${entry.why}`;
      return { text: `The run was cancelled by ${entry.by}${why}.`, tone: 'ask', ...through(entry.channel) };
    }
    case 'signal-received': {
      const data = entry.data === null ? '' : ` with ${valueText(entry.data)}`;
      return { text: `${entry.by} sent the signal ${entry.name}${data}.`, ...through(entry.channel) };
    }
    case 'message-refused':
      return { text: `The run refused ${refusedText(entry)}`, tone: 'bad', details: refusedDetails(entry) };
    default:
      return undefined;
  }
}

function through(channel: Channel | undefined): Pick<Sentence, 'details'> {
  return channel ? { details: [channelText(channel)] } : {};
}

function refusedDetails({ file }: Entry & { kind: 'message-refused' }): string[] {
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

function worktreeText({ worktree }: Entry & { kind: 'run-started' }): string[] {
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

// step-rows: how what was decided over steps is told.

import type { Step } from '../../model/workflow.ts';
import { workText } from '../definition/describe.ts';
import { gateText, issueText, NOBODY_LOOKED, readReview } from '../review.ts';
import { placeName } from '../step-path.ts';
import { isBlock, type StepRecord } from '../step-record.ts';
import { reasonsHeadline } from '../telling-line.ts';
import { count, list, valueText } from '../text/words.ts';
import { type EntryOf, type Rows, UNTOLD } from './row.ts';
import type { Sentence } from './sentence.ts';

type StepKind =
  | 'step-skipped'
  | 'step-opened'
  | 'worktree-opening'
  | 'worktree-opened'
  | 'workflow-called'
  | 'step-failed'
  | 'step-closed'
  | 'loop-tested'
  | 'time-out-reached'
  | 'workflow-returned'
  | 'reviews-gathered'
  | 'fan-stopped'
  | 'next-chosen'
  | 'jumped'
  | 'work-accepted'
  | 'work-rejected'
  | 'action-passed'
  | 'vars-set';

/** A line of its own in the audit alone: elsewhere the end of the step tells it. */
const STORY_ONLY = { words: () => '', log: () => undefined, screen: () => undefined };

export const stepRows: Rows<StepKind> = {
  'step-skipped': {
    ...STORY_ONLY,
    story: ({ path, why }) => ({ text: `${path} was skipped: ${why}.`, tone: 'dim' }),
  },
  'step-opened': {
    words: ({ items }) => (items ? count(items.length, 'item') : 'started'),
    // The log tells what was opened, whichever entry did it.
    log: () => undefined,
    screen: (_, { change: { record } }) =>
      record?.step && record.kind === 'step' && isBlock(record.step.work)
        ? { mark: 'running', style: 'live', level: 'normal', logOnly: true }
        : undefined,
    story: (entry, { change }) => ({ text: `${entry.path} began: ${openedText(entry, change.record)}.` }),
  },
  // That there is one is told once it is there.
  'worktree-opening': UNTOLD,
  // That there is none is told by the failure of the step.
  'worktree-opened': {
    words: ({ worktree }) =>
      `works in a worktree of its own: ${worktree?.path}, on branch ${worktree?.branch}`,
    log: ({ worktree }) => worktree && 'info',
    screen: ({ worktree }) =>
      worktree && {
        ...{ mark: 'running', style: 'live', level: 'normal', logOnly: true },
        words: `in a worktree of its own, on ${worktree.branch}`,
      },
    story: ({ path, worktree, warnings = [] }) =>
      worktree && {
        text: `${path} works in a worktree of its own: ${worktree.path}, on branch ${worktree.branch}.`,
        details: warnings.map((warning) => `warning: ${warning}`),
      },
  },
  'workflow-called': {
    ...STORY_ONLY,
    story: ({ path, inputs }) => ({
      text: `${path} called its workflow.`,
      details: Object.entries(inputs).map(([name, value]) => `input ${name} = ${valueText(value, 160)}`),
    }),
  },
  'step-failed': {
    ...STORY_ONLY,
    story: ({ path, exit_code: code, error }) => ({
      text: `${path} failed${code === undefined ? '' : ` (exit code ${code})`}: ${error.message}.`,
      tone: 'bad',
      details: error.hint === undefined ? [] : [error.hint],
    }),
  },
  'step-closed': {
    words: () => 'failed, and the run goes on past it',
    log: ({ goes }) => (goes === 'continue' ? 'warn' : undefined),
    screen: ({ goes }) =>
      goes === 'continue' ? { mark: 'arrow', style: 'ask', level: 'normal' } : undefined,
    story: (entry, { change }) => closed(entry, change.record),
  },
  'loop-tested': {
    words: ({ again, pass }, { change: { record } }) => {
      const most = record?.step?.work.kind === 'loop' ? ` of ${record.step.work.max}` : '';
      return again ? `pass ${pass}${most}` : `no more, after ${count(pass, 'pass', 'passes')}`;
    },
    log: () => 'debug',
    screen: ({ again }) =>
      again ? { mark: 'running', style: 'live', level: 'normal', logOnly: true } : undefined,
    story: ({ path, again, pass }, { change }) => ({
      text: again
        ? `${path}: pass ${pass} begins${passesText(change.record?.step)}.`
        : `${path}: the test asks for no more, after ${count(pass, 'pass', 'passes')}.`,
    }),
  },
  'time-out-reached': {
    words: () => 'its time was up',
    log: () => 'warn',
    screen: () => ({ mark: 'cancelled', style: 'ask', level: 'normal' }),
    story: ({ path }) => ({ text: `${path}: its time was up; what is open in it is ended.`, tone: 'bad' }),
  },
  'workflow-returned': {
    ...STORY_ONLY,
    story: ({ path }) => ({ text: `${path}: its workflow returned.` }),
  },
  'reviews-gathered': { ...STORY_ONLY, story: reviewsGathered },
  'fan-stopped': {
    words: ({ why }) => `nothing new starts: ${why}`,
    log: () => 'warn',
    logWords: ({ why, left_out }) => `nothing new starts (${list(left_out, 3)} left out): ${why}`,
    screen: () => ({ mark: 'cancelled', style: 'ask', level: 'normal' }),
    story({ path, why, left_out }) {
      const left = left_out.length === 0 ? '' : ` Never started: ${list(left_out, 5)}.`;
      return { text: `${path}: nothing new starts, because ${why}.${left}`, tone: 'ask' };
    },
  },
  'next-chosen': {
    words: ({ rule }, { change }) => ruleText(change.record?.step, rule),
    log: () => 'debug',
    screen: () => undefined,
    story: ({ path, rule }, { change }) => ({ text: `${path}: ${ruleText(change.record?.step, rule)}.` }),
  },
  jumped: {
    words: ({ to }) => `goes to ${to}`,
    log: () => 'info',
    screen: () => ({ mark: 'arrow', style: 'live', level: 'normal' }),
    story: ({ path, to }, { change }) => ({
      text: `${path}: the run goes to ${to}${whenText(change.record, to)}.`,
    }),
  },
  'work-accepted': {
    words: ({ by }) => (by === undefined ? 'accepted' : `accepted by ${by}`),
    log: () => 'debug',
    screen: () => ({ mark: 'dot', style: 'dim', level: 'verbose' }),
    story: ({ path, by }) => ({
      text: `${path} was accepted${by === undefined ? '' : ` on the word of ${by}`}.`,
      tone: 'good',
    }),
  },
  'work-rejected': {
    words: (entry, { change }) => `${rejectedText(entry, change.record)}: ${entry.reasons.join('; ')}`,
    log: () => 'warn',
    screen: (entry, { change }) =>
      entry.again
        ? {
            ...{ mark: 'again', style: 'ask', level: 'normal' },
            words: `${rejectedText(entry, change.record)}: ${reasonsHeadline(entry.reasons)}`,
          }
        : undefined,
    story: (entry) => ({
      text: `${entry.path} was ${rejectedText(entry, undefined)}:`,
      tone: entry.again ? 'ask' : 'bad',
      details: entry.reasons.flatMap((reason) => reason.split('\n')),
    }),
  },
  'action-passed': {
    words: ({ why }) => `passed over: ${why}`,
    log: () => 'debug',
    screen: () => ({ mark: 'dot', style: 'dim', level: 'verbose' }),
    story: ({ path, part, why }) => ({
      text: `${placeName(path, part)} was passed over: ${why}.`,
      tone: 'dim',
    }),
  },
  'vars-set': {
    words: ({ values }) => `set ${list(Object.keys(values))}`,
    log: () => 'debug',
    screen: () => ({ mark: 'dot', style: 'dim', level: 'verbose' }),
    story({ path, part, values }) {
      const told = Object.entries(values).map(([name, value]) => `${name} = ${valueText(value, 80)}`);
      return { text: `${placeName(path, part)} set ${list(told)}.` };
    },
  },
};

function rejectedText(entry: EntryOf<'work-rejected'>, record: StepRecord | undefined): string {
  const of = record && entry.again ? ` of ${record.tries}` : '';
  return `${entry.again ? 'sent back' : 'not accepted'} after try ${entry.try}${of}`;
}

function openedText(entry: EntryOf<'step-opened'>, record: StepRecord | undefined): string {
  if (entry.items) return count(entry.items.length, 'item');
  if (record?.kind === 'pass') return record.title;
  return record?.step ? workText(record.step.work) : 'its work';
}

function closed(entry: EntryOf<'step-closed'>, record: StepRecord | undefined): Sentence {
  switch (entry.goes) {
    case 'following':
      return { text: `${entry.path} ended; what follows it is next.` };
    case 'continue':
      return { text: `${entry.path} had failed, and the run goes on past it: on_fail says so.`, tone: 'ask' };
    case 'stop':
      return {
        text: `${entry.path} stops here${record?.parent && record.parent.kind !== 'run' ? ', and what holds it fails with it' : ''}.`,
        tone: 'bad',
      };
  }
}

function reviewsGathered({ path, output }: EntryOf<'reviews-gathered'>): Sentence {
  const review = readReview(output);
  const issues = review.issues.length === 0 ? 'no issue' : count(review.issues.length, 'issue');
  const verdict = review.approved
    ? `approved, with ${issues}`
    : `${count(review.actionable, 'issue')} to be fixed, of ${review.issues.length}`;
  return {
    text: `${path}: ${review.nobodyLooked ? NOBODY_LOOKED : `${count(review.gates.length, 'gate')} said: ${verdict}`}.`,
    tone: review.approved ? 'good' : 'ask',
    details: [...review.gates.map(gateText), ...review.issues.map(issueText)],
  };
}

function passesText(step: Step | undefined): string {
  return step?.work.kind === 'loop' ? ` (at most ${step.work.max})` : '';
}

function ruleText(step: Step | undefined, rule: number): string {
  const next = step?.next[rule];
  const when = next?.when === undefined ? 'it always holds' : next.when;
  return `rule ${rule + 1} of next holds (${when})`;
}

/** Which rule sent it there, where only one can have. */
function whenText(record: StepRecord | undefined, to: string): string {
  const rules = (record?.step?.next ?? []).filter((next) => next.goto === to);
  return rules.length === 1 && rules[0]?.when !== undefined ? `, since ${rules[0].when}` : '';
}

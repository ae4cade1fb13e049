// steps: sentences about what was decided over steps.

import type { Entry } from '../../model/entry.ts';
import type { Step } from '../../model/workflow.ts';
import { workText } from '../definition/describe.ts';
import { gateText, issueText, NOBODY_LOOKED, readReview } from '../review.ts';
import { placeName } from '../step-path.ts';
import type { StepRecord } from '../step-record.ts';
import { count, list, valueText } from '../text/words.ts';
import type { Sentence } from './sentence.ts';

export function tellStep(entry: Entry, record: StepRecord | undefined): Sentence | undefined {
  switch (entry.kind) {
    case 'step-skipped':
      return { text: `${entry.path} was skipped: ${entry.why}.`, tone: 'dim' };
    case 'step-opened':
      return { text: `${entry.path} began: ${openedText(entry, record)}.` };
    case 'worktree-opened': {
      // That there is none is told by the failure of the step.
      if (!entry.worktree) return undefined;
      const { path, branch } = entry.worktree;
      return {
        text: `${entry.path} works in a worktree of its own: ${path}, on branch ${branch}.`,
        details: (entry.warnings ?? []).map((warning) => `warning: ${warning}`),
      };
    }
    case 'workflow-called': {
      const inputs = Object.entries(entry.inputs).map(
        ([name, value]) => `input ${name} = ${valueText(value, 160)}`,
      );
      return { text: `${entry.path} called its workflow.`, details: inputs };
    }
    case 'step-failed': {
      const code = entry.exit_code === undefined ? '' : ` (exit code ${entry.exit_code})`;
      const details = entry.error.hint === undefined ? [] : [entry.error.hint];
      return { text: `${entry.path} failed${code}: ${entry.error.message}.`, tone: 'bad', details };
    }
    case 'step-closed':
      return closed(entry, record);
    case 'loop-tested':
      return {
        text: entry.again
          ? `${entry.path}: pass ${entry.pass} begins${passesText(record?.step)}.`
          : `${entry.path}: the test asks for no more, after ${count(entry.pass, 'pass', 'passes')}.`,
      };
    case 'time-out-reached':
      return { text: `${entry.path}: its time was up; what is open in it is ended.`, tone: 'bad' };
    case 'workflow-returned':
      return { text: `${entry.path}: its workflow returned.` };
    case 'reviews-gathered':
      return reviewsGathered(entry);
    case 'fan-stopped': {
      const left = entry.left_out.length === 0 ? '' : ` Never started: ${list(entry.left_out, 5)}.`;
      return { text: `${entry.path}: nothing new starts, because ${entry.why}.${left}`, tone: 'ask' };
    }
    case 'next-chosen':
      return { text: `${entry.path}: ${ruleText(record?.step, entry.rule)}.` };
    case 'jumped':
      return { text: `${entry.path}: the run goes to ${entry.to}${whenText(record, entry.to)}.` };
    case 'work-accepted': {
      const by = entry.by === undefined ? '' : ` on the word of ${entry.by}`;
      return { text: `${entry.path} was accepted${by}.`, tone: 'good' };
    }
    case 'work-rejected':
      return {
        text: `${entry.path} was ${entry.again ? 'sent back' : 'not accepted'} after try ${entry.try}:`,
        tone: entry.again ? 'ask' : 'bad',
        details: entry.reasons.flatMap((reason) => reason.split('\n')),
      };
    case 'action-passed':
      return { text: `${placeName(entry.path, entry.part)} was passed over: ${entry.why}.`, tone: 'dim' };
    case 'vars-set': {
      const values = Object.entries(entry.values).map(([name, value]) => `${name} = ${valueText(value, 80)}`);
      return { text: `${placeName(entry.path, entry.part)} set ${list(values)}.` };
    }
    default:
      return undefined;
  }
}

function openedText(entry: Entry & { kind: 'step-opened' }, record: StepRecord | undefined): string {
  if (entry.items) return count(entry.items.length, 'item');
  if (record?.kind === 'pass') return record.title;
  return record?.step ? workText(record.step.work) : 'its work';
}

function closed(entry: Entry & { kind: 'step-closed' }, record: StepRecord | undefined): Sentence {
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

function reviewsGathered({ path, output }: Entry & { kind: 'reviews-gathered' }): Sentence {
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

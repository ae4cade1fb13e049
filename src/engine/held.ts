// held: a step has failed and waits for a person: what they are asked. Of a loop that is used up, what it came to, where
// the work is, and what each answer does: it is the question on which a review ends.

import type { EntryBody, Failure } from '../model/entry.ts';
import type { OpenStep } from '../model/state.ts';
import type { LoopWork, Step } from '../model/workflow.ts';
import { workOf } from './approval.ts';
import type { Decision } from './decision.ts';
import { onFailOf } from './override.ts';
import { runFactsAt } from './worktree.ts';

type Asked = Extract<EntryBody, { kind: 'question-asked' }>;

export function heldQuestion(decision: Decision, error: Failure): Asked {
  const { path, step } = decision.open;
  const { work } = step;
  const common = { kind: 'question-asked' as const, path, question: 'held' as const };
  const noted = hasPrompts(step, decision) && { takes_note: true as const };
  if (error.class === 'exhausted' && work.kind === 'loop')
    return { ...common, ...exhausted(decision, work, error), ...noted };
  const text = error.not_accepted ? `"${path}" was not accepted. What now?` : `"${path}" failed. What now?`;
  const shown = error.not_accepted ? workOf(decision.open) : {};
  return {
    ...common,
    text,
    reasons: [error.message],
    ...noted,
    ...(Object.keys(shown).length > 0 && { shown }),
  };
}

function exhausted(decision: Decision, work: LoopWork, { message, details }: Failure) {
  const { state, open } = decision;
  const passes = `${work.max} ${work.max === 1 ? 'pass' : 'passes'}`;
  const issues = Array.isArray(details?.open_issues) ? details.open_issues.map(String) : [];
  const left = typeof details?.open === 'string' ? details.open : undefined;
  const item = itemTitle(open);
  const so =
    left === undefined ? `the loop goes on ${work.test.kind} ${work.test.cel}` : `${left} still open`;
  const of = item === undefined ? '' : ` for "${item}"`;
  const { workspace } = runFactsAt(state, open);
  const where =
    workspace === ''
      ? ''
      : ` The work is in ${workspace}: look at it there, and mend it by hand if you like.`;
  return {
    text:
      work.max === 0
        ? `No pass is allowed${of}, and ${so}.${where} What now?`
        : `${passes} ${work.max === 1 ? 'was' : 'were'} not enough${of}: ${so}.${where} What now?`,
    reasons: issues.length > 0 ? issues : [message],
    means: {
      again:
        work.max === 0
          ? 'look once more whether it still holds'
          : `up to ${passes} more, with the files as they are then${hasPrompts(open.step, decision) ? '; the note goes to the agents' : ''}`,
      accept: `go on to what follows${left === undefined ? '' : ` with ${left.replace(/ (?:is|are)$/, '')} open`}; recorded as your decision`,
      fail: isCaught(decision)
        ? 'let it fail'
        : 'the run fails here; lockstep resume starts again from this step',
    },
  };
}

/** What the item of the pass around it is called. */
function itemTitle(open: OpenStep): string | undefined {
  for (let at: OpenStep | undefined = open; at; at = at.list.owner) {
    const items = at.list.owner?.fan?.items;
    if (at.index === undefined || items === undefined) continue;
    const item = items[at.index];
    if (typeof item === 'string') return item.length > 80 ? undefined : item;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
    const title = item.title ?? item.name ?? item.id;
    return typeof title === 'string' ? title : undefined;
  }
  return undefined;
}

/** Whether something around it does not fail with it. */
function isCaught({ state, open }: Decision): boolean {
  for (let at = open.list.owner; at; at = at.list.owner)
    if (at.step.next.length > 0 || onFailOf(state, at.step) === 'continue') return true;
  return false;
}

function hasPrompts({ work }: Step, decision: Decision): boolean {
  if (work.kind === 'prompt') return true;
  const called =
    work.kind === 'workflow' ? decision.open.scope.workflow.workflows[work.workflow]?.steps : undefined;
  return (called ?? ('steps' in work ? work.steps : [])).some((inner) => hasPrompts(inner, decision));
}

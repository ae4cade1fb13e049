// issues-change: the tools that make and change issues. A change names what it changes, so that writers at the same time
// lose nothing of each other; nothing is ever removed from the tracker.

import type { IssueChange } from '../../ports/tracker.ts';
import { orRefused, Refused } from '../refusal.ts';
import { object, text, type ValueOf } from '../schema.ts';
import { ADDS, CHANGES, REMOVES, tool } from '../tool.ts';
import { asWhole, ISSUE, ISSUE_NUMBER, inList, LABELS, lineOf, NUMBERS, PRIORITY, STATUS } from './issue.ts';
import { WORKSPACE } from './workspace.ts';

const ONE = orRefused(object({ issue: ISSUE }, ['issue']));
const TITLE = text('What it is about, one line.', { most: 500 });
const BODY = text('Its text, Markdown.');
const NOTE = text('A paragraph that is put at the end of its text.');

export const issuesCreate = tool({
  title: 'Make an issue',
  description: 'Makes an issue in the tracker of the project: a Markdown file with a number of its own.',
  input: object(
    {
      ...{
        title: TITLE,
        body: BODY,
        status: STATUS,
        priority: PRIORITY,
        labels: LABELS,
        dependencies: NUMBERS,
      },
      assignee: text('Who works on it.', { most: 200 }),
      workspacePath: WORKSPACE,
    },
    ['title'],
  ),
  output: ONE,
  annotations: ADDS,
  async call({ workspacePath, ...draft }, { at }) {
    const issue = (await (await at(workspacePath)).tracker()).create(withoutAbsent(draft));
    return { value: { issue: asWhole(issue) }, text: `Made ${lineOf(inList(issue))}: ${issue.path}` };
  },
});

const CHANGE = object(
  {
    ...{ id: ISSUE_NUMBER, title: TITLE, body: BODY, status: STATUS, priority: PRIORITY },
    assignee: text('Who works on it; empty: nobody does.', { most: 200 }),
    addLabels: LABELS,
    removeLabels: LABELS,
    addDependencies: NUMBERS,
    removeDependencies: NUMBERS,
    note: NOTE,
    workspacePath: WORKSPACE,
  },
  ['id'],
);

export const issuesUpdate = tool({
  title: 'Change an issue',
  description: 'Changes what is given of an issue and leaves the rest as it is.',
  input: CHANGE,
  output: ONE,
  annotations: CHANGES,
  async call({ id, workspacePath, ...given }: ValueOf<typeof CHANGE>, { at }) {
    const { assignee, ...rest } = withoutAbsent(given);
    const change: IssueChange = { ...rest, ...(assignee !== undefined && { assignee: assignee || null }) };
    if (Object.keys(change).length === 0)
      throw new Refused({
        code: 'issue-invalid',
        message: 'nothing to change was given',
        suggestedFix: 'Set /status to "in-progress".',
      });
    const issue = (await (await at(workspacePath)).tracker()).update(id, change);
    return { value: { issue: asWhole(issue) }, text: `Changed ${lineOf(inList(issue))}` };
  },
});

export const issuesMarkComplete = tool({
  title: 'Mark an issue as complete',
  description: 'Says that an issue is done. A note may say how.',
  input: object({ id: ISSUE_NUMBER, note: NOTE, workspacePath: WORKSPACE }, ['id']),
  output: ONE,
  annotations: CHANGES,
  async call({ id, note, workspacePath }, { at }) {
    const tracker = await (await at(workspacePath)).tracker();
    const issue = tracker.update(id, { status: 'done', ...(note !== undefined && { note }) });
    return { value: { issue: asWhole(issue) }, text: `Done: ${lineOf(inList(issue))}` };
  },
});

export const issuesDelete = tool({
  title: 'Delete an issue',
  description:
    'Takes an issue out of the work to do: its status becomes `cancelled`. Its file stays, so a person can bring it back with issues_update.',
  input: object({ id: ISSUE_NUMBER, note: NOTE, workspacePath: WORKSPACE }, ['id']),
  output: ONE,
  annotations: REMOVES,
  async call({ id, note, workspacePath }, { at }) {
    const tracker = await (await at(workspacePath)).tracker();
    const issue = tracker.update(id, { status: 'cancelled', ...(note !== undefined && { note }) });
    return {
      value: { issue: asWhole(issue) },
      text: `Cancelled: ${lineOf(inList(issue))}. Its file stays: ${issue.path}`,
    };
  },
});

function withoutAbsent<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

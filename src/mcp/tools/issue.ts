// issue: an issue as the tools show it, and the arguments that several of them take.

import type { Issue, IssueFilter, Issues } from '../../ports/tracker.ts';
import { ISSUE_PRIORITIES, ISSUE_STATUSES } from '../../ports/tracker.ts';
import { choice, list, map, object, text, type ValueOf, whole } from '../schema.ts';

export const ISSUE_NUMBER = whole('The number of the issue, as issues_list shows it.', { least: 1 });
export const STATUS = choice(ISSUE_STATUSES, 'Whether it is begun, over, or neither.');
export const PRIORITY = choice(ISSUE_PRIORITIES, 'How urgent it is.');
export const LABELS = list(text('A label.', { most: 100 }), 'Words to find it by.', { most: 50 });
export const NUMBERS = list(whole('A number.', { least: 1 }), 'Numbers of issues.', { most: 200 });

const SHOWN = {
  id: ISSUE_NUMBER,
  title: text('What it is about.'),
  status: STATUS,
  labels: LABELS,
  priority: PRIORITY,
  dependencies: NUMBERS,
  assignee: text('Who works on it.'),
  run: text('The run that made it.'),
  task: text('Which of the tasks of that run it is.'),
  created: text('When it was made, ISO 8601.'),
  updated: text('When it was last changed, ISO 8601.'),
  path: text('Its file, relative to the project.'),
};
const REQUIRED = ['id', 'title', 'status', 'labels', 'dependencies', 'path'] as const;

export const ISSUE_IN_LIST = object(SHOWN, REQUIRED);
export const ISSUE = object(
  { ...SHOWN, body: text('Its text, Markdown.'), more: map('What else its file holds.') },
  [...REQUIRED, 'body'],
);

export const FILTER = {
  status: list(STATUS, 'Only these. Left out: all.'),
  labels: list(text('A label.'), 'Only issues that have all of these labels.'),
  priority: list(PRIORITY, 'Only these.'),
  assignee: text('Only of this person or agent.'),
  run: text('Only issues that this run made: its id.'),
};

export const LISTED = object(
  {
    issues: list(ISSUE_IN_LIST, 'By number.'),
    total: whole('How many there are; more than are shown where `limit` was less.'),
    broken: list(
      object({ path: text('Its file.'), why: text('Why it cannot be read.') }, ['path', 'why']),
      'Files that cannot be read as issues.',
    ),
  },
  ['issues', 'total', 'broken'],
);

export type ShownIssue = ValueOf<typeof ISSUE_IN_LIST>;

export function inList({ body: _, more: __, priority, assignee, run, task, ...issue }: Issue): ShownIssue {
  return {
    ...issue,
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee }),
    ...(run !== undefined && { run }),
    ...(task !== undefined && { task }),
  };
}

export function asWhole(issue: Issue): ValueOf<typeof ISSUE> {
  return {
    ...inList(issue),
    body: issue.body,
    ...(Object.keys(issue.more).length > 0 && { more: issue.more }),
  };
}

const FILTERS = object(FILTER, []);

export function filterOf(given: ValueOf<typeof FILTERS>): IssueFilter {
  const { status, labels, priority, assignee, run } = given;
  return {
    ...(status !== undefined && { status }),
    ...(labels !== undefined && { labels }),
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee }),
    ...(run !== undefined && { run }),
  };
}

export function listed({ issues, broken }: Issues, limit: number): ValueOf<typeof LISTED> {
  return { issues: issues.slice(0, limit).map(inList), total: issues.length, broken };
}

export function lineOf({ id, status, priority, labels, title }: ShownIssue): string {
  const more = [priority, ...labels].filter((word) => word !== undefined && word !== '');
  return `#${id} [${status}] ${title}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}

export function listText({ issues, total, broken }: ValueOf<typeof LISTED>, none: string): string {
  const lines = [
    ...(issues.length === 0 ? [none] : issues.map(lineOf)),
    ...(total > issues.length
      ? [`… and ${total - issues.length} more: give a higher \`limit\`, or a filter.`]
      : []),
    ...broken.map(({ path, why }) => `${path} cannot be read as an issue: ${why}`),
  ];
  return lines.join('\n');
}

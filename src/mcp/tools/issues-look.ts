// issues-look: the tools that show issues and change nothing.

import { basename } from 'node:path';
import type { Issue } from '../../ports/tracker.ts';
import { orRefused } from '../refusal.ts';
import { flag, list, map, object, text, whole } from '../schema.ts';
import { LOOKS, tool } from '../tool.ts';
import {
  asWhole,
  FILTER,
  filterOf,
  ISSUE,
  ISSUE_IN_LIST,
  ISSUE_NUMBER,
  inList,
  LISTED,
  lineOf,
  listed,
  listText,
  NUMBERS,
} from './issue.ts';
import { WORKSPACE } from './workspace.ts';

const MOST_LISTED = 50;
const LIMIT = whole(`How many at most. Left out: ${MOST_LISTED}.`, { least: 1, most: 500 });

export const issuesList = tool({
  title: 'List issues',
  description:
    'Lists the issues of the project (Markdown files in .lockstep/issues), without their texts. Filters can be combined.',
  input: object({ ...FILTER, limit: LIMIT, workspacePath: WORKSPACE }, []),
  output: orRefused(LISTED),
  annotations: LOOKS,
  async call({ limit = MOST_LISTED, workspacePath, ...filter }, { at }) {
    const value = listed((await (await at(workspacePath)).tracker()).list(filterOf(filter)), limit);
    return { value, text: listText(value, 'There are no such issues.') };
  },
});

export const issuesSearch = tool({
  title: 'Search issues',
  description:
    'Finds issues in which every given word occurs (title, labels or text, in any case). The best come first.',
  input: object(
    { query: text('The words.', { most: 1000 }), ...FILTER, limit: LIMIT, workspacePath: WORKSPACE },
    ['query'],
  ),
  output: orRefused(LISTED),
  annotations: LOOKS,
  async call({ query, limit = MOST_LISTED, workspacePath, ...filter }, { at }) {
    const tracker = await (await at(workspacePath)).tracker();
    const value = listed(tracker.search(query, filterOf(filter)), limit);
    return { value, text: listText(value, `No issue has these words: ${query}`) };
  },
});

export const issuesGet = tool({
  title: 'Read an issue',
  description: 'Gives one issue whole: its text, what it waits for, and what waits for it.',
  input: object({ id: ISSUE_NUMBER, workspacePath: WORKSPACE }, ['id']),
  output: orRefused(
    object({ issue: ISSUE, blockedBy: NUMBERS, neededBy: NUMBERS }, ['issue', 'blockedBy', 'neededBy']),
  ),
  annotations: LOOKS,
  async call({ id, workspacePath }, { at }) {
    const tracker = await (await at(workspacePath)).tracker();
    const issue = tracker.get(id);
    const waits = tracker.readiness().blocked.find((one) => one.issue.id === id);
    const blockedBy = [...(waits?.by ?? []), ...(waits?.missing ?? [])];
    const neededBy = tracker.list().issues.flatMap((one) => (one.dependencies.includes(id) ? [one.id] : []));
    const lines = [
      lineOf(inList(issue)),
      ...(blockedBy.length > 0 ? [`Waits for ${numbers(blockedBy)}.`] : []),
      ...(neededBy.length > 0 ? [`Needed by ${numbers(neededBy)}.`] : []),
      `File: ${issue.path}`,
      ...(issue.body === '' ? [] : ['', issue.body]),
    ];
    return { value: { issue: asWhole(issue), blockedBy, neededBy }, text: lines.join('\n') };
  },
});

export const issuesAllComplete = tool({
  title: 'Are all issues complete?',
  description: 'Says whether every issue that fits the filter is done or cancelled, and which are not.',
  input: object({ ...FILTER, workspacePath: WORKSPACE }, []),
  output: orRefused(
    object(
      {
        allComplete: flag('Every one is done or cancelled, and there is at least one.'),
        total: whole('How many fit the filter.'),
        completed: whole('How many of them are over.'),
        pending: list(ISSUE_IN_LIST, 'Those that are not.'),
      },
      ['allComplete', 'total', 'completed', 'pending'],
    ),
  ),
  annotations: LOOKS,
  async call({ workspacePath, ...filter }, { at }) {
    const { issues, broken } = (await (await at(workspacePath)).tracker()).list(filterOf(filter));
    const open = issues.filter(({ status }) => status === 'open' || status === 'in-progress');
    const completed = issues.length - open.length;
    // A file that cannot be read may be an open issue.
    const allComplete = open.length === 0 && issues.length > 0 && broken.length === 0;
    const value = { allComplete, total: issues.length, completed, pending: open.map(inList) };
    const head = allComplete
      ? `All ${issues.length} are complete.`
      : `${completed} of ${issues.length} are complete.`;
    const unread = broken.map(({ path }) => `${path} cannot be read, so it may be open.`);
    return { value, text: [head, ...value.pending.map(lineOf), ...unread].join('\n') };
  },
});

export const issuesLabels = tool({
  title: 'List labels',
  description: 'Lists the labels that issues of the project have, with how many have each.',
  input: object({ workspacePath: WORKSPACE }, []),
  output: orRefused(
    object(
      {
        labels: list(
          object({ label: text('The label.'), count: whole('How many issues have it.') }, ['label', 'count']),
          'The most used come first.',
        ),
      },
      ['labels'],
    ),
  ),
  annotations: LOOKS,
  async call({ workspacePath }, { at }) {
    const { issues } = (await (await at(workspacePath)).tracker()).list();
    const labels = counted(issues.flatMap((issue) => issue.labels)).map(([label, count]) => ({
      label,
      count,
    }));
    const text = labels.map(({ label, count }) => `${label}: ${count}`).join('\n');
    return { value: { labels }, text: text === '' ? 'No issue has a label.' : text };
  },
});

export const issuesMetadata = tool({
  title: 'Read what is recorded about an issue',
  description:
    'Gives what is known of an issue beside its text: status, times, its run and task, and fields that other tools wrote into its file.',
  input: object({ id: ISSUE_NUMBER, workspacePath: WORKSPACE }, ['id']),
  output: orRefused(
    object({ issue: ISSUE_IN_LIST, more: map('Fields that other tools wrote.') }, ['issue', 'more']),
  ),
  annotations: LOOKS,
  async call({ id, workspacePath }, { at }) {
    const issue = (await (await at(workspacePath)).tracker()).get(id);
    const value = { issue: inList(issue), more: issue.more };
    return { value, text: JSON.stringify(value, undefined, 2) };
  },
});

export const issuesProjects = tool({
  title: 'List projects',
  description:
    'Lists the projects that issues belong to: the one of this folder, and those that a `project` field of an issue names.',
  input: object({ workspacePath: WORKSPACE }, []),
  output: orRefused(
    object(
      {
        projects: list(
          object({ name: text('Its name.'), issues: whole('How many issues it has.') }, ['name', 'issues']),
          'The one of this folder comes first.',
        ),
      },
      ['projects'],
    ),
  ),
  annotations: LOOKS,
  async call({ workspacePath }, { at }) {
    const place = await at(workspacePath);
    const { issues } = (await place.tracker()).list();
    const named = issues.flatMap((issue) => projectOf(issue) ?? []);
    const own = { name: basename(place.root), issues: issues.length - named.length };
    const projects = [own, ...counted(named).map(([name, count]) => ({ name, issues: count }))];
    return {
      value: { projects },
      text: projects.map(({ name, issues: count }) => `${name}: ${count}`).join('\n'),
    };
  },
});

function projectOf({ more }: Issue): string | undefined {
  return typeof more.project === 'string' && more.project !== '' ? more.project : undefined;
}

function counted(words: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

function numbers(ids: number[]): string {
  return ids.map((id) => `#${id}`).join(', ');
}

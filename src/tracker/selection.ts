// selection: which issues are meant, by filter and by words.

import type { Issue, IssueFilter } from '../ports/tracker.ts';

export function matchesFilter(issue: Issue, filter: IssueFilter = {}): boolean {
  const { status, labels, priority, assignee, run, task } = filter;
  return (
    (status === undefined || status.includes(issue.status)) &&
    (labels === undefined || labels.every((label) => issue.labels.includes(label))) &&
    (priority === undefined || (issue.priority !== undefined && priority.includes(issue.priority))) &&
    (assignee === undefined || issue.assignee === assignee) &&
    (run === undefined || issue.run === run) &&
    (task === undefined || issue.task === task)
  );
}

/** Those that have every word, the best first: in the title, then among the labels, then in the body. */
export function searched(issues: readonly Issue[], text: string): Issue[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return issues
    .map((issue) => ({ issue, score: scoreOf(issue, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.issue.id - other.issue.id)
    .map(({ issue }) => issue);
}

function scoreOf(issue: Issue, words: string[]): number {
  const title = issue.title.toLowerCase();
  const labels = issue.labels.join(' ').toLowerCase();
  const body = issue.body.toLowerCase();
  const scores = words.map((word) =>
    title.includes(word) ? 100 : labels.includes(word) ? 10 : body.includes(word) ? 1 : 0,
  );
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0);
}

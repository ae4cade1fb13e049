// readiness: what can be begun, what is in the way of the rest, and where dependencies go round in a circle.

import { orderByNeeds } from '../model/needs.ts';
import { type BrokenIssue, ISSUE_PRIORITIES, type Issue, type Readiness } from '../ports/tracker.ts';

export function readinessOf(issues: readonly Issue[], broken: BrokenIssue[]): Readiness {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const ready: Issue[] = [];
  const blocked: Readiness['blocked'] = [];
  for (const issue of issues.filter((one) => !isOver(one))) {
    const by = issue.dependencies.filter((id) => {
      const needed = byId.get(id);
      return needed !== undefined && !isOver(needed);
    });
    const missing = issue.dependencies.filter((id) => !byId.has(id));
    if (by.length + missing.length > 0) blocked.push({ issue, by, missing });
    else if (issue.status === 'open') ready.push(issue);
  }
  ready.sort((one, other) => rank(one) - rank(other) || one.id - other.id);
  const needsOf = (id: number) => byId.get(id)?.dependencies ?? [];
  const { circles } = orderByNeeds(byId.keys(), needsOf, 'all');
  return { ready, blocked, circles, broken };
}

/** A cancelled issue is in nobody's way. */
function isOver({ status }: Issue): boolean {
  return status === 'done' || status === 'cancelled';
}

/** Nothing said counts as medium. */
function rank({ priority = 'medium' }: Issue): number {
  return ISSUE_PRIORITIES.indexOf(priority);
}

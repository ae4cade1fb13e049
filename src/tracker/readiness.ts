// readiness: what can be begun, what is in the way of the rest, and where dependencies go round in a circle.

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
  return { ready, blocked, circles: circlesOf(byId), broken };
}

/** A cancelled issue is in nobody's way. */
function isOver({ status }: Issue): boolean {
  return status === 'done' || status === 'cancelled';
}

/** Nothing said counts as medium. */
function rank({ priority = 'medium' }: Issue): number {
  return ISSUE_PRIORITIES.indexOf(priority);
}

/** Depth first, without recursion. Each circle once, from where it was first met. */
function circlesOf(byId: Map<number, Issue>): number[][] {
  const left = new Set<number>();
  const circles: number[][] = [];
  for (const start of byId.keys()) {
    const path = left.has(start) ? [] : [{ id: start, next: 0 }];
    while (path.length > 0) {
      const top = path[path.length - 1] as { id: number; next: number };
      const needed = byId.get(top.id)?.dependencies[top.next];
      top.next += 1;
      if (needed === undefined) {
        path.pop();
        left.add(top.id);
        continue;
      }
      const met = path.findIndex(({ id }) => id === needed);
      if (met >= 0) circles.push([...path.slice(met).map(({ id }) => id), needed]);
      else if (!left.has(needed) && byId.has(needed)) path.push({ id: needed, next: 0 });
    }
  }
  return circles;
}

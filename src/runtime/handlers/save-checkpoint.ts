// save-checkpoint: { task, name, data }. The task is done: its issue is completed. Gives which tasks of the run are
// completed and which are still to do; a dry run completes nothing. That it is in the journal is what makes it a checkpoint.

import type { Json, JsonObject } from '../../model/json.ts';
import type { Issue } from '../../ports/tracker.ts';
import { wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { issuesOfRun } from './tasks.ts';
import { wroteIssue } from './wrote-issue.ts';

export async function saveCheckpoint(call: HandlerCall): Promise<Handled> {
  const given = call.context.mask.deep(call.with);
  const task = taskId(given.task);
  const tracker = await call.context.tracker();
  const issues = issuesOfRun(tracker, call.context.runId);
  const issue = task === undefined ? undefined : issues.get(task);
  if (task !== undefined && issue !== undefined && issue.status !== 'done' && !call.context.isDryRun) {
    const done = tracker.update(issue.id, { status: 'done' });
    issues.set(task, done);
    wroteIssue(call, done);
  }
  const output: JsonObject = {
    ...(typeof given.name === 'string' && { name: given.name }),
    ...(given.data !== undefined && { data: given.data }),
    ...(task !== undefined && { task }),
    ...(issue !== undefined && { issue: issue.id }),
    completed: [...tasksThat(issues, ({ status }) => status === 'done'), ...untracked(task, issue)],
    pending: tasksThat(issues, ({ status }) => status === 'open' || status === 'in-progress'),
  };
  return { output };
}

function tasksThat(issues: ReadonlyMap<string, Issue>, holds: (issue: Issue) => boolean): string[] {
  return [...issues].flatMap(([task, issue]) => (holds(issue) ? [task] : []));
}

/** A task that nobody made an issue of is done all the same. */
function untracked(task: string | undefined, issue: Issue | undefined): string[] {
  return task !== undefined && issue === undefined ? [task] : [];
}

/** A task, its id, or nothing. */
function taskId(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const id = typeof value === 'object' && !Array.isArray(value) ? (value.id ?? value.title) : value;
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
  throw wrong('task', 'a task with an `id`, or the id', value);
}

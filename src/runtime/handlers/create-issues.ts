// create-issues: { issues | analysis, labels }. An issue for every task that has none yet; those that have one stay as
// they are. Gives the tasks, each with the number and the path of its issue. A dry run makes none.

import { isObject, type JsonObject } from '../../model/json.ts';
import { placeName } from '../../model/place-name.ts';
import type { Issue } from '../../ports/tracker.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { checkNeeded, draftOf, issuesOfRun, readTasks, type Task, taskWithIssue, textsOf } from './tasks.ts';
import { wroteIssue } from './wrote-issue.ts';

export async function createIssues(call: HandlerCall): Promise<Handled> {
  const given = call.context.mask.deep(call.with);
  const { issues, analysis } = given as { issues?: JsonObject['']; analysis?: JsonObject[''] };
  const [name, list] =
    issues === undefined && isObject(analysis) ? ['analysis.tasks', analysis.tasks] : ['issues', issues];
  const tasks = readTasks(call, name, list);
  const { made } = await keepTasks(call, tasks, { labels: textsOf(given.labels) });
  return { output: made };
}

export interface Keeping {
  labels: string[];
  /** What becomes of an issue that is there already; without it, nothing. */
  existing?(task: Task, issue: Issue, known: ReadonlyMap<string, Issue>): Issue;
}

export async function keepTasks(
  call: HandlerCall,
  tasks: Task[],
  { labels, existing }: Keeping,
): Promise<{ made: JsonObject[] }> {
  const { context } = call;
  const tracker = await context.tracker();
  const known = issuesOfRun(tracker, context.runId);
  checkNeeded(tasks, known);
  if (context.isDryRun) {
    context.debug?.(
      call.command,
      'files',
      `${placeName(call.command.path, call.command.part)}: a dry run makes no issues`,
    );
    return {
      made: tasks.map(({ given, id, title, dependencies }) => ({ ...given, id, title, dependencies })),
    };
  }
  const made = tasks.map((task) => {
    const before = known.get(task.id);
    const issue =
      before === undefined
        ? tracker.create(draftOf(task, context.runId, labels, known))
        : (existing?.(task, before, known) ?? before);
    known.set(task.id, issue);
    if (issue !== before) wroteIssue(call, issue);
    return taskWithIssue(task, issue);
  });
  return { made };
}

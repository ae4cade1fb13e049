// persist-tasks: { tasks, labels }. As create-issues; and an issue that is there already becomes what its task says now.

import { keepTasks } from './create-issues.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { draftOf, readTasks, textsOf } from './tasks.ts';

export async function persistTasks(call: HandlerCall): Promise<Handled> {
  const given = call.context.mask.deep(call.with);
  const tasks = readTasks(call, 'tasks', given.tasks);
  const labels = textsOf(given.labels);
  const tracker = await call.context.tracker();
  const { made } = await keepTasks(call, tasks, {
    labels,
    existing(task, issue, known) {
      const draft = draftOf(task, call.context.runId, labels, known);
      const { title, body = '', status, priority, labels: addLabels, dependencies: addDependencies } = draft;
      return tracker.update(issue.id, {
        title,
        ...(body !== '' && { body }),
        ...(status !== undefined && { status }),
        ...(priority !== undefined && { priority }),
        addLabels,
        addDependencies,
      });
    },
  });
  return { output: made };
}

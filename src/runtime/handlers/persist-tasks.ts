// persist-tasks: { tasks, labels, dependencies, link_session }. As create-issues; and an issue that is there already becomes what
// its task says now.

import type { Json } from '../../model/json.ts';
import { wrong } from './argument.ts';
import { keepTasks } from './create-issues.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { draftOf, readTasks, textsOf } from './tasks.ts';

export async function persistTasks(call: HandlerCall): Promise<Handled> {
  const given = call.context.mask.deep(call.with);
  const tasks = readTasks(call, 'tasks', given.tasks, { isSequential: isSequential(given.dependencies) });
  const labels = [...textsOf(given.labels), ...sessionLabel(call, given.link_session)];
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

function isSequential(dependencies: Json | undefined): boolean {
  if (dependencies === undefined || dependencies === null || dependencies === 'none') return false;
  if (dependencies === 'sequential') return true;
  throw wrong('dependencies', '`sequential` or `none`', dependencies);
}

/** A run without a live session has nothing to link to. */
function sessionLabel({ context: { session } }: HandlerCall, link: Json | undefined): string[] {
  const isLinked = link === true || link === 'true';
  return isLinked && session !== undefined ? [`session:${session.key.client}:${session.key.id}`] : [];
}

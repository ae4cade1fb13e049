// tasks: what the work was split into, from what `create-issues` and `persist-tasks` made of it.

import type { Json } from '../../model/json.ts';
import type { StepRecord } from '../step-record.ts';
import { plain } from '../text/plain.ts';
import { count, list } from '../text/words.ts';
import { figure, maps, word } from './answer-text.ts';
import type { PlannedTask, ReportStep } from './shape.ts';

const HANDLERS = ['create-issues', 'persist-tasks'];

/** In the order in which they can be done. Undefined: the step makes none. */
export function tasksAt({ step, settled, outcome }: StepRecord): PlannedTask[] | undefined {
  if (step?.work.kind !== 'call' || !HANDLERS.includes(step.work.handler) || settled !== 'done')
    return undefined;
  return maps(outcome?.output).map((task) => {
    const issue = figure(task, 'issue');
    return {
      ...{ id: word(task, 'id') ?? '', title: word(task, 'title') ?? '' },
      requirements: Array.isArray(task.requirements) ? task.requirements.length : 0,
      dependencies: textsIn(task.dependencies),
      ...(issue !== undefined && { issue }),
    };
  });
}

/** Each once: a later step says what a task is now. */
export function tasksOf(steps: Iterable<{ tasks?: PlannedTask[] }>): PlannedTask[] {
  const byId = new Map<string, PlannedTask>();
  for (const { tasks = [] } of steps) for (const task of tasks) byId.set(task.id, task);
  return [...byId.values()];
}

/** Of a dry run, whose result they are: a line for each. Elsewhere they are in report.md. */
export function taskTexts(tasks: readonly PlannedTask[], steps: readonly ReportStep[]): string[] {
  if (tasks.length === 0 || !steps.some(({ skipped }) => skipped?.reason === 'dry-run')) return [];
  const lines = tasks.map(({ title, ...task }, index) => {
    const about = aboutTask(task);
    return `${index + 1}. ${title}${about === '' ? '' : ` (${about})`}`;
  });
  return [...lines, 'This was a dry run: no issues were made of them.'];
}

function aboutTask({ requirements, dependencies }: Omit<PlannedTask, 'title'>): string {
  const parts = requirements === 0 ? [] : [count(requirements, 'requirement')];
  if (dependencies.length > 0) parts.push(`after ${list(dependencies, 5)}`);
  return parts.join(', ');
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map((item) => plain(String(item))) : [];
}

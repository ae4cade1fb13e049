// tasks: a list of things to do, as a workflow gives it, and the issues that stand for them. A task is found again by
// the run and its id, so what a crash cut short is gone on with and nothing is made twice (E4).

import { orderByDependencies } from '../../engine/dependencies.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { placeName } from '../../model/place-name.ts';
import {
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  type Issue,
  type IssueDraft,
  type IssuePriority,
  type IssueStatus,
  type Tracker,
} from '../../ports/tracker.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import { wrong } from './argument.ts';
import type { HandlerCall } from './handler.ts';

export interface Task {
  /** Its own, else its place in the list of this step. */
  id: string;
  given: JsonObject;
  title: string;
  /** Ids of tasks. */
  dependencies: string[];
}

/** In an order in which each comes after those it needs. */
export function readTasks(
  call: HandlerCall,
  name: string,
  list: Json | undefined,
  { isSequential = false } = {},
): Task[] {
  if (!Array.isArray(list)) throw wrong(name, 'a list', list);
  const tasks = list.map((item, index): Task => {
    const given: JsonObject = typeof item === 'string' ? { title: item } : asMap(item, `${name}[${index}]`);
    const { id, dependencies = [] } = given;
    const title = titleOf(given);
    if (typeof title !== 'string' || title.trim() === '')
      throw wrong(`${name}[${index}].title`, 'a text', title);
    if (!Array.isArray(dependencies)) throw wrong(`${name}[${index}].dependencies`, 'a list', dependencies);
    return {
      id: isId(id) ? String(id) : `${placeName(call.command.path, call.command.part)}#${index + 1}`,
      given,
      title,
      dependencies: dependencies.map(String),
    };
  });
  return ordered(isSequential ? chained(tasks) : tasks);
}

/** Plans of agents describe their tasks and give them no title: the first line is one. */
function titleOf({ title, description }: JsonObject): Json | undefined {
  return title === undefined && typeof description === 'string' ? description.trim().split('\n')[0] : title;
}

/** Each needs the one before it. */
function chained(tasks: Task[]): Task[] {
  return tasks.map((task, index) => {
    const before = tasks[index - 1];
    if (before === undefined || task.dependencies.includes(before.id)) return task;
    return { ...task, dependencies: [...task.dependencies, before.id] };
  });
}

function ordered(tasks: Task[]): Task[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  // A task of an earlier call may be needed, too: that one is there already.
  const inList = tasks.map(({ id, dependencies }) => ({
    id,
    dependencies: dependencies.filter((one) => ids.has(one)),
  }));
  const ordering = orderByDependencies(inList);
  if ('problem' in ordering)
    throw new Breakdown({ class: 'error', message: ordering.problem }, UNPERFORMABLE);
  return ordering.items.map((item) => byId.get((item as { id: string }).id) as Task);
}

/** Issues of this run, by the id of the task. */
export function issuesOfRun(tracker: Tracker, run: string): Map<string, Issue> {
  const { issues } = tracker.list({ run });
  return new Map(issues.flatMap((issue) => (issue.task === undefined ? [] : [[issue.task, issue]])));
}

/** Their numbers; a task that nobody knows is named before anything is made. */
export function checkNeeded(tasks: Task[], known: ReadonlyMap<string, Issue>): void {
  const ids = new Set(tasks.map(({ id }) => id));
  for (const { id, dependencies } of tasks) {
    const missing = dependencies.filter((one) => !ids.has(one) && !known.has(one));
    if (missing.length === 0) continue;
    const names = missing.map((one) => JSON.stringify(one)).join(', ');
    throw new Breakdown(
      { class: 'error', message: `the task "${id}" depends on ${names}, which is no task of this run` },
      UNPERFORMABLE,
    );
  }
}

export function draftOf(
  task: Task,
  run: string,
  labels: string[],
  known: ReadonlyMap<string, Issue>,
): IssueDraft {
  const { given } = task;
  const status = oneOf(ISSUE_STATUSES, given.status);
  const priority = oneOf(ISSUE_PRIORITIES, given.priority);
  return {
    title: task.title,
    body: bodyOf(given),
    labels: [...new Set([...textsOf(given.labels), ...labels])],
    dependencies: numbersOf(task, known),
    run,
    task: task.id,
    ...(status !== undefined && { status: status as IssueStatus }),
    ...(priority !== undefined && { priority: priority as IssuePriority }),
    ...(typeof given.assignee === 'string' && { assignee: given.assignee }),
  };
}

function numbersOf(task: Task, known: ReadonlyMap<string, Issue>): number[] {
  return task.dependencies.flatMap((id) => known.get(id)?.id ?? []);
}

/** As it was given, with what it is called from now on. */
export function taskWithIssue(task: Task, { id, path }: Issue): JsonObject {
  return { ...task.given, id: task.id, title: task.title, dependencies: task.dependencies, issue: id, path };
}

/** Readable by a person who never saw the analysis. */
function bodyOf(given: JsonObject): string {
  const description = given.description ?? given.body;
  const section = (title: string, items: string[]) =>
    items.length === 0 ? [] : [`## ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`];
  return [
    ...(typeof description === 'string' && description.trim() !== '' ? [description.trim()] : []),
    ...section('Requirements', textsOf(given.requirements)),
    ...section('Files', textsOf(given.filePaths)),
    ...(typeof given.verification === 'string' && given.verification.trim() !== ''
      ? [`## Verification\n\n${given.verification.trim()}`]
      : []),
  ].join('\n\n');
}

export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function oneOf(words: readonly string[], value: Json | undefined): string | undefined {
  const word = typeof value === 'string' ? value.toLowerCase().replace(/[_ ]/g, '-') : undefined;
  return words.find((known) => known === word);
}

function isId(value: Json | undefined): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function asMap(value: Json | undefined, name: string): JsonObject {
  if (isObject(value)) return value;
  throw wrong(name, 'a text or a map with `title`', value);
}

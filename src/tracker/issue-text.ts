// issue-text: one issue as Markdown with front matter. People edit these files by hand, so reading is lenient and
// writing touches nothing but what was asked for: order, comments, unknown fields and the body stay as they are.

import { type Document, isMap, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import type { Json, JsonObject } from '../model/json.ts';
import {
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  type Issue,
  type IssueChange,
  type IssueDraft,
  type IssueStatus,
} from '../ports/tracker.ts';
import { inexactNumber, WRITE_AS_TEXT } from '../text/exact-number.ts';

const FIELDS = new Set([
  ...['id', 'title', 'status', 'labels', 'priority', 'dependencies'],
  ...['created', 'updated', 'run', 'task', 'assignee'],
]);

/** What people write for the same thing. */
const STATUS_WORDS: Record<string, IssueStatus> = {
  todo: 'open',
  closed: 'done',
  completed: 'done',
  complete: 'done',
  canceled: 'cancelled',
};

/** Why a text is no issue. */
export class NoIssue extends Error {}

interface Parts {
  matter: Document;
  /** Everything after the closing line, as it is. */
  rest: string;
}

export function readIssue(text: string, id: number, path: string): Issue {
  const { matter, rest } = partsOf(text);
  const data = valuesOf(matter);
  const more = Object.fromEntries(Object.entries(data).filter(([name]) => !FIELDS.has(name)));
  const body = rest.replaceAll('\r\n', '\n').trim();
  const priority = priorityOf(data.priority);
  return {
    id,
    title: wordOf(data.title) ?? headingOf(body) ?? titleFrom(path, id),
    status: statusOf(data.status),
    labels: listOf(data.labels, 'labels'),
    ...(priority !== undefined && { priority }),
    dependencies: listOf(data.dependencies, 'dependencies').map(numberOf),
    created: wordOf(data.created) ?? '',
    updated: wordOf(data.updated) ?? '',
    ...optionalWords(data),
    body,
    path,
    more,
  };
}

export function newIssueText(draft: IssueDraft, id: number, now: string): string {
  const { title, body = '', status = 'open', labels = [], dependencies = [], ...others } = draft;
  const { matter } = partsOf('---\n{}\n---\n');
  matter.contents = matter.createNode({
    id,
    title,
    status,
    labels,
    ...(others.priority !== undefined && { priority: others.priority }),
    dependencies,
    created: now,
    updated: now,
    ...(others.assignee !== undefined && { assignee: others.assignee }),
    ...(others.run !== undefined && { run: others.run }),
    ...(others.task !== undefined && { task: others.task }),
  }) as never;
  for (const name of ['labels', 'dependencies']) {
    const list = matter.get(name, true) as unknown as { flow?: boolean };
    list.flow = true;
  }
  return whole(matter, body === '' ? '' : `\n${body.trim()}\n`);
}

/** The text after the change; the same text where nothing changes. */
export function changedIssueText(text: string, issue: Issue, change: IssueChange, now: string): string {
  const { matter, rest } = partsOf(text);
  const before = JSON.stringify([valuesOf(matter), rest]);
  for (const [name, value] of Object.entries(newValues(issue, change))) {
    if (value === null) matter.delete(name);
    else matter.set(name, Array.isArray(value) ? flowList(matter, value) : value);
  }
  const after = changedBody(rest, change);
  if (JSON.stringify([valuesOf(matter), after]) === before) return text;
  matter.set('updated', now);
  return whole(matter, after);
}

function newValues(issue: Issue, change: IssueChange): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const name of ['title', 'status', 'priority', 'assignee'] as const) {
    const value = change[name];
    if (value !== undefined && value !== issue[name]) values[name] = value;
  }
  if (change.addLabels !== undefined || change.removeLabels !== undefined)
    values.labels = merged(issue.labels, change.addLabels, change.removeLabels);
  if (change.addDependencies !== undefined || change.removeDependencies !== undefined)
    values.dependencies = merged(issue.dependencies, change.addDependencies, change.removeDependencies);
  return values;
}

export function merged<T>(list: T[], add: T[] = [], remove: T[] = []): T[] {
  return [...new Set([...list, ...add])].filter((item) => !remove.includes(item));
}

function changedBody(rest: string, { body, note }: IssueChange): string {
  const base = body === undefined ? rest : `\n${body.trim()}\n`;
  return note === undefined || note.trim() === '' ? base : `${base.trimEnd()}\n\n${note.trim()}\n`;
}

function flowList(matter: Document, value: Json[]): unknown {
  return matter.createNode(value, { flow: true });
}

function whole(matter: Document, rest: string): string {
  return `---\n${matter.toString({ lineWidth: 0 })}---\n${rest}`;
}

function partsOf(text: string): Parts {
  const open = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (open === null) return { matter: parsed(''), rest: text === '' ? '' : `\n${text}` };
  const fence = /^---[ \t]*(?:\r?\n|$)/gm;
  fence.lastIndex = open[0].length;
  const close = fence.exec(text);
  if (close === null) throw new NoIssue('its front matter is never closed with a line `---`');
  return {
    matter: parsed(text.slice(open[0].length, close.index)),
    rest: text.slice(close.index + close[0].length),
  };
}

function parsed(yaml: string): Document {
  const lineCounter = new LineCounter();
  const matter = parseDocument(yaml, { lineCounter });
  const [problem] = matter.errors;
  if (problem !== undefined)
    throw new NoIssue(`its front matter is no YAML: ${problem.message.split('\n')[0]}`);
  refuseInexact(matter, lineCounter);
  if (matter.contents === null) matter.contents = matter.createNode({}) as never;
  if (!isMap(matter.contents)) throw new NoIssue('its front matter is not a list of `name: value`');
  return matter as Document;
}

/** Read, it would be another number, and writing any other field would put that one into the file. */
function refuseInexact(matter: Document.Parsed, lines: LineCounter): void {
  visit(matter, {
    Scalar(key, { value, source, range }: Scalar) {
      if (key === 'key' || typeof value !== 'number') return;
      const inexact = inexactNumber(source ?? String(value), value);
      if (inexact === undefined) return;
      // The line of `---` is before it.
      const { line, col } = lines.linePos(range?.[0] ?? 0);
      throw new NoIssue(`its front matter has a number at ${line + 1}:${col}: ${inexact}. ${WRITE_AS_TEXT}`);
    },
  });
}

function valuesOf(matter: Document): JsonObject {
  try {
    return JSON.parse(JSON.stringify(matter.toJS())) as JsonObject;
  } catch (error) {
    throw new NoIssue(`its front matter cannot be read: ${(error as Error).message}`);
  }
}

function wordOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function optionalWords(data: JsonObject): Pick<Issue, 'run' | 'task' | 'assignee'> {
  const found: Pick<Issue, 'run' | 'task' | 'assignee'> = {};
  for (const name of ['run', 'task', 'assignee'] as const) {
    const word = wordOf(data[name]);
    if (word !== undefined) found[name] = word;
  }
  return found;
}

function headingOf(body: string): string | undefined {
  return /^#{1,6}[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1];
}

function titleFrom(path: string, id: number): string {
  const words = /\d+[-_. ](.+)\.md$/i.exec(path)?.[1];
  return words?.replace(/[-_]+/g, ' ') ?? `issue ${id}`;
}

function statusOf(value: Json | undefined): IssueStatus {
  const word = (wordOf(value) ?? 'open').trim().toLowerCase().replace(/[_ ]/g, '-');
  const status = Object.hasOwn(STATUS_WORDS, word) ? STATUS_WORDS[word] : word;
  const found = ISSUE_STATUSES.find((known) => known === status);
  if (found === undefined)
    throw new NoIssue(`its status is ${JSON.stringify(value)}, not one of ${ISSUE_STATUSES.join(', ')}`);
  return found;
}

function priorityOf(value: Json | undefined): Issue['priority'] {
  const word = wordOf(value)?.trim().toLowerCase();
  if (word === undefined) return undefined;
  const found = ISSUE_PRIORITIES.find((known) => known === word);
  if (found === undefined)
    throw new NoIssue(`its priority is ${JSON.stringify(value)}, not one of ${ISSUE_PRIORITIES.join(', ')}`);
  return found;
}

/** A list, or its items with commas between. */
function listOf(value: Json | undefined, name: string): string[] {
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value : String(value).split(',');
  if (items.some((item) => typeof item === 'object') || (typeof value === 'object' && !Array.isArray(value)))
    throw new NoIssue(`its \`${name}\` are not a list of words`);
  return [...new Set(items.map((item) => String(item).trim()).filter((item) => item !== ''))];
}

function numberOf(word: string): number {
  const found = /^#?0*(\d{1,9})$/.exec(word);
  if (found === null)
    throw new NoIssue(`it depends on ${JSON.stringify(word)}, which is not the number of an issue`);
  return Number(found[1]);
}

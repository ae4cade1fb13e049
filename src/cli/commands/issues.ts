// issues: what people do with the tracker. Files that cannot be read are told on every look, on stderr.

import { Fault } from '../../model/fault.ts';
import type {
  BrokenIssue,
  Issue,
  IssueChange,
  IssueFilter,
  IssuePriority,
  IssueStatus,
  Readiness,
  Tracker,
} from '../../ports/tracker.ts';
import { plain, plainLines } from '../../views/text/plain.ts';
import { findRun } from '../find-run.ts';
import { terminalWidth } from '../look.ts';
import type { Services } from '../services.ts';
import { table } from '../table.ts';

interface Shown {
  json?: boolean;
}
interface Filters extends Shown {
  all?: boolean;
  status?: IssueStatus;
  label?: string[];
  priority?: IssuePriority;
  assignee?: string;
  run?: string;
}
interface Fields extends Shown {
  title?: string;
  status?: IssueStatus;
  priority?: IssuePriority;
  assignee?: string;
  body?: string;
  label?: string[];
  removeLabel?: string[];
  dependsOn?: string[];
  removeDependsOn?: string[];
  note?: string;
}

export async function listIssues(services: Services, options: Filters): Promise<number> {
  const filter = await filterOf(services, options);
  const status: IssueStatus[] | undefined =
    filter.status ?? (options.all ? undefined : ['open', 'in-progress']);
  const { issues, broken } = (await services.tracker()).list({ ...filter, status });
  const none = options.all ? 'No issues here.' : 'No open issues here; --all shows those that are over too.';
  return shown(services, options, { issues, broken, none });
}

export async function searchIssues(services: Services, words: string[], options: Filters): Promise<number> {
  const filter = await filterOf(services, options);
  const { issues, broken } = (await services.tracker()).search(words.join(' '), filter);
  return shown(services, options, { issues, broken, none: 'No issue has these words.' });
}

export async function showIssue(services: Services, number: string, { json }: Shown): Promise<number> {
  const tracker = await services.tracker();
  const issue = tracker.get(issueNumber(number));
  const { blocked } = tracker.readiness();
  const waits = blocked.find((one) => one.issue.id === issue.id);
  const needed = tracker.list().issues.filter(({ dependencies }) => dependencies.includes(issue.id));
  const neededBy = needed.map(({ id }) => id);
  if (json) print(services, { ...issue, blocked_by: waits?.by ?? [], needed_by: neededBy });
  else services.stdout.write(pageOf(issue, waits, neededBy));
  return 0;
}

export async function createIssue(services: Services, title: string, options: Fields): Promise<number> {
  const tracker = await services.tracker();
  const { status, priority, assignee, label, dependsOn, json } = options;
  const issue = tracker.create({
    title,
    ...(options.body !== undefined && { body: await textOf(services, options.body) }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee }),
    ...(label !== undefined && { labels: label }),
    ...(dependsOn !== undefined && { dependencies: dependsOn.map(issueNumber) }),
  });
  if (json) print(services, issue);
  else services.stdout.write(`Issue ${issue.id}: ${issue.path}\n`);
  return 0;
}

export async function updateIssue(services: Services, number: string, options: Fields): Promise<number> {
  const { title, status, priority, label, removeLabel, dependsOn, removeDependsOn, note } = options;
  const change: IssueChange = {
    ...(title !== undefined && { title }),
    ...(options.body !== undefined && { body: await textOf(services, options.body) }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(options.assignee !== undefined && { assignee: options.assignee || null }),
    ...(label !== undefined && { addLabels: label }),
    ...(removeLabel !== undefined && { removeLabels: removeLabel }),
    ...(dependsOn !== undefined && { addDependencies: dependsOn.map(issueNumber) }),
    ...(removeDependsOn !== undefined && { removeDependencies: removeDependsOn.map(issueNumber) }),
    ...(note !== undefined && { note }),
  };
  if (Object.keys(change).length === 0)
    throw new Fault('issue-invalid', 'nothing to change was given', {
      hint: 'For example --status in-progress; `lockstep issues update --help` says what can be changed.',
      exitCode: 2,
    });
  const issue = (await services.tracker()).update(issueNumber(number), change);
  if (options.json) print(services, issue);
  else services.stdout.write(`Issue ${issue.id} is ${issue.status}: ${plain(issue.title)}\n`);
  return 0;
}

export async function completeIssues(
  services: Services,
  numbers: string[],
  { note, json }: Fields,
): Promise<number> {
  const tracker = await services.tracker();
  const ids = numbers.map(issueNumber);
  for (const id of ids) tracker.get(id); // all of them, or none
  const issues = ids.map((id) => completed(tracker, id, note));
  if (json) print(services, issues);
  else
    for (const issue of issues) services.stdout.write(`Issue ${issue.id} is done: ${plain(issue.title)}\n`);
  return 0;
}

function completed(tracker: Tracker, id: number, note: string | undefined): Issue {
  return tracker.update(id, { status: 'done', ...(note !== undefined && { note }) });
}

export async function readyIssues(services: Services, { json }: Shown): Promise<number> {
  const readiness = (await services.tracker()).readiness();
  if (json) {
    print(services, readiness);
    return 0;
  }
  tellBroken(services, readiness.broken);
  services.stdout.write(readyText(services, readiness));
  return 0;
}

function readyText(services: Services, { ready, blocked, circles }: Readiness): string {
  const parts = [ready.length === 0 ? 'Nothing is ready.\n' : tableOf(services, ready)];
  if (blocked.length > 0) {
    const rows = blocked.map(({ issue, by, missing }) => [
      String(issue.id),
      [...by, ...missing.map((id) => `${id} (not there)`)].join(', '),
      plain(issue.title),
    ]);
    parts.push(table(['ISSUE', 'WAITS FOR', 'TITLE'], rows, terminalWidth(services)));
  }
  if (circles.length > 0)
    parts.push(
      `These wait for each other, and will for ever:\n${circles.map((way) => `  ${way.join(' → ')}\n`).join('')}`,
    );
  return parts.join('\n');
}

interface Listing {
  issues: Issue[];
  broken: BrokenIssue[];
  /** What is said where there are none. */
  none: string;
}

function shown(services: Services, { json }: Shown, { issues, broken, none }: Listing): number {
  if (json) {
    print(services, { issues, broken });
    return 0;
  }
  tellBroken(services, broken);
  services.stdout.write(issues.length === 0 ? `${none}\n` : tableOf(services, issues));
  return 0;
}

function tableOf(services: Services, issues: Issue[]): string {
  const rows = issues.map(({ id, status, priority = '', labels, title }) => [
    ...[String(id), status, priority, plain(labels.join(', ')), plain(title)],
  ]);
  return table(['ISSUE', 'STATUS', 'PRIORITY', 'LABELS', 'TITLE'], rows, terminalWidth(services));
}

function pageOf(issue: Issue, waits: Readiness['blocked'][number] | undefined, neededBy: number[]): string {
  const facts: [string, string][] = [
    ['status', issue.status],
    ['priority', issue.priority ?? ''],
    ['labels', issue.labels.join(', ')],
    ['assignee', issue.assignee ?? ''],
    ['depends on', issue.dependencies.join(', ')],
    [
      'waits for',
      [...(waits?.by ?? []), ...(waits?.missing ?? []).map((id) => `${id} (not there)`)].join(', '),
    ],
    ['needed by', neededBy.join(', ')],
    ['run', [issue.run, issue.task].filter(Boolean).join(', task ')],
    ['file', issue.path],
  ];
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(11)}${plain(value)}`);
  const body = issue.body === '' ? '' : `\n${plainLines(issue.body).join('\n')}\n`;
  return `${issue.id}  ${plain(issue.title)}\n\n${lines.join('\n')}\n${body}`;
}

function tellBroken(services: Services, broken: BrokenIssue[]): void {
  for (const { path, why } of broken)
    services.stderr.write(`warning: ${plain(path)} cannot be read as an issue: ${plain(why)}\n`);
}

async function filterOf(services: Services, options: Filters): Promise<IssueFilter> {
  const { status, label, priority, assignee, run } = options;
  return {
    ...(status !== undefined && { status: [status] }),
    ...(label !== undefined && { labels: label }),
    ...(priority !== undefined && { priority: [priority] }),
    ...(assignee !== undefined && { assignee }),
    ...(run !== undefined && { run: findRun(await services.store(), run) }),
  };
}

export function issueNumber(word: string): number {
  const found = /^#?0*([1-9]\d{0,8})$/.exec(word);
  if (found === null)
    throw new Fault('issue-unknown', `"${word}" is not the number of an issue`, {
      hint: 'Issues have numbers: lockstep issues list',
      exitCode: 2,
    });
  return Number(found[1]);
}

async function textOf(services: Services, given: string): Promise<string> {
  if (given !== '-') return given;
  let text = '';
  for await (const chunk of services.stdin.setEncoding('utf8')) text += chunk;
  return text;
}

function print(services: Services, value: unknown): void {
  services.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

// file-tracker: issues as Markdown files in `.lockstep/issues/` of the project, one each: `0007-add-a-parser.md`.
// Owns: that folder, its names, what may be written there. Never: decides what an issue means for a run.
// T1. The number in the name of the file is the issue's. It is given once, whoever makes issues at the same time.
// T2. A change is made on the newest text and touches what it names, so nothing that others write is lost (X1-X3).
// T3. What people write by hand stays: order, comments, unknown fields, the body. A file that cannot be read is told,
//     and never written.
// T4. Nothing outside the project is read or written: no symlink is followed.

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { BrokenIssue, Issue, IssueDraft, Issues, Tracker } from '../ports/tracker.ts';
import { addText, numberIn, readText, replaceText, sweep } from './exchange.ts';
import { changedIssueText, merged, NoIssue, newIssueText, readIssue } from './issue-text.ts';
import { readinessOf } from './readiness.ts';
import { matchesFilter, searched } from './selection.ts';

export interface FileTrackerOptions {
  /** The project: issues lie in `.lockstep/issues/` of it. */
  root: string;
  /** Milliseconds since 1970. */
  now(): number;
}

const FOLDER = join('.lockstep', 'issues');

interface Found {
  name: string;
  path: string;
  text: string;
}

export function fileTracker({ root, now }: FileTrackerOptions): Tracker {
  const folder = join(root, FOLDER);
  const drafts = join(folder, '.drafts');
  const shown = (name: string) => relative(root, join(folder, name)).split(sep).join('/');
  const time = () => new Date(now()).toISOString();

  function names(): string[] {
    if (!existsSync(folder)) return [];
    requireInside(root, folder);
    return readdirSync(folder)
      .filter((name) => numberIn(name) !== undefined)
      .sort();
  }

  function makeFolders(): void {
    // Before anything is made: a link on the way would have it made elsewhere.
    for (const there of [join(root, '.lockstep'), folder, drafts])
      if (existsSync(there)) requireInside(root, there);
    mkdirSync(drafts, { recursive: true });
    const ignore = join(drafts, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
    sweep(drafts);
  }

  function all(): Issues {
    const issues: Issue[] = [];
    const broken: BrokenIssue[] = [];
    for (const name of names()) {
      const issue = issueOf(name);
      if ('why' in issue) broken.push(issue);
      else issues.push(issue);
    }
    issues.sort((one, other) => one.id - other.id);
    return { issues, broken };
  }

  function issueOf(name: string): Issue | BrokenIssue {
    const path = shown(name);
    const text = readText(join(folder, name));
    if (text === undefined) return { path, why: whyUnreadable(join(folder, name)) };
    try {
      return readIssue(text, Number(numberIn(name)), path);
    } catch (error) {
      if (error instanceof NoIssue) return { path, why: error.message };
      throw error;
    }
  }

  function find(id: number): Found {
    const found = names().filter((name) => Number(numberIn(name)) === id);
    const [name] = found;
    if (name === undefined) throw unknown(id, all().issues.length);
    if (found.length > 1) throw ambiguous(id, found.map(shown));
    const text = readText(join(folder, name));
    if (text === undefined) throw brokenFault(id, shown(name), whyUnreadable(join(folder, name)));
    return { name, path: shown(name), text };
  }

  function read(id: number, { path, text }: Found): Issue {
    try {
      return readIssue(text, id, path);
    } catch (error) {
      if (error instanceof NoIssue) throw brokenFault(id, path, error.message);
      throw error;
    }
  }

  function checkDependencies(id: number | undefined, dependencies: number[]): void {
    const { issues, broken } = all();
    const known = new Set(issues.map((issue) => issue.id));
    const missing = dependencies.filter((needed) => !known.has(needed) && !names().some(isNumber(needed)));
    if (missing.length > 0)
      throw invalid(
        `there is no issue ${missing.join(', ')} to depend on`,
        'See which there are: lockstep issues list',
      );
    if (id === undefined) return;
    const others = issues.map((issue) => (issue.id === id ? { ...issue, dependencies } : issue));
    const circle = readinessOf(others, broken).circles.find((way) => way.includes(id));
    if (circle)
      throw invalid(
        `issue ${id} would depend on itself: ${circle.join(' → ')}`,
        'Take one of these dependencies away.',
      );
  }

  return {
    create: (draft) =>
      orFault('make an issue', () => {
        checkTitle(draft.title);
        if (draft.dependencies?.length) checkDependencies(undefined, draft.dependencies);
        makeFolders();
        const highest = Math.max(0, ...names().map((name) => Number(numberIn(name))));
        return add({ folder, drafts }, draft, { first: highest + 1, time: time(), shown });
      }),

    list: (filter) =>
      orFault('read the issues', () => {
        const { issues, broken } = all();
        return { issues: issues.filter((issue) => matchesFilter(issue, filter)), broken };
      }),

    get: (id) => orFault('read the issue', () => read(id, find(id))),

    update: (id, change) =>
      orFault(`change issue ${id}`, () => {
        if (change.title !== undefined) checkTitle(change.title);
        for (;;) {
          const found = find(id);
          const issue = read(id, found);
          const { addDependencies, removeDependencies } = change;
          if (addDependencies?.length)
            checkDependencies(id, merged(issue.dependencies, addDependencies, removeDependencies));
          const after = changedIssueText(found.text, issue, change, time());
          if (after === found.text) return issue;
          makeFolders();
          if (replaceText({ folder, drafts }, found.name, { before: found.text, after }))
            return readIssue(after, id, found.path);
        }
      }),

    search: (text, filter) =>
      orFault('read the issues', () => {
        const { issues, broken } = all();
        return {
          issues: searched(
            issues.filter((issue) => matchesFilter(issue, filter)),
            text,
          ),
          broken,
        };
      }),

    readiness: () =>
      orFault('read the issues', () => {
        const { issues, broken } = all();
        return readinessOf(issues, broken);
      }),
  };
}

interface Adding {
  first: number;
  time: string;
  shown(name: string): string;
}

function add(
  places: { folder: string; drafts: string },
  draft: IssueDraft,
  { first, time, shown }: Adding,
): Issue {
  for (let id = first; ; id += 1) {
    const name = `${String(id).padStart(4, '0')}-${slug(draft.title)}.md`;
    const text = newIssueText(draft, id, time);
    if (addText(places, name, text)) return readIssue(text, id, shown(name));
  }
}

function slug(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, '-').slice(0, 50);
  return words.replace(/^-+|-+$/g, '') || 'issue';
}

function isNumber(id: number): (name: string) => boolean {
  return (name) => Number(numberIn(name)) === id;
}

function checkTitle(title: string): void {
  if (title.trim() === '') throw invalid('an issue needs a title', 'Say in a few words what is to be done.');
}

function requireInside(root: string, folder: string): void {
  const real = realpathSync(folder);
  const inside = relative(realpathSync(root), real);
  if (inside === '..' || inside.startsWith(`..${sep}`))
    throw new Fault('path-outside', `the folder of issues ${folder} leads out of the project, to ${real}`, {
      hint: 'Make it a folder of the project, not a symlink.',
      exitCode: 2,
    });
}

function whyUnreadable(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'it is not there any more';
  if (stats.isSymbolicLink()) return 'it is a symlink, and those are not followed';
  if (!stats.isFile()) return 'it is no file';
  return 'it cannot be read, is larger than 4 MiB, or is no UTF-8 text';
}

function unknown(id: number, count: number): Fault {
  return new Fault('issue-unknown', `there is no issue ${id}`, {
    hint: count === 0 ? 'There are none here yet.' : 'See which there are: lockstep issues list',
    exitCode: 2,
  });
}

function ambiguous(id: number, paths: string[]): Fault {
  return new Fault('issue-ambiguous', `several files are issue ${id}: ${paths.join(', ')}`, {
    hint: 'Rename all but one to a number that is free; two branches that were merged may have made them.',
    exitCode: 2,
  });
}

function brokenFault(id: number, path: string, why: string): Fault {
  return new Fault('issue-broken', `issue ${id} cannot be read: ${path}: ${why}`, {
    hint: 'Mend the file by hand. Nothing was changed.',
    exitCode: 2,
  });
}

function invalid(message: string, hint: string): Fault {
  return new Fault('issue-invalid', message, { hint, exitCode: 2 });
}

function orFault<T>(task: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Fault('issues-failed', `cannot ${task}: ${(error as Error).message}`, {
      cause: error,
      hint: 'Look at `.lockstep/issues/` of the project: may you write there, and is there room on the disk?',
    });
  }
}

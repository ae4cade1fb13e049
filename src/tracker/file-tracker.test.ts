import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { trackerContract } from '../ports/tracker.contract.ts';
import type { Tracker } from '../ports/tracker.ts';
import { replaceText } from './exchange.ts';
import { fileTracker } from './file-tracker.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-tracker-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Project {
  root: string;
  tracker: Tracker;
  folder: string;
  write(name: string, text: string): void;
  read(name: string): string;
  drafts(): string[];
}

function project(): Project {
  const root = mkdtempSync(join(scratch, 'project-'));
  const folder = join(root, '.lockstep/issues');
  return {
    root,
    folder,
    tracker: fileTracker({ root, now: () => Date.UTC(2026, 10, 15, 10, 15) }),
    write(name, text) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), text);
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    drafts: () => readdirSync(join(folder, '.drafts')).filter((name) => name !== '.gitignore'),
  };
}

describe('fileTracker', () => {
  trackerContract(() => project().tracker);
});

describe('an issue on disk', () => {
  it('is a Markdown file that a person can read', () => {
    const { tracker, read } = project();
    tracker.create({ title: 'A first one' });
    const issue = tracker.create({
      title: 'Käse: größer & 100% "besser"',
      body: 'What is to be done.',
      labels: ['food'],
      dependencies: [1],
      run: '20261115T101500Z-a3f8c2',
      task: 'T2',
    });
    expect(issue.path).toBe('.lockstep/issues/0002-kase-gro-er-100-besser.md');
    expect(read('0002-kase-gro-er-100-besser.md')).toMatchInlineSnapshot(`
      "---
      id: 2
      title: 'Käse: größer & 100% "besser"'
      status: open
      labels: [ food ]
      dependencies: [ 1 ]
      created: 2026-11-15T10:15:00.000Z
      updated: 2026-11-15T10:15:00.000Z
      run: 20261115T101500Z-a3f8c2
      task: T2
      ---

      What is to be done.
      "
    `);
  });

  it('T3: what a person wrote by hand stays, comments and unknown fields too', () => {
    const { tracker, read, write } = project();
    write(
      '0007-by-hand.md',
      '---\n# mine\nstatus: In_Progress   # for a week\nestimate: { days: 3 }\nlabels: a, b\ndependencies: ["#3", 0004]\n---\n\n# Shown as title\r\n\ntext  \n\n\n',
    );
    expect(tracker.get(7)).toMatchObject({
      ...{ id: 7, title: 'Shown as title', status: 'in-progress', labels: ['a', 'b'], dependencies: [3, 4] },
      ...{ created: '', more: { estimate: { days: 3 } } },
    });
    tracker.update(7, { addLabels: ['c'] });
    expect(read('0007-by-hand.md')).toBe(
      '---\n# mine\nstatus: In_Progress # for a week\nestimate: { days: 3 }\nlabels: [ a, b, c ]\ndependencies: [ "#3", 4 ]\nupdated: 2026-11-15T10:15:00.000Z\n---\n\n# Shown as title\r\n\ntext  \n\n\n',
    );
    write('8.md', 'Just a thought, with no front matter.\n');
    expect(tracker.get(8)).toMatchObject({ title: 'issue 8', status: 'open' });
    tracker.update(8, { status: 'done' });
    expect(read('8.md')).toContain('status: done');
    expect(read('8.md')).toMatch(/\n---\n\nJust a thought, with no front matter\.\n$/);
    write('README.md', 'not an issue');
    expect(tracker.list().issues.map(({ id }) => id)).toEqual([7, 8]);
    expect(tracker.create({ title: 'next' }).id).toBe(9);
  });

  const broken: [string, string | Uint8Array, RegExp][] = [
    ['front matter that is never closed', '---\ntitle: a\n', /never closed/],
    ['front matter that is no YAML', '---\ntitle: [a\n---\n', /no YAML/],
    ['front matter that is a list', '---\n- a\n---\n', /not a list of `name: value`/],
    ['an unknown status', '---\nstatus: perhaps\n---\n', /status is "perhaps", not one of open, in-progress/],
    ['an unknown priority', '---\npriority: 11\n---\n', /priority is 11/],
    ['a dependency that is no number', '---\ndependencies: [parser]\n---\n', /depends on "parser"/],
    ['labels that are a map', '---\nlabels: { a: 1 }\n---\n', /`labels` are not a list/],
    ['a bomb of aliases', `---\na: &a [1]\n${bomb()}---\n`, /cannot be read/],
    ['bytes that are no text', Uint8Array.of(0x2d, 0xff, 0xfe), /no UTF-8/],
  ];
  it.each(broken)('T3: %s is told, and the file is never written', (_, text, why) => {
    const { tracker, folder } = project();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, '0003-broken.md');
    writeFileSync(file, text);
    tracker.create({ title: 'good' });
    const { issues, broken: told } = tracker.list();
    expect(issues.map(({ id }) => id)).toEqual([4]);
    expect(told).toEqual([{ path: '.lockstep/issues/0003-broken.md', why: expect.stringMatching(why) }]);
    expect(tracker.readiness().broken).toEqual(told);
    expect(() => tracker.update(3, { status: 'done' })).toThrow(/0003-broken\.md/);
    expect(() => tracker.get(3)).toThrow(expect.objectContaining({ code: 'issue-broken' }));
    expect(readFileSync(file)).toEqual(Buffer.from(text));
  });

  it('two files with one number are told apart by nobody: both are named', () => {
    const { tracker, write } = project();
    write('0001-a.md', '# A\n');
    write('1-b.md', '# B\n');
    expect(tracker.list().issues.map(({ title }) => title)).toEqual(['A', 'B']);
    expect(() => tracker.update(1, { status: 'done' })).toThrow(/0001-a\.md.*1-b\.md/);
  });

  it('circles that two writers made between them are named', () => {
    const { tracker, write } = project();
    write('1-a.md', '---\ndependencies: [2]\n---\n');
    write('2-b.md', '---\ndependencies: [1, 9]\n---\n');
    const { ready, blocked, circles } = tracker.readiness();
    expect(ready).toEqual([]);
    expect(circles).toEqual([[1, 2, 1]]);
    expect(blocked.map(({ issue, by, missing }) => [issue.id, by, missing])).toEqual([
      [1, [2], []],
      [2, [1], [9]],
    ]);
  });

  it('T4: no symlink is followed, neither a file nor the folder', () => {
    const { tracker, folder, root } = project();
    const outside = mkdtempSync(join(scratch, 'outside-'));
    writeFileSync(join(outside, '1-a.md'), '# A\n');
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(outside, '1-a.md'), join(folder, '1-a.md'));
    expect(tracker.list().broken).toEqual([
      { path: '.lockstep/issues/1-a.md', why: expect.stringContaining('symlink') },
    ]);
    expect(() => tracker.update(1, { status: 'done' })).toThrow(/symlink/);
    rmSync(folder, { recursive: true });
    symlinkSync(outside, folder);
    for (const action of [() => tracker.list(), () => tracker.create({ title: 'x' })])
      expect(action).toThrow(expect.objectContaining({ code: 'path-outside' }));
    rmSync(join(root, '.lockstep'), { recursive: true });
    symlinkSync(outside, join(root, '.lockstep'));
    expect(() => tracker.create({ title: 'x' })).toThrow(expect.objectContaining({ code: 'path-outside' }));
    expect(readdirSync(outside)).toEqual(['1-a.md']);
  });

  it('a folder that cannot be written is a readable fault', () => {
    const { tracker, root } = project();
    mkdirSync(join(root, '.lockstep'));
    writeFileSync(join(root, '.lockstep/issues'), 'a file is in the way');
    expect(() => tracker.create({ title: 'x' })).toThrow(
      expect.objectContaining({ code: 'issues-failed', hint: expect.stringContaining('.lockstep/issues/') }),
    );
  });
});

describe('several at once', () => {
  it('X2: what a killed process had claimed is put in place by the next one, and blocks nobody', () => {
    const { tracker, folder, read, drafts } = project();
    tracker.create({ title: 'a' });
    const places = { folder, drafts: join(folder, '.drafts') };
    const before = read('0001-a.md');
    const after = before.replace('title: a', 'title: claimed');
    const claim = claimOf(before, after, places);
    tracker.update(1, { addLabels: ['later'] });
    expect(tracker.get(1)).toMatchObject({ title: 'claimed', labels: ['later'] });
    expect(existsSync(claim)).toBe(false);
    expect(drafts()).toEqual([]);
  });

  it('X1: a text that is no longer current is not replaced', () => {
    const { tracker, folder, read, drafts } = project();
    tracker.create({ title: 'a' });
    const before = read('0001-a.md');
    tracker.update(1, { addLabels: ['x'] });
    const places = { folder, drafts: join(folder, '.drafts') };
    expect(replaceText(places, '0001-a.md', { before, after: 'lost' })).toBe(false);
    expect(tracker.get(1).labels).toEqual(['x']);
    expect(drafts()).toEqual([]);
  });

  it('what killed processes left behind goes away in the end', () => {
    const { tracker, folder, drafts } = project();
    tracker.create({ title: 'a' });
    const old = new Date(Date.now() - 3 * 3600 * 1000);
    for (const name of ['x.tmp', '0009.new.next', '0001.abc.next']) {
      writeFileSync(join(folder, '.drafts', name), '');
      utimesSync(join(folder, '.drafts', name), old, old);
    }
    writeFileSync(join(folder, '.drafts/fresh.tmp'), '');
    tracker.create({ title: 'b' });
    expect(drafts()).toEqual(['fresh.tmp']);
  });

  it('T1, T2: many processes at once lose nothing: every issue has its number, every label and note is there', async () => {
    const { root, tracker, drafts } = project();
    const bundle = join(scratch, 'tracker.mjs');
    buildSync({
      entryPoints: ['src/tracker/file-tracker.ts'],
      ...{ bundle: true, format: 'esm', platform: 'node', outfile: bundle, logLevel: 'error' },
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const shared = tracker.create({ title: 'shared' }).id;
    const [workers, rounds] = [5, 8];
    const program = (me: number) => `
      import { fileTracker } from ${JSON.stringify(bundle)};
      const tracker = fileTracker({ root: ${JSON.stringify(root)}, now: Date.now });
      for (let n = 0; n < ${rounds}; n += 1) {
        const { id } = tracker.create({ title: 'made by ${me} as ' + n });
        tracker.update(${shared}, { addLabels: ['l${me}-' + n], note: 'n${me}-' + n });
        tracker.update(id, { status: 'done' });
      }`;
    const run = promisify(execFile);
    await Promise.all(
      Array.from({ length: workers }, (_, me) =>
        run(process.execPath, ['--input-type=module', '-e', program(me)]),
      ),
    );
    const { issues, broken } = tracker.list();
    expect(broken).toEqual([]);
    expect(issues.map(({ id }) => id)).toEqual(Array.from({ length: workers * rounds + 1 }, (_, n) => n + 1));
    const made = issues.filter(({ id }) => id !== shared);
    expect(new Set(made.map(({ title }) => title)).size).toBe(workers * rounds);
    expect(made.every(({ status }) => status === 'done')).toBe(true);
    const { labels, body } = tracker.get(shared);
    expect(new Set(labels).size).toBe(workers * rounds);
    // Each exactly once: nothing was lost, and nothing was done twice.
    expect(body.split(/\s+/).sort()).toEqual(
      Array.from({ length: workers * rounds }, (_, n) => `n${Math.floor(n / rounds)}-${n % rounds}`).sort(),
    );
    expect(drafts()).toEqual([]);
  });
});

/** As a process leaves it that is killed between claiming and putting in place. */
function claimOf(before: string, after: string, { drafts }: { drafts: string }): string {
  const hash = createHash('sha256').update(before).digest('hex').slice(0, 32);
  const claim = join(drafts, `0001.${hash}.next`);
  writeFileSync(claim, after);
  return claim;
}

function bomb(): string {
  return Array.from(
    { length: 8 },
    (_, n) => `${'bcdefghi'[n]}: &${'bcdefghi'[n]} [${`*${'abcdefgh'[n]}, `.repeat(9)}]\n`,
  ).join('');
}

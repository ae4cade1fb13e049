// Ways around a step that may not write. What is let happen is really done, and then the work tree itself says whether anything
// changed: that is the oracle, and it knows nothing of lists, rules or shells.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { LINES, OTHER_TOOLS, SPELLINGS, WRITING_TOOLS } from '../../../test/support/ways-around.ts';
import { prompt, workflow } from '../../../test/support/workflow.ts';
import type { Entry } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { HookReply } from '../../model/live-session.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { createGuard, type Guard } from './guard.ts';

let stage: Drive;
let guard: Guard | undefined;
let run = '';
let calls = 0;

const only = (allow: string[]): Workflow => {
  const step = prompt('look', {}, 'Look.');
  if (step.work.kind !== 'prompt') throw new Error('no prompt');
  const held: Step = {
    ...step,
    work: { ...step.work, performer: { ...step.work.performer, tools: { allow, deny: [] } } },
  };
  return workflow([held]);
};

function hold(flow: Workflow): void {
  guard = createGuard({
    projectAt: async () => ({
      root: stage.root,
      choice: { workflow: 'held', lifecycles: [], vars: {}, inputs: {} },
      hosting: stage.hosting,
      load: async () => ({ workflow: flow, file: 'held.yaml', inputs: {} }),
    }),
    sessions: {
      find: () => undefined,
      record: () => ({}),
      drop: () => {},
      keep(_, __, [one]) {
        run = one?.run ?? '';
      },
    },
    hash: (text) => text,
    carries: () => true,
    patienceMs: () => 30_000,
    ownTools: () => [],
    canRewrite: () => true,
  });
}

beforeEach(() => {
  stage = drive();
  stage.hosting.holder = { user: 'tester', host: hostname(), pid: process.pid, version: '0' };
  const git = (...words: string[]) => execFileSync('git', words, { cwd: stage.root });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@example.org');
  git('config', 'user.name', 'Ada');
  mkdirSync(join(stage.root, 'sub'));
  writeFileSync(join(stage.root, 'sub/kept.txt'), 'kept\n');
  writeFileSync(join(stage.root, 'other.txt'), 'other\n');
  writeFileSync(join(stage.root, 'writes.sh'), '#!/bin/sh\necho x > tracked.txt\n', { mode: 0o755 });
  writeFileSync(join(stage.root, 'package.json'), '{ "scripts": { "writes": "sh ./writes.sh" } }\n');
  writeFileSync(join(stage.root, 'tracked.txt'), 'one\n');
  mkdirSync(join(stage.root, 'vendored'));
  const vendored = (...words: string[]) => execFileSync('git', words, { cwd: join(stage.root, 'vendored') });
  git('add', '-A');
  git('commit', '-q', '-m', 'one');
  writeFileSync(join(stage.root, 'tracked.txt'), 'two\n');
  symlinkSync('tracked.txt', join(stage.root, 'link-to-tracked'));
  symlinkSync('..', join(stage.root, 'sub/up'));
  git('add', '-A');
  git('commit', '-q', '-m', 'two');
  // A repository in the repository, which git does not look into.
  vendored('init', '-q', '-b', 'main');
  writeFileSync(join(stage.root, 'vendored/file.txt'), 'vendored\n');
  vendored('add', '-A');
  vendored('-c', 'user.email=a@b.c', '-c', 'user.name=A', 'commit', '-q', '-m', 'vendored');
});
afterEach(async () => {
  await guard?.close();
  stage.remove();
});

/** Everything in the project but git's own files and the runs: by path, what it is. */
function tree(folder = stage.root, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    const path = prefix + name;
    if (name === '.git' || path === '.lockstep/runs') continue;
    const full = join(folder, name);
    const stats = lstatSync(full);
    if (stats.isDirectory()) for (const [key, value] of tree(full, `${path}/`)) found.set(key, value);
    else
      found.set(
        path,
        stats.isSymbolicLink() ? readlinkSync(full) : `${stats.mode} ${readFileSync(full, 'utf8')}`,
      );
  }
  return found;
}

function different(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

const event = (happening: JsonObject): Promise<HookReply> =>
  (guard as Guard).event({
    session: { client: 'claude', id: 's' },
    cwd: stage.root,
    delivery: `d${++calls}`,
    ...happening,
  } as never);

const acts = (tool: string, input: JsonObject) => [
  {
    tool,
    input,
    ...(typeof input.file_path === 'string' && { file: input.file_path, field: 'file_path' }),
    ...(typeof input.command === 'string' && { command: input.command }),
  },
];

async function ask(tool: string, input: JsonObject): Promise<{ allowed: boolean; call: string }> {
  const call = `c${++calls}`;
  const { verdict } = await event({ kind: 'tool_call', call, tool, input, acts: acts(tool, input) as never });
  return { allowed: verdict?.kind !== 'deny', call };
}

const found = (): string[] =>
  stage
    .entries(run)
    .flatMap((entry: Entry) => (entry.kind === 'change-found' && !entry.undone ? entry.files : []));

describe('GOB-WAYS-AROUND', () => {
  it('are at least 200', () => {
    const tools = WRITING_TOOLS.length * SPELLINGS.length + OTHER_TOOLS.length;
    expect(new Set(LINES).size).toBe(LINES.length);
    expect(LINES.length + tools).toBeGreaterThan(200);
  });

  it('without Bash every one is prevented: each call is denied', async () => {
    hold(only(['Read', 'Grep', 'Glob']));
    const through: string[] = [];
    for (const command of LINES) if ((await ask('Bash', { command })).allowed) through.push(command);
    for (const tool of WRITING_TOOLS)
      for (const spelling of SPELLINGS) {
        const file_path = spelling.replace('$ROOT', stage.root);
        if ((await ask(tool, { file_path, content: 'x' })).allowed) through.push(`${tool} ${spelling}`);
      }
    for (const tool of OTHER_TOOLS)
      if ((await ask(tool, { path: 'tracked.txt', command: 'echo x > tracked.txt' })).allowed)
        through.push(tool);
    expect(through).toEqual([]);
  });

  it('with Bash, tools that write are still denied, by every spelling', async () => {
    hold(only(['Read', 'Bash']));
    for (const tool of WRITING_TOOLS)
      for (const spelling of SPELLINGS) {
        const { allowed } = await ask(tool, {
          file_path: spelling.replace('$ROOT', stage.root),
          content: 'x',
        });
        expect(allowed, `${tool} ${spelling}`).toBe(false);
      }
  });

  it.each(LINES.map((line) => [line]))(
    'with Bash, prevented or found in that very step: %s',
    async (line) => {
      hold(only(['Read', 'Bash']));
      const command = line.replaceAll('$F', 'tracked.txt');
      await event({ kind: 'session_start', source: 'startup' });
      const before = tree();
      const { allowed, call } = await ask('Bash', { command });
      if (!allowed) return;
      const env = { ...process.env, F: 'tracked.txt', GIT_TERMINAL_PROMPT: '0' };
      spawnSync('bash', ['-c', command], { cwd: stage.root, env, timeout: 20_000, stdio: 'ignore' });
      await event({
        kind: 'tool_result',
        call,
        tool: 'Bash',
        input: { command },
        acts: acts('Bash', { command }) as never,
        text: '',
      });
      await guard?.close();
      const changed = different(before, tree());
      // Whatever the tree itself shows is on record, by name. What new ignore rules hide is found by them.
      const names = found();
      const expected = changed.filter((path) => !path.startsWith('.lockstep/local'));
      if (names.some((name) => name.endsWith('.gitignore')))
        expect(expected.filter((path) => names.includes(path) && path.endsWith('.gitignore'))).not.toEqual(
          [],
        );
      // A repository that nobody has added is one thing.
      else
        expect(expected.filter((path) => !names.some((name) => `${path}/`.startsWith(`${name}/`)))).toEqual(
          [],
        );
      for (const left of ['../way-worktree', '/tmp/way.patch'])
        rmSync(join(stage.root, left), { recursive: true, force: true });
    },
  );
});

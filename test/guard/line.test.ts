import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hookLine } from '../../src/clients/hook-line.ts';
import { CLIENTS } from '../../src/model/live-session.ts';
import { type Guarded, guarded, LOCKSTEP, run, SESSION } from './guarded.ts';

const open: Guarded[] = [];
const make = (...args: Parameters<typeof guarded>) => {
  const project = guarded(...args);
  open.push(project);
  return project;
};
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

const own = { node: process.execPath, program: LOCKSTEP };
const call = { tool_name: 'Write', tool_input: { file_path: 'a.txt', content: 'x' }, tool_use_id: 't1' };
const SILENCE = { exitCode: 0, stdout: '', stderr: '' };

function sh(
  project: Guarded,
  line: string,
  { cwd = project.root, env = {} as Record<string, string>, event = 'PreToolUse' } = {},
) {
  return run(['/bin/sh', '-c', line], cwd, { ...project.env, ...env }, project.payload(event, call));
}

const NAMES = [
  'plain',
  'with space',
  "it's",
  'a "quoted" one',
  'new\nline',
  '$(touch pwned)',
  '-rf',
  '`id`',
  'a;b&c|d',
  '*',
  'ü✓',
  '\\back',
];

describe('the installed line', () => {
  it.each(NAMES)('L3: GOB-LINE-PATHS: holds a session in a project called %j', async (name) => {
    const project = make({ name });
    const deep = join(project.root, 'a b', 'c');
    mkdirSync(deep, { recursive: true });
    const ended = await sh(project, hookLine('claude', true, own), { cwd: deep });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it.each(NAMES)(
    'L1: GOB-LINE-UNBOUND: an unbound session in a project called %j starts nothing',
    async (name) => {
      const project = make({ name });
      project.choose(undefined);
      for (const client of CLIENTS)
        expect(
          await sh(project, hookLine(client, true, { node: '/none', program: '/none' }), {
            env: { PATH: '/none' },
          }),
        ).toEqual(SILENCE);
    },
  );

  it('L2: GOB-LINE-MISSING: the program is gone: what may be refused is, the rest happens with a note', async () => {
    const project = make();
    const gone = { node: '/none/node', program: '/none/lockstep.js' };
    for (const client of CLIENTS) {
      const refused = await sh(project, hookLine(client, true, gone), { env: { PATH: '/none' } });
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toContain(
        `to work without it, remove ${project.root}/.lockstep/local/guard.json`,
      );
      const told = await sh(project, hookLine(client, false, gone), { env: { PATH: '/none' } });
      expect(told.exitCode).toBe(0);
      expect(JSON.parse(told.stdout)).toEqual({
        systemMessage: expect.stringContaining('could not be started'),
      });
    }
  });

  it('L2: GOB-LINE-MISSING: a Node that breaks, or ends with another code, is refused as well', async () => {
    const project = make();
    const node = join(project.env.HOME as string, 'node');
    for (const code of [1, 3, 126, 134]) {
      writeFileSync(node, `#!/bin/sh\nexit ${code}\n`);
      chmodSync(node, 0o755);
      expect(await sh(project, hookLine('codex', true, { node, program: LOCKSTEP }))).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('denied'),
      });
    }
  });

  it('where its own paths are gone, `lockstep` on the PATH does', async () => {
    const project = make();
    const ended = await sh(project, hookLine('claude', true, { node: '/none', program: '/none' }));
    expect(JSON.parse(ended.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  it('looks from the folder that the client names, and for the file of the session', async () => {
    const project = make();
    const elsewhere = dirname(project.root);
    const line = hookLine('claude', true, undefined);
    const missing = { PATH: '/none' };
    expect(await sh(project, line, { cwd: elsewhere, env: missing })).toEqual(SILENCE);
    expect(
      await sh(project, line, { cwd: elsewhere, env: { ...missing, CLAUDE_PROJECT_DIR: project.root } }),
    ).toMatchObject({ exitCode: 2 });
    mkdirSync(join(project.home, 'sessions/claude'), { recursive: true });
    mkdirSync(join(project.home, 'sessions/codex'), { recursive: true });
    for (const client of ['claude', 'codex'])
      writeFileSync(join(project.home, `sessions/${client}/${SESSION}.json`), '{}');
    expect(
      await sh(project, line, { cwd: elsewhere, env: { ...missing, CLAUDE_CODE_SESSION_ID: 'another' } }),
    ).toEqual(SILENCE);
    expect(
      await sh(project, line, { cwd: elsewhere, env: { ...missing, CLAUDE_CODE_SESSION_ID: SESSION } }),
    ).toMatchObject({ exitCode: 2 });
    expect(
      await sh(project, hookLine('codex', true, undefined), { cwd: elsewhere, env: missing }),
    ).toMatchObject({ exitCode: 2 });
  });

  it('ends at the root of a repository, and at the root of all', async () => {
    const project = make();
    const inner = join(project.root, 'inner');
    mkdirSync(join(inner, '.git'), { recursive: true });
    const line = hookLine('codex', true, undefined);
    expect(await sh(project, line, { cwd: inner, env: { PATH: '/none' } })).toEqual(SILENCE);
    expect(await sh(project, line, { cwd: '/', env: { PATH: '/none' } })).toEqual(SILENCE);
    for (const odd of ['relative', 'a/b', '//', ' ', '.'])
      expect(
        await sh(project, hookLine('claude', true, undefined), {
          cwd: '/',
          env: { PATH: '/none', CLAUDE_PROJECT_DIR: odd },
        }),
      ).toEqual(SILENCE);
  });

  it('works in every shell that is called sh', async (context) => {
    const shells = [];
    for (const shell of ['bash', 'dash', 'busybox', 'zsh']) {
      const { stdout } = await run(
        ['/bin/sh', '-c', `command -v ${shell} || true`],
        '/',
        { PATH: process.env.PATH ?? '' },
        '',
      );
      if (stdout !== '') shells.push({ shell, path: stdout.trim() });
    }
    if (shells.length === 0) context.skip('needs another shell');
    for (const { path } of shells) {
      const project = make();
      const named = join(project.env.HOME as string, 'sh');
      symlinkSync(path, named);
      const line = hookLine('claude', true, own);
      const ended = await run(
        [named, '-c', line],
        project.root,
        project.env,
        project.payload('PreToolUse', call),
      );
      expect(ended.exitCode).toBe(0);
      expect(ended.stdout).toContain('deny');
      project.choose(undefined);
    }
  });
});

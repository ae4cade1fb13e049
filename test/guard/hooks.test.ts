import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePrivateFolder, socketFolder, socketPath } from '../../src/daemon/place.ts';
import { MOST_BYTES } from '../../src/daemon/wire.ts';
import { CHOICE, type Guarded, guarded, kill, LOCKSTEP, otherBuild, run, SESSION } from './guarded.ts';

const open: Guarded[] = [];
const make = (...args: Parameters<typeof guarded>) => {
  const project = guarded(...args);
  open.push(project);
  return project;
};
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

const write = (id: string) => ({
  tool_name: 'Write',
  tool_input: { file_path: 'a.txt', content: 'x' },
  tool_use_id: id,
});
const denial = { hookSpecificOutput: { permissionDecision: 'deny' } };

describe('a hook', () => {
  it('GOB-HOOK-DEMAND: starts the daemon, is answered in the words of the client, and the next one finds it', async () => {
    const project = make();
    const started = await project.hook('SessionStart', { source: 'startup' });
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('Plan it.');
    const [daemon] = project.daemons();
    const denied = await project.hook('PreToolUse', write('t1'));
    expect(JSON.parse(denied.stdout)).toMatchObject(denial);
    expect(project.daemons()).toMatchObject([{ pid: daemon?.pid, events: 2, sessions: 1 }]);
    expect(JSON.parse((await project.hook('Stop')).stdout)).toMatchObject({ decision: 'block' });
  });

  it.each([
    ['an event', undefined],
    ['garbage', 'no JSON'],
    ['nothing', ''],
  ])(
    '3.14: GOB-HOOK-UNBOUND: of a session that nothing binds ends with 0, without a word or a daemon: %s',
    async (_, stdin) => {
      const project = make();
      project.choose(undefined);
      writeFileSync(project.home, 'not even a folder'); // nothing that it could work with
      const ended = await project.hook('PreToolUse', write('t1'), stdin === undefined ? {} : { stdin });
      expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
      rmSync(project.home);
      expect(project.daemons()).toEqual([]);
    },
  );

  it('GOB-HOOK-BOUND: a session that has gone to another folder is still held, also where the file is taken away or rewritten; one that a person lets go is free', async () => {
    const project = make();
    await project.hook('SessionStart', { source: 'startup' });
    const elsewhere = { ...write('t1'), cwd: '/' };
    const command = ['/bin/sh', '-c', `cd / && exec '${process.execPath}' '${LOCKSTEP}' hook claude 1`];
    expect(JSON.parse((await project.hook('PreToolUse', elsewhere, { command })).stdout)).toMatchObject(
      denial,
    );
    project.choose(undefined);
    const env = { CLAUDE_CODE_SESSION_ID: SESSION };
    expect(JSON.parse((await project.hook('PreToolUse', write('t2'), { env })).stdout)).toMatchObject(denial);
    for (const { pid } of project.daemons()) kill(pid);
    expect(JSON.parse((await project.hook('PreToolUse', write('t3'), { env })).stdout)).toMatchObject(denial);
    project.choose({ ...CHOICE, disabled: { by: 'nobody', at: '2026-01-01' } });
    expect(JSON.parse((await project.hook('PreToolUse', write('t4'))).stdout)).toMatchObject(denial);
    const lockstep = (...words: string[]) =>
      run([process.execPath, LOCKSTEP, ...words], project.root, project.env, '');
    expect(await lockstep('workflow', 'disable')).toMatchObject({ exitCode: 0 });
    expect(await project.hook('PreToolUse', write('t5'))).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await lockstep('workflow', 'enable')).toMatchObject({ exitCode: 0 });
    expect(JSON.parse((await project.hook('PreToolUse', write('t6'))).stdout)).toMatchObject(denial);
    expect(await lockstep('workflow', 'clear')).toMatchObject({ exitCode: 0 });
    expect(await project.hook('PreToolUse', write('t7'), { env })).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it.each(['disable', 'clear', 'set plan'])(
    'GOB-HOOK-BOUND: a file that cannot be read is written anew by lockstep workflow %s',
    async (command) => {
      const project = make();
      writeFileSync(join(project.root, '.lockstep/local/guard.json'), '{');
      const ended = await run(
        [process.execPath, LOCKSTEP, 'workflow', ...command.split(' ')],
        project.root,
        project.env,
        '',
      );
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  it('GOB-HOOK-BOUND: runs that are moved away let nobody go, and do not end the daemon of other sessions', async () => {
    const project = make();
    const env = { CLAUDE_CODE_SESSION_ID: SESSION };
    await project.hook('SessionStart', { source: 'startup' }, { env });
    const [daemon] = project.daemons();
    await project.hook('PostToolUse', { ...write('t1'), tool_response: {} }, { env });
    renameSync(join(project.root, '.lockstep'), join(project.root, 'moved'));
    for (const id of ['t2', 't3', 't4']) {
      const { stdout } = await project.hook('PreToolUse', write(id), { env });
      expect(JSON.parse(stdout)).toMatchObject(denial);
    }
    expect(project.daemons()).toMatchObject([{ pid: daemon?.pid }]);
    if (daemon) kill(daemon.pid);
    expect(JSON.parse((await project.hook('PreToolUse', write('t5'), { env })).stdout)).toMatchObject(denial);
  });

  describe('GOB-HOOK-DOWN: when nobody can answer', () => {
    const down = () => {
      const project = make();
      // A Lockstep that cannot even start.
      const broken = join(project.env.HOME as string, 'broken');
      mkdirSync(broken);
      writeFileSync(join(broken, 'hook.cjs'), readFileSync(join(LOCKSTEP, '../hook.cjs')));
      writeFileSync(join(broken, 'lockstep.js'), 'console.error("no"); process.exit(7);');
      return { project, command: [process.execPath, join(broken, 'hook.cjs'), 'claude', '1'] };
    };

    it.each(['PreToolUse', 'PermissionRequest', 'Stop', 'ConfigChange', 'SomethingNew'])(
      '%s is refused, with text',
      async (event) => {
        const { project, command } = down();
        const ended = await project.hook(event, write('t1'), { command });
        expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
        expect(ended.stderr).toContain('cannot judge: no daemon could be started (exit code 7)');
        expect(ended.stderr).toContain(`remove ${project.root}/.lockstep/local/guard.json`);
      },
    );

    it.each(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'SubagentStop', 'SessionEnd'])(
      '%s happens, with a note',
      async (event) => {
        const { project, command } = down();
        const ended = await project.hook(event, {}, { command });
        expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
        expect(JSON.parse(ended.stdout)).toEqual({ systemMessage: expect.stringContaining('cannot judge') });
      },
    );

    it('`engine_down: allow` lets it through, says so, and the next daemon puts it on record', async () => {
      const { project, command } = down();
      project.choose({ ...CHOICE, engine_down: 'allow' });
      const ended = await project.hook('PreToolUse', write('t1'), { command });
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
      expect(JSON.parse(ended.stdout).systemMessage).toContain('let through');
      const kept = readFileSync(join(project.home, 'guard/unanswered.jsonl'), 'utf8');
      expect(JSON.parse(kept)).toMatchObject({ session: SESSION, event: 'PreToolUse', tool: 'Write' });
      await project.hook('SessionStart', { source: 'startup' });
      await project.hook('PreToolUse', write('t2'));
      expect(readdirSync(join(project.home, 'guard'))).not.toContain('unanswered.jsonl');
      await run([process.execPath, LOCKSTEP, 'daemon', '--stop'], project.root, project.env, '');
      const record = project.journal().filter(({ verdict }) => verdict === 'unasked');
      expect(record).toMatchObject([
        {
          kind: 'call-judged',
          path: 'plan',
          call: { tool: 'Write' },
          reason: expect.stringContaining('exit code 7'),
        },
      ]);
      const report = await run([process.execPath, LOCKSTEP, 'report'], project.root, project.env, '');
      expect(report.stdout).toContain('Write happened without being judged');
    });

    it('a guard that a person has switched off lets through without a word', async () => {
      const { project, command } = down();
      project.choose({ ...CHOICE, disabled: { by: 'ada', at: '2026-01-01', why: 'out' } });
      expect(await project.hook('PreToolUse', write('t1'), { command })).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: '',
      });
    });
  });

  it('GOB-HOOK-SIZE: an event that is too large is refused', async () => {
    const project = make();
    const ended = await project.hook(
      'PreToolUse',
      {},
      { stdin: `{"hook_event_name":"PreToolUse","x":"${'x'.repeat(MOST_BYTES)}"}` },
    );
    expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('more than') });
  });

  it('D4: GOB-DAEMON-SILENT: nothing of an event or an environment is written beside the journal', async () => {
    const project = make();
    const secret = 'xoxb-quiet-please';
    await project.hook('SessionStart', { source: 'startup' }, { env: { MY_TOKEN: secret } });
    await project.hook('PreToolUse', write(`t-${secret}`), { env: { MY_TOKEN: secret } });
    for (const name of readdirSync(join(project.home, 'guard'))) {
      if (name.endsWith('.sock')) continue;
      expect(readFileSync(join(project.home, 'guard', name), 'utf8')).not.toContain(secret);
    }
  });

  describe('3.13: GOB-HOOK-RUN: below a run of Lockstep', () => {
    const lease = (project: Guarded, pid: number, started: string) => {
      const folder = join(project.root, '.lockstep/runs/r');
      mkdirSync(join(folder, 'lease'), { recursive: true });
      writeFileSync(join(folder, 'lease/1'), JSON.stringify({ pid, started }));
      return { LOCKSTEP_RUN: 'r', LOCKSTEP_RUN_ROOT: folder };
    };
    const startOf = (pid: number) =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] as string;

    it.skipIf(process.platform !== 'linux')(
      'that holds its lease, that run decides [skip: needs /proc]',
      async () => {
        const project = make();
        const env = lease(project, process.pid, startOf(process.pid));
        expect(await project.hook('PreToolUse', write('t1'), { env })).toEqual({
          exitCode: 0,
          stdout: '',
          stderr: '',
        });
        expect(project.daemons()).toEqual([]);
      },
    );

    it('the variables alone are not believed', async () => {
      const project = make();
      const env = lease(project, process.pid, 'another start');
      expect(JSON.parse((await project.hook('PreToolUse', write('t1'), { env })).stdout)).toMatchObject(
        denial,
      );
      const none = { LOCKSTEP_RUN: 'r', LOCKSTEP_RUN_ROOT: '/nowhere' };
      expect(JSON.parse((await project.hook('PreToolUse', write('t2'), { env: none })).stdout)).toMatchObject(
        denial,
      );
    });
  });
});

describe('a daemon that is killed', () => {
  it('GOB-DAEMON-KILL: 20 hooks at once, killed in the middle: each is answered, and counts once', async () => {
    const project = make();
    await project.hook('SessionStart', { source: 'startup' });
    const [daemon] = project.daemons();
    const calls = Array.from({ length: 20 }, (_, index) => `call-${index}`);
    const asked = calls.map((id) => project.hook('PreToolUse', write(id)));
    await Promise.race(asked);
    kill(daemon?.pid as number);
    const ended = await Promise.all(asked);
    for (const { stdout, exitCode } of ended) {
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject(denial);
    }
    const [next, ...others] = project.daemons();
    expect(others).toEqual([]);
    expect(next?.pid).not.toBe(daemon?.pid);
    // The phase is where it was, and the step goes on from there.
    expect(JSON.parse((await project.hook('Stop')).stdout)).toMatchObject({ decision: 'block' });
    await run([process.execPath, LOCKSTEP, 'daemon', '--stop'], project.root, project.env, '');
    const counted = project
      .journal()
      .flatMap(({ kind, message }) => (kind === 'call-judged' ? [String(message)] : []));
    expect(counted.length).toBeGreaterThan(0);
    expect(new Set(counted).size).toBe(counted.length);
  });

  it('GOB-DAEMON-ONE: five commands at once leave one', async () => {
    const project = make();
    const command = [process.execPath, LOCKSTEP, 'daemon'];
    const started = Array.from({ length: 5 }, () => run(command, project.root, project.env, ''));
    const four = await new Promise<number[]>((resolve) => {
      const codes: number[] = [];
      for (const each of started)
        void each.then(({ exitCode }) => codes.push(exitCode as number) === 4 && resolve(codes));
    });
    expect(four).toEqual([0, 0, 0, 0]);
    expect(project.daemons()).toHaveLength(1);
    await run([...command, '--stop'], project.root, project.env, '');
    await Promise.all(started);
    expect(project.daemons()).toEqual([]);
  });
});

describe('GOB-DAEMON-VERSIONS: two versions', () => {
  it('a newer command takes over from the daemon of an older; the older command is answered by the newer', async () => {
    const project = make();
    const newer = otherBuild('9.9.9');
    try {
      await project.hook('SessionStart', { source: 'startup' });
      const answer = await project.hook('PreToolUse', write('t1'), {
        command: [process.execPath, newer.command, 'hook', 'claude', '1'],
      });
      expect(JSON.parse(answer.stdout)).toMatchObject(denial);
      expect(project.daemons()).toMatchObject([{ version: '9.9.9' }]);
      expect(JSON.parse((await project.hook('PreToolUse', write('t2'))).stdout)).toMatchObject(denial);
      expect(project.daemons()).toMatchObject([{ version: '9.9.9', events: 2 }]);
    } finally {
      for (const { pid } of project.daemons()) kill(pid);
      newer.remove();
    }
  });

  it('a newer daemon with another protocol says what to do, and nothing is let through', async () => {
    const project = make();
    const folder = socketFolder(project.home);
    makePrivateFolder(folder);
    const hello = { lockstep: 2, version: '99.0.0', build: 'ffff', builtAt: 0, pid: 1 };
    const refusal = { stdout: '', stderr: 'Update Lockstep 0.1.0.\n', exitCode: 2 };
    const server = createServer({ allowHalfOpen: true }, (caller) => {
      let heard = '';
      caller.on('data', (chunk) => (heard += chunk));
      caller.on('end', () => caller.end(JSON.stringify(heard.includes('"kind":"hello"') ? hello : refusal)));
    });
    await new Promise<void>((resolve) => server.listen(socketPath(folder, 'ffff', 1), resolve));
    try {
      expect(await project.hook('PreToolUse', write('t1'))).toEqual(refusal);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('a line of a newer version is refused by an older command, which says so', async () => {
    const project = make();
    const ended = await project.hook('PreToolUse', write('t1'), {
      command: [process.execPath, LOCKSTEP, 'hook', 'claude', '2'],
    });
    expect(ended).toMatchObject({ exitCode: 2 });
    expect(ended.stderr).toContain('the installed hook is of a newer Lockstep');
  });
});

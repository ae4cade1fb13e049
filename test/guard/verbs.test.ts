// What a person can do with `lockstep workflow`, and an agent with the tools of our server, in a session that the real hooks hold.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Session as Client, connect } from '../mcp/client.ts';
import { LOCKSTEP, run } from './guarded.ts';
import { type Played, played, type Session } from './played.ts';

const FLOW = `lockstep: 1
name: held
vars: { wanted: 1 }
steps:
  - id: look
    prompt: { text: 'Look at {{ vars.wanted }}.' }
    tools: { allow: [Read] }
    done: { that: [{ is: 'size(files("looked")) == 1', else: Nobody has looked. }], run: test -e checked }
  - { id: build, prompt: { text: Build it. }, done: { approve: Is it built? } }
  - { id: last, prompt: { text: The end. } }
`;
const open: Played[] = [];
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const made of open.splice(0)) made.remove();
});

async function held(...options: string[]): Promise<{ project: Played; session: Session }> {
  const project = played();
  open.push(project);
  project.write('.lockstep/workflows/held.yaml', FLOW);
  project.sh('git add -A && git commit -qm start');
  const set = project.lockstep('workflow', 'set', 'held', ...options);
  expect(set, set.stderr).toMatchObject({ exitCode: 0 });
  const session = project.session();
  await session.starts();
  return { project, session };
}

const where = (project: Played) => {
  const { sessions } = JSON.parse(project.lockstep('workflow', 'status', '--json').stdout);
  return (sessions as { step: string; question: string | null }[]).map(({ step }) => step);
};
const last = (project: Played, kind: string) => project.journal('held').findLast((one) => one.kind === kind);

describe('lockstep workflow', () => {
  it('GOB-CLI-LIST: list and show are the commands that exist, with what can hold a session', async () => {
    const { project } = await held();
    expect(project.lockstep('workflow', 'list').stdout).toBe(project.lockstep('list', 'workflows').stdout);
    expect(project.lockstep('workflow', 'show', 'held').stdout).toBe(project.lockstep('show', 'held').stdout);
    expect(project.lockstep('workflow', 'list').stdout).toContain('plan-execute');
  });

  it('GOB-CLI-SET: set holds sessions, with values of the project for its variables; what cannot hold one is refused', async () => {
    const { project, session } = await held('--var', 'wanted=2');
    expect(project.journal('held')[0]).toMatchObject({ vars: { wanted: 2 } });
    expect((await session.writes('a.txt', 'x')).denied).toContain('not among what is allowed');
    expect(project.lockstep('workflow', 'set', 'session-handoff')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('error[guard-lifecycle]'),
    });
    expect(project.lockstep('workflow', 'set', 'held', '--lifecycle')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('error[guard-steps]'),
    });
    expect(project.lockstep('workflow', 'set', 'nothing')).toMatchObject({ exitCode: 2 });
  });

  it('GOB-CLI-STATUS: status says where each open session is; what has ended is counted, and shown with --all', async () => {
    const { project, session } = await held();
    const said = project.lockstep('workflow', 'status').stdout;
    expect(said).toContain(session.id);
    expect(said).toContain('at look, 0 tool calls, 2 checks to meet');
    await session.ends();
    expect(project.lockstep('workflow', 'status').stdout).toContain(`${session.id}, which has ended`);
    for (let n = 0; n < 3; n += 1) {
      const later = project.session();
      await later.starts();
      await later.ends();
    }
    expect(project.lockstep('workflow', 'status').stdout).toContain('1 run of sessions that ended before');
    expect(project.lockstep('workflow', 'status', '--all').stdout.split('which has ended')).toHaveLength(5);
    // Of several, the one that is open is meant.
    const here = project.session();
    await here.starts();
    expect(project.lockstep('workflow', 'phase', 'build', '--force')).toMatchObject({ exitCode: 0 });
    expect((await here.writes('a.txt', 'x')).denied).toBeUndefined();
  });

  it('GOB-CLI-PHASE: phase moves only where the step is done, its checks run first; an unknown step is named', async () => {
    const { project } = await held();
    const unmet = project.lockstep('workflow', 'phase', 'build');
    expect(unmet).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Nobody has looked.') });
    project.write('looked', '');
    expect(project.lockstep('workflow', 'phase', 'build')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('test -e checked'),
    });
    expect(where(project)).toEqual(['look']);
    expect(project.lockstep('workflow', 'phase', 'bild')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Did you mean "build"?'),
    });
    project.write('checked', '');
    expect(project.lockstep('workflow', 'phase', 'last')).toMatchObject({ exitCode: 0 });
    expect(where(project)).toEqual(['last']);
    expect(last(project, 'moved-by-person')).toBeUndefined();
  });

  it('GOB-CLI-FORCE: phase --force moves whatever is unmet, on record with who and why; the new step binds at once', async () => {
    const { project, session } = await held();
    expect(project.lockstep('workflow', 'phase', 'build', '--force', '--why', 'no time')).toMatchObject({
      exitCode: 0,
    });
    expect(last(project, 'moved-by-person')).toMatchObject({
      ...{ path: 'look', to: 'build', why: 'no time', forced: true },
      by: expect.stringMatching(/./),
    });
    const written = await session.writes('a.txt', 'x');
    expect(written.denied).toBeUndefined();
    expect(written.told).toContain('Build it.');
  });

  it('GOB-CLI-RESET: reset reads the definition again; until then a session keeps to the one it began with', async () => {
    const { project, session } = await held();
    const [first] = project.journal('held');
    project.write('.lockstep/workflows/held.yaml', FLOW.replace('[Read]', '[Read, Write]'));
    expect((await session.writes('a.txt', 'x')).denied).toContain('not among what is allowed');
    expect(project.lockstep('workflow', 'reset', '--why', 'changed')).toMatchObject({ exitCode: 0 });
    expect(last(project, 'run-cancelled')).toMatchObject({ why: 'changed' });
    expect((await session.writes('a.txt', 'x')).denied).toBeUndefined();
    const [second] = project.journal('held');
    // Which definition it was is on record.
    const hash = (entry: unknown) => (entry as { workflow_hash: string }).workflow_hash;
    expect(hash(first)).toMatch(/^[0-9a-f]{64}$/);
    expect(hash(second)).not.toBe(hash(first));
  });

  it('GOB-CLI-DISABLE: disable lets go at once and enable holds where it was, both on record', async () => {
    const { project, session } = await held();
    expect(project.lockstep('workflow', 'disable', '--why', 'hot fix')).toMatchObject({ exitCode: 0 });
    expect(last(project, 'guard-switched')).toMatchObject({ on: false, why: 'hot fix' });
    expect((await session.writes('a.txt', 'x')).denied).toBeUndefined();
    expect(project.lockstep('workflow', 'status').stdout).toContain('Switched off by');
    expect(project.lockstep('workflow', 'enable')).toMatchObject({ exitCode: 0 });
    expect(last(project, 'guard-switched')).toMatchObject({ on: true });
    expect((await session.writes('b.txt', 'x')).denied).toContain('not among what is allowed');
    expect(where(project)).toEqual(['look']);
  });

  it('GOB-CLI-CLEAR: clear lets sessions go and ends their runs; nothing is chosen any more', async () => {
    const { project, session } = await held();
    expect(project.lockstep('workflow', 'clear', '--why', 'enough')).toMatchObject({ exitCode: 0 });
    expect(last(project, 'run-cancelled')).toMatchObject({ why: 'enough' });
    expect((await session.writes('a.txt', 'x')).denied).toBeUndefined();
    expect(project.exists('.lockstep/local/guard.json')).toBe(false);
    expect(project.lockstep('workflow', 'status').stdout).toContain('No workflow holds');
  });

  it('GOB-CLI-HANDOFF: notes of a person reach the next session once, with the step and the tasks', async () => {
    const { project } = await held();
    project.lockstep('workflow', 'set', 'session-handoff', '--lifecycle');
    expect(project.lockstep('workflow', 'handoff', 'Half done.', '--task', 'the tests')).toMatchObject({
      exitCode: 0,
    });
    const { told } = await project.session().starts();
    for (const part of ['Half done.', 'the tests', '"look" of held']) expect(told).toContain(part);
    expect((await project.session().starts()).told).not.toContain('Half done.');
  });

  describe('GOB-CLI-IMPORT: import', () => {
    const imported = FLOW.replace('name: held', 'name: theirs');

    it('shows a file, asks, writes it, and does not write over another', async () => {
      const { project } = await held();
      project.write('elsewhere/theirs.yaml', imported);
      const unasked = project.lockstep('workflow', 'import', 'elsewhere/theirs.yaml');
      expect(unasked).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('Nobody has looked.') });
      expect(project.exists('.lockstep/workflows/theirs.yaml')).toBe(false);
      const again = () => project.lockstep('workflow', 'import', 'elsewhere/theirs.yaml', '--yes');
      expect(again()).toMatchObject({ exitCode: 0 });
      expect(project.read('.lockstep/workflows/theirs.yaml')).toBe(imported);
      expect(again()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('import-exists') });
      expect(project.lockstep('workflow', 'set', 'theirs')).toMatchObject({ exitCode: 0 });
    });

    it('reads from an address; what has errors, is too large or is not there is not written', async () => {
      const { project } = await held();
      const pages: Record<string, string> = {
        '/theirs.yaml': imported,
        '/wrong.yaml': 'lockstep: 1\nname: wrong\nsteps: [{ id: a, prmpt: x }]\n',
        '/large.yaml': `# ${'x'.repeat(2 ** 20)}`,
      };
      const server: Server = createServer((asked, answer) => {
        const page = pages[asked.url ?? ''];
        answer.writeHead(page === undefined ? 404 : 200).end(page);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const from = (path: string) =>
        run(
          [process.execPath, LOCKSTEP, 'workflow', 'import', `${at}${path}`, '--yes'],
          project.root,
          project.env,
          '',
        );
      try {
        expect(await from('/theirs.yaml')).toMatchObject({ exitCode: 0 });
        expect(project.read('.lockstep/workflows/theirs.yaml')).toBe(imported);
        expect(await from('/wrong.yaml')).toMatchObject({
          exitCode: 2,
          stderr: expect.stringContaining('3:'),
        });
        expect(await from('/large.yaml')).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining('larger than 1 MiB'),
        });
        expect(await from('/none.yaml')).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining('404'),
        });
        for (const name of ['wrong', 'large', 'none'])
          expect(project.exists(`.lockstep/workflows/${name}.yaml`)).toBe(false);
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });
  });
});

describe('tools of our server in a held session', () => {
  async function tools(project: Played): Promise<Client> {
    const client = await connect(project);
    clients.push(client);
    return client;
  }

  it('GOB-MCP-STATUS: get_workflow_status says the step, its lists and what it needs; in a project without one it is refused', async () => {
    const { project } = await held();
    const { value } = await (await tools(project)).call('get_workflow_status');
    expect(value).toMatchObject({
      ...{ workflow: 'held', phase: 'look', question: '', allowedTools: ['Read'], actions: 0 },
      ...{ phases: ['look', 'build', 'last'], variables: { wanted: 1 } },
    });
    const other = played();
    open.push(other);
    const none = await (await tools(other)).call('get_workflow_status');
    expect(none.value.refused).toMatchObject({ code: 'guard-no-session' });
  });

  it('GOB-MCP-TRANSITION: request_phase_transition moves only where the checks hold, with the reason on record; a person is asked where the step says so', async () => {
    const { project, session } = await held();
    const client = await tools(project);
    const ask = (given: object = {}) =>
      client.call('request_phase_transition', { reason: 'I think so', ...given });
    expect((await ask()).value).toMatchObject({ moved: false, toDo: ['Nobody has looked.'] });
    project.write('looked', '');
    expect((await ask()).value).toMatchObject({
      moved: false,
      toDo: [expect.stringContaining('test -e checked')],
    });
    expect(
      (await ask({ to_phase: 'bild' })).value.refused ?? (await ask({ to_phase: 'bild' })).isError,
    ).toBeTruthy();
    project.write('checked', '');
    expect((await ask()).value).toMatchObject({ moved: true, status: { phase: 'build' } });
    expect(last(project, 'event-weighed')).toMatchObject({ bearing: { why: 'I think so' } });
    expect((await ask()).value).toMatchObject({ moved: false, status: { question: 'Is it built?' } });
    expect((await session.writes('a.txt', 'x')).denied).toContain('a person is asked');
    await session.hears('yes');
    expect(where(project)).toEqual(['last']);
  });

  it('GOB-MCP-HANDOFF: create_handoff leaves notes and tasks to the next session', async () => {
    const { project } = await held();
    project.lockstep('workflow', 'set', 'session-handoff', '--lifecycle');
    await (await tools(project)).call('create_handoff', {
      notes: 'Half done.',
      pending_tasks: ['the tests'],
    });
    const { told } = await project.session().starts();
    for (const part of ['Half done.', 'the tests']) expect(told).toContain(part);
  });

  it('GOB-MCP-ARTIFACT: mark_artifact_complete keeps the content under a name, and decides nothing', async () => {
    const { project } = await held();
    project.write('plan.md', 'The plan.');
    const client = await tools(project);
    const kept = await client.call('mark_artifact_complete', { artifact_type: 'plan', file_path: 'plan.md' });
    expect(kept.value).toEqual({ name: 'plan', characters: 9 });
    expect(last(project, 'artifact-kept')).toMatchObject({ name: 'plan', content: 'The plan.' });
    expect(where(project)).toEqual(['look']);
    const outside = await client.call('mark_artifact_complete', {
      artifact_type: 'plan',
      file_path: '/etc/passwd',
    });
    expect(outside.isError || outside.value.refused !== undefined).toBe(true);
  });
});

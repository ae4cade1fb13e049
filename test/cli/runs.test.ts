// `runs`, `status`, `logs`, `audit`, `clean`: what is left of a run, and how it is looked at.

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/stores/file/file-store.ts';
import type { Scratch } from '../scratch.ts';
import { endStarted, journal, projectWith, runIds, start, until } from './started.ts';

const TALK = `lockstep: 1
name: talk
steps:
  - { id: write, prompt: { text: Write about bees. } }
  - { id: build, run: 'echo out; echo err >&2; printf half' }
  - id: all
    each: x in ["a", "b"]
    steps: [{ id: say, run: [echo, 'item {{ x }}'] }]
`;
const SCRIPT = 'answers: { "*": { text: buzz, usage: { input: 1, output: 1, cost: 0.5 } } }\n';
const ASK = 'lockstep: 1\nname: ask\nsteps: [{ id: q, ask: Well?, choices: [yes, no] }]\n';
const SLOW = `lockstep: 1
name: slow
steps: [{ id: slow, run: 'echo begun; until test -f go; do sleep 0.05; done; echo ended' }]
`;

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

const runs = () => join(project.root, '.lockstep/runs');
const talk = () => {
  project = projectWith({ 'talk.yaml': TALK, 's.yaml': SCRIPT, 'ask.yaml': ASK, 'slow.yaml': SLOW });
  expect(project.lockstep('run', 'talk.yaml', '--script', 's.yaml').exitCode).toBe(0);
  return runIds(project)[0] ?? '';
};
/** The same run again, as if it had started at another time. */
const copyTo = (id: string, other: string) =>
  cpSync(join(runs(), id), join(runs(), other), { recursive: true });

describe('runs', () => {
  it('LS-CLI-RUNS: id, workflow, status, start, time, steps and cost, the newest last', () => {
    const id = talk();
    project.lockstep('run', 'ask.yaml');
    const { exitCode, stdout } = project.lockstep('runs');
    const [head, first, second] = stdout.split('\n');
    expect(exitCode).toBe(0);
    expect(head).toMatch(/^RUN +WORKFLOW +STATUS +STARTED +TIME +STEPS +COST$/);
    expect(first).toMatch(
      new RegExp(
        `^${id} +talk +completed +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +[\\d.]+ m?s +\\d done +\\$0\\.50$`,
      ),
    );
    expect(second).toMatch(/ask +paused/);
    const rows = JSON.parse(project.lockstep('runs', '--json').stdout) as unknown[];
    expect(rows[0]).toMatchObject({
      id,
      workflow: 'talk',
      status: 'completed',
      cost: 0.5,
      steps: { failed: 0 },
    });
    expect(project.lockstep('runs', '--status', 'paused').stdout).not.toContain(id);
    expect(project.lockstep('runs', '--status', 'failed').stdout).toBe('No run is failed.\n');
  });

  it('LS-CLI-RUNS: none yet, and more than are shown', () => {
    project = projectWith({});
    expect(project.lockstep('runs').stdout).toContain('No runs here yet');
    expect(JSON.parse(project.lockstep('runs', '--json').stdout)).toEqual([]);
    project.remove();
    const id = talk();
    copyTo(id, '20200101T000000Z-aaaaaa');
    const { stdout } = project.lockstep('runs', '--limit', '1');
    expect(stdout).toContain(id);
    expect(stdout).toContain('1 older not shown; --limit 2 shows all.');
  });

  it('LS-CLI-RUNS: J1: without its view a run is read from its journal, and a broken one does not hide the others', () => {
    const id = talk();
    copyTo(id, '20200101T000000Z-aaaaaa');
    rmSync(join(runs(), id, 'state.json'));
    const broken = join(runs(), '20200101T000000Z-aaaaaa');
    rmSync(join(broken, 'state.json'));
    writeFileSync(join(broken, 'journal.jsonl'), 'nonsense\n');
    const { exitCode, stdout } = project.lockstep('runs');
    expect(stdout).toMatch(new RegExp(`${id} +talk +completed`));
    expect(stdout).toMatch(/20200101T000000Z-aaaaaa +\? +damaged/);
    expect(exitCode).toBe(0);
  });

  it('500 runs in one directory are listed', () => {
    const id = talk();
    for (let number = 0; number < 500; number += 1)
      copyTo(id, `20200101T000000Z-${String(number).padStart(6, '0')}`);
    const { stdout } = project.lockstep('runs', '--limit', '600');
    expect(stdout.trimEnd().split('\n')).toHaveLength(502);
    expect(project.lockstep('status').stdout).toContain(id);
    expect(project.lockstep('run', 'talk.yaml', '--script', 's.yaml').exitCode).toBe(0);
  });
});

describe('status', () => {
  it('LS-CLI-STATUS: the steps, the question and the commands that answer it', () => {
    talk();
    project.lockstep('run', 'ask.yaml');
    const id = runIds(project).at(-1);
    const { exitCode, stdout } = project.lockstep('status');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ask paused');
    expect(stdout).toContain('Well?');
    expect(stdout).toContain(`lockstep answer ${id} yes`);
    expect(stdout).not.toContain('Running now');
    expect(project.lockstep('status', runIds(project)[0] ?? '').stdout).toContain('talk completed');
    expect(JSON.parse(project.lockstep('status', '--json').stdout)).toMatchObject({
      run_id: id,
      status: 'paused',
      lockstep: { questions: [{ path: 'q', choices: ['yes', 'no'] }] },
    });
    expect(project.lockstep('status', 'nope')).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('LS-CLI-STATUS: of a run that runs now it says who runs it', async () => {
    talk();
    const run = start(project, 'run', 'slow.yaml');
    await until(
      () => runIds(project).length === 2 && journal(project).some(({ kind }) => kind === 'attempt-started'),
    );
    const { stdout } = project.lockstep('status');
    expect(stdout).toContain('slow running');
    expect(stdout).toContain(`Running now: pid ${run.pid} on `);
    project.write('go', '');
    expect((await run.ended).exitCode).toBe(0);
  });
});

describe('logs', () => {
  it('LS-CLI-LOGS: all logs in the order of their steps, each under its name', () => {
    talk();
    const { exitCode, stdout } = project.lockstep('logs');
    expect(exitCode).toBe(0);
    expect(stdout.match(/^── .* ──$/gm)).toEqual(
      ['write.transcript', 'build.stderr', 'build.stdout', 'all[0]/say.stdout', 'all[1]/say.stdout'].map(
        (name) => `── ${name} ──`,
      ),
    );
    expect(stdout).toContain('out\nhalf\n── all[0]/say.stdout ──\nitem a\n');
    expect(project.lockstep('logs', '--prompts').stdout).toContain('── write.prompt.txt ──');
    expect(stdout).not.toContain('── write.prompt.txt ──');
  });

  it('LS-CLI-LOGS: those of a step, of a block, one by its name; a single one is printed as it is', () => {
    const id = talk();
    expect(project.lockstep('logs', id, 'build').stdout).toBe(
      '── build.stderr ──\nerr\n── build.stdout ──\nout\nhalf',
    );
    expect(project.lockstep('logs', 'build.stdout').stdout).toBe('out\nhalf');
    expect(project.lockstep('logs', 'latest', 'all[1]').stdout).toBe('item b\n');
    expect(project.lockstep('logs', 'latest', 'all').stdout).toContain('item a\n');
    expect(project.lockstep('logs', '--list').stdout.trimEnd().split('\n')).toContain('write.prompt.txt');
    const none = project.lockstep('logs', id, 'biuld');
    expect(none.stderr).toContain('Did you mean "build"?');
    expect(none.exitCode).toBe(2);
    expect(project.lockstep('logs', 'nope').stderr).toContain('error[run-unknown]');
  });

  it('AG-TRANSCRIPT: of an agent the transcript is printed; with --raw, what its client printed', () => {
    const id = talk();
    const { stdout } = project.lockstep('logs', id, 'write');
    expect(stdout).toMatch(
      /^=== script\n--- prompt\nWrite about bees\.\n--- work\nbuzz\n--- answer\n\(the last text above\)\n=== answered after [\d.]+ s, 1 turn, 1 tokens in, 1 out, \$0\.5000\n\n$/,
    );
    expect(project.lockstep('logs', id, 'write', '--raw').stdout).toBe('buzz\n');
    expect(project.lockstep('logs', id, 'write.stdout').stdout).toBe('buzz\n');
    expect(project.lockstep('logs', '--list').stdout).toContain('write.transcript\n');
  });

  it('LS-CLI-LOGS-FOLLOW: goes on printing until the run ends', async () => {
    talk();
    const run = start(project, 'run', 'slow.yaml');
    await until(() => runIds(project).length === 2);
    const follower = start(project, 'logs', '--follow');
    await follower.shows(/begun/);
    expect(follower.output()).not.toContain('ended');
    project.write('go', '');
    const { exitCode, output } = await follower.ended;
    expect(output).toContain('begun\nended\n');
    expect(exitCode).toBe(0);
    expect((await run.ended).exitCode).toBe(0);
    expect(project.lockstep('logs', '--follow').stdout).toBe('begun\nended\n');
  });
});

describe('audit', () => {
  it('LS-CLI-AUDIT-STORY: tells who did what, in order, and that it is whole', () => {
    talk();
    const { exitCode, stdout } = project.lockstep('audit');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/started talk[\s\S]*write was given[\s\S]*build[\s\S]*The run completed/);
    expect(stdout).toContain(`Verified: ${journal(project).length} entries`);
    const json = JSON.parse(project.lockstep('audit', '--json').stdout) as { story: unknown[] };
    expect(json).toMatchObject({ verified: true, torn: 0, entries: journal(project).length });
    expect(json.story.length).toBeGreaterThan(3);
  });

  it('LS-CLI-AUDIT-VERIFY: J4: a changed byte is found, with its offset, and exits 1', () => {
    const id = talk();
    const path = join(runs(), id, 'journal.jsonl');
    const text = readFileSync(path, 'utf8');
    const line = text.split('\n').findIndex((one) => one.includes('attempt-finished'));
    const offset = text.split('\n').slice(0, line).join('\n').length + 1;
    writeFileSync(path, text.replace('"exit_code":0', '"exit_code":1'));
    const { exitCode, stdout, stderr } = project.lockstep('audit');
    expect(stderr).toContain('error[journal-corrupt]');
    expect(stderr).toContain(String(offset));
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
    expect(JSON.parse(project.lockstep('audit', '--json').stdout)).toMatchObject({
      kind: 'fault',
      code: 'journal-corrupt',
    });
  });

  it('J4: a torn last line is reported, and resume cuts it', () => {
    talk();
    project.lockstep('run', 'ask.yaml');
    const path = join(runs(), 'latest', 'journal.jsonl');
    writeFileSync(path, '{"n":99,"ki', { flag: 'a' });
    expect(project.lockstep('audit').stdout).toContain('The last 11 bytes are a torn line');
    const resumed = project.lockstep('answer', 'yes');
    expect(resumed.stdout).toContain('the last 11 bytes of the journal were torn and have been cut');
    expect(resumed.exitCode).toBe(0);
    expect(project.lockstep('audit').exitCode).toBe(0);
  });
});

describe('clean', () => {
  const old = '20200101T000000Z-aaaaaa';

  it('LS-CLI-CLEAN: removes old runs and no others, and says what it freed', () => {
    const id = talk();
    copyTo(id, old);
    const dry = project.lockstep('clean', '--older-than', '30d', '--dry-run');
    // Under another name than its own a run does not verify.
    expect(dry.stdout).toMatch(
      new RegExp(`^Would remove 1 run, [\\d.]+ KiB:\\n  ${old} \\(damaged: .*\\)\\n$`),
    );
    expect(runIds(project)).toEqual([old, id]);
    const { exitCode, stdout } = project.lockstep('clean', '--older-than', '30d');
    expect(stdout).toMatch(/^Removed 1 run, /);
    expect(exitCode).toBe(0);
    expect(runIds(project)).toEqual([id]);
    expect(project.lockstep('clean', '--older-than', '1h').stdout).toContain('nothing to remove');
  });

  it('LS-CLI-CLEAN: a paused run stays unless --paused is given', () => {
    talk();
    project.lockstep('run', 'ask.yaml');
    renameSync(join(runs(), runIds(project).at(-1) ?? ''), join(runs(), old));
    const kept = project.lockstep('clean', '--older-than', '2w');
    expect(kept.stdout).toContain(`${old}: it is paused`);
    expect(existsSync(join(runs(), old))).toBe(true);
    expect(project.lockstep('clean', '--older-than', '2w', '--paused').stdout).toContain('Removed 1 run');
    expect(existsSync(join(runs(), old))).toBe(false);
  });

  it('LS-CLI-CLEAN: a run that runs is never removed', async () => {
    talk();
    const run = start(project, 'run', 'slow.yaml');
    await until(() => runIds(project).length === 2);
    const { stdout } = project.lockstep('clean', '--older-than', '0s', '--paused');
    expect(stdout).toContain(`it is running (pid ${run.pid} on `);
    expect(runIds(project)).toHaveLength(1);
    project.write('go', '');
    expect((await run.ended).exitCode).toBe(0);
  });
});

describe('runs of live sessions', () => {
  /** Copies of a run as a live session would leave them. */
  const guarded = (id: string, name: string, more: Record<string, unknown> = {}) => {
    copyTo(id, name);
    const path = join(runs(), name, 'summary.json');
    const view = { ...JSON.parse(readFileSync(path, 'utf8')), run_id: name, drive: 'guard', ...more };
    // As if it had been written when the journal was last.
    view.journal = fileStore({ directory: runs() }).read(name).journalMark();
    writeFileSync(path, JSON.stringify(view));
  };

  it('GOB-RUNS-DRIVE: those that are over are not listed unless asked for, and how many is said', () => {
    const id = talk();
    guarded(id, '20260101T000000Z-aaaaaa');
    guarded(id, '20260101T000000Z-bbbbbb', { status: 'failed' });
    guarded(id, '20260101T000000Z-cccccc', { status: 'paused' });
    const { stdout } = project.lockstep('runs');
    expect(stdout).toContain(id);
    expect(stdout).toContain('cccccc');
    expect(stdout).not.toMatch(/aaaaaa|bbbbbb/);
    expect(stdout).toMatch(
      /\n2 runs of live sessions that are over not shown; --drive guard shows them\.\n$/,
    );
    const asked = JSON.parse(project.lockstep('runs', '--drive', 'guard', '--json').stdout) as {
      id: string;
      drive: string;
    }[];
    expect(asked.map(({ id: one, drive }) => `${one.at(-1)} ${drive}`)).toEqual([
      'a guard',
      'b guard',
      'c guard',
    ]);
    expect(project.lockstep('runs', '--drive', 'run').stdout).not.toMatch(/cccccc|not shown/);
    expect(project.lockstep('runs', '--drive', 'guide').stdout).toBe('No run with --drive guide.\n');
    expect(project.lockstep('runs', '--drive', 'all').exitCode).toBe(2);
  });

  it('GOB-RUNS-RETENTION: clean --drive guard goes by the last thing that happened, ended or not, and leaves other runs', () => {
    const id = talk();
    const old = '2026-01-01T00:00:00.000Z';
    copyTo(id, '20260101T000000Z-dddddd');
    guarded(id, '20260101T000000Z-aaaaaa', { status: 'paused', updated_at: old });
    guarded(id, '20260101T000000Z-bbbbbb', { updated_at: new Date().toISOString() });
    const dry = project.lockstep('clean', '--drive', 'guard', '--dry-run');
    expect(dry.stdout).toMatch(/^Would remove 1 run, .*:\n {2}20260101T000000Z-aaaaaa\n$/);
    expect(project.lockstep('clean', '--drive', 'guard').exitCode).toBe(0);
    expect(
      runIds(project)
        .map((one) => one.slice(-6))
        .sort(),
    ).toEqual(['bbbbbb', 'dddddd', id.slice(-6)].sort());
    // An age on the command line is for all of them.
    expect(project.lockstep('clean', '--older-than', '30d').stdout).toContain('dddddd');
    expect(runIds(project)).toContain('20260101T000000Z-bbbbbb');
    expect(project.lockstep('clean').stderr).toContain('--drive guard');
  });

  it('GOB-SESSION-RETENTION: clean removes records of sessions that were not seen for long', () => {
    talk();
    const home = join(project.root, 'home');
    const folder = join(home, 'sessions/claude');
    const record = (name: string, last_seen: string) => {
      mkdirSync(join(folder, name), { recursive: true });
      const text = { client: 'claude', id: name, started: last_seen, last_seen };
      writeFileSync(join(folder, name, '1.json'), JSON.stringify(text));
    };
    record('an-old-session', '2026-01-01T00:00:00.000Z');
    record('a-new-session', new Date().toISOString());
    project.env.LOCKSTEP_HOME = home;
    const cleaned = project.lockstep('clean', '--drive', 'guard');
    expect(cleaned.stdout).toContain(
      'Removed 1 record of live sessions that were last seen more than 90 days ago',
    );
    expect(existsSync(join(folder, 'an-old-session'))).toBe(false);
    expect(existsSync(join(folder, 'a-new-session'))).toBe(true);
  });
});

// What happens after a run has stopped, or while it runs: signals of the system, resume, answers, signals, cancel;
// from the process that runs it and from others.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { endStarted, journal, projectWith, runIds, start, until } from './started.ts';

/** `slow` goes on until there is a file `go`. */
const SLOW = `lockstep: 1
name: slow
steps:
  - { id: first, run: 'echo once >> first.txt' }
  - { id: slow, run: 'echo $$ > pid; until test -f go; do sleep 0.05; done; echo through' }
  - { id: last, run: 'echo once >> last.txt' }
`;
const APPROVE = `lockstep: 1
name: approve
steps:
  - { id: draft, prompt: { text: Write a draft. }, done: { approve: 'Is it good?', tries: 3 } }
  - { id: publish, run: [echo, published] }
`;
const ASK = `lockstep: 1
name: ask
steps:
  - { id: color, ask: Which color?, choices: [red, green, 3] }
  - { id: name, ask: Which name? }
  - { id: show, run: [echo, '{{ steps.color.output }} {{ steps.name.output }}'] }
`;
const HELD = `lockstep: 1
name: held
steps:
  - { id: work, prompt: { text: Write it. }, done: { run: [test, -f, there.txt], tries: 1 } }
  - { id: after, run: [echo, after] }
`;
const WAIT = `lockstep: 1
name: wait
steps:
  - { id: wait, wait: { signal: deployed } }
  - { id: show, run: [echo, '{{ steps.wait.output }}'] }
`;
const SCRIPT = 'answers: { "*": { text: done } }\n';

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

const lines = (file: string) => project.sh(`cat ${file} 2>/dev/null`).stdout.split('\n').filter(Boolean);
const pidIsThere = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const output = (path: string) =>
  (
    journal(project).findLast((entry) => entry.kind === 'attempt-finished' && entry.path === path)?.outcome as
      | { output?: unknown }
      | undefined
  )?.output;

async function slowRun(...options: string[]) {
  const run = start(project, 'run', 'slow.yaml', ...options);
  await until(() => lines('pid').length > 0);
  return { run, child: Number(lines('pid')[0]) };
}

describe('signals of the system', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'rule 11: %s pauses cleanly, exits 130 and names the command that goes on; resume ends the run',
    async (signal) => {
      project = projectWith({ 'slow.yaml': SLOW });
      const { run, child } = await slowRun();
      run.send(signal);
      const { exitCode, output: shown } = await run.ended;
      expect(exitCode).toBe(130);
      const [id] = runIds(project);
      expect(shown).toContain(`lockstep resume ${id}`);
      expect(pidIsThere(child)).toBe(false);
      expect(project.lockstep('audit').exitCode).toBe(0);
      expect(project.lockstep('runs').stdout).toContain('interrupted');
      project.write('go', '');
      const resumed = project.lockstep('resume');
      expect(resumed.stdout).toContain('slow completed');
      expect(resumed.exitCode).toBe(0);
      expect(lines('first.txt')).toEqual(['once']);
      expect(lines('last.txt')).toEqual(['once']);
    },
  );

  it('a second SIGINT ends at once, with the children', async () => {
    const stubborn = SLOW.replace("run: 'echo $", `run: 'trap "" TERM INT; echo $`);
    project = projectWith({ 'slow.yaml': stubborn });
    const { run, child } = await slowRun();
    run.send('SIGINT');
    await until(() => journal(project).some(({ kind }) => kind === 'end-requested'));
    expect(pidIsThere(child)).toBe(true);
    run.send('SIGINT');
    const { exitCode } = await run.ended;
    expect(exitCode).toBe(130);
    await until(() => !pidIsThere(child));
    project.write('go', '');
    expect(project.lockstep('resume').exitCode).toBe(0);
    expect(lines('first.txt')).toEqual(['once']);
  });

  it('--quiet says how to go on, too', async () => {
    project = projectWith({ 'slow.yaml': SLOW });
    const { run } = await slowRun('--quiet');
    run.send('SIGINT');
    const { output: shown } = await run.ended;
    expect(shown).toContain(`lockstep resume ${runIds(project)[0]}`);
  });

  it('E4: a run whose process was killed is stopped, and resume goes on with nothing done twice', async () => {
    project = projectWith({ 'slow.yaml': SLOW });
    const { run } = await slowRun();
    run.send('SIGKILL');
    await run.ended;
    expect(project.lockstep('runs').stdout).toContain('stopped');
    expect(project.lockstep('status').stdout).toContain(`lockstep resume ${runIds(project)[0]}`);
    project.write('go', '');
    expect(project.lockstep('resume').exitCode).toBe(0);
    expect(lines('first.txt')).toEqual(['once']);
    expect(lines('last.txt')).toEqual(['once']);
  });
});

describe('resume', () => {
  it('LS-CLI-RESUME: a failed step runs again once it is mended', () => {
    project = projectWith({ 'slow.yaml': SLOW.replace(/run: 'echo \$\$.*$/m, "run: 'test -f mended' }") });
    expect(project.lockstep('run', 'slow.yaml').exitCode).toBe(1);
    project.write('mended', '');
    const [id = ''] = runIds(project);
    const { exitCode, stdout } = project.lockstep('resume', id.slice(0, 12));
    expect(stdout).toContain('slow completed');
    expect(exitCode).toBe(0);
    expect(lines('first.txt')).toEqual(['once']);
  });

  it('LS-CLI-RESUME: nothing to go on with is wrong input', () => {
    project = projectWith({ 'a.yaml': 'lockstep: 1\nname: a\nsteps: [{ id: x, run: [true] }]\n' });
    const none = project.lockstep('resume');
    expect(none.stderr).toContain('error[run-unknown] there are no runs here yet');
    project.lockstep('run', 'a.yaml');
    project.lockstep('run', 'a.yaml');
    const done = project.lockstep('resume');
    expect(done.stderr).toContain('error[run-ended]');
    const unknown = project.lockstep('resume', 'nope');
    expect(unknown.stderr).toContain('error[run-unknown] there is no run "nope"');
    const ambiguous = project.lockstep('resume', '20');
    expect(ambiguous.stderr).toContain('error[run-ambiguous] "20" is the beginning of 2 runs');
    expect([none, done, unknown, ambiguous].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2]);
  });

  it('LS-CLI-RESUME: --limit raises a limit that paused or ended the run', () => {
    const limited = `lockstep: 1
name: limited
limits: { cost: 1 }
steps:
  - { id: one, prompt: { text: Go. } }
  - { id: two, prompt: { text: Go. } }
`;
    const script = 'answers: { "*": { text: done, usage: { input: 1, output: 1, cost: 2 } } }\n';
    project = projectWith({ 'limited.yaml': limited, 's.yaml': script });
    const first = project.lockstep('run', 'limited.yaml', '--script', 's.yaml');
    expect([1, 3]).toContain(first.exitCode);
    expect(first.stdout).toMatch(/cost/);
    const wrong = project.lockstep('resume', '--limit', 'cots=9');
    expect(wrong.stderr).toContain('error[limit-invalid]');
    expect(wrong.exitCode).toBe(2);
    expect(project.lockstep('resume', '--limit', 'cost=10').exitCode).toBe(0);
  });

  it('J3: a second process is told who holds the run, and changes nothing', async () => {
    project = projectWith({ 'slow.yaml': SLOW });
    const { run } = await slowRun();
    const second = project.lockstep('resume');
    expect(second.stderr).toContain('error[run-locked]');
    expect(second.stderr).toContain(String(run.pid));
    expect(second.exitCode).not.toBe(0);
    project.write('go', '');
    expect((await run.ended).exitCode).toBe(0);
    expect(lines('last.txt')).toEqual(['once']);
  });
});

describe('answer', () => {
  const pausedAt = (workflow: string) => {
    project = projectWith({ 'w.yaml': workflow, 's.yaml': SCRIPT });
    return project.lockstep('run', 'w.yaml', '--script', 's.yaml');
  };

  it('LS-PAUSED-COMMAND: a paused run exits 3 and says exactly which commands continue it', () => {
    const { exitCode, stdout } = pausedAt(APPROVE);
    const [id] = runIds(project);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('Is it good?');
    const command = `lockstep answer ${id} approve`;
    expect(stdout).toContain(command);
    expect(project.sh(command).exitCode).toBe(0);
  });

  it('LS-CLI-ANSWER-APPROVE: the run goes on in this process', () => {
    pausedAt(APPROVE);
    const { exitCode, stdout } = project.lockstep('answer', 'approve');
    expect(stdout).toContain('approve completed');
    expect(exitCode).toBe(0);
    expect(output('publish')).toBe('published');
  });

  it('LS-CLI-ANSWER-REJECT: with a note, the work is sent back with it', () => {
    pausedAt(APPROVE);
    const { exitCode } = project.lockstep('answer', 'latest', 'reject', '--note', 'too long');
    expect(exitCode).toBe(3);
    expect(journal(project)).toContainEqual(
      expect.objectContaining({ kind: 'question-answered', answer: 'reject', note: 'too long' }),
    );
    expect(project.lockstep('logs', 'latest', 'draft', '--prompts').stdout).toContain('too long');
    expect(project.lockstep('answer', 'approve').exitCode).toBe(0);
  });

  it('LS-CLI-ANSWER-CHOOSE and LS-CLI-ANSWER-TYPE: a choice by number or by name, and a text', () => {
    expect(pausedAt(ASK).exitCode).toBe(3);
    expect(project.lockstep('answer', '--choose', '2').exitCode).toBe(3);
    expect(project.lockstep('answer', 'Grace Hopper').exitCode).toBe(0);
    expect(output('show')).toBe('green Grace Hopper');
    project.lockstep('run', 'w.yaml');
    expect(project.lockstep('answer', '3').exitCode).toBe(3);
    expect(project.lockstep('answer', '--text', 'latest').exitCode).toBe(0);
    expect(output('show')).toBe('3 latest');
  });

  it('an answer that does not fit is refused with those that do', () => {
    pausedAt(ASK);
    const [id] = runIds(project);
    for (const wrong of [['blue'], ['--choose', '9'], []]) {
      const { exitCode, stderr } = project.lockstep('answer', ...wrong);
      expect(stderr).toContain('error[answer-invalid] "color" asks: Which color?');
      expect(stderr).toContain(`lockstep answer ${id} green`);
      expect(exitCode).toBe(2);
    }
    const elsewhere = project.lockstep('answer', 'red', '--step', 'colour');
    expect(elsewhere.stderr).toContain('Did you mean "color"?');
    expect(elsewhere.exitCode).toBe(2);
    expect(journal(project).filter(({ kind }) => kind === 'question-answered')).toEqual([]);
  });

  it('LS-CLI-ANSWER-AGAIN: the step runs once more', () => {
    expect(pausedAt(HELD).exitCode).toBe(3);
    project.write('there.txt', '');
    expect(project.lockstep('answer', 'again').exitCode).toBe(0);
    expect(output('after')).toBe('after');
  });

  it('LS-CLI-ANSWER-ACCEPT: it is taken as it is, on record as a decision of this person', () => {
    pausedAt(HELD);
    const { exitCode, stdout } = project.lockstep('answer', 'accept', '--note', 'good enough');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/accepted by \S+/);
    expect(project.lockstep('audit').stdout).toContain('good enough');
  });

  it('LS-CLI-ANSWER-FAIL: the run fails', () => {
    pausedAt(HELD);
    const { exitCode, stdout } = project.lockstep('answer', 'fail');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('held failed');
  });

  it('--no-resume leaves the answer for whoever resumes', () => {
    pausedAt(APPROVE);
    const { exitCode, stdout } = project.lockstep('answer', 'approve', '--no-resume');
    expect(stdout).toContain(`lockstep resume ${runIds(project)[0]}`);
    expect(exitCode).toBe(0);
    expect(output('publish')).toBeUndefined();
    expect(project.lockstep('resume').exitCode).toBe(0);
  });

  it('several questions need --step', () => {
    const two = `lockstep: 1
name: two
steps:
  - id: both
    parallel: true
    steps:
      - { id: a, ask: First? }
      - { id: b, ask: Second? }
`;
    expect(pausedAt(two).exitCode).toBe(3);
    const { exitCode, stderr } = project.lockstep('answer', 'yes');
    expect(stderr).toContain('error[question-ambiguous]');
    expect(stderr).toContain('both/a, both/b');
    expect(exitCode).toBe(2);
    // The end of the path is enough.
    expect(project.lockstep('answer', 'yes', '--step', 'b').exitCode).toBe(3);
    expect(project.lockstep('answer', 'yes').exitCode).toBe(0);
  });

  it('a run that is alive in another process goes on there', async () => {
    const beside = `lockstep: 1
name: beside
steps:
  - id: both
    parallel: true
    steps:
      - { id: busy, run: 'until test -f go; do sleep 0.05; done' }
      - { id: asks, ask: Well? }
  - { id: show, run: [echo, '{{ steps.both.output.asks }}'] }
`;
    project = projectWith({ 'w.yaml': beside });
    const run = start(project, 'run', 'w.yaml');
    await run.shows(/Well\?/);
    const { exitCode, stdout } = project.lockstep('answer', 'fine');
    expect(stdout).toContain(`(pid ${run.pid}) goes on`);
    expect(exitCode).toBe(0);
    await until(() => journal(project).some(({ kind }) => kind === 'question-answered'));
    project.write('go', '');
    expect((await run.ended).exitCode).toBe(0);
    expect(output('show')).toBe('fine');
  });

  it('policy.paused_exit is what a paused run exits with', () => {
    expect(pausedAt(ASK.replace('steps:', 'policy: { paused_exit: 44 }\nsteps:')).exitCode).toBe(44);
  });
});

describe('signal', () => {
  it('LS-CLI-SIGNAL: a waiting run gets it, with its data', async () => {
    project = projectWith({ 'w.yaml': WAIT });
    const run = start(project, 'run', 'w.yaml');
    await run.shows(/wait/);
    await until(() => journal(project).some(({ kind }) => kind === 'attempt-started'));
    const { exitCode, stdout } = project.lockstep('signal', 'latest', 'deployed', '--data', '{"url":"x"}');
    expect(stdout).toContain('Sent "deployed" to run');
    expect(exitCode).toBe(0);
    expect((await run.ended).exitCode).toBe(0);
    expect(output('show')).toBe('{"url":"x"}');
  });

  it('LS-CLI-SIGNAL: one that comes while nobody runs it is kept', async () => {
    project = projectWith({ 'w.yaml': WAIT });
    const run = start(project, 'run', 'w.yaml');
    await until(
      () => runIds(project).length > 0 && journal(project).some(({ kind }) => kind === 'attempt-started'),
    );
    run.send('SIGINT');
    await run.ended;
    expect(project.lockstep('signal', 'latest', 'deployed').stdout).toContain('Nobody runs it now');
    const misspelt = project.lockstep('signal', 'latest', 'deploied');
    expect(misspelt.stderr).toContain('Did you mean "deployed"?');
    expect(misspelt.exitCode).toBe(0);
    expect(project.lockstep('resume').exitCode).toBe(0);
    const late = project.lockstep('signal', 'latest', 'deployed');
    expect(late.stderr).toContain('error[run-ended]');
    expect(late.exitCode).toBe(2);
  });
});

describe('cancel', () => {
  it('LS-CLI-CANCEL: the process that runs it ends what runs, and the run with it', async () => {
    project = projectWith({ 'slow.yaml': SLOW });
    const { run, child } = await slowRun();
    const { exitCode, stdout } = project.lockstep('cancel', '--why', 'wrong branch');
    expect(stdout).toMatch(/is cancelled\.\n$/);
    expect(exitCode).toBe(0);
    const ended = await run.ended;
    expect(ended.exitCode).toBe(1);
    expect(ended.output).toContain('cancelled');
    expect(pidIsThere(child)).toBe(false);
    expect(project.lockstep('audit').stdout).toContain('wrong branch');
    expect(project.lockstep('resume').stderr).toContain('error[run-ended]');
  });

  it('LS-CLI-CANCEL: a run that nobody holds is closed at once, and only once', () => {
    project = projectWith({ 'w.yaml': ASK });
    project.lockstep('run', 'w.yaml');
    expect(project.lockstep('cancel').exitCode).toBe(0);
    expect(project.lockstep('runs').stdout).toContain('cancelled');
    expect(existsSync(join(project.root, '.lockstep/runs/latest/blocker.json'))).toBe(false);
    const again = project.lockstep('cancel');
    expect(again.stderr).toContain('error[run-ended]');
    expect(again.exitCode).toBe(2);
  });
});

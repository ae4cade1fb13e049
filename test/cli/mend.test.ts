// `resume --repair`, `--force-restart`, `policy.on_changed: refuse`, a lost state.json: going on where something went wrong
// with the records themselves.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith, runIds } from './started.ts';

const FLOW = `lockstep: 1
name: flow
inputs:
  who: { type: string, default: nobody }
  size: { type: number, default: 1 }
vars: { mood: calm }
steps:
  - { id: first, run: 'echo {{ inputs.who }} >> first.txt' }
  - { id: second, run: 'echo {{ vars.mood }} >> second.txt' }
  - { id: gate, run: [test, -f, go] }
  - { id: last, run: 'echo {{ inputs.size }} >> last.txt' }
`;

let project: Scratch;
afterEach(() => project.remove());

const lines = (file: string) => project.sh(`cat ${file} 2>/dev/null`).stdout.split('\n').filter(Boolean);
const inRun = (name: string, id = runIds(project).at(-1) ?? '') =>
  join(project.root, '.lockstep/runs', id, name);
const state = (id?: string) =>
  JSON.parse(readFileSync(inRun('state.json', id), 'utf8')) as Record<string, unknown>;
/** A run that failed at its gate; now it would pass. */
function failedRun(flow = FLOW, ...options: string[]): string {
  project = projectWith({ 'flow.yaml': flow });
  expect(project.lockstep('run', 'flow.yaml', ...options).exitCode).toBeOneOf([1, 3]);
  project.write('go', '');
  return runIds(project)[0] ?? '';
}
/** A letter inside a string of the line is another one. */
function damageLine(number: number): string {
  const all = readFileSync(inRun('journal.jsonl'), 'utf8').split('\n');
  all[number - 1] = (all[number - 1] ?? '').replace('"kind":"', '"kind":"x');
  writeFileSync(inRun('journal.jsonl'), all.join('\n'));
  return all.slice(number - 1).join('\n');
}

describe('a state.json that is lost', () => {
  it.each([
    ['missing', () => rmSync(inRun('state.json'))],
    ['damaged', () => writeFileSync(inRun('state.json'), '{"run_id": "')],
    ['damaged', () => writeFileSync(inRun('state.json'), '[]')],
  ])('%s: resume says that it was rebuilt, needs no flag, and nothing runs twice', (word, lose) => {
    failedRun();
    lose();
    const { exitCode, stdout } = project.lockstep('resume');
    expect(stdout).toContain(`state.json was ${word} and has been rebuilt from the journal`);
    expect(exitCode).toBe(0);
    expect(state().status).toBe('completed');
    expect(lines('first.txt')).toHaveLength(1);
  });

  it('is not spoken of where nothing is wrong', () => {
    failedRun();
    expect(project.lockstep('resume').stdout).not.toContain('rebuilt');
  });
});

describe('resume --repair', () => {
  it('cuts the journal after its last good entry, keeps the rest, and runs again what was lost', () => {
    const id = failedRun();
    const second = journal(project).findIndex(
      (entry) => entry.kind === 'attempt-finished' && entry.path === 'second',
    );
    const rest = damageLine(second + 1);
    const refused = project.lockstep('resume');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`error[journal-corrupt]`);
    expect(refused.stderr).toContain(`lockstep resume ${id} --repair`);
    const { exitCode, stdout } = project.lockstep('resume', '--repair');
    const aside = inRun('journal.damaged-1.jsonl');
    expect(stdout).toContain(aside);
    expect(stdout).toContain(`from line ${second + 1} on`);
    expect(readFileSync(aside, 'utf8')).toBe(rest);
    expect(exitCode).toBe(0);
    expect(lines('first.txt')).toHaveLength(1);
    expect(lines('second.txt')).toHaveLength(2);
    expect(lines('last.txt')).toHaveLength(1);
    const audit = project.lockstep('audit');
    expect(audit.exitCode).toBe(0);
    for (const told of [audit, project.lockstep('report')])
      expect(told.stdout.replace(/\s+/g, ' ')).toContain(`did not verify from line ${second + 1} on`);
  });

  it('a second repair keeps its own rest', () => {
    failedRun(FLOW.replace('[test, -f, go]', '[test, -f, never]'));
    for (const number of [1, 2]) {
      damageLine(journal(project).length - 1);
      expect(project.lockstep('resume', '--repair').exitCode).toBe(1);
      expect(existsSync(inRun(`journal.damaged-${number}.jsonl`))).toBe(true);
    }
  });

  it('a journal that verifies is left alone; state.json is rebuilt, and it goes on', () => {
    failedRun();
    const { exitCode, stdout } = project.lockstep('resume', '--repair');
    expect(stdout).toContain('verifies');
    expect(exitCode).toBe(0);
    expect(existsSync(inRun('journal.damaged-1.jsonl'))).toBe(false);
  });

  it('a run that is over is repaired, and that is all', () => {
    failedRun();
    project.lockstep('resume');
    writeFileSync(inRun('state.json'), 'rubbish');
    const { exitCode, stdout } = project.lockstep('resume', '--repair');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('The run is completed: there is nothing to go on with.');
    expect(state().status).toBe('completed');
    expect(lines('last.txt')).toHaveLength(1);
  });

  it('nothing left to go on from: says so, and --force-restart takes the inputs from state.json', () => {
    const id = failedRun(FLOW, '--input', 'who=Ada');
    damageLine(1);
    const { exitCode, stderr } = project.lockstep('resume', '--repair');
    expect(stderr).toContain('error[run-empty]');
    expect(stderr).toContain(`lockstep resume ${id} --force-restart`);
    expect(exitCode).toBe(2);
    expect(project.lockstep('resume', id, '--force-restart').exitCode).toBe(0);
    expect(lines('first.txt')).toEqual(['Ada', 'Ada']);
  });
});

describe('a journal that is gone', () => {
  const lost = (...options: string[]) => {
    const id = failedRun(FLOW, '--input', 'who=Ada', '--skip-step', 'second', '--backup-state', ...options);
    rmSync(inRun('journal.jsonl', id));
    return id;
  };

  it('is told by resume and --repair, which name --force-restart; runs lists the run as damaged', () => {
    const id = lost();
    for (const argv of [['resume', id], ['resume', id, '--repair'], ['resume']]) {
      const { exitCode, stderr } = project.lockstep(...argv);
      expect(stderr).toContain(`error[journal-gone] run ${id} has lost its journal.jsonl`);
      expect(stderr).toContain(`lockstep resume ${id} --force-restart`);
      expect(exitCode).toBe(2);
    }
    expect(project.lockstep('runs', '--status', 'damaged').stdout).toMatch(
      new RegExp(`${id} +flow +damaged`),
    );
    rmSync(inRun('state.json', id));
    expect(project.lockstep('runs').stdout).toMatch(new RegExp(`${id} +\\? +damaged`));
    expect(lines('first.txt')).toEqual(['Ada']);
  });

  it.each<[string, (id: string) => void, RegExp]>([
    ['state.json', () => {}, /with the context that state\.json records: the journal of run \S+ is gone/],
    [
      'the newest backup',
      (id) => writeFileSync(inRun('state.json', id), '{'),
      /that state\.json\.step_gate\.bak records/,
    ],
    [
      'the newest backup that is whole',
      (id) => {
        rmSync(inRun('state.json', id));
        writeFileSync(inRun('state.json.step_gate.bak', id), '{}');
      },
      /that state\.json\.step_first\.bak records/,
    ],
  ])('--force-restart starts anew with the context of %s, and what was skipped', (_, damage, told) => {
    const id = lost();
    damage(id);
    const { exitCode, stdout } = project.lockstep('resume', id, '--force-restart');
    expect(stdout).toMatch(told);
    expect(exitCode).toBe(0);
    expect(lines('first.txt')).toEqual(['Ada', 'Ada']);
    expect(lines('second.txt')).toEqual([]);
    expect(state().context).toEqual({ who: 'Ada', size: 1, mood: 'calm' });
  });

  it('--force-restart of one step is that step', () => {
    project = projectWith({ 'flow.yaml': FLOW });
    expect(project.lockstep('run-step', 'gate', '--workflow', 'flow.yaml').exitCode).toBe(1);
    rmSync(inRun('journal.jsonl'));
    project.write('go', '');
    expect(project.lockstep('resume', '--force-restart').exitCode).toBe(0);
    expect(lines('first.txt')).toEqual([]);
  });

  it('clean removes the run by its age, paused or not', () => {
    const id = lost('--on-error', 'interactive');
    expect(project.lockstep('clean', '--older-than', '1d').stdout).not.toContain(id);
    expect(project.lockstep('clean', '--older-than', '0d').stdout).toContain(id);
    expect(runIds(project)).toEqual([]);
  });
});

describe('a workflow.json that is lost', () => {
  it.each([
    ['gone', () => rmSync(inRun('workflow.json'))],
    ['changed', () => appendFileSync(inRun('workflow.json'), ' ')],
  ])('%s: resume is refused and names --force-restart, which starts anew', (_, lose) => {
    const id = failedRun(FLOW, '--input', 'who=Ada');
    lose();
    const { stderr } = project.lockstep('resume');
    expect(stderr).toContain('error[workflow-pin-broken]');
    expect(stderr).toContain(`lockstep resume ${id} --force-restart`);
    expect(project.lockstep('resume', id, '--force-restart').exitCode).toBe(0);
    expect(lines('first.txt')).toEqual(['Ada', 'Ada']);
  });
});

describe('a workspace that is elsewhere', () => {
  const CAREFUL = FLOW.replace('steps:', 'policy: { on_changed: refuse }\nsteps:');
  const there = () => join(project.root, '../there');

  it.each([
    ['copied', FLOW, 'cp -a . ../there', 'works in ROOT, and this is a copy of it, in THERE'],
    ['moved', FLOW, 'mv ../project ../there', 'worked in ROOT, and lies in THERE now'],
    ['moved', CAREFUL, 'mv ../project ../there', 'worked in ROOT, and lies in THERE now'],
  ])('%s: resume is refused, and names both folders', (_, flow, line, words) => {
    const id = failedRun(flow, '--input', 'who=Ada');
    const root = realpathSync(project.root);
    for (const how of [line, 'true']) {
      const { exitCode, stderr } = project.sh(`${how} && cd ../there && lockstep resume`);
      expect(stderr).toContain(
        `error[workspace-moved] run ${id} ${words.replace('ROOT', root).replace('THERE', realpathSync(there()))}`,
      );
      expect(exitCode).toBe(2);
      // Another folder in the old place changes nothing.
      mkdirSync(project.root, { recursive: true });
      expect(existsSync(join(project.root, 'last.txt'))).toBe(false);
    }
    const anew = project.sh('cd ../there && lockstep resume --force-restart');
    expect(anew.exitCode).toBe(0);
    expect(anew.stdout).toContain('starts flow.yaml anew');
    expect(lines('../there/first.txt')).toEqual(['Ada', 'Ada']);
    expect(lines('../there/last.txt')).toEqual(['1']);
    expect(existsSync(join(project.root, 'last.txt'))).toBe(false);
  });

  it('by a link in its old place it goes on, and through another name of the same folder', () => {
    failedRun(CAREFUL);
    project.sh('mv ../project ../there');
    symlinkSync(there(), project.root);
    expect(project.sh('cd ../there && lockstep resume').exitCode).toBe(0);
    expect(lines('first.txt')).toHaveLength(1);
  });

  it('runs that are kept elsewhere may be put elsewhere', () => {
    project = projectWith({ 'flow.yaml': FLOW });
    expect(project.lockstep('run', 'flow.yaml', '--state-dir', '../kept').exitCode).toBe(1);
    project.write('go', '');
    expect(project.sh('mv ../kept ../else && lockstep resume --state-dir ../else').exitCode).toBe(0);
    expect(lines('last.txt')).toEqual(['1']);
  });
});

describe('resume --force-restart', () => {
  it('is a new run of the file as it is now, with what the old one was given; both are named', () => {
    const id = failedRun(FLOW, '--input', 'who=Ada', '--var', 'mood=merry');
    project.write('flow.yaml', FLOW.replace('default: 1', 'default: 2'));
    const { exitCode, stdout } = project.lockstep('resume', '--force-restart');
    const [, fresh = ''] = runIds(project);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `Run ${fresh} starts flow.yaml anew, as it is now, with the inputs of run ${id}`,
    );
    expect(state(id).status).toBe('failed');
    expect(lines('first.txt')).toEqual(['Ada', 'Ada']);
    expect(lines('second.txt')).toEqual(['merry', 'merry']);
    // Nobody had given a size: the file's own default of now holds.
    expect(lines('last.txt')).toEqual(['2']);
  });

  it('keeps context that is not declared, skips, and a script', () => {
    project = projectWith({
      'ask.yaml': `lockstep: 1
name: ask
steps:
  - { id: out, run: 'echo out >> out.txt' }
  - { id: ask, prompt: { text: Hi. }, done: { run: [test, -f, go], tries: 1 } }
`,
      's.yaml': 'answers: { "*": { text: ok } }\n',
    });
    const argv = ['ask.yaml', '--script', 's.yaml', '--skip-step', 'out', '--context', 'ticket=7'];
    expect(project.lockstep('run', ...argv).exitCode).toBe(3);
    project.write('go', '');
    rmSync(join(project.root, 's.yaml'));
    expect(project.lockstep('resume', '--force-restart').exitCode).toBe(0);
    expect(lines('out.txt')).toEqual([]);
    expect(state().context).toEqual({ ticket: '7' });
  });

  it('inputs that the changed file no longer accepts are wrong input, and no run is made', () => {
    failedRun(FLOW, '--input', 'size=5');
    project.write(
      'flow.yaml',
      FLOW.replace(
        'size: { type: number, default: 1 }',
        'size: { type: number, default: 1, choices: [1, 2] }',
      ),
    );
    const { exitCode, stderr } = project.lockstep('resume', '--force-restart');
    expect(stderr).toContain('error[input-invalid]');
    expect(exitCode).toBe(2);
    project.write('flow.yaml', 'lockstep: 1\n');
    expect(project.lockstep('resume', '--force-restart').exitCode).toBe(2);
    rmSync(join(project.root, 'flow.yaml'));
    expect(project.lockstep('resume', '--force-restart').exitCode).toBe(2);
    expect(runIds(project)).toHaveLength(1);
  });

  it('S3: an input that held a secret is not on record, so it must be given again', () => {
    project = projectWith({
      'flow.yaml': FLOW.replace('id: first,', 'id: first, secrets: [TOKEN],'),
    });
    project.env.TOKEN = 'hunter2-and-more';
    expect(project.lockstep('run', 'flow.yaml', '--input', 'who=hunter2-and-more').exitCode).toBe(1);
    const { exitCode, stderr } = project.lockstep('resume', '--force-restart');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('`who` held a secret');
    expect(runIds(project)).toHaveLength(1);
  });

  it('of a completed run, and from another folder of the project', () => {
    failedRun();
    expect(project.lockstep('resume').exitCode).toBe(0);
    const { exitCode } = project.sh('mkdir -p deep/er && cd deep/er && lockstep resume --force-restart');
    expect(exitCode).toBe(0);
    expect(lines('last.txt')).toHaveLength(2);
  });
});

describe('policy.on_changed: refuse', () => {
  const CAREFUL = FLOW.replace('steps:', 'policy: { on_changed: refuse }\nsteps:');
  const hash = () => project.sh('sha256sum flow.yaml').stdout.slice(0, 64);

  it('refuses to go on with a changed file, with both checksums; put back, it goes on', () => {
    const id = failedRun(CAREFUL);
    const before = hash();
    project.write('flow.yaml', `${CAREFUL}# a note\n`);
    for (const argv of [['resume'], ['resume', '--repair']]) {
      const { exitCode, stderr } = project.lockstep(...argv);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`sha256:${before}`);
      expect(stderr).toContain(`sha256:${hash()}`);
      expect(stderr).toContain(`lockstep resume ${id} --force-restart`);
    }
    project.write('flow.yaml', CAREFUL);
    expect(project.lockstep('resume').exitCode).toBe(0);
    expect(lines('first.txt')).toHaveLength(1);
  });

  it('refuses where the file is gone, and finds it from another folder', () => {
    failedRun(CAREFUL);
    project.sh('mv flow.yaml away.yaml');
    expect(project.lockstep('resume').stderr).toContain('cannot be read now');
    project.sh('mv away.yaml flow.yaml');
    expect(project.sh('mkdir deep && cd deep && lockstep resume').exitCode).toBe(0);
  });

  it('without it what was pinned runs on, whatever has become of the file (S2)', () => {
    failedRun();
    appendFileSync(join(project.root, 'flow.yaml'), '# a note\n');
    expect(project.lockstep('resume').exitCode).toBe(0);
  });
});

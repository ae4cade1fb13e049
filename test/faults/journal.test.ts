// Something changes the journal under a run of the real command, by the means that people and programs have. The run stops
// before its next step, nothing it recorded is lost, and no finished step ever runs twice.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHead } from '../../src/stores/file/journal-head.ts';
import { endStarted, type Started, start, until } from '../cli/started.ts';
import { type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch();
  project.write('slow.yaml', SLOW);
});
afterEach(() => {
  endStarted();
  project.remove();
});

/** `attacked` does what the test has put there for it; else it says that it runs, and waits for the test. */
const SLOW = `lockstep: 1
name: slow
steps:
  - { id: first, run: echo first >> ../effects }
  - { id: publish, run: echo publish >> ../effects }
  - id: attacked
    run: |
      echo attacked >> ../effects
      test ! -e ../attack || exec sh ../attack
      touch ../waiting
      while [ ! -e ../go ]; do sleep 0.01; done
  - { id: last, run: echo last >> ../effects }
`;

const place = (name: string) => join(project.root, '..', name);
const effects = () =>
  readFileSync(join(dirname(project.root), 'effects'), 'utf8')
    .trim()
    .split('\n');
const runs = () => join(project.root, '.lockstep/runs');
const latest = () => basename(realpathSync(join(runs(), 'latest')));
const inRun = (name: string, id = latest()) => join(runs(), id, name);
const BEFORE = ['first', 'publish', 'attacked'];
const ALL = [...BEFORE, 'last'];

/** A run that is in the middle of its third step, and its id. */
async function underWay(): Promise<{ run: Started; id: string }> {
  const run = start(project, 'run', 'slow.yaml');
  let isOver = false;
  void run.ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || existsSync(place('waiting')));
  expect(isOver, run.output()).toBe(false);
  return { run, id: latest() };
}

/**
 * The third step does it in the folder of the run. When it is resumed, it does nothing. `lockstep`: how the command is
 * started; a copy of its lease holds only as long as its process lives.
 */
function attack(
  line: string,
  lockstep = project.lockstep,
): { id: string; output: string; exitCode: number | null } {
  const base = dirname(project.root);
  writeFileSync(
    place('attack'),
    `echo > ${base}/attack; ID=$(readlink .lockstep/runs/latest); echo "$ID" > ${base}/id
cd ".lockstep/runs/$ID" && ${line} && touch ${base}/done\n`,
  );
  const { exitCode, stdout, stderr } = lockstep('run', 'slow.yaml');
  const output = stdout + stderr;
  expect(existsSync(place('done')), output).toBe(true);
  return { id: readFileSync(place('id'), 'utf8').trim(), output, exitCode };
}

const attacks: { name: string; line: string; says: RegExp; copiesLease?: boolean }[] = [
  { name: 'sed -i', line: `sed -i 's/nothing-like-this//' journal.jsonl`, says: /replaced by another file/ },
  {
    name: 'a copy moved over it',
    line: 'cp journal.jsonl j && mv j journal.jsonl',
    says: /replaced by another file/,
  },
  {
    name: 'an editor that keeps a backup',
    line: 'mv journal.jsonl journal.jsonl~ && cp journal.jsonl~ journal.jsonl',
    says: /replaced by another file/,
  },
  { name: 'truncate to nothing', line: 'truncate -s 0 journal.jsonl', says: /was cut from \d+ to 0 bytes/ },
  {
    name: 'truncate at the end of a line',
    line: 'truncate -s "$(head -n 2 journal.jsonl | wc -c)" journal.jsonl',
    says: /was cut from \d+ to \d+ bytes/,
  },
  { name: 'truncate in the middle of a line', line: 'truncate -s -7 journal.jsonl', says: /was cut from/ },
  { name: '> journal.jsonl', line: ': > journal.jsonl', says: /was cut from/ },
  {
    name: 'tee with a shorter text',
    line: 'echo gone | tee journal.jsonl > /dev/null',
    says: /was cut from/,
  },
  { name: 'rm', line: 'rm journal.jsonl', says: /journal\.jsonl was deleted/ },
  {
    name: 'rm and a new file',
    line: 'rm journal.jsonl && touch journal.jsonl',
    says: /replaced by another file/,
  },
  {
    name: 'mv within the folder',
    line: 'mv journal.jsonl old',
    says: /journal\.jsonl was moved or renamed to .*\/old/,
  },
  {
    name: 'mv to another folder',
    line: 'mv journal.jsonl ../../../../taken',
    says: /was moved or renamed to .*\/taken/,
  },
  {
    name: 'dd over its middle',
    line: 'printf X | dd of=journal.jsonl bs=1 seek=40 conv=notrunc status=none',
    says: /journal\.jsonl was overwritten/,
  },
  {
    name: 'dd over its last line',
    line: 'printf X | dd of=journal.jsonl bs=1 seek=$(( $(wc -c < journal.jsonl) - 9 )) conv=notrunc status=none',
    says: /journal\.jsonl was overwritten/,
  },
  {
    name: 'the same bytes in other order',
    line: 'tac journal.jsonl > j && cat j > journal.jsonl',
    says: /journal\.jsonl was (overwritten|cut)/,
  },
  { name: '>>', line: 'echo "{}" >> journal.jsonl', says: /3 bytes were appended to journal\.jsonl/ },
  {
    name: 'truncate to a greater size',
    line: 'truncate -s +100 journal.jsonl',
    says: /100 bytes were appended/,
  },
  { name: 'ln', line: 'ln journal.jsonl second', says: /second name \(a hard link\)/ },
  {
    name: 'a symlink to a copy',
    line: 'mv journal.jsonl j && cp j k && ln -s k journal.jsonl',
    says: /replaced by a symlink/,
  },
  {
    name: 'a symlink to the file itself',
    line: 'mv journal.jsonl j && ln -s j journal.jsonl',
    says: /replaced by a symlink/,
  },
  { name: 'a folder in its place', line: 'rm journal.jsonl && mkdir journal.jsonl', says: /not a file/ },
  {
    name: 'a rescued journal planted before',
    line: 'ln -s /etc/passwd journal.rescued.jsonl && rm journal.jsonl',
    says: /journal\.jsonl was deleted/,
  },
  {
    name: 'a folder planted in the place of the rescued journal',
    line: 'mkdir -p journal.rescued.jsonl/x .journal.rescued.jsonl.tmp/x && rm journal.jsonl',
    says: /journal\.jsonl was deleted/,
  },
  {
    name: 'the lease deleted with it',
    line: 'rm -r journal.jsonl lease',
    says: /journal\.jsonl was deleted/,
  },
  { name: 'everything in the folder', line: 'rm -rf ./* ./.j*', says: /journal\.jsonl was deleted/ },
  { name: 'the folder of the run', line: 'rm -rf "$PWD"', says: /the folder .* was deleted/ },
  { name: 'the folder of all runs', line: 'cd ../.. && rm -rf runs', says: /the folder .* was deleted/ },
  {
    name: 'a copy of the folder in its place',
    line: 'cd .. && cp -r $ID copy && mv $ID ../moved && mv copy $ID',
    copiesLease: true,
    says: /replaced by another file/,
  },
  {
    name: 'an empty folder in its place',
    line: 'cd .. && mv $ID ../moved && mkdir $ID',
    says: /journal\.jsonl was moved or renamed to .*\/moved\/journal\.jsonl/,
  },
];

describe('the journal is changed while a run is going on', () => {
  it.each(attacks)('SEC-JOURNAL-STOP: $name', ({ line, says, copiesLease }) => {
    const { id, output, exitCode } = attack(line, copiesLease ? project.spawned : project.lockstep);
    expect(exitCode, output).toBe(1);
    expect(output).toContain('error[journal-changed]');
    expect(output).toMatch(says);
    expect(output).not.toContain('taken over');
    expect(output).not.toContain('completed');
    expect(effects()).toEqual(BEFORE);
    const rescued = inRun('journal.rescued.jsonl', id);
    expect(output).toContain(rescued);

    // Without being told to, nobody goes on: the message names the file.
    const refused = project.lockstep('resume', id);
    expect(refused.exitCode, refused.stdout + refused.stderr).toBe(1);
    expect(refused.stderr).toContain('error[journal-rescued]');
    expect(refused.stderr).toContain(rescued);
    expect(effects()).toEqual(BEFORE);

    const resumed = project.lockstep('resume', id, '--rescued');
    expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
    expect(effects()).toEqual(ALL);
    expect(existsSync(rescued)).toBe(false);
  });

  it('SEC-JOURNAL-REFUSED: no other way leads past the rescued journal, and the lease was given back', () => {
    const { id } = attack('rm journal.jsonl');
    for (const argv of [
      ['resume', id, '--repair'],
      ['run', '--resume', id],
    ]) {
      const refused = project.lockstep(...argv);
      expect(refused.exitCode, refused.stdout + refused.stderr).toBe(1);
      expect(refused.stderr).toContain('error[journal-rescued]');
    }
    const status = project.lockstep('status', id);
    expect(status.stderr).toContain('error[journal-gone]');
    expect(status.stderr).toContain(`lockstep resume ${id} --rescued`);
    // It is not swept away as one that nobody can go on with.
    expect(project.lockstep('clean', '--older-than', '0m').stdout).toContain('Kept 1 run');
    expect(project.sh(`cat .lockstep/runs/${id}/lease/*`).stdout).toBe('');
    expect(effects()).toEqual(BEFORE);
    const audit = project.lockstep('audit', id, '--rescued', '--json');
    expect(audit.exitCode, audit.stderr).toBe(0);
    expect(JSON.parse(audit.stdout)).toMatchObject({ run: id, verified: true, torn: 0 });
    const resumed = project.lockstep('resume', id, '--rescued');
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(project.lockstep('audit', id).exitCode).toBe(0);
    expect(project.lockstep('resume', id).stderr).toContain('error[run-ended]');
    expect(project.lockstep('resume', id, '--rescued').stderr).toContain('error[nothing-rescued]');
  });

  it('SEC-JOURNAL-ASIDE: what lay in the place of the journal is kept when the rescued one takes it', () => {
    const { id } = attack('echo foreign >> journal.jsonl');
    const resumed = project.lockstep('resume', id, '--rescued');
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain(inRun('journal.damaged-1.jsonl', id));
    expect(readFileSync(inRun('journal.damaged-1.jsonl', id), 'utf8')).toMatch(/foreign\n$/);
  });

  it('SEC-JOURNAL-LAST: changed during the last step, the run does not say that it completed', () => {
    project.write('slow.yaml', SLOW.replace(/ {2}- \{ id: last.*\n/, ''));
    const { id, output, exitCode } = attack('rm journal.jsonl');
    expect(exitCode, output).toBe(1);
    expect(output).toContain('error[journal-changed]');
    const resumed = project.lockstep('resume', id, '--rescued');
    expect(resumed.stdout, resumed.stderr).toContain('The run is completed: there is nothing to go on with.');
    expect(effects()).toEqual(BEFORE);
  });

  it('SEC-JOURNAL-LEASE: a deleted lease is told as what it is, and nothing is lost', () => {
    const { id, output, exitCode } = attack('rm -r lease');
    expect(exitCode, output).toBe(1);
    expect(output).toContain('error[lease-lost]');
    expect(output).toContain('its file in lease/ was deleted');
    expect(output).not.toContain('taken over');
    expect(project.lockstep('resume', id).stderr).toContain('error[journal-rescued]');
    expect(project.lockstep('resume', id, '--rescued').exitCode).toBe(0);
    expect(effects()).toEqual(ALL);
  });

  it('SEC-JOURNAL-HONEST: what leaves every byte as it was stops nothing', () => {
    const { output, exitCode } = attack(
      [
        'cat journal.jsonl > /dev/null',
        'cp journal.jsonl ../../../../copy',
        'chmod 600 journal.jsonl',
        'touch journal.jsonl',
        'touch -d yesterday journal.jsonl',
        'head -c 40 journal.jsonl > ../../../../start && dd if=../../../../start of=journal.jsonl conv=notrunc status=none',
        'ln journal.jsonl l && rm l',
        'mv journal.jsonl j && mv j journal.jsonl',
        'cd .. && mv $ID m && mv m $ID && tar -cf ../../../runs.tar .',
      ].join(' && '),
    );
    expect(exitCode, output).toBe(0);
    expect(effects()).toEqual(ALL);
    expect(project.lockstep('audit').exitCode).toBe(0);
  });

  it('SEC-JOURNAL-HELD: clean leaves the folder of a run alone while it goes on', async () => {
    const { run } = await underWay();
    expect(project.lockstep('clean', '--older-than', '0m', '--paused').stdout).toContain('it is running');
    writeFileSync(place('go'), '');
    expect((await run.ended).exitCode, run.output()).toBe(0);
    expect(effects()).toEqual(ALL);
  });
});

describe('the folder is moved while a run is going on', () => {
  it.each([
    { what: 'the project', there: 'cd ../../.. && mv ../project ../away', back: 'mv away project' },
    {
      what: 'the folder of all runs',
      there: 'cd ../.. && mv runs away',
      back: 'cd project/.lockstep && mv away runs',
    },
    {
      what: 'the folder of the run',
      there: 'cd .. && mv $ID ../away',
      back: 'cd project/.lockstep && mv away runs/$ID',
    },
    {
      what: 'a link to the runs leads elsewhere',
      there: 'cd ../.. && mv runs away && mkdir other && ln -s other runs',
      back: 'cd project/.lockstep && rm runs && mv away runs',
    },
  ])('SEC-JOURNAL-MOVED: $what', async ({ there, back }) => {
    const { run, id } = await underWay();
    project.sh(`ID=${id}; cd .lockstep/runs/${id} && ${there}`);
    expect(existsSync(inRun('journal.jsonl', id))).toBe(false);
    const base = dirname(project.root);
    writeFileSync(join(base, 'go'), '');
    const { exitCode, output } = await run.ended;
    expect(exitCode, output).toBe(1);
    expect(output).toContain('error[journal-changed]');
    expect(output).toMatch(/the folder .* was moved or renamed to .*away/);
    expect(output).toContain('is complete');
    // Nothing is made anew where it was.
    expect(existsSync(inRun('', id))).toBe(false);
    execFileSync('sh', ['-c', `ID=${id}; ${back}`], { cwd: base });
    const resumed = project.lockstep('resume', id);
    expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
    expect(effects()).toEqual(ALL);
    expect(existsSync(inRun('journal.rescued.jsonl', id))).toBe(false);
  });
});

describe('the journal is changed while no process holds the run', () => {
  /** A run that was killed in its third step. */
  async function killed(): Promise<string> {
    const { run, id } = await underWay();
    // How far the journal has come is noted a moment after its last line.
    const entries = () => readFileSync(inRun('journal.jsonl', id), 'utf8').split('\n').length - 1;
    await until(() => readHead(inRun('journal.head', id))?.n === entries());
    run.send('SIGKILL');
    await run.ended;
    writeFileSync(place('go'), '');
    return id;
  }

  it.each([
    {
      what: 'cut at the end of a line',
      line: 'truncate -s "$(head -n 3 journal.jsonl | wc -c)" journal.jsonl',
    },
    { what: 'cut by one line', line: `sed -i '$ d' journal.jsonl` },
    { what: 'cut to nothing', line: ': > journal.jsonl' },
    { what: 'cut within a line', line: 'truncate -s -7 journal.jsonl' },
  ])('SEC-JOURNAL-CUT: $what: resume refuses, audit says it, and only --repair goes on', async ({ line }) => {
    const id = await killed();
    expect(project.sh(`cd .lockstep/runs/${id} && ${line}`).exitCode).toBe(0);
    const refused = project.lockstep('resume', id);
    expect(refused.exitCode, refused.stdout).toBe(1);
    expect(refused.stderr).toContain('error[journal-not-whole]');
    expect(refused.stderr).toMatch(/\d+ entries were on the disk, and it ends after \d+/);
    expect(refused.stderr).toContain(`lockstep resume ${id} --repair`);
    expect(effects()).toEqual(BEFORE);
    if (line.startsWith(':')) return; // there is nothing to audit or repair
    const audit = project.lockstep('audit', id);
    expect(audit.exitCode).toBe(1);
    expect(audit.stdout).toContain('Not all that was recorded');
    expect(project.lockstep('answer', id, 'yes').stderr).toContain('error[journal-not-whole]');
    const repaired = project.lockstep('resume', id, '--repair');
    expect(repaired.exitCode, repaired.stderr).toBe(0);
    expect(repaired.stdout).toContain('What was lost runs again.');
    expect(project.lockstep('audit', id).exitCode).toBe(0);
  });

  it('SEC-JOURNAL-CUT: one that was written anew as a whole is not taken for the one that was recorded', async () => {
    const id = await killed();
    const forge = `
      const { createHash } = require('node:crypto');
      const { readFileSync, writeFileSync } = require('node:fs');
      let previous = '${id}';
      const lines = readFileSync('journal.jsonl', 'utf8').trimEnd().split('\\n').map((line) => {
        const head = line.slice(0, line.lastIndexOf(',"h":"')).replace('"workflow":"slow"', '"workflow":"evil"');
        previous = createHash('sha256').update(previous + head).digest('hex').slice(0, 32);
        return head + ',"h":"' + previous + '"}\\n';
      });
      writeFileSync('journal.jsonl', lines.join(''));`;
    execFileSync(process.execPath, ['-e', forge], { cwd: inRun('', id) });
    const refused = project.lockstep('resume', id);
    expect(refused.exitCode, refused.stdout).toBe(1);
    expect(refused.stderr).toContain('error[journal-not-whole]');
    expect(refused.stderr).toContain('the file is another one');
    expect(effects()).toEqual(BEFORE);
  });

  it('SEC-JOURNAL-CUT: a killed run whose journal is whole resumes as ever, with or without the note', async () => {
    const id = await killed();
    project.sh(`rm .lockstep/runs/${id}/journal.head`);
    const resumed = project.lockstep('resume', id);
    expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
    expect(effects()).toEqual([...BEFORE, 'attacked', 'last']);
  });
});

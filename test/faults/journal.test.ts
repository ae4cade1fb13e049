// Something changes the journal under a run of the real command, by the means that people and programs have. The run stops
// before its next step, nothing it recorded is lost, and no finished step ever runs twice.

import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endAll, type Started, start } from '../cli/started.ts';
import { type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
  project.write('slow.yaml', SLOW);
});
afterEach(() => {
  endAll();
  project.remove();
});

/** `attacked` says that it runs, then waits until the test has done its worst. */
const SLOW = `lockstep: 1
name: slow
steps:
  - { id: first, run: echo first >> ../effects }
  - { id: publish, run: echo publish >> ../effects }
  - id: attacked
    run: |
      echo attacked >> ../effects
      touch ../waiting
      while [ ! -e ../go ]; do sleep 0.01; done
  - { id: last, run: echo last >> ../effects }
`;

const place = (name: string) => join(project.root, '..', name);
const effects = () => readFileSync(place('effects'), 'utf8').trim().split('\n');
const runs = () => join(project.root, '.lockstep/runs');
const latest = () => basename(realpathSync(join(runs(), 'latest')));
const inRun = (name: string, id = latest()) => join(runs(), id, name);

/** A run that is in the middle of its third step, and its id. */
async function underWay(): Promise<{ run: Started; id: string }> {
  const run = start(project, 'run', 'slow.yaml');
  void run.ended;
  while (!existsSync(place('waiting'))) {
    if ((await Promise.race([run.ended, soon()])) !== undefined) throw new Error(run.output());
  }
  return { run, id: latest() };
}
const soon = () => new Promise<undefined>((resolve) => setTimeout(resolve, 5, undefined));

/** Does it in the folder of the run while the third step runs, lets the step end, and waits for the command. */
async function attack(line: string): Promise<{ id: string; output: string; exitCode: number | null }> {
  const { run, id } = await underWay();
  const done = project.sh(`cd .lockstep/runs/${id} && ${line}`);
  expect(done.exitCode, done.stderr).toBe(0);
  project.sh('touch ../go');
  return { id, ...(await run.ended) };
}

const attacks: { name: string; line: string; says: RegExp }[] = [
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
  { name: 'the folder of all runs', line: 'rm -rf "$PWD/.."', says: /the folder .* was deleted/ },
  {
    name: 'a copy of the folder in its place',
    line: 'cp -r "$PWD" ../copy && mv "$PWD" ../../moved && mv ../../copy "$OLDPWD/.lockstep/runs/$(basename "$PWD")" 2> /dev/null || (cd ../../.. && mv .lockstep/runs/copy ".lockstep/runs/$(ls .lockstep/moved/lease > /dev/null && readlink .lockstep/runs/latest)")',
    says: /replaced by another file/,
  },
];

describe('the journal is changed while a run is going on', () => {
  it.each(attacks)(
    'SEC-JOURNAL-STOP: $name: the run stops, nothing is lost, and nothing runs twice',
    async ({ line, says }) => {
      const { id, output, exitCode } = await attack(line);
      expect(exitCode, output).toBe(1);
      expect(output).toContain('error[journal-changed]');
      expect(output).toMatch(says);
      expect(output).not.toContain('taken over');
      expect(output).not.toContain('completed');
      expect(effects()).toEqual(['first', 'publish', 'attacked']);
      const rescued = inRun('journal.rescued.jsonl', id);
      expect(output).toContain(rescued);

      // Without being told to, nobody goes on: the message names the file.
      for (const argv of [
        ['resume', id],
        ['resume', id, '--repair'],
        ['run', '--resume', id],
      ]) {
        const refused = project.lockstep(...argv);
        expect(refused.exitCode, refused.stdout + refused.stderr).toBe(1);
        expect(refused.stderr).toContain('error[journal-rescued]');
        expect(refused.stderr).toContain(rescued);
      }
      expect(effects()).toEqual(['first', 'publish', 'attacked']);

      const audit = project.lockstep('audit', id, '--rescued', '--json');
      expect(audit.exitCode, audit.stderr).toBe(0);
      expect(JSON.parse(audit.stdout)).toMatchObject({ run: id, verified: true, torn: 0 });

      const resumed = project.lockstep('resume', id, '--rescued');
      expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
      expect(effects()).toEqual(['first', 'publish', 'attacked', 'last']);
      expect(existsSync(rescued)).toBe(false);
      expect(project.lockstep('audit', id).exitCode).toBe(0);
      expect(project.lockstep('resume', id).stderr).toContain('error[run-ended]');
    },
  );
});

// Every entry of a run's folder is replaced by a link to something of the user's, and every command is run on it. Whatever
// the commands answer: what the links lead to stays as it was, to the byte and to the second.

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { tries } from '../support/tries.ts';

const FLOW = `lockstep: 1
name: flow
steps:
  - id: write
    prompt: { text: Write it. }
    done: { run: "echo 12 passed", approve: Is this right? }
  - { id: publish, run: echo published }
`;

let project: Scratch;
let id: string;
let parts: string[];
const place = (name: string) => join(dirname(project.root), name);
const sh = (line: string): string => {
  const { exitCode, stdout, stderr } = project.sh(line);
  expect(exitCode, `${line}\n${stderr}`).toBe(0);
  return stdout;
};

beforeAll(() => {
  project = scratch({ git: true });
  project.write('flow.yaml', FLOW);
  project.write('script.yaml', 'answers: { write: { text: Done., write: { a.txt: "a" } } }\n');
  sh('git add -A && git commit -qm start');
  expect(project.lockstep('run', 'flow.yaml', '--script', 'script.yaml').exitCode).toBe(3);
  id = basename(realpathSync(join(project.root, '.lockstep/runs/latest')));
  const folder = join(project.root, '.lockstep/runs', id);
  project.sh(`mkdir -p ${folder}/inbox/bad`);
  parts = [...readdirSync(folder), 'inbox/bad', 'trees/objects', 'lease/1'];
  sh(`cp -a ${folder} ${place('kept')}`);
}, 120_000);
afterAll(() => project.remove());

/** Those that write come as if each were the first. */
const COMMANDS = [
  'status ID',
  'audit ID',
  'report ID',
  'logs ID',
  'signal ID go',
  'answer ID approve',
  'resume ID',
  'cancel ID',
  'resume ID --repair',
  'clean --older-than 0s --paused',
];

/** Two kinds: what a thief would like to have destroyed, and a copy that would do as well as the original. */
function attack(victim: 'foreign' | 'copy'): void {
  for (const [index, part] of parts.entries()) {
    // CI tries every part both ways.
    if ((index + (victim === 'copy' ? 1 : 0)) % tries(1, 2) !== 0) continue;
    sh(`rm -rf .lockstep/runs ${place('victim')}; mkdir -p .lockstep/runs ${place('victim')}
cp -a ${place('kept')} .lockstep/runs/${id}; ln -s ${id} .lockstep/runs/latest`);
    const path = `.lockstep/runs/${id}/${part}`;
    const target = `${place('victim')}/it`;
    if (victim === 'copy') sh(`cp -a ${path} ${target}`);
    else
      sh(`if [ -d ${path} ]; then mkdir -p ${target}/objects ${target}/bad; for f in HEAD config id_rsa 1 journal.jsonl objects/x bad/y; do echo keepme > ${target}/$f; done
else echo keepme > ${target}; fi`);
    sh(`rm -rf ${path} && ln -s ${target} ${path}`);
    // Times of reading change, no others do.
    const look = () =>
      sh(
        `cd ${place('victim')} && find . -printf '%p %y %m %s %T@ %C@ %n\\n' | sort && find . -type f | sort | xargs cat`,
      );
    const before = look();
    for (const command of COMMANDS) project.lockstep(...command.replace('ID', id).split(' '));
    expect(look(), part).toBe(before);
  }
}

describe('SEC-LINKS: links in the place of what a run is made of', () => {
  it('a foreign file or folder stays as it was, whatever command comes', () => attack('foreign'), 600_000);
  it('so does a copy of the original', () => attack('copy'), 600_000);

  it('a file with a second name is not written through that name', () => {
    sh(`rm -rf .lockstep/runs; mkdir -p .lockstep/runs; cp -a ${place('kept')} .lockstep/runs/${id}`);
    const folder = `.lockstep/runs/${id}`;
    sh(`echo keepme > ${place('mine')}; rm ${folder}/journal.head; ln ${place('mine')} ${folder}/journal.head
for f in $(find ${folder}/logs -type f); do rm $f; ln ${place('mine')} $f; done`);
    project.lockstep('answer', id, 'approve');
    expect(readFileSync(place('mine'), 'utf8')).toBe('keepme\n');
  });

  it('the message names what was replaced', () => {
    for (const part of ['lease', 'journal.jsonl']) {
      sh(`rm -rf .lockstep/runs; mkdir -p .lockstep/runs; cp -a ${place('kept')} .lockstep/runs/${id}
cd .lockstep/runs/${id} && mv ${part} ${place('elsewhere')}-${part} && ln -s ${place('elsewhere')}-${part} ${part}`);
      const { exitCode, stderr } = project.lockstep('resume', id);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('error[run-part-replaced]');
      expect(stderr).toContain(`/${id}/${part} was replaced: it is a symlink`);
    }
    sh(`cd .lockstep/runs && rm -rf ${id} && ln -s ${place('kept')} ${id}`);
    expect(project.lockstep('status', id).stderr).toContain(`/${id} was replaced: it is a symlink`);
  });
});

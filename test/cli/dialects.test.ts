// Workflows in a dialect, on the command line: told by their shape or by --dialect, named, converted, never confused.

import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith } from './started.ts';

const THEIRS = 'version: "1.1"\nname: Two words\nsteps:\n  - { name: Say, command: [echo, hello] }\n';
const FILES = {
  '.lockstep/workflows/theirs.yaml': THEIRS,
  '.lockstep/workflows/ours.yaml': 'lockstep: 1\nname: ours\nsteps: [{ id: a, run: [echo, hi] }]\n',
  'unclear.yaml': 'version: "1.1"\nid: w\nsteps: [{ name: A, id: a, command: [echo] }]\n',
};

let project: Scratch;
afterEach(() => project.remove());
const read = (path: string) => readFileSync(join(project.root, path), 'utf8');

describe('a workflow in a dialect', () => {
  it('is named as such by validate, list and show; a native one is not', () => {
    project = projectWith(FILES);
    expect(project.lockstep('validate', 'theirs', 'ours').stdout).toBe(
      'theirs: "Two_words" is valid (orchestrate)\nours: "ours" is valid\n',
    );
    const listed = project.lockstep('list', 'workflows').stdout;
    expect(listed).toMatch(/^workflow \(orchestrate\) +theirs /m);
    expect(listed).toMatch(/^workflow +ours /m);
    const rows = JSON.parse(project.lockstep('list', 'workflows', '--json').stdout) as object[];
    expect(rows).toContainEqual(expect.objectContaining({ name: 'theirs', dialect: 'orchestrate' }));
    expect(rows).toContainEqual(expect.objectContaining({ name: 'ours', dialect: 'native' }));
    expect(project.lockstep('show', 'theirs').stdout).toContain('\n  language orchestrate\n');
    expect(project.lockstep('show', 'ours').stdout).not.toContain('language');
    expect(JSON.parse(project.lockstep('show', 'theirs', '--json').stdout)).toMatchObject({
      dialect: 'orchestrate',
    });
  });

  it('that could be several things is refused until --dialect says which', () => {
    project = projectWith(FILES);
    for (const command of ['validate', 'run', 'graph', 'convert']) {
      const { exitCode, stderr } = project.lockstep(command, 'unclear.yaml');
      expect([command, exitCode]).toEqual([command, 2]);
      expect(stderr).toContain('error[dialect-unclear] unclear.yaml:1:1');
      const said = project.lockstep(command, 'unclear.yaml', '--dialect', 'orchestrate');
      expect(said.exitCode).toBe(2);
      expect(said.stderr).toContain('error[unknown-field] unclear.yaml:2:1');
      expect(project.lockstep(command, 'unclear.yaml', '--dialect', 'klingon').stderr).toContain(
        'orchestrate',
      );
    }
  });

  it('is converted to the standard output or to a file, never over itself', () => {
    project = projectWith(FILES);
    const path = '.lockstep/workflows/theirs.yaml';
    const printed = project.lockstep('convert', 'theirs').stdout;
    expect(printed).toContain(`# Made from ${path} (orchestrate) by`);
    const written = project.lockstep('convert', path, '--output', 'native.yaml');
    expect(written).toMatchObject({ exitCode: 0, stdout: `Wrote native.yaml from ${path} (orchestrate).\n` });
    expect(read('native.yaml')).toBe(printed);
    expect(project.lockstep('validate', 'native.yaml').stdout).toBe('native.yaml: "Two_words" is valid\n');

    symlinkSync(path, join(project.root, 'link.yaml'));
    for (const target of [path, 'link.yaml']) {
      const refused = project.lockstep('convert', 'theirs', '-o', target);
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toContain('error[output-is-input]');
    }
    expect(read(path)).toBe(THEIRS);
    const nowhere = project.lockstep('convert', 'theirs', '-o', 'no/where.yaml');
    expect(nowhere).toMatchObject({ exitCode: 2, stdout: '' });
    expect(nowhere.stderr).toContain('error[output-unwritable]');
  });

  it('S4: that names a path through a link which leads out is refused before anything is made, in any language', () => {
    project = projectWith({
      ...FILES,
      'w.yaml': 'lockstep: 1\nname: w\nsteps: [{ id: a, run: [echo], save_to: out/log }]\n',
    });
    symlinkSync('/tmp', join(project.root, 'out'));
    for (const command of ['validate', 'run']) {
      const { exitCode, stderr } = project.lockstep(command, 'w.yaml');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('`save_to` must stay in the workspace, and "out/log" leads to /tmp/log');
    }
  });
});

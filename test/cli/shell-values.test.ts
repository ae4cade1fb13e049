// SEC-SHELL-CLI: what people used to other systems type, with a value that wants to be a command, from the command line.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
});
afterEach(() => project.remove());

function write(line: string): void {
  const inputs = 'inputs: { x: { type: string, default: "1" } }';
  project.write(
    'flow.yaml',
    `lockstep: 1\nname: flow\n${inputs}\nsteps:\n  - id: a\n    run: |\n      ${line}\n`,
  );
}

describe('SEC-SHELL-CLI', () => {
  it.each([
    ['echo "bump ${{ inputs.x }}"', '(touch pwned)'],
    ['echo $(( {{ inputs.x }} ))', 'a[$(touch pwned)]'],
    ['sh -c "echo {{ inputs.x }}"', '; touch pwned'],
    ['echo {{ inputs.x }} | bash', 'touch pwned'],
    ['echo `echo {{ inputs.x }}`', '$(touch pwned)'],
  ])('%s is refused before anything runs', (line, value) => {
    write(line);
    for (const command of [
      ['validate', 'flow.yaml'],
      ['run', 'flow.yaml', '--input', `x=${value}`],
    ]) {
      const { exitCode, stderr } = project.lockstep(...command);
      expect(stderr).toMatch(/flow\.yaml:\d+:\d+/);
      expect(stderr).toContain('shell-value');
      expect(exitCode).toBe(2);
    }
    expect(existsSync(join(project.root, 'pwned'))).toBe(false);
    expect(existsSync(join(project.root, '.lockstep/runs'))).toBe(false);
  });

  it.each([
    ['echo "bump {{ inputs.x }}" > out', '$(touch pwned) `touch pwned` "; touch pwned'],
    ['sh -c \'printf %s "$1"\' sh {{ inputs.x }} > out', "'; touch pwned; '"],
  ])('%s takes it as text', (line, value) => {
    write(line);
    const { exitCode } = project.lockstep('run', 'flow.yaml', '--input', `x=${value}`);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(project.root, 'out'), 'utf8')).toContain(value);
    expect(existsSync(join(project.root, 'pwned'))).toBe(false);
  });

  it('a value that would be an option that runs something fails the step, with what to do', () => {
    write('git log {{ inputs.x }}');
    const { exitCode, stdout, stderr } = project.lockstep('run', 'flow.yaml', '--input', 'x=--output=pwned');
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain('begins with `-`');
    expect(existsSync(join(project.root, 'pwned'))).toBe(false);
  });

  it('a text that another machine reads is a warning', () => {
    write('true || ssh host "echo {{ inputs.x }}"');
    const { exitCode, stdout, stderr } = project.lockstep('validate', 'flow.yaml');
    expect(stdout + stderr).toContain('shell-value-unsure');
    expect(exitCode).toBe(0);
  });
});

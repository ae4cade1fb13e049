// From a specification: what `lockstep run SPEC.md` is, what goes with it, and inputs that are found in the project.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith, runIds } from './started.ts';

/** The project's own, so that what is seen here is the command line and not the built-in. */
const OWN = `lockstep: 1
name: spec-implementation
inputs:
  spec: { type: file, description: What to build }
  test: { type: string, find: test-command, description: the command that runs the tests }
steps:
  - { id: analyze, dry_run: true, run: [echo, '{{ inputs.spec.title }} with {{ inputs.test }}'] }
  - { id: build, check: true, run: [echo, built] }
  - { id: publish, run: [echo, published] }
`;
const PACKAGE = '{ "scripts": { "test": "node --test" } }';

let project: Scratch;
beforeEach(() => {
  project = projectWith({
    '.lockstep/workflows/spec-implementation.yaml': OWN,
    'SPEC.md': '---\nid: SPEC-7\n---\n# Add a clock\n',
    'package.json': PACKAGE,
  });
});
afterEach(() => project.remove());

const log = (step: string) =>
  readFileSync(join(project.root, '.lockstep/runs/latest/logs', `${step}.stdout`), 'utf8');

describe('a specification', () => {
  it('LS-CLI5-SPEC: is run by spec-implementation, as its first input that is a file', () => {
    const { exitCode, stdout } = project.lockstep('run', 'SPEC.md');
    expect([exitCode, log('analyze')]).toEqual([0, 'Add a clock with npm test\n']);
    expect(stdout).toContain('spec-implementation completed');
    expect(journal(project)[0]).toMatchObject({
      workflow: 'spec-implementation',
      inputs: {
        spec: {
          path: 'SPEC.md',
          absolute: join(project.root, 'SPEC.md'),
          body: expect.stringMatching(/^(?!---)/),
          title: 'Add a clock',
          data: { id: 'SPEC-7' },
        },
      },
    });
  });

  it('LS-CLI5-EMPTY: an empty one, or tests that are no command, are refused before anything is made', () => {
    project.write('E.md', ' \n');
    const empty = project.lockstep('run', 'E.md');
    expect([empty.exitCode, empty.stderr]).toEqual([
      2,
      expect.stringContaining('the specification E.md is empty'),
    ]);
    const none = project.lockstep('run', 'SPEC.md', '--input', 'test= ');
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('`test` is empty, and must be a command'),
    ]);
    expect(existsSync(join(project.root, '.lockstep/runs'))).toBe(false);
  });

  it('front matter that cannot be read is told with its line, and the run goes on; a rule at the top is none', () => {
    project.write('BAD.md', '---\ntitle: Clock\nid: [bad\n---\n# Add a clock\n');
    const bad = project.lockstep('run', 'BAD.md');
    expect([bad.exitCode, log('analyze')]).toEqual([0, 'Add a clock with npm test\n']);
    expect(bad.stderr).toMatch(/warning\[front-matter-unread\] BAD\.md:[34]:/);
    project.write('OPEN.md', '---\nid: SPEC-8\n# Add a clock\n');
    expect(project.lockstep('run', 'OPEN.md', '--dry-run').stderr).toContain('is never closed');
    project.write('RULE.md', '---\nA note: with: colons\n\n# Add a clock\n');
    expect(project.lockstep('run', 'RULE.md', '--dry-run').stderr).toBe('');
  });

  it('LS-CLI5-WORKFLOW: -w names another workflow for it, a name or a file; then it may be any file', () => {
    project.write(
      'two.yaml',
      `lockstep: 1
name: two
inputs: { how: { type: string, default: slowly }, plan: { type: file } }
steps: [{ id: show, run: [echo, '{{ inputs.plan.title }}, {{ inputs.how }}'] }]
`,
    );
    project.write('plan.txt', 'no heading');
    expect(project.lockstep('run', 'plan.txt', '-w', 'two.yaml', '-q').exitCode).toBe(0);
    expect(log('show')).toBe('plan.txt, slowly\n');
    expect(project.lockstep('run', 'SPEC.md', '-w', 'spec-implementation', '-q').exitCode).toBe(0);
    expect(project.lockstep('run', '-w', 'two.yaml', '-i', 'plan=SPEC.md', '-q').exitCode).toBe(0);
    expect(log('show')).toBe('Add a clock, slowly\n');
  });

  it.each([
    ['nothing at all', [], 'nothing-to-run', /lockstep run SPEC\.md.*lockstep list/],
    [
      'a file that is not there',
      ['GONE.md'],
      'file-unreadable',
      /no such file \(looked from \/.*\.md is a specif/s,
    ],
    [
      'a file for a workflow that takes none',
      ['SPEC.md', '-w', 'flat.yaml'],
      'spec-not-taken',
      /--input n=…/,
    ],
    ['two files for one input', ['SPEC.md', '-i', 'spec=SPEC.md'], 'spec-not-taken', /given twice/],
    [
      'a workflow that is not there',
      ['SPEC.md', '-w', 'spec-implementatoin'],
      'workflow-not-found',
      /Did you mean "spec-implementation"/,
    ],
  ])(
    'LS-CLI5-ERRORS: %s is wrong input: it is told what to do, and nothing is made',
    (_, words, code, told) => {
      project.write(
        'flat.yaml',
        'lockstep: 1\nname: flat\ninputs: { n: { type: number } }\nsteps: [{ id: a, run: [echo] }]\n',
      );
      const { exitCode, stderr } = project.lockstep('run', ...words);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error[${code}]`)]);
      expect(stderr).toMatch(told);
      expect(runIds(project)).toEqual([]);
    },
  );

  it('LS-CLI5-RESUME: run --resume goes on with a run, and refuses what only a new one can be given', () => {
    project.write(
      'once.yaml',
      `lockstep: 1
name: once
inputs: { spec: { type: file } }
steps:
  - { id: first, run: 'echo x >> first.txt' }
  - { id: second, run: 'test -f ready' }
`,
    );
    expect(project.lockstep('run', 'SPEC.md', '-w', 'once.yaml').exitCode).toBe(1);
    const refused = project.lockstep('run', '--resume', 'latest', '--model', 'x', '--skip-step', 'second');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(
      'error[not-with-resume] --model, --skip-step cannot be given with --resume',
    );
    project.write('ready', '');
    const { exitCode, stdout } = project.lockstep('run', 'SPEC.md', '--resume', 'latest');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('SPEC.md is not read again');
    expect(runIds(project)).toHaveLength(1);
    expect(readFileSync(join(project.root, 'first.txt'), 'utf8')).toBe('x\n');
  });

  it('LS-CLI5-WORKING-DIR: everything is looked for, and made, as if one stood there', () => {
    project.write('elsewhere/README', '');
    project.sh('mv SPEC.md package.json .lockstep elsewhere/ && git -C elsewhere init -q');
    expect(project.lockstep('run', 'SPEC.md', '--working-dir', 'elsewhere').exitCode).toBe(0);
    expect(readdirSync(project.root)).not.toContain('.lockstep');
    expect(readdirSync(join(project.root, 'elsewhere/.lockstep/runs'))).toContain('latest');
    const wrong = project.lockstep('run', 'SPEC.md', '--working-dir', 'elsewhere/README');
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('is not a folder')]);
  });

  it('LS-CLI5-MODEL: --model is for prompts where neither the step nor its agent names one, and on record', () => {
    project.write('.lockstep/agents/own.md', '---\nname: own\nmodel: of-agent\n---\nYou.\n');
    project.write(
      'inner.yaml',
      'lockstep: 1\nname: inner\ndefaults: { model: theirs }\nsteps: [{ id: d, prompt: { text: D } }]\n',
    );
    project.write(
      'models.yaml',
      `lockstep: 1
name: models
defaults: { model: of-defaults }
steps:
  - { id: a, model: of-step, prompt: { text: A } }
  - { id: b, agent: own, prompt: { text: B } }
  - { id: c, prompt: { text: C } }
  - { id: called, workflow: ./inner.yaml }
`,
    );
    project.write('answers.yaml', 'answers: { "*": { text: ok } }\n');
    const used = () =>
      journal(project).flatMap((entry) =>
        entry.kind === 'attempt-started' ? `${entry.path} ${entry.model}` : [],
      );
    expect(
      project.lockstep('run', 'models.yaml', '--script', 'answers.yaml', '--model', 'mine').exitCode,
    ).toBe(0);
    expect(used()).toEqual(['a of-step', 'b of-agent', 'c mine', 'called/d mine']);
    expect(journal(project)[0]).toMatchObject({ overrides: { model: 'mine' } });
    expect(project.lockstep('resume', 'latest', '--force-restart').exitCode).toBe(0);
    expect(used()).toEqual(['a of-step', 'b of-agent', 'c mine', 'called/d mine']);
    expect(project.lockstep('run', 'models.yaml', '--script', 'answers.yaml').exitCode).toBe(0);
    expect(used()).toEqual(['a of-step', 'b of-agent', 'c of-defaults', 'called/d theirs']);
  });
});

describe('--dry-run', () => {
  it('WR44-FR-010: shows the plan first, runs what is marked for it and nothing else, and says what would follow', () => {
    const { exitCode, stdout } = project.lockstep('run', 'SPEC.md', '--dry-run');
    expect(exitCode).toBe(0);
    const [plan = '', rest = ''] = stdout.split('A dry run: now those run that say so, and nothing else.');
    expect(plan).toMatch(/input test: string, "npm test" from package\.json/);
    expect(plan).toMatch(/analyze .*\n.*dry run: this one runs\n.*build/);
    expect(plan.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(rest).toMatch(/✓ analyze[\s\S]*↷ build +skipped: --dry-run\n.*↷ publish +skipped: --dry-run/);
    expect(rest).toMatch(/This was a dry run: .*without it goes on/);
    const started = journal(project).flatMap((entry) => (entry.kind === 'attempt-started' ? entry.path : []));
    expect(started).toEqual(['analyze']);
  });

  it('with -q prints the outcome, and not the plan', () => {
    const { exitCode, stdout } = project.lockstep('run', 'SPEC.md', '--dry-run', '-q');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\S+ ✓ spec-implementation +completed in .*\n$/);
  });
});

describe('leaving steps out', () => {
  const skipped = () =>
    journal(project).flatMap(({ kind, path, why }) => (kind === 'step-skipped' ? `${path}: ${why}` : []));

  it('WR47-FR-6.1: --skip-checks leaves out what is marked as a check, on record', () => {
    expect(project.lockstep('run', 'SPEC.md', '--skip-checks').exitCode).toBe(0);
    expect(skipped()).toEqual(['build: --skip-checks']);
  });

  it('WR47-FR-6.2: --skip-step leaves out steps by name, on record; one that is not there is an error', () => {
    expect(project.lockstep('run', 'SPEC.md', '--skip-step=build', '--skip-step', 'publish').exitCode).toBe(
      0,
    );
    expect(skipped()).toEqual(['build: --skip-step build', 'publish: --skip-step publish']);
    const { exitCode, stderr } = project.lockstep('run', 'SPEC.md', '--skip-step', 'biuld');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean "build"?')]);
    expect(runIds(project)).toHaveLength(1);
  });
});

describe('the built-in spec-implementation', () => {
  it('LS-CLI5-REFUSED: publishes only what is verified: --skip-step verify is refused, and nothing is made', () => {
    rmSync(join(project.root, '.lockstep'), { recursive: true });
    const { exitCode, stderr } = project.lockstep('run', 'SPEC.md', '--skip-step', 'verify');
    expect([exitCode, runIds(project)]).toEqual([2, []]);
    expect(stderr).toContain('error[skip-refused]');
    expect(stderr).toContain('Leave `verify` in, or leave `publish` out as well.');
  });
});

describe('an input that is found', () => {
  it('LS-CLI5-FIND: what the project says is taken, shown and on record; of several the first, the others named', () => {
    project.write('pnpm-lock.yaml', '');
    project.write('Makefile', 'test:\n\ttrue\n');
    const { stdout } = project.lockstep('run', 'SPEC.md');
    expect(log('analyze')).toBe('Add a clock with pnpm test\n');
    expect(stdout).toContain(
      'test: pnpm test, from package.json; there is also make test (Makefile): --input test=… chooses',
    );
    expect(journal(project)[0]).toMatchObject({
      inputs: { test: 'pnpm test' },
      found: { test: { from: 'package.json', also: [{ value: 'make test', from: 'Makefile' }] } },
    });
    expect(project.lockstep('audit').stdout).toContain('input test = pnpm test, found in package.json');
  });

  it('LS-CLI5-FIND-GIVEN: what is given goes before what is found, and is not said to be found', () => {
    const { stdout } = project.lockstep('run', 'SPEC.md', '-i', 'test=make check');
    expect(log('analyze')).toBe('Add a clock with make check\n');
    expect(stdout).not.toContain('from package.json');
    expect(journal(project)[0]).not.toHaveProperty('found');
  });

  it('LS-CLI5-FIND-NONE: where nothing says it, the error says what was looked at and what to type', () => {
    project.write(
      'package.json',
      '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }',
    );
    const { exitCode, stderr } = project.lockstep('run', 'SPEC.md');
    expect(exitCode).toBe(2);
    expect(stderr).toContain("was not found: the test script of package.json is npm's placeholder");
    expect(stderr).toContain("Give it with --input test='npm test'");
    rmSync(join(project.root, 'package.json'));
    expect(project.lockstep('run', 'SPEC.md').stderr).toContain(
      'nothing in the project says how its tests are run',
    );
    expect(runIds(project)).toEqual([]);
    project.write(
      '.lockstep/workflows/spec-implementation.yaml',
      OWN.replace('find:', 'default: make all, find:'),
    );
    expect(project.lockstep('run', 'SPEC.md', '-q').exitCode).toBe(0);
    expect(log('analyze')).toBe('Add a clock with make all\n');
  });

  it('LS-CLI5-FIND-AGAIN: a restart looks again; a resume goes on with what was found', () => {
    project.write(
      '.lockstep/workflows/spec-implementation.yaml',
      OWN.replace('[echo, built]', "'test -f ready'"),
    );
    expect(project.lockstep('run', 'SPEC.md').exitCode).toBe(1);
    project.write('yarn.lock', '');
    project.write('ready', '');
    expect(project.lockstep('resume').exitCode).toBe(0);
    expect(journal(project)[0]).toMatchObject({ inputs: { test: 'npm test' } });
    expect(project.lockstep('resume', 'latest', '--force-restart').stdout).toContain(
      'test: yarn test, from package.json',
    );
  });

  it('LS-CLI5-FIND-TYPE: it must be a text, and a caller must pass it on: both are told at load', () => {
    project.write('.lockstep/workflows/spec-implementation.yaml', OWN.replace('string, find', 'list, find'));
    project.write(
      'calls.yaml',
      'lockstep: 1\nname: calls\ninputs: { s: { type: file } }\nsteps: [{ id: c, workflow: inner, with: { spec: "{{ inputs.s }}" } }]\n',
    );
    project.write('.lockstep/workflows/inner.yaml', OWN.replace('spec-implementation', 'inner'));
    const { exitCode, stderr } = project.lockstep('validate', 'spec-implementation', 'calls.yaml');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('what is found for the input "test" is a string, and it is a list');
    expect(stderr).toMatch(/missing-input[\s\S]*test/);
  });
});

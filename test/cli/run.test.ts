// `lockstep run`: a name or a file, inputs of every type, what it refuses, what it prints.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith, runIds } from './started.ts';

const PLAIN = `lockstep: 1
name: plain
steps:
  - { id: one, run: [echo, first] }
  - { id: two, run: [echo, second] }
`;

const TYPED = `lockstep: 1
name: typed
inputs:
  word:   { type: string, description: Any word }
  count:  { type: number }
  sure:   { type: boolean, default: false }
  names:  { type: list, default: [] }
  limits: { type: map, default: {} }
  color:  { type: string, choices: [red, green], default: red }
  spec:   { type: file, default: SPEC.md }
vars: { level: 1, tags: [], note: null, title: none }
steps:
  - { id: show, run: [echo, '{{ inputs.word }} {{ inputs.count + 1 }} {{ inputs.sure }} {{ inputs.names }} {{ inputs.limits }} {{ inputs.color }}'] }
  - { id: spec, run: [echo, '{{ inputs.spec.title }}|{{ inputs.spec.data }}|{{ inputs.spec.path }}'] }
  - { id: vars, run: [echo, '{{ vars.level + 1 }} {{ vars.tags }} {{ vars.note }} {{ vars.title }}'] }
`;
const SPEC = '---\nowner: Ada\n---\n# The heading\n\nText.\n';

const AGENT = `lockstep: 1
name: agent
steps:
  - { id: write, prompt: { text: Write it. } }
  - { id: verify, check: true, run: [test, -f, written.txt] }
  - { id: publish, run: [echo, published] }
invariants: [ { every: publish, after: verify } ]
`;
const ANSWERS = 'answers:\n  write: { write: { written.txt: "yes\\n" }, text: done }\n';

let project: Scratch;
afterEach(() => project.remove());

const outputs = () =>
  Object.fromEntries(
    journal(project)
      .filter(({ kind }) => kind === 'attempt-finished')
      .map(({ path, outcome }) => [path as string, (outcome as { output?: unknown }).output]),
  );

describe('what is run', () => {
  it('LS-CLI-RUN-NAME: a name is a workflow of the library', () => {
    project = projectWith({ '.lockstep/workflows/plain.yaml': PLAIN });
    const { exitCode, stdout } = project.lockstep('run', 'plain');
    expect(stdout).toContain('plain completed');
    expect(exitCode).toBe(0);
  });

  it('LS-CLI-RUN-FILE: a path is a file, wherever it lies, and so is a file without an ending', () => {
    project = projectWith({ 'flows/plain.yaml': PLAIN, bare: PLAIN });
    expect(project.lockstep('run', 'flows/plain.yaml').exitCode).toBe(0);
    expect(project.lockstep('run', './flows/plain.yaml').exitCode).toBe(0);
    expect(project.lockstep('run', join(project.root, 'flows/plain.yaml')).exitCode).toBe(0);
    expect(project.lockstep('run', 'bare').exitCode).toBe(0);
  });

  it('runs outside a git repository', () => {
    project = projectWith({ 'plain.yaml': PLAIN }, { git: false });
    const { exitCode, stdout } = project.lockstep('run', 'plain.yaml');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('Changed');
  });

  it('names what is close to a workflow that is not there', () => {
    project = projectWith({ '.lockstep/workflows/plain.yaml': PLAIN });
    const { exitCode, stderr } = project.lockstep('run', 'plian');
    expect(stderr).toContain('error[workflow-not-found] there is no workflow "plian"');
    expect(stderr).toContain('Did you mean "plain"?');
    expect(exitCode).toBe(2);
  });

  it('keeps runs where --state-dir or LOCKSTEP_STATE_DIR says', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    expect(project.lockstep('run', 'plain.yaml', '--state-dir', 'elsewhere').exitCode).toBe(0);
    expect(existsSync(join(project.root, 'elsewhere/latest/journal.jsonl'))).toBe(true);
    project.env.LOCKSTEP_STATE_DIR = 'third';
    expect(project.lockstep('run', 'plain.yaml').exitCode).toBe(0);
    expect(existsSync(join(project.root, 'third/latest/journal.jsonl'))).toBe(true);
    expect(runIds(project)).toEqual([]);
    expect(project.lockstep('status', '--state-dir', 'elsewhere').stdout).toContain('plain completed');
  });
});

describe('inputs', () => {
  it('LS-CLI-RUN-INPUT: inputs are typed as they are declared; the last of a name wins', () => {
    project = projectWith({ 'typed.yaml': TYPED, 'SPEC.md': SPEC });
    const { exitCode, stderr } = project.lockstep(
      ...['run', 'typed.yaml', '--input', 'word=a=b', '--input', 'count=1', '--input', 'count=41'],
      ...[
        '--input',
        'sure=true',
        '--input',
        'names=[x, "y z"]',
        '-i',
        'limits={"a": 1}',
        '-i',
        'color=green',
      ],
    );
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(outputs().show).toBe('a=b 42 true ["x","y z"] {"a":1} green');
  });

  it('LS-CLI-RUN-INPUT: rule 14: a file is read, its title and front matter with it', () => {
    project = projectWith({ 'typed.yaml': TYPED, 'SPEC.md': SPEC });
    project.write('../other.md', '---\ntitle: By the front matter\n---\n# Not this\n');
    project.lockstep('run', 'typed.yaml', '-i', 'word=x', '-i', 'count=1');
    expect(outputs().spec).toBe('The heading|{"owner":"Ada"}|SPEC.md');
    project.lockstep('run', 'typed.yaml', '-i', 'word=x', '-i', 'count=1', '-i', 'spec=../other.md');
    expect(outputs().spec).toBe('By the front matter|{"title":"By the front matter"}|../other.md');
  });

  it('LS-CLI-RUN-INPUT-FILE: inputs come from a YAML or JSON map, and --input goes before it', () => {
    project = projectWith({
      'typed.yaml': TYPED,
      'SPEC.md': SPEC,
      'in.yaml': 'word: from file\ncount: 2\nnames: [a]\n',
      'in.json': '{"word": "json", "count": 7}',
    });
    project.lockstep('run', 'typed.yaml', '--input-file', 'in.yaml', '--input', 'count=9');
    expect(outputs().show).toBe('from file 10 false ["a"] {} red');
    project.lockstep('run', 'typed.yaml', '--input-file', 'in.json');
    expect(outputs().show).toBe('json 8 false [] {} red');
  });

  it('LS-CLI-RUN-VAR: vars are typed by their initial value; null takes anything', () => {
    project = projectWith({ 'typed.yaml': TYPED, 'SPEC.md': SPEC });
    const typed = ['run', 'typed.yaml', '-i', 'word=x', '-i', 'count=1'];
    project.lockstep(
      ...typed,
      '--var',
      'level=4',
      '--var',
      'tags=[q]',
      '--var',
      'note=5',
      '--var',
      'title=12',
    );
    expect(outputs().vars).toBe('5 ["q"] 5 12');
    const { exitCode, stderr } = project.lockstep(...typed, '--var', 'level=high', '--var', 'lvel=1');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the var `level` must be a number, and is "high"');
    expect(stderr).toContain('Did you mean "level"?');
  });

  it('tells everything that is wrong at once, and makes nothing', () => {
    project = projectWith({ 'typed.yaml': TYPED, 'SPEC.md': SPEC });
    const { exitCode, stderr, stdout } = project.lockstep(
      ...['run', 'typed.yaml', '-i', 'wrod=x', '-i', 'count=many', '-i', 'sure=yes', '-i', 'color=blue'],
      ...['-i', 'names={a: 1}', '-i', 'spec=none.md', '-i', 'bare', '--skip-step', 'shwo'],
      ...['--script', 'none.yaml', '--input-file', 'none.json'],
    );
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('the input `word` is required (Any word)');
    expect(stderr).toContain('"typed" has no input `wrod`');
    expect(stderr).toContain('Did you mean "word"?');
    expect(stderr).toContain('the input `count` must be a number, and is "many"');
    expect(stderr).toContain('the input `sure` must be a boolean, and is "yes"');
    expect(stderr).toMatch(/the input `color` .*red.*green/);
    expect(stderr).toContain('the input `names` must be a list');
    expect(stderr).toContain('the input `spec`: cannot read none.md: there is no such file');
    expect(stderr).toContain('--input bare has no value');
    expect(stderr).toContain('--skip-step shwo: the workflow has no step of that name');
    expect(stderr).toContain('Did you mean "show"?');
    expect(stderr).toContain('cannot read none.yaml: there is no such file');
    expect(stderr).toContain('cannot read none.json: there is no such file');
    expect(stderr).toContain('11 errors. Each code has a page: lockstep explain CODE');
    expect(existsSync(join(project.root, '.lockstep'))).toBe(false);
  });
});

describe('agents', () => {
  it('LS-CLI-RUN-SCRIPT: a script answers every prompt', () => {
    project = projectWith({ 'agent.yaml': AGENT, 'answers.yaml': ANSWERS });
    expect(project.lockstep('run', 'agent.yaml', '--script', 'answers.yaml').exitCode).toBe(0);
    expect(readFileSync(join(project.root, 'written.txt'), 'utf8')).toBe('yes\n');
  });

  it('rule 12: without a client and without a script nothing is made, and --script is named', () => {
    project = projectWith({ 'agent.yaml': AGENT });
    const { exitCode, stderr } = project.lockstep('run', 'agent.yaml');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error[agent-unavailable]');
    expect(stderr).toContain('--script');
    expect(existsSync(join(project.root, '.lockstep'))).toBe(false);
  });

  it('a script with a mistake is told with its line', () => {
    project = projectWith({ 'agent.yaml': AGENT, 'answers.yaml': 'answers:\n  write: { txet: done }\n' });
    const { exitCode, stderr } = project.lockstep('run', 'agent.yaml', '--script', 'answers.yaml');
    expect(stderr).toMatch(/error\[[a-z-]+\] answers\.yaml:2:12/);
    expect(stderr).toContain('Did you mean "text"?');
    expect(exitCode).toBe(2);
    expect(runIds(project)).toEqual([]);
  });
});

describe('what is left out', () => {
  it('LS-CLI-RUN-DRY-RUN: everything is checked, the plan is printed, nothing is run and nothing made', () => {
    project = projectWith({ 'agent.yaml': AGENT, 'answers.yaml': ANSWERS });
    const { exitCode, stdout, stderr } = project.lockstep(
      ...['run', 'agent.yaml', '--script', 'answers.yaml', '--dry-run'],
    );
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/write.*\n[\s\S]*verify.*\n[\s\S]*publish/);
    expect(stdout).toContain('3 steps in the definition. Nothing was run.');
    expect(existsSync(join(project.root, '.lockstep'))).toBe(false);
    expect(existsSync(join(project.root, 'written.txt'))).toBe(false);
    expect(project.lockstep('run', 'agent.yaml', '--dry-run', '-i', 'x=1').exitCode).toBe(2);
  });

  it('LS-CLI-RUN-DRY-RUN: a missing client is told, and the plan is printed all the same', () => {
    project = projectWith({ 'agent.yaml': AGENT });
    const { exitCode, stdout, stderr } = project.lockstep('run', 'agent.yaml', '--dry-run');
    expect(stdout).toContain('Nothing was run.');
    expect(stderr).toContain('warning[agent-unavailable]');
    expect(exitCode).toBe(0);
  });

  it('LS-CLI-RUN-DRY-RUN: steps marked `dry_run: true` do run, and the others are on record', () => {
    const marked = PLAIN.replace('id: one,', 'id: one, dry_run: true,');
    project = projectWith({ 'plain.yaml': marked });
    const { exitCode, stdout } = project.lockstep('run', 'plain.yaml', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('skipped: --dry-run');
    expect(outputs()).toEqual({ one: 'first' });
  });

  it('LS-CLI-RUN-SKIP-STEP: a step is left out, on record', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    const { exitCode, stdout } = project.lockstep('run', 'plain.yaml', '--skip-step', 'one');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('one  skipped: --skip-step');
    const skipped = journal(project).find(({ kind }) => kind === 'step-skipped');
    expect(skipped).toMatchObject({ path: 'one', reason: 'skip-step' });
  });

  it('LS-CLI-RUN-SKIP-STEP: rule 15: against an invariant it is refused', () => {
    project = projectWith({ 'agent.yaml': AGENT, 'answers.yaml': ANSWERS });
    const agent = ['run', 'agent.yaml', '--script', 'answers.yaml'];
    for (const skip of [['--skip-step', 'verify'], ['--skip-checks']]) {
      const { exitCode, stderr } = project.lockstep(...agent, ...skip);
      expect(stderr).toContain('error[skip-refused]');
      expect(stderr).toContain('every publish after verify');
      expect(exitCode).toBe(2);
    }
    expect(runIds(project)).toEqual([]);
  });

  it('LS-CLI-RUN-SKIP-CHECKS: steps that are checks are left out, on record', () => {
    project = projectWith({ 'plain.yaml': PLAIN.replace('id: two,', 'id: two, check: true,') });
    expect(project.lockstep('run', 'plain.yaml', '--skip-checks').exitCode).toBe(0);
    expect(outputs()).toEqual({ one: 'first' });
    expect(journal(project).find(({ kind }) => kind === 'step-skipped')).toMatchObject({ path: 'two' });
  });
});

describe('what is printed', () => {
  it('LS-PLAIN-LINES: not on a terminal every change is one plain line', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    const { stdout } = project.lockstep('run', 'plain.yaml');
    const lines = stdout.slice(0, stdout.indexOf('\n\n')).split('\n');
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d \S /);
    expect(lines.filter((line) => line.includes(' one '))).toHaveLength(2);
    expect(stdout).not.toContain('\x1b');
  });

  it('LS-CLI-RUN-JSON: every line is JSON: the entries in order, then the summary', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    const { stdout, stderr } = project.lockstep('run', 'plain.yaml', '--json');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; n?: number });
    expect(stderr).toBe('');
    expect(lines[0]?.kind).toBe('run-started');
    expect(lines.slice(0, -1).map(({ n }) => n)).toEqual(lines.slice(0, -1).map((_, index) => index + 1));
    expect(lines.slice(0, -1).map(({ kind }) => kind)).toEqual(journal(project).map(({ kind }) => kind));
    expect(lines.at(-1)).toMatchObject({
      kind: 'summary',
      exit_code: 0,
      status: 'completed',
      steps: [
        { path: 'one', status: 'done' },
        { path: 'two', status: 'done' },
      ],
    });
  });

  it('LS-CLI-RUN-JSON: problems are JSON too', () => {
    project = projectWith({
      'plain.yaml': PLAIN,
      'bad.yaml': 'lockstep: 1\nname: bad\nsteps: [{ id: x }]\n',
    });
    const wrong = project.lockstep('run', 'plain.yaml', '--json', '-i', 'x=1');
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      kind: 'problems',
      diagnostics: [{ code: 'input-unknown' }],
    });
    const bad = project.lockstep('run', 'bad.yaml', '--json');
    expect(JSON.parse(bad.stdout)).toMatchObject({ diagnostics: [{ span: { file: 'bad.yaml', line: 3 } }] });
    const none = project.lockstep('run', 'none', '--json');
    expect(JSON.parse(none.stdout)).toMatchObject({ kind: 'fault', code: 'workflow-not-found' });
    expect([wrong.exitCode, bad.exitCode, none.exitCode]).toEqual([2, 2, 2]);
  });

  it('LS-CLI-RUN-QUIET: no progress; the outcome, and what failed', () => {
    project = projectWith({ 'plain.yaml': PLAIN, 'fails.yaml': PLAIN.replace('[echo, second]', "'exit 7'") });
    const quiet = project.lockstep('run', 'plain.yaml', '--quiet');
    expect(quiet.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(quiet.stdout).toContain('completed');
    const failed = project.lockstep('run', 'fails.yaml', '--quiet');
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toContain('exit code 7');
    expect(failed.stdout).not.toContain('first');
  });

  it('LS-CLI-RUN-VERBOSE: what the steps print is shown', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    expect(project.lockstep('run', 'plain.yaml').stdout).not.toMatch(/\| second/);
    const { stdout } = project.lockstep('run', 'plain.yaml', '--verbose');
    expect(stdout).toMatch(/two \| second/);
    // Once: that it is also what the step is doing is for the live tree.
    expect(stdout.match(/^.*(?<!echo )second$/gm)).toHaveLength(1);
  });

  it('LS-SUMMARY-CONTENT: the summary tells steps, skips, checks, time, cost, files and logs', () => {
    project = projectWith(
      {
        'agent.yaml': AGENT,
        'answers.yaml': `${ANSWERS.trimEnd().slice(0, -2)}, usage: { input: 10, output: 5, cost: 0.25 } }\n`,
      },
      { git: true },
    );
    project.sh('git add -A && git commit -qm files');
    const { stdout } = project.lockstep('run', 'agent.yaml', '--script', 'answers.yaml');
    const summary = stdout.slice(stdout.indexOf('\n\n'));
    expect(summary).toMatch(/agent completed in [\d.]+ m?s/);
    expect(summary).toContain('3 done');
    expect(summary).toContain('$0.25');
    expect(summary).toContain('written.txt');
    expect(summary).toContain(`${project.root}/.lockstep/runs/${runIds(project)[0]}/logs`);
    const skipped = project.lockstep(
      'run',
      'agent.yaml',
      '--script',
      'answers.yaml',
      '--skip-step',
      'publish',
    );
    expect(skipped.stdout.slice(skipped.stdout.indexOf('\n\n'))).toMatch(/publish.*--skip-step/);
  });

  it('LS-SUMMARY-NEXT: a failed run says why, exits 1, and names the commands that help', () => {
    project = projectWith({ 'fails.yaml': PLAIN.replace('[echo, second]', "'echo broken >&2; exit 7'") });
    const { exitCode, stdout } = project.lockstep('run', 'fails.yaml');
    const [id] = runIds(project);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('exit code 7');
    expect(stdout).toContain('broken');
    expect(stdout).toContain(`lockstep logs ${id} two`);
    expect(stdout).toContain(`lockstep resume ${id}`);
  });

  it('LS-NO-COLOR: colours only where they are wanted', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    expect(project.lockstep('run', 'plain.yaml').stdout).not.toContain('\x1b[');
    delete project.env.NO_COLOR;
    expect(project.lockstep('run', 'plain.yaml').stdout).not.toContain('\x1b[');
    project.env.FORCE_COLOR = '1';
    expect(project.lockstep('run', 'plain.yaml').stdout).toContain('\x1b[');
    expect(project.lockstep('run', 'none').stderr).toContain('\x1b[31merror');
    project.env.NO_COLOR = '1';
    expect(project.lockstep('run', 'plain.yaml').stdout).not.toContain('\x1b[');
  });

  it('a reader that goes away (`| head`) disturbs nothing', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    const { stderr } = project.sh(
      'lockstep run plain.yaml --verbose | head -n 1; lockstep schema | head -n 1',
    );
    expect(stderr).toBe('');
    expect(journal(project).at(-1)?.kind).toBe('run-completed');
  });

  it('the first entry names the workflow and its file', () => {
    project = projectWith({ 'plain.yaml': PLAIN });
    project.lockstep('run', 'plain.yaml');
    expect(journal(project)[0]).toMatchObject({
      kind: 'run-started',
      workflow: 'plain',
      workflow_file: 'plain.yaml',
    });
  });
});

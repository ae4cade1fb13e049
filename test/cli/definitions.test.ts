// `validate`, `list`, `show`, `graph`, `schema`: definitions, what is wrong with them, and where they come from.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Scratch } from '../scratch.ts';
import { projectWith, runIds, start, until } from './started.ts';

const FIVE = `lockstep: 1
name: release
description: Plans, builds, checks and announces.
inputs:
  topic: { type: string, description: What it is about }
vars: { ready: false }
steps:
  - id: plan
    agent: planner
    prompt: plan
    output: plan
  - id: build
    run: 'echo {{ inputs.topic }} > out.txt'
  - id: wait
    run: 'until test -f go; do sleep 0.05; done'
  - id: check
    if: 'plan.steps > 0'
    run: [grep, -q, '{{ inputs.topic }}', out.txt]
  - id: announce
    run: [echo, 'done with {{ inputs.topic }}']
    next: [ { when: 'status == "failed"', goto: build } ]
invariants: [ { every: announce, after: build } ]
`;
const FILES = {
  '.lockstep/workflows/release.yaml': FIVE,
  '.lockstep/agents/planner.md': '---\nname: planner\ndescription: Plans.\n---\nYou plan.\n',
  '.lockstep/prompts/plan.md':
    '---\nname: plan\ndescription: Ask for a plan.\n---\nPlan {{ inputs.topic }}.\n',
  'answers.yaml': 'answers: { plan: { output: { steps: 2 } } }\n',
};
const MAIN = '.lockstep/workflows/release.yaml';

let project: Scratch;
afterEach(() => project.remove());

describe('LS-DONE-FIVE-STEPS: a five-step workflow', () => {
  it('validates and runs', () => {
    project = projectWith({ ...FILES, go: '' });
    const { exitCode, stdout, stderr } = project.lockstep('validate', 'release');
    expect(stderr).toBe('');
    expect(stdout).toBe('release: "release" is valid\n');
    expect(exitCode).toBe(0);
    expect(project.lockstep('run', 'release', '-i', 'topic=x', '--script', 'answers.yaml').exitCode).toBe(0);
  });

  it('LS-DONE-KILLED: it is killed in mid-run and resumed', async () => {
    project = projectWith(FILES);
    const run = start(project, 'run', 'release', '-i', 'topic=x', '--script', 'answers.yaml');
    await run.shows(/wait {2}run/);
    await until(() => runIds(project).length === 1);
    run.send('SIGKILL');
    expect((await run.ended).signal).toBe('SIGKILL');
    project.write('go', '');
    const { exitCode, stdout } = project.lockstep('resume');
    expect(stdout).toContain('release completed');
    expect(exitCode).toBe(0);
    expect(project.lockstep('audit').stdout.match(/plan was given to/g)).toHaveLength(1);
  });
});

describe('LS-DONE-TEN-BREAKS: ten ways of breaking it, each answered with what to fix', () => {
  const breaks: [string, string, string, string, { at: string; says: string }][] = [
    [
      'a misspelt field',
      MAIN,
      'agent: planner',
      'agnet: planner',
      { at: '9:5', says: 'Did you mean "agent"?' },
    ],
    [
      'an agent that is not there',
      MAIN,
      'agent: planner',
      'agent: planer',
      { at: '9:12', says: 'Did you mean "planner"?' },
    ],
    [
      'two verbs in a step',
      MAIN,
      '    prompt: plan\n',
      '    prompt: plan\n    run: [ls]\n',
      { at: '11:5', says: 'prompt' },
    ],
    ['no verb in a step', MAIN, '    prompt: plan\n', '', { at: '8:5', says: 'plan' }],
    ['an id twice', MAIN, 'id: check', 'id: build', { at: '16:9', says: 'build' }],
    ['a goto to nowhere', MAIN, 'goto: build', 'goto: biuld', { at: '21', says: 'Did you mean "build"?' }],
    [
      'a name in an expression',
      MAIN,
      'plan.steps > 0',
      'plna.steps > 0',
      { at: '17:10', says: 'Did you mean `plan`?' },
    ],
    [
      'an input in a prompt file',
      '.lockstep/prompts/plan.md',
      'inputs.topic',
      'inputs.topci',
      { at: '5:16', says: 'Did you mean `inputs.topic`?' },
    ],
    [
      'broken YAML',
      MAIN,
      'vars: { ready: false }',
      'vars: { ready: false',
      { at: '6:7', says: 'never closed' },
    ],
    [
      'a template that YAML takes for a map',
      MAIN,
      "[echo, 'done with {{ inputs.topic }}']",
      '{{ inputs.topic }}',
      { at: '20:10', says: 'quote' },
    ],
    [
      'an invariant that does not hold',
      MAIN,
      'every: announce, after: build',
      'every: build, after: check',
      { at: '22:17', says: 'build' },
    ],
    [
      'a step that cannot have run yet',
      MAIN,
      '    output: plan\n',
      `    output: plan\n    if: 'steps.check.status == "done"'\n`,
      { at: '12', says: 'check' },
    ],
  ];

  it.each(breaks)('%s', (_, file, from, to, { at, says }) => {
    const text = FILES[file as keyof typeof FILES];
    expect(text).toContain(from);
    project = projectWith({ ...FILES, [file]: text.replace(from, () => to) });
    const { exitCode, stdout, stderr } = project.lockstep('validate', 'release');
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^error\\[[a-z-]+\\] ${file.replaceAll('.', '\\.')}:${at}\\b`, 'm'));
    expect(stderr).toMatch(/^ +\d+ \| /m);
    expect(stderr).toMatch(/\^/);
    expect(stderr.toLowerCase()).toContain(says.toLowerCase());
    expect(stderr).toMatch(/\d errors?\. .*lockstep explain /);
    const run = project.lockstep('run', 'release', '-i', 'topic=x', '--script', 'answers.yaml');
    expect(run.exitCode).toBe(2);
    expect(runIds(project)).toEqual([]);
  });
});

describe('validate', () => {
  it('LS-CLI-VALIDATE: all problems of several workflows at once, each once', () => {
    project = projectWith({
      ...FILES,
      '.lockstep/prompts/plan.md': '---\nname: plan\n---\n{{ inputs.nope }}\n',
      '.lockstep/workflows/other.yaml': FIVE.replace('name: release', 'name: other')
        .replace('[grep', '[gerp')
        .replace('if: ', 'iff: '),
    });
    const { exitCode, stderr } = project.lockstep('validate', 'release', 'other', 'third');
    expect(exitCode).toBe(2);
    expect(stderr.match(/inputs\.nope/g)?.length).toBeGreaterThan(0);
    expect(stderr.match(/^error\[[a-z-]+\] \.lockstep\/prompts\/plan\.md:4:/gm)).toHaveLength(1);
    expect(stderr).toContain('Did you mean "if"?');
    expect(stderr).toContain('there is no workflow "third"');
    expect(stderr).toContain('3 errors.');
  });

  it('LS-CLI-VALIDATE: --json is an object with every diagnostic', () => {
    project = projectWith({ ...FILES, [MAIN]: FIVE.replace('agent: planner', 'agnet: planner') });
    const bad = project.lockstep('validate', 'release', '--json');
    expect(JSON.parse(bad.stdout)).toMatchObject({
      valid: false,
      diagnostics: [{ severity: 'error', span: { file: MAIN, line: 9, column: 5 } }],
    });
    expect([bad.exitCode, bad.stderr]).toEqual([2, '']);
    project.write(MAIN, FIVE);
    expect(JSON.parse(project.lockstep('validate', 'release', '--json').stdout)).toEqual({
      valid: true,
      diagnostics: [],
    });
  });

  it('LS-CLI-VALIDATE: what needs a live session is said, and run refuses it before it makes anything', () => {
    project = projectWith({
      'live.yaml': 'lockstep: 1\nname: live\nsteps: [{ id: a, run: [ls], enter: [{ say: Hello }] }]\n',
    });
    const valid = project.lockstep('validate', 'live.yaml');
    expect(valid.stdout).toContain('needs a live session');
    expect(valid.exitCode).toBe(0);
    const run = project.lockstep('run', 'live.yaml');
    expect(run.stderr).toContain('error[needs-session]');
    expect(run.exitCode).toBe(2);
    expect(runIds(project)).toEqual([]);
  });

  it('a text in a definition cannot move the cursor of whoever reads its problems', () => {
    project = projectWith({
      'w.yaml': 'lockstep: 1\nname: w\nsteps: [{ id: x, run: [ls], "fo\\e[2Jo": 1 }]\n',
    });
    const { exitCode, stderr } = project.lockstep('validate', 'w.yaml');
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain('\x1b');
  });
});

describe('list and show', () => {
  const layered = () => {
    project = projectWith(FILES);
    project.write('../home/.lockstep/workflows/release.yaml', FIVE);
    project.write('../home/.lockstep/workflows/mine.yaml', FIVE.replace('name: release', 'name: mine'));
  };

  it('LS-CLI-LIST: names, the layer that won, what it shadows, and descriptions', () => {
    layered();
    const { exitCode, stdout } = project.lockstep('list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^KIND +NAME +FROM +SHADOWS +DESCRIPTION$/m);
    expect(stdout).toMatch(/^workflow +release +project +user +Plans, builds, checks and announces\.$/m);
    expect(stdout).toMatch(/^workflow +mine +user +Plans/m);
    expect(stdout).toMatch(/^workflow +quick-fix +built in/m);
    expect(stdout).toMatch(/^agent +planner +project +built in +Plans\.$/m);
    expect(stdout).toMatch(/^prompt +plan +project +Ask for a plan\.$/m);
    project.write('.lockstep/gates/review/security.md', '---\nenabled: false\n---\nx\n');
    project.write('.lockstep/gates/review/deep.md', '---\nrun: manual\n---\nx\n');
    const gates = project.lockstep('list', 'gates').stdout;
    expect(gates).toMatch(/^gate \(off\) +review\/security +project/m);
    expect(gates).toMatch(/^gate \(manual\) +review\/deep +project/m);
    expect(gates).toMatch(/^gate +review\/code-quality +built in/m);
    expect(project.lockstep('list', 'agents').stdout).not.toMatch(/^workflow/m);
    const rows = JSON.parse(project.lockstep('list', 'workflows', '--json').stdout) as unknown[];
    expect(rows).toContainEqual(
      expect.objectContaining({
        name: 'release',
        layer: 'project',
        shadows: [expect.objectContaining({ layer: 'user' })],
      }),
    );
  });

  it('LS-CLI-SHOW: the layer, the path, the hash, what it shadows, inputs and steps', () => {
    layered();
    const { exitCode, stdout } = project.lockstep('show', 'release');
    const hash = project.sh(`sha256sum ${MAIN}`).stdout.split(' ')[0];
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`from     ${MAIN} (project)`);
    expect(stdout).toContain(`sha256   ${hash}`);
    expect(stdout).toMatch(/shadows {2}.*home\/\.lockstep\/workflows\/release\.yaml \(user\)/);
    expect(stdout).toContain('input topic: string, required  What it is about');
    for (const id of ['plan', 'build', 'wait', 'check', 'announce'])
      expect(stdout).toMatch(new RegExp(`─ ${id} `));
    expect(stdout).not.toContain('Nothing was run');
    expect(JSON.parse(project.lockstep('show', 'release', '--json').stdout)).toMatchObject({
      hash,
      layer: 'project',
    });
  });

  it('LS-CLI-SHOW: --source prints the text; an agent, a file, a name that several have, a name that none has', () => {
    layered();
    expect(project.lockstep('show', 'release', '--source').stdout).toContain(FIVE);
    expect(project.lockstep('show', 'planner').stdout).toContain('agent planner');
    expect(project.lockstep('show', MAIN).stdout).toContain('release');
    project.write('.lockstep/agents/plan.md', '---\nname: plan\n---\nx\n');
    const two = project.lockstep('show', 'plan');
    expect(two.stderr).toContain(
      'error[name-ambiguous] "plan" is the name of a agent and a prompt'.replace('a agent', 'an agent'),
    );
    expect(two.exitCode).toBe(2);
    expect(project.lockstep('show', 'plan', '--kind', 'prompt').exitCode).toBe(0);
    expect(project.lockstep('show', 'security', '--kind', 'gate').stdout).toContain(
      'gates/review/security.md',
    );
    const noGate = project.lockstep('show', 'securty', '--kind', 'gate');
    expect(noGate.stderr).toContain('error[definition-unknown] there is no gate "securty"');
    expect(noGate.exitCode).toBe(2);
    const none = project.lockstep('show', 'relaese');
    expect(none.stderr).toContain('Did you mean "release"?');
    expect(none.exitCode).toBe(2);
  });
});

describe('graph and schema', () => {
  it('LS-CLI-GRAPH: Mermaid by default, a tree as text; a broken workflow is told', () => {
    project = projectWith(FILES);
    const mermaid = project.lockstep('graph', 'release');
    expect(mermaid.stdout).toMatch(/^flowchart /);
    for (const id of ['plan', 'build', 'check', 'announce']) expect(mermaid.stdout).toContain(id);
    const text = project.lockstep('graph', 'release', '--format', 'text');
    expect(text.stdout).toMatch(/└─ announce/);
    project.write(MAIN, FIVE.replace('goto: build', 'goto: nowhere'));
    expect(project.lockstep('graph', 'release').exitCode).toBe(2);
  });

  it('LS-CLI-SCHEMA: the schema accepts the workflow and the script, and refuses a misspelt field', () => {
    project = projectWith(FILES);
    const schema = (...of: string[]) =>
      new Ajv({ strict: false }).compile(JSON.parse(project.lockstep('schema', ...of).stdout));
    const workflow = schema();
    expect(workflow(parse(FIVE))).toBe(true);
    expect(workflow(parse(FIVE.replace('agent: planner', 'agnet: planner')))).toBe(false);
    const script = schema('script');
    expect(script(parse(readFileSync(join(project.root, 'answers.yaml'), 'utf8')))).toBe(true);
    expect(script({ answer: {} })).toBe(false);
  });
});

// Whole numbers beyond 2^53, through every door by which a value comes into a run, with the built command.

import { afterEach, describe, expect, it } from 'vitest';
import type { Ended, Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

let project: Scratch;
afterEach(() => project.remove());

const N = '9007199254740993';
const BEYOND = `${N} is beyond ±9007199254740991`;
const said = ({ stdout, stderr }: Ended) => `${stdout}\n${stderr}`.replace(/\s+/g, ' ');
/** The digits of the number that it would be rounded to. */
const ROUNDED = '9007199254740992';

const inputs = (type: string) =>
  `lockstep: 1\nname: flow\ninputs: { x: { type: ${type} } }\nsteps:\n  - { id: a, run: [echo, '{{ inputs.x }}'] }\n`;
const gate = (capture: string) =>
  `lockstep: 1\nname: flow\nsteps:\n  - { id: a, run: [cat, data], capture: ${capture} }\n  - { id: b, run: [echo, passed] }\n`;

describe('SEC-NUM-DOORS: a number that would be rounded is refused, with its place', () => {
  type Door = [name: string, files: Record<string, string>, argv: string[], place: string];
  const refusedAtStart: Door[] = [
    [
      'a workflow',
      { 'flow.yaml': `lockstep: 1\nname: flow\nvars: { n: ${N} }\nsteps: [{ id: a, run: [ls] }]\n` },
      ['run', 'flow.yaml'],
      'flow.yaml:3:12',
    ],
    [
      'a limit',
      { 'flow.yaml': 'lockstep: 1\nname: flow\nlimits: { cost: 1e999 }\nsteps: [{ id: a, run: [ls] }]\n' },
      ['run', 'flow.yaml'],
      'flow.yaml:3:17',
    ],
    [
      'a schema in place',
      {
        'flow.yaml': `lockstep: 1\nname: flow\nsteps:\n  - { id: a, run: [ls], capture: json, done: { schema: { enum: [${N}] } } }\n`,
      },
      ['run', 'flow.yaml'],
      'flow.yaml:4:65',
    ],
    [
      'a schema file',
      {
        'flow.yaml':
          'lockstep: 1\nname: flow\nsteps:\n  - { id: a, run: [ls], capture: json, done: { schema: ./s.json } }\n',
        's.json': `{"minimum": ${N}}`,
      },
      ['run', 'flow.yaml'],
      's.json:1:13',
    ],
    [
      'an expression',
      { 'flow.yaml': `lockstep: 1\nname: flow\nsteps:\n  - { id: a, if: '1 < ${N}', run: [ls] }\n` },
      ['run', 'flow.yaml'],
      'flow.yaml:4:',
    ],
    [
      'a double in an expression',
      { 'flow.yaml': `lockstep: 1\nname: flow\nsteps:\n  - { id: a, if: '1.0 < ${N}.0', run: [ls] }\n` },
      ['run', 'flow.yaml'],
      'flow.yaml:4:',
    ],
    [
      '--input of a number',
      { 'flow.yaml': inputs('number') },
      ['run', 'flow.yaml', '--input', `x=${N}`],
      'the input `x`',
    ],
    [
      '--input of a list',
      { 'flow.yaml': inputs('list') },
      ['run', 'flow.yaml', '--input', `x=[1, ${N}]`],
      'line 1, column 5',
    ],
    [
      '--input of a map',
      { 'flow.yaml': inputs('map') },
      ['run', 'flow.yaml', '--input', `x={a: ${N}}`],
      'line 1, column 5',
    ],
    [
      '--input-file',
      { 'flow.yaml': inputs('any'), 'in.json': `{\n "x": ${N}}` },
      ['run', 'flow.yaml', '--input-file', 'in.json'],
      'in.json:2:7',
    ],
    [
      '--context-file',
      { 'flow.yaml': inputs('any'), 'in.yaml': `x: [${N}]` },
      ['run', 'flow.yaml', '--context-file', 'in.yaml'],
      'in.yaml:1:5',
    ],
    [
      'front matter',
      { 'flow.yaml': inputs('file'), 'spec.md': `---\nid: ${N}\n---\n# Spec\n` },
      ['run', 'flow.yaml', '--input', 'x=spec.md'],
      'spec.md:2:5',
    ],
    [
      '--var',
      { 'flow.yaml': 'lockstep: 1\nname: flow\nvars: { n: 1 }\nsteps: [{ id: a, run: [ls] }]\n' },
      ['run', 'flow.yaml', '--var', `n=${N}`],
      'the var `n`',
    ],
    [
      '--item',
      {
        'flow.yaml':
          'lockstep: 1\nname: flow\nsteps:\n  - { id: e, each: "x in [1]", steps: [{ id: a, run: [ls] }] }\n',
      },
      ['run-step', 'a', '--workflow', 'flow.yaml', '--item', `[${N}]`],
      '$[0]',
    ],
    [
      'a script',
      {
        'flow.yaml': 'lockstep: 1\nname: flow\nsteps: [{ id: a, prompt: { text: hi } }]\n',
        'script.yaml': `answers:\n  a: [{ output: { n: ${N} } }]\n`,
      },
      ['run', 'flow.yaml', '--script', 'script.yaml'],
      'script.yaml:2:22',
    ],
  ];
  it.each(refusedAtStart)('%s', (_, files, argv, place) => {
    project = projectWith(files);
    const ended = project.lockstep(...argv);
    expect(ended.exitCode, said(ended)).toBe(2);
    expect(said(ended)).toContain(place);
    // A message may say what it would have become.
    expect(said(ended).replace(`kept as ${ROUNDED}`, '')).not.toContain(ROUNDED);
  });

  it.each<[string, string, string]>([
    ['json', `{"a": [{"id": ${N}}]}`, `$.a[0].id: ${BEYOND}`],
    ['json', '{"a": 1e400}', '$.a: 1e400 is larger than any number'],
    ['json', '{"ok": false, "ok": true}', '$.ok: the key is there more than once'],
  ])('capture: %s of %s', (capture, data, place) => {
    project = projectWith({ 'flow.yaml': gate(capture), data });
    const ended = project.lockstep('run', 'flow.yaml');
    expect(ended.exitCode).toBe(1);
    expect(JSON.stringify(journal(project))).toContain(place);
    expect(said(ended)).not.toContain('passed');
    expect(JSON.stringify(journal(project))).not.toContain(ROUNDED);
  });

  it('capture with on_parse_error: keep keeps the text, digit by digit', () => {
    project = projectWith({ 'flow.yaml': gate('{ as: json, on_parse_error: keep }'), data: `{"a": ${N}}` });
    expect(project.lockstep('run', 'flow.yaml').exitCode).toBe(0);
    expect(JSON.stringify(journal(project))).toContain(N);
  });

  it.each([
    ['parse_json', `parse_json(steps.a.output).n == ${ROUNDED}.0`],
    ['number', `number(steps.a.output) == ${ROUNDED}.0`],
    ['double', `double(steps.a.output) == ${ROUNDED}.0`],
    ['int', 'int(steps.a.output) > 1'],
  ])('an expression that reads it from a text: %s()', (name, condition) => {
    const data = name === 'parse_json' ? `{"n": ${N}}` : N;
    project = projectWith({
      'flow.yaml': `lockstep: 1\nname: flow\nsteps:\n  - { id: a, run: [cat, data] }\n  - { id: b, if: '${condition}', run: [echo, passed] }\n`,
      data,
    });
    const ended = project.lockstep('run', 'flow.yaml');
    expect(ended.exitCode, said(ended)).toBe(1);
    expect(said(ended)).toContain(N);
  });

  it('two different numbers never pass as the same: same()', () => {
    project = projectWith({
      'flow.yaml': `lockstep: 1\nname: flow\nsteps:\n  - { id: a, run: [cat, data] }\n  - { id: b, if: 'same(steps.a.output, ${ROUNDED}.0)', run: 'touch passed' }\n`,
      data: N,
    });
    expect(project.lockstep('run', 'flow.yaml').exitCode).toBe(0);
    expect(project.sh('ls passed').exitCode).not.toBe(0);
  });

  it('an answer of an agent that is JSON: as text it stays text, with a schema it is sent back with the place', () => {
    project = projectWith({
      'flow.yaml': `lockstep: 1\nname: flow\nsteps:\n  - { id: a, prompt: { text: hi } }\n  - { id: b, prompt: { text: hi }, done: { schema: { type: object }, tries: 2 } }\n  - { id: c, prompt: { text: hi }, capture: json }\n`,
      'script.yaml': `answers:\n  a: { text: '{"n": ${N}}' }\n  b: [{ text: '{"n": ${N}}' }, { text: '{"n": "${N}"}' }]\n  c: { text: '{"n": ${N}}' }\n`,
    });
    const ended = project.lockstep('run', 'flow.yaml', '--script', 'script.yaml');
    expect(ended.exitCode, said(ended)).toBe(1);
    const entries = journal(project);
    const outcomes = entries.filter(({ kind }) => kind === 'attempt-finished') as unknown as {
      path: string;
      outcome: { output: unknown; warnings?: string[]; violations?: string[]; error?: { message: string } };
    }[];
    const [a, first, second, c] = outcomes.map(({ outcome }) => outcome);
    expect(a?.output).toBe(`{"n": ${N}}`);
    expect(a?.warnings?.join()).toContain(`$.n: ${BEYOND}`);
    expect(first?.violations?.join()).toContain(`$.n: ${BEYOND}`);
    expect(second?.output).toEqual({ n: N });
    expect(c?.error?.message).toContain(`$.n: ${BEYOND}`);
    expect(JSON.stringify(entries)).not.toContain(ROUNDED);
  });

  it('a signal, and a limit that is raised', () => {
    project = projectWith({
      'flow.yaml':
        'lockstep: 1\nname: flow\nsteps:\n  - { id: a, ask: Go on? }\n  - { id: w, wait: { signal: go } }\n',
    });
    project.lockstep('run', 'flow.yaml', '--json');
    const signal = project.lockstep('signal', 'latest', 'go', '--data', `{"n": ${N}}`);
    expect(signal.exitCode, said(signal)).toBe(2);
    expect(said(signal)).toContain(`$.n: ${BEYOND}`);
    for (const limit of ['cost=1e999', `tokens=${N}`, 'tokens=0x10']) {
      const resume = project.lockstep('resume', 'latest', '--limit', limit);
      expect(resume.exitCode, limit).toBe(2);
      expect(said(resume)).toContain('is not a limit');
    }
  });

  it('an issue, which would be written back with another number', () => {
    project = projectWith({ '.lockstep/issues/0001-a.md': `---\ntitle: A\ncase: ${N}\n---\n` });
    expect(said(project.lockstep('issues', 'show', '1'))).toContain(`a number at 3:7: ${BEYOND}`);
  });

  it('what is written as text goes through, and so do numbers that are exact', () => {
    project = projectWith({
      'flow.yaml': gate('json'),
      data: `{"id": "${N}", "edge": 9007199254740991, "double": 1e20, "pi": 3.14}`,
    });
    expect(project.lockstep('run', 'flow.yaml').exitCode).toBe(0);
    const [outcome] = journal(project).filter(({ kind }) => kind === 'attempt-finished') as unknown as {
      outcome: { output: unknown };
    }[];
    expect(outcome?.outcome.output).toEqual({ id: N, edge: 9007199254740991, double: 1e20, pi: 3.14 });
  });
});

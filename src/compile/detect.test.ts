import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../dialects/dialects.ts';
import type { DialectName } from '../model/dialect.ts';
import { report } from '../source/diagnostics.ts';
import type { MapNode } from '../source/read/node.ts';
import { sourceText } from '../source/read/source.ts';
import { readYaml } from '../source/read/yaml.ts';
import { detect, dialectOf } from './detect.ts';

function read(text: string): MapNode {
  return readYaml(sourceText('w.yaml', text), report()) as MapNode;
}

const SHAPES: [DialectName | undefined, string][] = [
  ['native', 'lockstep: 1\nname: w\nsteps: [{ id: a, run: x }]'],
  [
    'native',
    'lockstep: 1\nid: w\nversion: "1.1"\nphases: [{ agent: x, on_enter: [] }]\nsteps: [{ name: A }]',
  ],
  ['native', 'name: w\nsteps: [{ id: a, run: x }]'],
  ['orchestrate', 'version: "1.1"\nsteps: [{ name: A, command: [x] }]'],
  ['orchestrate', 'version: 1.1\nsteps: [{ name: A, command: [x] }]'],
  ['orchestrate', 'version: "2.0"\nsteps: [{ name: A, command: [x] }]'],
  ['orchestrate', 'steps: [{ name: A, command: [x] }]'],
  ['orchestrate', 'version: "1.3"\nsteps: []'],
  ['orchestrate', 'version: "1.3"\nsteps: [{ command: [x] }]'],
  ['wrangler', 'version: 2\nphases: [{ name: plan, agent: x }]'],
  ['gobby', 'type: lifecycle\ntriggers: {}'],
  ['gobby', 'version: "1.0"\nphases: [{ name: plan, allowed_tools: all }]'],
  ['gobby', 'name: child\nextends: plan-execute\nvariables: { a: 1 }'],
  ['workrail', 'id: w\nversion: "1.1.1"\nsteps: [{ id: a, prompt: x }]'],
  [undefined, 'name: w\njobs: { build: {} }'],
  [undefined, 'version: "1.1"\nname: w'],
  [undefined, 'version: 1\nphases: [{ agent: x, on_enter: [] }]'],
  [undefined, 'id: w\nversion: "1.1"\nsteps: [{ id: a, name: A }]'],
];

describe('detect', () => {
  it.each(SHAPES)('%s: %j', (dialect, text) => {
    expect(dialectOf(read(text), DIALECTS)).toBe(dialect);
  });

  it('says what it looked for where it finds nothing', () => {
    const problems = report();
    expect(detect(read('name: w\njobs: { build: {} }'), problems, DIALECTS)).toBeUndefined();
    const [problem, ...others] = problems.diagnostics();
    expect(others).toEqual([]);
    expect(problem?.code).toBe('dialect-unknown');
    expect(problem?.message).toContain('\n- native: `lockstep: 1`');
    for (const { name, marks } of DIALECTS) expect(problem?.message).toContain(`\n- ${name}: ${marks}`);
  });

  it('names all that it could be, and what each was recognised by', () => {
    const problems = report();
    expect(
      detect(read('version: 1\nphases: [{ agent: x, on_enter: [] }]'), problems, DIALECTS),
    ).toBeUndefined();
    const [problem] = problems.diagnostics();
    expect(problem?.code).toBe('dialect-unclear');
    expect(problem?.message).toContain('wrangler or gobby');
    expect(problem?.message).toContain('`agent`');
    expect(problem?.message).toContain('`on_enter`');
    expect(problem?.hint).toContain('--dialect wrangler');
  });

  it('takes the word of a person for it, whatever the shape', () => {
    const problems = report();
    expect(detect(read('name: w\njobs: {}'), problems, DIALECTS, 'native')?.name).toBe('native');
    expect(problems.diagnostics()).toEqual([]);
    expect(detect(read('lockstep: 1'), problems, DIALECTS, 'gobby')?.name).toBe('gobby');
    const unread = DIALECTS.map(({ translate: _, ...row }) => row);
    expect(detect(read('lockstep: 1'), problems, unread, 'gobby')).toBeUndefined();
    expect(problems.diagnostics()[0]?.code).toBe('dialect-unsupported');
  });
});

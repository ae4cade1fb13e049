import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../dialects/dialects.ts';
import type { LoadedFile, MissingFile } from '../model/library.ts';
import { Compilation, needKey } from './compilation.ts';
import { compile } from './compile.ts';
import { lowerRoot } from './lower/workflow.ts';

const TEXT = `lockstep: 1
name: w
on_fail: stop
invariants: [{ every: b, after: a }]
steps:
  - id: a
    run: [x]
    on_fail: pause
    next:
      - { when: 'true', goto: end }
  - id: b
    each: 'i in [1]'
    steps: [{ id: c, run: y }]
`;
const main: LoadedFile = { id: '/w.yaml', path: 'w.yaml', text: TEXT, layer: 'file', shadows: [] };

describe('span', () => {
  const compilation = new Compilation({ main, files: new Map(), hash: String, dialects: DIALECTS });
  const workflow = lowerRoot(main, compilation);
  const at = (part: object | undefined, ...keys: (string | number)[]): string => {
    const { line, column, endLine, endColumn } = compilation.span(part ?? {}, ...keys);
    return `${line}:${column}-${endLine}:${endColumn}`;
  };

  it('shows where a part of the workflow stands, and its fields by the names of either side', () => {
    const [a, b] = workflow?.steps ?? [];
    expect(at(workflow)).toBe('1:1-1:9');
    expect(at(workflow, 'onFail')).toBe('3:10-3:14');
    expect(at(workflow?.invariants[0], 'every')).toBe('4:23-4:24');
    expect(at(a)).toBe('6:5-6:7');
    expect(at(a, 'id')).toBe('6:9-6:10');
    expect(at(a, 'onFail')).toBe('8:14-8:19');
    expect(at(a, 'on_fail')).toBe('8:14-8:19');
    expect(at(a?.next[0], 'goto')).toBe('10:31-10:34');
    expect(at(b?.work, 'each')).toBe('12:11-12:21');
    expect(at(b, 'steps')).toBe('13:15-13:17');
    expect(at(a, 'next', 0, 'goto')).toBe('10:31-10:34');
    expect(at(a, 'run', 0)).toBe('7:11-7:12');
  });

  it('shows the start of a part for a field that it does not have, and of the file for a part nobody knows', () => {
    expect(at(workflow?.steps[0], 'timeout')).toBe('6:5-6:7');
    expect(at({})).toBe('1:1-1:1');
  });
});

describe('files that cannot be had', () => {
  it.each<[MissingFile['problem'], string]>([
    ['not-found', 'the agent "dev" was not found; looked in here, there'],
    ['too-large', 'the agent "dev" is too large to be a definition (at most 4 MiB are read)'],
    ['unreadable', 'the agent "dev" cannot be read; looked in here, there'],
    ['outside', 'the agent "dev" lies outside of the folder that it may be taken from'],
    [undefined, 'the agent "dev" was not found; looked in here, there'],
  ])('%s: the message says so', (problem, message) => {
    const text = 'lockstep: 1\nname: w\nsteps: [{ id: a, agent: dev, prompt: { text: hi } }]\n';
    const missing: MissingFile = {
      missing: true,
      looked: ['here', 'there'],
      known: [],
      ...(problem && { problem }),
    };
    const files = new Map([[needKey({ by: 'name', kind: 'agent', name: 'dev' }), missing]]);
    const result = compile({ main: { ...main, text }, files, hash: String, dialects: DIALECTS });
    expect(result.kind === 'invalid' && result.diagnostics.map((each) => each.message)).toEqual([message]);
  });
});

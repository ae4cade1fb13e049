import { describe, expect, it } from 'vitest';
import type { LoadedFile } from '../../model/library.ts';
import type { Library } from '../../ports/library.ts';
import { loadWorkflow } from './load.ts';

const TEXTS: Record<string, string> = {
  outer: 'lockstep: 1\nname: outer\nextends: base\nsteps:\n  - { id: a, workflow: inner }\n',
  base: 'lockstep: 1\nname: base\ndefaults: { agent: dev }\n',
  inner: 'lockstep: 1\nname: inner\nsteps:\n  - { id: b, agent: dev, prompt: say, save_to: out/answer.md }\n',
  dev: '---\nname: dev\n---\nYou write.\n',
  say: 'Say it.\n',
};

const fileOf = (name: string): LoadedFile => {
  const path = `${name}.${name === 'dev' || name === 'say' ? 'md' : 'yaml'}`;
  return { id: `/${path}`, path, text: TEXTS[name] ?? '', layer: 'project', shadows: [] };
};

function library(): Library & { asked: string[] } {
  const asked: string[] = [];
  const note = <T>(what: string, answer: T): T => {
    asked.push(what);
    return answer;
  };
  return {
    asked,
    load: (need) =>
      'name' in need && need.name in TEXTS
        ? note(need.name, fileOf(need.name))
        : note('missing', { missing: true as const, looked: ['here'], known: [] }),
    loadFile: () => ({ missing: true, looked: [], known: [] }),
    list: () => [],
    place: (need) => note(need.path, { outside: [] }),
  };
}

describe('loadWorkflow', () => {
  it('looks for every file and place once, whoever names it', () => {
    const from = library();
    let hashed = 0;
    const { workflow, diagnostics } = loadWorkflow(
      {
        library: from,
        dialects: [],
        hash(text) {
          hashed += 1;
          return `${text.length}`;
        },
      },
      fileOf('outer'),
    );
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(workflow?.workflows).toHaveProperty('inner');
    expect([...from.asked].sort()).toEqual(['base', 'dev', 'inner', 'out/answer.md', 'say']);
    // A source is hashed when somebody asks for its hash, and once for each time that a workflow is lowered from it: once.
    expect(hashed).toBe(0);
    JSON.stringify(workflow);
    JSON.stringify(workflow);
    expect(hashed).toBe(5);
  });

  it('says what is missing, and where it looked', () => {
    const main = {
      ...fileOf('outer'),
      text: 'lockstep: 1\nname: w\nsteps:\n  - { id: a, workflow: nowhere }\n',
    };
    const { workflow, diagnostics, files } = loadWorkflow(
      { library: library(), dialects: [], hash: String },
      main,
    );
    expect(workflow).toBeUndefined();
    expect(diagnostics.map(({ message }) => message).join()).toContain('looked in here');
    expect(files.get('here')).toBeUndefined();
    expect(files.has('here')).toBe(true);
  });
});

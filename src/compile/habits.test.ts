// Every line that somebody types who knows another tool, and the line that they are told: it is typed in, and loads.

import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../model/diagnostic.ts';
import { PLACES } from '../source/grammar/habits.ts';
import { VALUES, WORDS } from '../source/grammar/value-habits.ts';
import { compileSample } from './fixtures/sample-library.ts';
import { TYPED, VALUED, WORDED } from './fixtures/typed-elsewhere.ts';
import { BASES, type Base } from './fixtures/typed-places.ts';

const rowsOf = (block = '') =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const keyOf = (line: string) => line.slice(0, line.indexOf(':'));

function document({ before, behind, indent }: Base, lines: string[], without: string[] = []): string {
  const kept = before.filter((line) => !without.some((key) => line.startsWith(`${indent}${key}:`)));
  // A list item that would begin with nothing.
  const placed = lines.map((line) => `${indent}${line}`);
  const all = [...kept, ...placed, ...behind];
  return `${all.join('\n').replace(/^( +)- id: a$\n\1 {2}id: /m, '$1- id: ')}\n`;
}

const FILES = {
  'workflows/review.yaml':
    'lockstep: 1\nname: review\ninputs: { spec: { type: string, default: a } }\nsteps: [{ id: a, run: make }]\n',
  'review.yaml': 'lockstep: 1\nname: review\nsteps: [{ id: a, run: make }]\n',
  'agents/helper.md': 'You help.',
  'agents/reviewer.md': 'You review.',
};

function load(text: string): Diagnostic[] {
  const result = compileSample(text, FILES);
  if (result.kind === 'needs') throw new Error('files are missing');
  return [...result.diagnostics];
}
const errors = (text: string) => load(text).filter(({ severity }) => severity === 'error');

/** The lines behind "write" of a hint. */
function suggested(hint: string): string[] {
  const found = /[Ww]rite (`[^`]+`(?: and `[^`]+`)*)/.exec(hint)?.[1] ?? '';
  return [...found.matchAll(/`([^`]+)`/g)].map(([, line]) => line as string);
}

const TOLD = /[Ww]rite `|Leave it out|leave|runs when|\bput this step\b/;
const BLOCKS = ['each', 'steps', 'parallel', 'loop'];
const VERBS = ['run', 'prompt', 'workflow', 'ask'];

function tryRow(base: Base, line: string): { hint: string; left: unknown[] } {
  const all = errors(document(base, [line]));
  const problem = all.find(({ hint = '' }) => TOLD.test(hint)) ?? all[0];
  if (problem === undefined) throw new Error(`nothing is wrong with ${line}`);
  const hint = problem.hint ?? '';
  const lines = suggested(hint);
  const keys = lines.map(keyOf);
  const isBlock = keys.some((key) => BLOCKS.includes(key)) && keys.includes('steps');
  const isVerb = keys.some((key) => VERBS.includes(key));
  const gone = [...keys, ...(isBlock || isVerb ? VERBS : [])];
  const isForWorkflow = /workflow's `steps`/.test(hint);
  const isForStep = /belong to the step/.test(hint);
  const text = isForWorkflow
    ? document({ ...base, before: [...base.before, '#'] }, []).replace(
        'name: w\n',
        `name: w\n${lines.join('\n')}\n`,
      )
    : isForStep
      ? document(BASES.run, lines)
      : document(base, lines, gone);
  return { hint, left: errors(text).map(({ message, span }) => [message, span?.line, text]) };
}

const fieldRows = Object.entries(TYPED).flatMap(([place, bases]) =>
  Object.entries(bases).flatMap(([base, block]) =>
    rowsOf(block).map((line): [string, keyof typeof BASES, string] => [
      place,
      base as keyof typeof BASES,
      line,
    ]),
  ),
);

describe('what other tools call it', () => {
  it.each(fieldRows)('UX-HABITS: in a %s (%s): %s', (_, base, line) => {
    const { hint, left } = tryRow(BASES[base], line);
    expect(hint).toMatch(TOLD);
    expect(left).toEqual([]);
  });

  it('UX-HABITS: every row of the table is tried', () => {
    const spelt = (key: string) => {
      const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
      return name === 'then' ? 'goes_to' : name;
    };
    for (const [place, habits] of Object.entries(PLACES)) {
      const tried = fieldRows.filter(([of]) => of === place).map(([, , line]) => spelt(keyOf(line)));
      expect([place, Object.keys(habits).filter((key) => !tried.includes(key))]).toEqual([place, []]);
    }
  });
});

const valueRows = Object.entries(VALUED).flatMap(([base, block]) =>
  rowsOf(block).map((line): [keyof typeof BASES, string] => [base as keyof typeof BASES, line]),
);

describe('values as other tools have them', () => {
  it.each(valueRows)('UX-HABITS: of a %s: %s', (base, line) => {
    const { hint, left } = tryRow(BASES[base], line);
    expect(hint).toMatch(/[Ww]rite `|Leave/);
    expect(left).toEqual([]);
  });

  it('UX-HABITS: every field of the table is tried', () => {
    const tried = valueRows.map(([, line]) => keyOf(line));
    expect(Object.keys(VALUES).filter((key) => !tried.includes(key))).toEqual([]);
  });

  it.each(Object.entries(WORDS).flatMap(([field, words]) => Object.keys(words).map((word) => [field, word])))(
    'UX-HABITS: %s: %s',
    (field = '', word = '') => {
      const [base, before] = WORDED[field] ?? ['run'];
      const at = BASES[base];
      const { hint, left } = tryRow(
        { ...at, before: [...at.before, ...(before ? [before] : [])] },
        `${field}: ${word}`,
      );
      expect(hint).toContain(`Write \`${field}: `);
      expect(left).toEqual([]);
    },
  );
});

describe('a prompt that is a text', () => {
  it.each([
    '|\n      Fix the bug.\n      Then test it.',
    "'Fix {{ inputs.items }}'",
    "'{% if true %}x{% endif %}'",
  ])('UX-PROMPT-TEXT: is the task where no file could be called so: %s', (text) => {
    expect(load(document(BASES.none, [`prompt: ${text}`]))).toEqual([]);
  });

  it('UX-PROMPT-TEXT: what is filled in is checked there, too', () => {
    const [problem] = errors(document(BASES.none, ["prompt: 'Fix {{ inputs.nothing }}'"]));
    expect(problem?.code).toBe('cel-unknown-field');
  });

  it('UX-PROMPT-TEXT: a text of one line could be a name: what to write is said', () => {
    const { hint, left } = tryRow(BASES.none, 'prompt: Fix the bug in the parser');
    expect(hint).toBe('Write `prompt: { text: Fix the bug in the parser }`.');
    expect(left).toEqual([]);
  });
});

describe('conditions of other tools', () => {
  it.each([
    ['always()', 'on_fail: continue'],
    ['success()', 'Leave it out'],
    ['succeeded()', 'Leave it out'],
    ['failure()', 'steps.build.status == "failed"'],
    ['failed()', 'steps.build.status == "failed"'],
    ['cancelled()', 'Leave it out'],
    ['contains(inputs.items, "x")', 'includes(x, y)'],
    ['startsWith("a", "b")', 'x.startsWith(y)'],
    ['fromJSON("1")', 'parse_json(x)'],
    ['github.ref == "x"', 'inputs.branch'],
    ['secrets.TOKEN != ""', 'secrets:'],
    ['env.CI == "true"', 'inputs.name'],
    ['matrix.node == 20', "each: 'item in list'"],
    ['needs.build.result == "success"', 'steps.build.output'],
  ])('UX-HABITS: if: %s', (condition, told) => {
    const [problem] = errors(document(BASES.run, [`if: '${condition}'`]));
    expect(problem?.hint).toContain(told);
  });
});

describe('whole files of other tools', () => {
  it.each([
    'name: ci\non: push\njobs: { build: { runs-on: ubuntu, steps: [{ run: make }] } }',
    'name: fix\nnodes: [{ id: a, bash: make }]',
    'apiVersion: argoproj.io/v1alpha1\nkind: Workflow',
    'version: "3"\ntasks: { build: { cmds: [make] } }',
    'services: { web: { image: x } }',
  ])('UX-HABITS: what a workflow begins with is said: %s', (text) => {
    const [problem] = errors(`${text}\n`);
    const lines = [...(problem?.hint ?? '').matchAll(/`([^`]+)`/g)].map(([, line]) => line as string);
    expect(lines.slice(0, 3).join('\n')).toContain('lockstep: 1\nname: my-workflow\nsteps:');
    expect(errors(`${lines.slice(0, 3).join('\n')}\n`)).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { compile } from '../compile/compile.ts';
import { type CanarySeen, canaryWorkflow, judgeCanary } from './canary.ts';

const seen = (more: Partial<CanarySeen>): CanarySeen => ({
  provider: 'codex',
  calls: [],
  files: [],
  ...more,
});
const tried = { tool: 'Write', about: 'written.txt' };
const denied = {
  tool: 'Bash',
  about: 'touch touched.txt',
  denied: 'This is a canary. That you were stopped is what was to be shown.',
};
const notGiven = { ...tried, denied: 'No such tool available: Write' };

it.each([
  ['denied, and nothing happened', { calls: [tried, denied] }, 'enforced', /Bash was tried and denied/],
  [
    'both were denied, and nothing happened',
    { calls: [notGiven, denied] },
    'enforced',
    /Write and Bash were tried and denied/,
  ],
  [
    'K1: the client refused by itself, and nobody was asked',
    { calls: [notGiven, { ...denied, denied: 'Exit code 1' }] },
    'unproven',
    /not by the rule/,
  ],
  [
    'both were made',
    { files: ['written.txt', 'touched.txt'] },
    'not-enforced',
    /written\.txt and touched\.txt were made/,
  ],
  [
    'K2: denied, and it happened all the same',
    { calls: [denied], files: ['touched.txt'] },
    'not-enforced',
    /NOT held.*touched\.txt/,
  ],
  ['nobody was asked, and it happened', { files: ['written.txt'] }, 'not-enforced', /NOT held/],
  ['K1: it was not tried', {}, 'unproven', /did not try/],
  ['K1: it came to nothing by itself', { calls: [tried] }, 'unproven', /not by the rule/],
  ['it failed', { failure: 'no such key' }, 'unproven', /it failed: no such key/],
  ['it was denied and then failed', { calls: [denied], failure: 'x' }, 'enforced', /denied/],
] satisfies [string, Partial<CanarySeen>, string, RegExp][])('%s', (_, given, verdict, says) => {
  expect(judgeCanary(seen(given))).toMatchObject({ verdict, says: expect.stringMatching(says) });
});

it.each(['claude', 'codex', 'gemini'] as const)(
  'the workflow for %s compiles: Write denied, the shell by a rule',
  (provider) => {
    const text = canaryWorkflow(provider, 'small: "1"');
    const main = { id: '/c.yaml', path: 'c.yaml', text, layer: 'builtin' as const, shadows: [] };
    const result = compile({ main, files: new Map(), places: new Map(), hash: () => '', dialects: [] });
    expect(result).toMatchObject({
      kind: 'compiled',
      diagnostics: [],
      workflow: {
        tools: { deny: ['Write'] },
        rules: [{ block: expect.any(String) }],
        refused: [],
        steps: [{ work: { performer: { provider, model: 'small: "1"' } } }],
      },
    });
  },
);

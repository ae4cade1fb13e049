// The whole: plan → implement → review, which rejects once → fix → review → verify. Real files in a real repository, with
// every client; and the journals of all of them, which differ only in what they must.

import { describe, expect, it } from 'vitest';
import type { ClientName } from '../support/clients/client.ts';
import { clients } from '../support/clients.ts';
import { flow } from '../support/flow.ts';
import { answer, edit, type Part, read, say, write } from '../support/model.ts';
import { onlyWhatMustBeSame } from '../support/same-journal.ts';
import { scenario } from '../support/scenario.ts';

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('words are joined by hyphens', () => assert.equal(slug('One two'), 'one-two'));
`;
const SLUG = `export function slug(title) {
  return title.toLowerCase().replaceAll(' ', '-');
}
`;
const WRONG = SLUG.replace('.toLowerCase()', '');
const ISSUE = 'src/slug.js: two blanks make two hyphens';

const model: Record<string, Part> = {
  'Plan this': [
    read('SPEC.md'),
    answer({ summary: 'A function that makes slugs', files: ['src/slug.js', 'test/slug.test.js'] }),
  ],
  // Sent back by the tests: in a session that goes on only the reasons are told.
  'exit code 1': [
    read('src/slug.js'),
    edit('src/slug.js', 'title.replaceAll', 'title.toLowerCase().replaceAll'),
    say('Mended.'),
  ],
  'Implement: A function that makes slugs': [
    write('src/slug.js', WRONG),
    write('test/slug.test.js', TEST),
    say('Implemented.'),
  ],
  'Review what was made for slugs': {
    openings: [
      [read('src/slug.js'), answer({ approved: false, issues: [ISSUE] })],
      [read('src/slug.js'), answer({ approved: true, issues: [] })],
    ],
  },
  'Mend what the review found': [
    read('src/slug.js'),
    edit('src/slug.js', "replaceAll(' ', '-')", "replaceAll(/ +/g, '-')"),
    say('Mended.'),
  ],
};

const files = {
  'package.json': '{ "type": "module" }\n',
  'SPEC.md': '# Slugs\n\nA title becomes a slug.\n',
  '.lockstep/agents/planner.md':
    '---\ntools: { allow: [Read, Grep, Glob] }\n---\nYou plan, and change nothing.\n',
  '.lockstep/agents/implementer.md': '---\ndescription: Writes code.\n---\nYou write code.\n',
  '.lockstep/agents/reviewer.md':
    '---\ntools: { allow: [Read, Grep, Glob] }\n---\nYou review, and change nothing.\n',
};

const steps = `
  - id: plan
    agent: planner
    prompt: { text: 'Plan this: {{ inputs.spec.text }}' }
    output: plan
    done:
      schema:
        type: object
        properties: { summary: { type: string }, files: { type: array, items: { type: string } } }
        required: [summary, files]
        additionalProperties: false
  - id: implement
    agent: implementer
    prompt: { text: 'Implement: {{ plan.summary }}' }
    done: { run: [node, --test, test/], tries: 3 }
  - id: fixing
    loop: { until: 'review.approved', max: 3 }
    steps:
      - id: review
        agent: reviewer
        prompt: { text: Review what was made for slugs }
        output: review
        done:
          schema:
            type: object
            properties: { approved: { type: boolean }, issues: { type: array, items: { type: string } } }
            required: [approved, issues]
            additionalProperties: false
      - id: fix
        if: '!review.approved'
        agent: implementer
        prompt: { text: 'Mend what the review found: {{ review.issues }}' }
  - { id: verify, run: [node, --test, test/] }
`;

const journals: Partial<Record<ClientName, unknown>> = {};

scenario(
  'plan, implement, review, fix, verify: real files in a real repository',
  { files, model },
  async (scene) => {
    const more =
      'inputs: { spec: { type: file, default: SPEC.md } }\ninvariants: [ { every: verify, after: implement } ]';
    const ended = await scene.run(flow(scene.client, steps, more));
    expect(ended.exitCode).toBe(0);
    expect(ended.state.status).toBe('completed');
    expect(scene.read('src/slug.js')).toBe(SLUG.replace("' '", '/ +/g'));
    expect(scene.read('test/slug.test.js')).toBe(TEST);
    expect(scene.sh('git status --porcelain -uall')).toBe('?? src/slug.js\n?? test/slug.test.js\n');

    expect(ended.entries('work-rejected').map(({ path, try: attempt }) => [path, attempt])).toEqual([
      ['implement', 1],
    ]);
    expect(ended.outcome('fixing#1/review').output).toEqual({ approved: false, issues: [ISSUE] });
    expect(ended.outcome('fixing#1/fix').output).toBe('Mended.');
    expect(ended.outcome('fixing#2/review').output).toEqual({ approved: true, issues: [] });
    expect(ended.entries('step-skipped').map(({ path }) => path)).toEqual(['fixing#2/fix']);

    const audit = await scene.lockstep('audit');
    expect(audit.exitCode).toBe(0);
    journals[scene.client.name] = onlyWhatMustBeSame(ended.journal, scene.root);
  },
);

describe('the journals of the clients differ only in what they must', () => {
  const [first, ...others] = clients.map(({ name }) => name) as [ClientName, ...ClientName[]];
  for (const other of others) {
    it(other, () => {
      const [mine, yours] = [journals[other], journals[first]];
      expect(mine, `the story of ${other}`).toBeDefined();
      expect(yours, `the story of ${first}`).toBeDefined();
      expect(mine).toEqual(yours);
    });
  }
});

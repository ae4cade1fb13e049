// The six result schemas that come with it, and the two of claims: what fits, what does not, and what nobody should be
// refused for.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../src/model/json.ts';
import { violations } from '../src/runtime/schema.ts';
import { projectRoot } from './scratch.ts';

const folder = join(projectRoot, 'builtin/schemas');
const schema = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as JsonObject;
const check = (name: string, value: Json) => violations(name, schema(name), value);

const tests = { total: 3, passed: 3, failed: 0, exitCode: 0 };
const filesChanged = [{ path: 'a.js', action: 'modified', linesAdded: 1, linesRemoved: 0 }];
const task = { id: 'a', title: 'A', description: 'd', requirements: [], estimatedComplexity: 'low' };
const good: Record<string, JsonObject> = {
  analysis: {
    tasks: [task],
    requirements: [{ id: 'r', description: 'd', source: 's', testable: true }],
    constraints: [],
    techStack: { language: 'JavaScript', testFramework: 'node:test' },
  },
  implementation: {
    filesChanged,
    testResults: tests,
    tddCertification: {
      functions: [{ name: 'f', testFile: 'f.test.js', watchedFail: true, watchedPass: true }],
    },
    commits: ['abc'],
  },
  review: {
    assessment: 'needs_revision',
    issues: [{ severity: 'minor', description: 'd', fixInstructions: 'f' }],
    strengths: [],
    hasActionableIssues: false,
  },
  fix: {
    filesChanged,
    testResults: tests,
    fixed: [{ description: 'd', how: 'h' }],
    notFixed: [{ description: 'd', why: 'w' }],
    commits: [],
  },
  verification: {
    testSuite: { ...tests, coverage: 81.5 },
    requirements: [{ id: 'r', description: 'd', met: true, evidence: 'e' }],
    gitClean: true,
  },
  publish: { branch: 'b', pushed: true, pullRequest: { url: 'u', title: 't' }, commits: [] },
};

describe('LS-GATE-SCHEMAS: the result schemas', () => {
  it('are these six, beside the two of claims', () => {
    expect(readdirSync(folder).sort()).toEqual(
      [...Object.keys(good), 'claim', 'claim-notes-optional'].map((name) => `${name}.json`).sort(),
    );
  });

  it.each(Object.entries(good))(
    '%s: fits, with more than it names and with a blocker too',
    async (name, value) => {
      expect(await check(name, value)).toEqual([]);
      expect(await check(name, { ...value, more: 1, blocker: 'Which?' })).toEqual([]);
      expect(
        await check(name, { ...value, blocker: { question: 'q', options: [1, 'x'], details: {} } }),
      ).toEqual([]);
      expect(await check(name, { ...value, blocker: null })).toEqual([]);
    },
  );

  it.each(
    Object.entries(good).flatMap(([name, value]) =>
      Object.keys(value)
        .filter((key) => key !== 'pullRequest')
        .map((key) => [name, key] as const),
    ),
  )('%s: without %s it does not fit', async (name, key) => {
    const { [key]: _, ...rest } = good[name] as JsonObject;
    expect(await check(name, rest)).toHaveLength(1);
  });

  it.each([
    [
      'analysis',
      {
        ...good.analysis,
        tasks: [{ ...task, estimatedComplexity: 'huge' }],
      },
    ],
    ['review', { ...good.review, assessment: 'fine' }],
    ['review', { ...good.review, issues: [{ severity: 'nit', description: 'd', fixInstructions: 'f' }] }],
    ['implementation', { ...good.implementation, filesChanged: [{ ...filesChanged[0], action: 'moved' }] }],
    ['verification', { ...good.verification, testSuite: { ...tests, exitCode: 'none' } }],
  ] as [string, JsonObject][])('%s: %j does not fit', async (name, value) => {
    expect(await check(name, value)).not.toEqual([]);
  });
});

describe('RAIL-CLAIM: the schema of a claim', () => {
  const claim = {
    notesMarkdown: 'Done.',
    artifacts: [{ kind: 'x' }, 'text'],
    context: { size: 'Large', 'a.b': [1] },
  };

  it('takes notes, artifacts of any kind and a context of any keys; the last two may be left out', async () => {
    for (const name of ['claim', 'claim-notes-optional']) {
      expect(await check(name, claim)).toEqual([]);
      expect(await check(name, { notesMarkdown: 'Done.' })).toEqual([]);
      expect(await check(name, { ...claim, context: [1] })).toHaveLength(1);
      expect(await check(name, { ...claim, artifacts: {} })).toHaveLength(1);
      expect(await check(name, 'Done.')).toHaveLength(1);
    }
  });

  it('needs notes that are not blank, unless they are optional', async () => {
    for (const given of [{ ...claim, notesMarkdown: ' \n' }, { context: {} }] as JsonObject[]) {
      expect(await check('claim', given)).toHaveLength(1);
      expect(await check('claim-notes-optional', given)).toEqual([]);
    }
  });
});

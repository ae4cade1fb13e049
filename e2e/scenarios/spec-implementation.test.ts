// The whole, with what comes with Lockstep: `lockstep run SPEC.md` in a real repository, with every client. One task, which
// the tests send back once; a review that rejects, a fix, a review; commits on a branch of the run's own, made by the
// client's own shell; and the journals of all of them, which differ only in what they must.

import { describe, expect, it } from 'vitest';
import type { ClientName } from '../support/clients/client.ts';
import { clients } from '../support/clients.ts';
import { answer, bash, edit, type Part, read, write } from '../support/model.ts';
import { onlyWhatMustBeSame } from '../support/same-journal.ts';
import { scenario } from '../support/scenario.ts';

const SLUG = `export function slug(title) {
  return title.toLowerCase().replaceAll(' ', '-');
}
`;
const WRONG = SLUG.replace('.toLowerCase()', '');
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('words are joined by hyphens', () => assert.equal(slug('One two'), 'one-two'));
`;
const ISSUE = 'Two blanks make two hyphens';
const REQUIREMENT = 'Words are joined by one hyphen';
const files = [{ path: 'src/slug.js', action: 'created', linesAdded: 3, linesRemoved: 0 }];
const testResults = { total: 1, passed: 1, failed: 0, exitCode: 0 };
const IMPLEMENTED = {
  filesChanged: files,
  testResults,
  tddCertification: {
    functions: [{ name: 'slug', testFile: 'test/slug.test.js', watchedFail: true, watchedPass: true }],
  },
  commits: ['implement: Make slugs'],
};
const approved = { assessment: 'approved', issues: [], strengths: [], hasActionableIssues: false };

const model: Record<string, Part> = {
  'Split the specification': [
    read('SPEC.md'),
    answer({
      tasks: [
        {
          id: 'slug',
          title: 'Make slugs',
          description: 'slug(title) in src/slug.js',
          requirements: [REQUIREMENT],
          dependencies: [],
          estimatedComplexity: 'low',
          filePaths: ['src/slug.js'],
        },
      ],
      requirements: [{ id: 'R1', description: REQUIREMENT, source: 'Slugs', testable: true }],
      constraints: [],
      techStack: { language: 'JavaScript', testFramework: 'node:test' },
    }),
  ],
  // Sent back by the tests: in a session that goes on only the reasons are told.
  'ended with exit code 1': [
    read('src/slug.js'),
    edit('src/slug.js', 'title.replaceAll', 'title.toLowerCase().replaceAll'),
    bash('git commit -qa --amend --no-edit'),
    answer(IMPLEMENTED),
  ],
  // It says that the tests pass, and has not run them.
  'Implement this task': [
    write('src/slug.js', WRONG),
    write('test/slug.test.js', TEST),
    bash('git add -A && git commit -qm "implement: Make slugs"'),
    answer(IMPLEMENTED),
  ],
  'Review this change for **correctness': {
    openings: [
      [
        read('src/slug.js'),
        bash('git log --oneline'),
        answer({
          ...approved,
          assessment: 'needs_revision',
          issues: [
            {
              severity: 'critical',
              description: ISSUE,
              file: 'src/slug.js',
              line: 2,
              fixInstructions: 'One for any run of blanks.',
            },
          ],
          hasActionableIssues: true,
        }),
      ],
      [read('src/slug.js'), answer(approved)],
    ],
  },
  'Reviewers found issues': [
    read('src/slug.js'),
    edit('src/slug.js', "replaceAll(' ', '-')", "replaceAll(/ +/g, '-')"),
    bash('git add -A && git commit -qm "fix: Runs of blanks"'),
    answer({
      filesChanged: files,
      testResults,
      fixed: [{ description: ISSUE, how: 'A run of blanks is one hyphen' }],
      notFixed: [],
      commits: ['fix: Runs of blanks'],
    }),
  ],
  'Find out whether the work': [
    bash('npm test'),
    answer({
      testSuite: testResults,
      requirements: [{ id: 'R1', description: REQUIREMENT, met: true, evidence: 'test/slug.test.js' }],
      gitClean: true,
      allPassed: true,
    }),
  ],
  'Publish the work': [
    bash('git remote'),
    answer({ branch: 'this one', pushed: false, commits: [], notes: 'There is no remote.' }),
  ],
};

const project = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test test/" } }\n',
  'SPEC.md': '# Slugs\n\nA title becomes a slug: its words, joined by one hyphen each.\n',
};

const journals: Partial<Record<ClientName, unknown>> = {};

scenario(
  'a specification becomes a branch: work that is sent back, a review that rejects, a fix, real commits',
  { files: project, model, workspace: '.worktrees/slugs' },
  async (scene) => {
    const main = scene.sh('git rev-parse HEAD');
    // One gate is enough here, and each is a client to start.
    const others = ['--skip-step', 'security', '--skip-step', 'test-coverage'];
    const ended = await scene.lockstep('run', 'SPEC.md', '--model', 'model-one', ...others);
    expect(ended.exitCode).toBe(0);
    expect(ended.state.status).toBe('completed');

    const pass = 'execute[0]';
    expect(ended.outcome(`${pass}/reviews/code-quality`).output).toMatchObject({
      assessment: 'needs_revision',
    });
    expect(ended.outcome(`${pass}/fix-loop#1/fix-issues`).output).toMatchObject({ notFixed: [] });
    expect(ended.outcome(`${pass}/fix-loop#1/re-reviews/code-quality`).output).toMatchObject(approved);
    expect(ended.entries('work-rejected').map(({ path, try: attempt }) => [path, attempt])).toEqual([
      [`${pass}/implement`, 1],
    ]);
    // The issue reached the agent that had to fix it, by the words of our prompt.
    const fix = scene.requests.find(({ messages }) =>
      messages.some(({ text }) => text.includes('Reviewers found')),
    );
    expect(JSON.stringify(fix?.messages)).toContain(
      `**critical** in \`src/slug.js:2\` (found by code-quality): ${ISSUE}`,
    );

    const branch = scene.sh("git branch --list 'lockstep/slugs/*' --format='%(refname:short)'").trim();
    expect(scene.sh(`git log --format=%s main..${branch}`)).toBe(
      'fix: Runs of blanks\nimplement: Make slugs\n',
    );
    expect(scene.sh(`git show ${branch}:src/slug.js`)).toBe(SLUG.replace("' '", '/ +/g'));
    expect(scene.sh('git -C .worktrees/slugs status --porcelain')).toBe('');
    // Where the user stands nothing has happened.
    expect(scene.sh('git rev-parse HEAD')).toBe(main);
    expect(scene.exists('src')).toBe(false);
    expect((await scene.lockstep('audit')).exitCode).toBe(0);
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

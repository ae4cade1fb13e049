// The main job: `lockstep run SPEC.md` with the built-in workflow, agents and prompts, and every client. One task, whose
// first review is not content; a fix; commits on a branch of the run's own, made by the client's own shell.

import { expect } from 'vitest';
import { answer, bash, edit, type Part, read, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const SLUG = `export function slug(title) {
  return title.toLowerCase().replaceAll(' ', '-');
}
`;
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('words are joined by hyphens', () => assert.equal(slug('One two'), 'one-two'));
`;
const ISSUE = 'Two blanks make two hyphens';
const REQUIREMENT = 'Words are joined by one hyphen';
const files = [{ path: 'src/slug.js', action: 'created', linesAdded: 3, linesRemoved: 0 }];
const testResults = { total: 1, passed: 1, failed: 0, exitCode: 0 };
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
  'Implement this task': [
    write('src/slug.js', SLUG),
    write('test/slug.test.js', TEST),
    bash('npm test'),
    bash('git add -A && git commit -qm "implement: Make slugs"'),
    answer({
      filesChanged: files,
      testResults,
      tddCertification: {
        functions: [{ name: 'slug', testFile: 'test/slug.test.js', watchedFail: true, watchedPass: true }],
      },
      commits: ['implement: Make slugs'],
    }),
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

scenario(
  'a specification becomes a branch: one task, a review that rejects, a fix, commits, with the built-ins',
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
    expect(ended.entries('work-rejected')).toEqual([]);
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
  },
);

// Files as wrangler's own users have them: groups of reviews, paths with hyphens, the folder that it really reads,
// the fields that came later. Each is run by the command.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { endStarted, journal, projectWith, start } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';
import { prompts, type Small, type SmallOptions, small } from './small-project.ts';

const made: Scratch[] = [];
const play = (phases: string, options?: SmallOptions): Small => {
  const one = small(phases, options);
  made.push(one.project);
  return one;
};
afterEach(() => {
  endStarted();
  for (const project of made.splice(0)) project.remove();
});

const said = ({ ended }: Small) => ended.stdout + ended.stderr;
const skipped = ({ project }: Small) =>
  journal(project).flatMap(({ kind, path }) => (kind === 'step-skipped' ? String(path) : []));

const group = (name: string) => `
  - name: ${name}
    type: parallel
    output: review
    steps:
      - { name: code-quality, agent: looker, prompt: look }
      - { name: security, agent: looker, prompt: look }
`;
const indented = (text: string) => text.replaceAll('\n', '\n    ');
const loop = `
  - name: fix
    type: loop
    condition: review.hasActionableIssues
    maxRetries: 2
    steps:
      - { name: fix-issues, prompt: fix, input: review.actionableIssues }${indented(group('re-review'))}`;
const FIX = 'Fix: {{#each issues}}[{{severity}}] {{file}}:{{line}} {{message}} ({{foundBy}}); {{/each}}';
const issue = (message: string, severity = 'high') => ({ severity, file: 'a.ts', line: 3, message });
const finds = (...issues: Json[]) => ({
  output: { hasActionableIssues: issues.length > 0, actionableIssues: issues, summary: 'Looked.' },
});

describe('a group of reviews', () => {
  const phases = `
  - { name: implement, prompt: do }${group('reviews')}${loop}`;
  const files = prompts({ fix: FIX });

  it('WR47-GROUP-REVIEW: has what a gate group has: the loop is entered when one of them found something', () => {
    const one = play(phases, {
      files,
      answers: {
        'code-quality': [finds(), finds()],
        security: [finds(issue('Open door'), issue('No lock')), finds()],
      },
    });
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.started.filter((path) => path.startsWith('fix'))).toEqual([
      'fix#1/fix-issues',
      'fix#1/re-review/code-quality',
      'fix#1/re-review/security',
    ]);
    // The words of the reviewer stay as they are, and who found it is with them.
    expect(one.prompt('fix#1/fix-issues')).toContain(
      'Fix: [high] a.ts:3 Open door (security); [high] a.ts:3 No lock (security); ',
    );
  });

  it('WR47-GROUP-REVIEW: without a finding it is not entered, and neither where the answers are no reviews', () => {
    const others: Json[] = [finds(), { output: { notes: 'fine' } }, { text: 'All is well.' }];
    for (const answer of others) {
      const one = play(phases, { files, answers: { 'code-quality': answer, security: answer } });
      expect([one.ended.exitCode, skipped(one)], said(one)).toEqual([0, []]);
      expect(one.started).toEqual(['implement', 'reviews/code-quality', 'reviews/security']);
    }
  });

  it('WR47-GROUP-REVIEW: its word counts where it names nothing, a property that is nowhere stays falsy', () => {
    const says = { output: { hasActionableIssues: true } };
    const one = play(phases, { files, answers: { 'code-quality': [says, finds()], security: finds() } });
    expect(one.started, said(one)).toContain('fix#1/fix-issues');
    const absent = phases.replace('review.hasActionableIssues', 'review.hasCriticalIssues');
    const none = play(absent, { files, answers: { 'code-quality': says, security: says } });
    expect([none.ended.exitCode, none.started.some((path) => path.startsWith('fix'))]).toEqual([0, false]);
  });

  it('WR47-GROUP-REVIEW: a condition and a path still reach one of them by its name', () => {
    const named = `
  - { name: implement, prompt: do }${group('reviews')}
  - { name: mend, prompt: fix, condition: 'review["security"].hasActionableIssues', input: review.security.actionableIssues }
`;
    const answers = { 'code-quality': finds(issue('Long')), security: finds(issue('Open')) };
    const one = play(named, { files, answers });
    expect(one.prompt('mend'), said(one)).toContain('a.ts:3 Open ()');
    expect(one.prompt('mend')).not.toContain('Long');
  });

  it('WR47-GROUP-REVIEW: what is still open when the loop is exhausted is put to the person', () => {
    const one = play(phases, {
      files,
      answers: { 'code-quality': finds(), security: finds(issue('Open door', 'critical')) },
    });
    expect(one.ended.exitCode, said(one)).toBe(2);
    expect(said(one)).toContain('critical a.ts:3: Open door (security)');
  });

  it('WR47-GROUP-REVIEW: after the tasks it has what the last one came to', () => {
    const one = play(
      `
  - { name: plan, prompt: do, output: plan }
  - name: tasks
    type: per-task
    source: plan.tasks
    steps:
      - { name: implement, prompt: do }${indented(group('reviews'))}
  - { name: after, prompt: fix, condition: review.hasActionableIssues, input: review.actionableIssues }
`,
      {
        files,
        answers: {
          plan: { output: { tasks: [{ id: 'a' }] } },
          'code-quality': finds(),
          security: finds(issue('Left over')),
        },
      },
    );
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.prompt('after')).toContain('Left over');
  });
});

describe('input', () => {
  it('WR47-INPUT-PATH: is a path, not a condition: names have hyphens, items numbers', () => {
    const one = play(
      `
  - { name: implement, prompt: do, output: first-look }
  - name: reviews
    type: parallel
    output: reviews
    steps:
      - { name: code-quality, agent: looker, prompt: look }
  - { name: a, prompt: see, input: reviews.code-quality }
  - { name: b, prompt: see, input: { one: reviews.code-quality.notes, two: first-look.parts.0, three: 'first-look.parts[1]' } }
  - { name: c, prompt: see, input: first-look }
`,
      {
        files: prompts({
          see: 'See {{code-quality.notes}} | {{one}} {{two}} {{three}} | {{first-look.parts.0}} {{first-look.parts.1}}',
        }),
        answers: {
          implement: { output: { parts: ['p0', 'p1'] } },
          'code-quality': { output: { notes: 'Short.' } },
        },
      },
    );
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.prompt('a')).toContain('See Short. |');
    expect(one.prompt('b')).toContain('| Short. p0 p1 |');
    expect(one.prompt('c')).toContain('| p0 p1');
  });

  it.each([
    ['{{ first }}', 'Write it without `{{ }}`: `input: first`.'],
    ['first || other', 'A name with dots'],
    ['first.', 'A name with dots'],
    ['first.length', 'A name with dots'],
  ])('WR47-INPUT-PATH: %j is none', (input, hint) => {
    const one = play(
      `  - { name: a, prompt: do, output: first }\n  - { name: b, prompt: do, input: '${input}' }\n`,
    );
    expect(one.ended.exitCode).toBe(2);
    expect(said(one)).toContain('`input` must name a value');
    expect(said(one)).toContain(hint);
  });

  it("WR47-INPUT-LEAF: the fixer's `issues` are the actionable ones, and a value is known by the last name of its path too", () => {
    const look = (name: string) =>
      `  - { name: ${name}, agent: looker, prompt: look, output: ${name}Review }\n`;
    const answers = { quality: finds(issue('Q')), tests: finds(issue('T')) };
    const see = 'I:{{#each issues}}{{message}};{{/each}} A:{{#each actionableIssues}}{{message}};{{/each}}';
    const prompt = (input: string) => {
      const one = play(
        `  - { name: w, prompt: do }\n${look('quality')}${look('tests')}  - { name: fix, prompt: see, input: ${input} }\n`,
        { files: prompts({ see }), answers },
      );
      expect(one.ended.exitCode, said(one)).toBe(0);
      return one.prompt('fix');
    };
    expect(prompt('qualityReview.actionableIssues')).toContain('I:Q; A:Q;');
    expect(prompt('{ issues: qualityReview.actionableIssues }')).toContain('I:Q; A:Q;');
    expect(
      prompt('{ qualityIssues: qualityReview.actionableIssues, testIssues: testsReview.actionableIssues }'),
    ).toContain('I:Q;T; A:Q;T;');
    expect(prompt('qualityReview')).toContain('I:Q; A:Q;');
    // What is there under the name goes before.
    expect(
      prompt('{ issues: qualityReview.actionableIssues, actionableIssues: testsReview.actionableIssues }'),
    ).toContain('I:Q; A:T;');
  });
});

const WORKFLOW = (prompt: string) =>
  `name: look\nversion: 2\ndefaults: { agent: looker }\nphases:\n  - { name: look, prompt: ${prompt} }\n`;
const LOOKER = (who: string) =>
  `---\nname: looker\ntools: ["Read", "Grep"]\nmodel: m\n---\nYou are ${who}.\n`;
const SPEC = {
  'SPEC.md': '---\ntitle: S\n---\n# S\n\nDo.\n',
  'answers.yaml': 'answers: { "*": { output: {} } }\n',
};

function running(files: Record<string, string>, ...argv: string[]) {
  const project = projectWith({ ...SPEC, ...files }, { git: true });
  made.push(project);
  project.sh('git add -A && git commit -qm start');
  const ended = project.lockstep('run', 'SPEC.md', '--script', 'answers.yaml', ...argv);
  const log = () => readFileSync(join(project.root, '.lockstep/runs/latest/logs/look.prompt.txt'), 'utf8');
  return { project, ended, log, all: ended.stdout + ended.stderr };
}

describe('where its files are', () => {
  const deep = {
    '.wrangler/orchestration/workflows/look.yaml': WORKFLOW('look.md'),
    '.wrangler/orchestration/agents/looker.md': LOOKER('deep'),
    '.wrangler/orchestration/prompts/look.md': '---\nname: look\n---\nDeep {{ spec.title }}.\n',
  };

  it('WR47-LAYER-ORCHESTRATION: .wrangler/orchestration/ is a layer, the one of the specification wins, `list` says which', () => {
    const one = running(deep, '-w', 'look');
    expect(one.ended.exitCode, one.all).toBe(0);
    expect(one.log()).toContain('Deep S.');
    expect(one.project.lockstep('list').stdout).toMatch(
      /workflow \(wrangler\) +look +wrangler\/orchestration/,
    );

    const both = running(
      { ...deep, '.wrangler/prompts/look.md': '---\nname: look\n---\nHigh {{ spec.title }}.\n' },
      '-w',
      'look',
    );
    expect(both.log()).toContain('High S.');
    const listed = both.project.lockstep('list', 'prompts').stdout;
    expect(listed).toMatch(/prompt +look +wrangler +wrangler\/orchestration/);
    expect(both.project.lockstep('show', 'look', '--kind', 'prompt').stdout).toMatch(
      /shadows .*\.wrangler\/orchestration\/prompts\/look\.md \(wrangler\/orchestration\)/,
    );
  });

  it("WR47-BESIDE: a repository's own workflows/ finds agents/ and prompts/ beside it, by path", () => {
    const files = {
      'workflows/look.yaml': WORKFLOW('look.md'),
      'agents/looker.md': LOOKER('beside'),
      'prompts/look.md':
        '---\nname: look\noutputSchema: schemas/review.ts#ReviewResultSchema\n---\nBeside {{#if spec.title}}{{ spec.title }}{{/if}}.\n',
      'answers.yaml':
        'answers: { look: [{ output: {} }, { output: { assessment: approved, issues: [], strengths: [], hasActionableIssues: false } }] }\n',
    };
    const one = running(files, '-w', 'workflows/look.yaml');
    expect(one.ended.exitCode, one.all).toBe(0);
    expect(one.log()).toContain('Beside S.');
    // Its schema counts: the first answer went back.
    const started = journal(one.project).filter(
      ({ kind, path }) => kind === 'attempt-started' && path === 'look',
    );
    expect(started).toHaveLength(2);
    expect(started[0]).toMatchObject({ model: 'm' });
    const native = one.project.lockstep('convert', 'workflows/look.yaml').stdout;
    expect(native).toContain('agent: { template: ../agents/looker.md, syntax: handlebars }');
    one.project.write('workflows/native.yaml', native);
    one.project.sh('git add -A && git commit -qm native');
    const again = one.project.lockstep(
      'run',
      'workflows/native.yaml',
      '--input',
      'spec=SPEC.md',
      '--script',
      'answers.yaml',
    );
    expect(again.exitCode, again.stdout + again.stderr).toBe(0);

    // What the project has in `.wrangler/` goes before.
    const layered = running(
      { ...files, '.wrangler/prompts/look.md': '---\nname: look\n---\nLayer.\n' },
      '-w',
      'workflows/look.yaml',
    );
    expect(layered.log(), layered.all).toContain('Layer.');
  });
});

describe('what publishes', () => {
  const phases = `
  - { name: implement, prompt: do, output: work }
  - { name: verify, agent: looker, prompt: look }
  - { name: publish, agent: looker, prompt: publish-changes, output: publication }
`;
  const files = prompts({ 'publish-changes': 'Push it.' });

  it('WR47-SKIP-CHECKS-PUBLISH: --skip-checks leaves checks out and keeps what publishes', () => {
    const one = play(phases, { files, options: ['--skip-checks'] });
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect([one.started, skipped(one)]).toEqual([['implement', 'publish'], ['verify']]);
    // What looks at a publication is a check.
    const looks = play(phases.replace('name: publish,', 'name: publish-check,'), {
      files,
      options: ['--skip-checks'],
    });
    expect(looks.started).toEqual(['implement']);
  });

  it('WR47-PUBLISH-DOUBT: after a crash a person is asked whether it happened; it is not repeated', async () => {
    const one = play(phases, { files });
    one.project.write(
      '../answers.json',
      JSON.stringify({ answers: { publish: { delay: '60s', output: {} }, '*': { output: {} } } }),
    );
    const run = start(one.project, 'run', 'SPEC.md', '-w', './small.yaml', '--script', '../answers.json');
    await run.shows(/● publish/);
    run.send('SIGKILL');
    await run.ended;
    const resumed = one.run('resume');
    expect(resumed.stdout + resumed.stderr).toContain('Did it happen?');
    expect(resumed.exitCode).toBe(2);
    const starts = journal(one.project).filter(
      ({ kind, path }) => kind === 'attempt-started' && path === 'publish',
    );
    expect(starts).toHaveLength(1);
  });
});

describe('fields that came later', () => {
  it('WR47-REPORTS: reporters and reportAs are kept as labels, with one warning', () => {
    const workflow =
      'name: small\nversion: 2\ndefaults: { agent: worker }\nreporters: [{ type: github-pr }]\nphases:\n  - { name: a, prompt: do, reportAs: summary }\n  - { name: b, prompt: do, reportAs: { section: tests } }\n';
    const one = play('', { workflow });
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(said(one).match(/\[not-reported\]/g)).toHaveLength(1);
    const native = one.run('convert', 'small.yaml').stdout;
    expect(native).toContain('reportAs: summary');
    expect(native).toContain('section: tests');
    expect(native).toContain('type: github-pr');
  });

  const phases = `
  - { name: build, prompt: do, output: build, failWhen: build.bad }
  - { name: test, prompt: do }
  - { name: tell, agent: looker, prompt: look, runOn: failure }
  - { name: clean, agent: looker, prompt: look, runOn: always }
  - { name: publish, prompt: do, runOn: success }
`;

  it('WR47-RUN-ON: after a failure what asks for it runs, the rest is passed over, and the run has failed', () => {
    const one = play(phases, { answers: { build: { output: { bad: true } } } });
    expect(one.ended.exitCode, said(one)).toBe(1);
    expect(one.started).toEqual(['build', 'tell', 'clean', 'failed']);
    expect(said(one)).toContain('failed before: build');
  });

  it('WR47-RUN-ON: without one only what is for failures is left out', () => {
    const one = play(phases, { answers: { build: { output: { bad: false } } } });
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.started).toEqual(['build', 'test', 'clean', 'publish']);
  });

  it('WR47-RUN-ON: a failure of such a step leads to the next; inside tasks it fails its task', () => {
    const inside = `
  - { name: plan, prompt: do, output: plan }
  - name: tasks
    type: per-task
    source: plan.tasks
    steps:
      - { name: work, prompt: do, output: work, failWhen: work.bad }
      - { name: tell, prompt: do, output: told, failWhen: told.bad, runOn: failure, condition: 'plan.tasks.length == 1' }
      - { name: clean, prompt: do, runOn: always }
  - { name: after, prompt: do }
`;
    const bad = { output: { bad: true } };
    const one = play(inside, {
      answers: { plan: { output: { tasks: [{ id: 'a' }] } }, work: bad, tell: bad },
    });
    expect(one.ended.exitCode, said(one)).toBe(1);
    expect(one.started).toEqual([
      'plan',
      'tasks[0]/work',
      'tasks[0]/tell',
      'tasks[0]/clean',
      'tasks[0]/failed',
    ]);
    expect(said(one)).toContain('failed before: work, tell');
  });

  it('WR47-RUN-ON: where a failed step does not stop the run, what is for failures still asks', () => {
    const workflow = `name: small\nversion: 2\nsafety: { failOnStepError: false }\ndefaults: { agent: worker }\nphases:${phases}`;
    const failing = play('', { workflow, answers: { build: { output: { bad: true } } } });
    expect(failing.started, said(failing)).toEqual(['build', 'test', 'tell', 'clean', 'publish']);
    const fine = play('', { workflow, answers: { build: { output: { bad: false } } } });
    expect(fine.started).toEqual(['build', 'test', 'clean', 'publish']);
  });

  it('WR47-RUN-ON: inside a group it is an error', () => {
    const one = play(`
  - { name: g, type: parallel, steps: [ { name: a, agent: looker, prompt: look, runOn: always } ] }
`);
    expect(one.ended.exitCode).toBe(2);
    expect(said(one)).toContain('[field-not-here] small.yaml:6:');
  });

  it('WR47-EXHAUSTED-FAIL: onExhausted: fail fails the run, and nobody is asked', () => {
    const one = play(
      `
  - { name: w, prompt: do }
  - { name: look, agent: looker, prompt: look, output: review }
  - name: fix
    type: loop
    condition: review.hasActionableIssues
    maxRetries: 1
    onExhausted: fail
    steps:
      - { name: mend, prompt: do }
      - { name: again, agent: looker, prompt: look, output: review }
  - { name: publish, prompt: do }
`,
      { answers: { look: finds(issue('x')), again: finds(issue('x')) } },
    );
    expect(one.ended.exitCode, said(one)).toBe(1);
    expect(one.started).toEqual(['w', 'look', 'fix#1/mend', 'fix#1/again']);
  });
});

describe('blocker', () => {
  it.each([[false], [[]], [''], [{}], [null], [' ']])('WR47-NO-BLOCKER: %j is none', (blocker) => {
    const one = play('  - { name: a, prompt: do }\n', {
      answers: { a: { output: { blocker, done: true } } },
    });
    expect(one.ended.exitCode, said(one)).toBe(0);
  });
});

// What comes with Lockstep, as a user meets it: the three workflows with their agents, prompts and gates, and the demo.
// What happens on the unhappy ways is in builtin/workflows/*.test.yaml.

import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../src/model/entry.ts';
import { type Ended, projectRoot, type Scratch, scratch } from './scratch.ts';

const builtin = join(projectRoot, 'builtin');
const namesIn = (folder: string, ending: string) =>
  readdirSync(join(builtin, folder))
    .filter((name) => name.endsWith(ending) && !name.endsWith(`.test${ending}`))
    .map((name) => name.slice(0, -ending.length));
const workflows = namesIn('workflows', '.yaml');
const prompts = namesIn('prompts', '.md');
const textOf = (path: string) => readFileSync(join(builtin, path), 'utf8');

function journalOf(root: string): Entry[] {
  const file = join(realpathSync(join(root, '.lockstep/runs/latest')), 'journal.jsonl');
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
}

interface Review {
  issues: { foundBy: string; severity: string }[];
}

/** Paths of the steps in the order they began; a pass of an `each` or a loop is none. */
function begun(journal: Entry[]): string[] {
  const paths = journal.flatMap((entry) =>
    (entry.kind === 'attempt-started' && entry.part === undefined) || entry.kind === 'step-opened'
      ? [entry.path]
      : [],
  );
  return [...new Set(paths)].filter((path) => !/\]$|#\d+$/.test(path));
}

describe('the demo: a specification becomes a branch', () => {
  let ended: Ended;
  let root: string;
  let journal: Entry[];
  let branch: string;
  let worktree: string;
  const sh = (line: string) =>
    spawnSync('/bin/sh', ['-c', line], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo.js', '--fast', '--built'], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', LOCKSTEP_CLIENTS: 'none' },
    });
    ended = { exitCode: status, stdout, stderr };
    root = /scratch repository, (\S+),/.exec(stdout)?.[1] as string;
    journal = journalOf(root);
    branch = sh("git branch --list 'lockstep/*' --format='%(refname:short)'").stdout.trim();
    worktree = join(root, '.worktrees/discount-codes');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('LS-DEMO-COMMAND: `npm run demo` shows what is asked for, the run and what came of it, in less than a minute', () => {
    const { exitCode, stdout } = ended;
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain('Customers get codes such as `SPRING-20`');
    expect(stdout).toContain('$ lockstep run SPEC.md --script answers.yaml');
    expect(stdout).toMatch(/[0-9a-f]{7} fix: Whole cents\n/);
    // What was left out here: how long the agents take, one after the other, but for the reviewers.
    const text = readFileSync(join(projectRoot, 'scripts/demo.js'), 'utf8');
    const paces = Object.fromEntries(
      [...text.matchAll(/^ {2}'?([a-z-]+)'?: '(\d+)ms'/gm)].map(([, id, ms]) => [id, Number(ms)]),
    );
    const slowest = Math.max(
      ...['money', 'security', 'code-quality', 'test-coverage'].map((id) => paces[id] ?? 60_000),
    );
    const pauses = journal.map((entry) => {
      if (entry.kind === 'step-opened' && entry.path.endsWith('reviews')) return slowest;
      if (entry.kind !== 'attempt-started' || entry.part || entry.path.includes('reviews/')) return 0;
      return paces[entry.path.split('/').at(-1) as string] ?? 0;
    });
    const waited = pauses.reduce((sum, each) => sum + each, 0);
    // How fast the machine is, is no matter of this test; of the minute a slow one may take half.
    expect(waited).toBeGreaterThan(10_000);
    expect(waited).toBeLessThan(30_000);
  });

  it('LS-BUILTIN-SPEC: `lockstep run SPEC.md` goes all the way, on a branch of its own', () => {
    expect(branch).toMatch(/^lockstep\/discount-codes\/\d{8}T\d{6}Z-[0-9a-f]{6}$/);
    expect(sh(`git log --reverse --format=%s main..${branch}`).stdout.split('\n')).toEqual([
      'implement: Read discount codes',
      'fix: Lower case, and percentages out of range',
      'implement: Take a discount off an amount',
      'fix: Whole cents',
      'implement: Print a receipt with the discount',
      'fix: The tests run again',
      'fix: Amounts below one are tested',
      '',
    ]);
    expect(sh('git status --porcelain').stdout).toBe('?? .lockstep/issues/\n');
    expect(sh('git log --format=%s').stdout).toBe('A till\n');
    expect(sh(`git -C ${worktree} status --porcelain`).stdout).toBe('');
  });

  it('LS-BUILTIN-ORDER: the steps are those of the text, in its order, the tasks in that of their dependencies', () => {
    const task = (index: number, ...fixing: string[]) =>
      ['implement', 'reviews', 'fix-loop', ...fixing, 'checkpoint'].map(
        (step) => `execute[${index}]/${step}`,
      );
    expect(begun(journal).filter((path) => !path.includes('reviews/'))).toEqual([
      'analyze',
      'plan',
      'execute',
      ...task(0),
      ...task(1, 'fix-loop#1/fix-issues', 'fix-loop#1/re-reviews'),
      ...task(2, 'fix-loop#1/fix-issues', 'fix-loop#1/re-reviews'),
      'verify',
      'publish',
    ]);
    expect(sh(`git log --reverse --format=%s ${branch}`).stdout).toMatch(/codes[\s\S]*amount[\s\S]*receipt/);
  });

  it('LS-BUILTIN-REVIEWS: every gate looks at every task after it is accepted, and before the next begins', () => {
    const at = (kind: Entry['kind'], path: string) =>
      journal.findIndex((entry) => entry.kind === kind && 'path' in entry && entry.path === path);
    for (const pass of [0, 1, 2]) {
      const implemented = at('work-accepted', `execute[${pass}]/implement`);
      const closed = at('attempt-started', `execute[${pass}]/checkpoint`);
      for (const gate of ['code-quality', 'money', 'security', 'test-coverage']) {
        expect(at('attempt-started', `execute[${pass}]/reviews/${gate}`)).toBeGreaterThan(implemented);
        const judged = at('work-accepted', `execute[${pass}]/reviews/${gate}`);
        expect(judged).toBeGreaterThan(implemented);
        expect(judged).toBeLessThan(closed);
      }
    }
  });

  it('LS-BUILTIN-TESTS: Lockstep runs the tests itself, whatever the agent says of them', () => {
    const claimed = journal.find(
      (entry) => entry.kind === 'attempt-finished' && entry.path === 'execute[0]/implement',
    );
    expect(JSON.stringify(claimed)).toContain(
      '"testResults":{"total":12,"passed":12,"failed":0,"exitCode":0}',
    );
    const rejected = journal.filter((entry) => entry.kind === 'work-rejected');
    expect(rejected.map(({ path }) => path)).toEqual(['execute[0]/implement', 'execute[2]/implement']);
    expect(JSON.stringify(rejected[0])).toContain('`npm test` ended with exit code 1');
  });

  it('EV-TESTS-DEMO: a test script that is set to true is sent back, with what it was and what it is', () => {
    const [, rejected] = journal.filter((entry) => entry.kind === 'work-rejected');
    const said = JSON.stringify(rejected);
    expect(said).toContain('package.json, scripts.test');
    expect(said).toContain('node --test test/');
    expect(sh(`git -C ${worktree} show ${branch}:package.json`).stdout).toContain(
      '"test": "node --test test/"',
    );
  });

  it('LS-DEMO-FLAW: the flaw that the reviewers find is real: tests passed with it, and the fix mends it', () => {
    const cents = (commit: string) => {
      sh(`git -C ${worktree} checkout -q --detach ${commit}`);
      const script = `import('./src/discount.js').then((it) => console.log(it.discounted(1999, { percent: 10 })))`;
      const { stdout } = sh(`cd ${worktree} && npm test >/dev/null && node -e "${script}"`);
      sh(`git -C ${worktree} checkout -q ${branch}`);
      return stdout;
    };
    expect(cents(`'${branch}^{/Take a discount}'`)).toBe('1799.1\n');
    expect(cents(`'${branch}^{/Whole cents}'`)).toBe('1799\n');
  });

  it('LS-DEMO-GATE: a gate that the project dropped in is asked with the others, and what two find is one issue', () => {
    const gathered = journal.find(
      (entry) => entry.kind === 'reviews-gathered' && entry.path === 'execute[1]/reviews',
    );
    const { output } = gathered as { output: unknown } as { output: Review };
    expect(output.issues.map(({ foundBy, severity }) => [severity, foundBy])).toEqual([
      ['critical', 'code-quality, money'],
      ['important', 'test-coverage'],
    ]);
  });

  it('LS-DEMO-AGAIN: a gate that approved is not asked again while its files are as they were, and that is told', () => {
    const skipped = journal.filter((entry) => entry.kind === 'step-skipped');
    const round = 'execute[2]/fix-loop#1/re-reviews';
    const left = ['code-quality', 'money', 'security'].map((gate) => `${round}/${gate}`);
    expect(skipped.map(({ path }) => path).sort()).toEqual(left);
    expect(ended.stdout).toMatch(
      /↷ execute\[2\]\/fix-loop#1\/re-reviews\/money .*skipped: it approved, and nothing in src\/\*\* has changed/,
    );
    expect(begun(journal).filter((path) => path.startsWith(`${round}/`))).toEqual([
      `${round}/test-integrity`,
      `${round}/test-coverage`,
    ]);
  });

  it('LS-DEMO-VERDICTS: the screen says what each gate said, and what is to be changed', () => {
    expect(ended.stdout).toMatch(/! execute\[1\]\/reviews\/money .*needs revision, 1 issue,/);
    expect(ended.stdout).toMatch(/✓ execute\[1\]\/reviews\/security .*approved in/);
    expect(ended.stdout).toMatch(/! execute\[1\]\/reviews .*needs revision, 2 issues,/);
    expect(ended.stdout).toContain(
      '    critical src/discount.js:4: 1999 cents less 10 per cent are 1799.1 cents: a fraction of a cent (code-quality, money)\n',
    );
  });

  it('LS-DEMO-REPORT: the end says what was tested, reviewed, fixed, met, committed, what reviews cost, and how to go on', () => {
    const { stdout } = ended;
    expect(stdout).toMatch(/^ {2}Tests +npm test: run 8 times by Lockstep, 1 failed/m);
    expect(stdout).toMatch(
      /^ {2}Tests [\s\S]*tests seen one by one, 2 passed in the base commit and 19 passed now; a failing test\s+makes the command fail; in a clean clone/m,
    );
    expect(stdout).toMatch(/^ {2}Reviews +5 rounds, 3 reviews left out; used 17 of/m);
    const [seen = '', claimed = ''] = stdout.split('\n  Claimed by agents\n');
    expect(seen).toContain('\n  Seen by Lockstep\n');
    expect(claimed).toMatch(/^ {2}Reviews +3 issues found, 3 settled, 0 open$/m);
    expect(stdout).toMatch(/^ {2}Required +4 of 4 requirements met/m);
    expect(stdout).toMatch(new RegExp(`^ {2}Branch +${branch}, 7 commits$`, 'm'));
    expect(stdout).toContain('what the agent claimed was wrong once: execute[0]/implement, try 1');
    expect(stdout).toContain(`git merge ${branch}`);
  });

  it('LS-DEMO-RESULT: what is on the branch works', () => {
    expect(sh(`cd ${worktree} && node --test test/`).stdout).toContain('# pass 19');
  });

  it('LS-DEMO-ISSUES: every task is an issue, and done', () => {
    const issues = readdirSync(join(root, '.lockstep/issues'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(root, '.lockstep/issues', name), 'utf8'));
    expect(issues.map((text) => /^status: (.*)$/m.exec(text)?.[1])).toEqual(['done', 'done', 'done']);
  });
});

describe('the files', () => {
  let project: Scratch;
  beforeAll(() => {
    project = scratch({ git: true });
  });
  afterAll(() => project.remove());

  it.each(workflows)('LS-BUILTIN-VALID: %s is valid, without a warning', (name) => {
    const { exitCode, stdout, stderr } = project.lockstep('validate', name);
    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain('warning');
  });

  it('LS-BUILTIN-VALID: what comes with Lockstep is valid as the files of a project, too', () => {
    const copy = scratch({ git: true });
    cpSync(builtin, join(copy.root, '.lockstep'), { recursive: true });
    const { exitCode, stdout, stderr } = copy.lockstep('validate', ...workflows);
    copy.remove();
    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout + stderr).not.toContain('warning');
  });

  it('LS-BUILTIN-PAGE: the page names every workflow, agent, prompt and gate that there is, and no other', () => {
    const page = readFileSync(join(projectRoot, 'docs/built-ins.md'), 'utf8');
    const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
    const first = (text: string) => [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name).sort();
    expect(first(page.split('\n## ')[0] as string)).toEqual(workflows);
    expect(first(section('Agents'))).toEqual(namesIn('agents', '.md'));
    expect(first(section('Prompts'))).toEqual(prompts);
    for (const gate of namesIn('gates/review', '.md')) expect(section('Gates')).toContain(`\`${gate}\``);
    for (const name of prompts) {
      const declared = [...textOf(`prompts/${name}.md`).matchAll(/^ {2}(\w+): \{ required: false/gm)];
      const row =
        section('Prompts')
          .split('\n')
          .find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      const told = [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)];
      expect(told.map(([, input]) => input)).toEqual(declared.map(([, input]) => input));
    }
  });

  it('LS-BUILTIN-TEXT: a prompt reads well with nothing given, and asks for one JSON object', () => {
    const steps = prompts.map((name) => `  - { id: ${name}, prompt: ${name} }\n`).join('');
    project.write('all.yaml', `lockstep: 1\nname: all\nsteps:\n${steps}`);
    project.write('ok.yaml', 'answers: { "*": { text: ok } }\n');
    expect(project.lockstep('run', 'all.yaml', '--script', 'ok.yaml').exitCode).toBe(0);
    for (const name of prompts) {
      const { stdout } = project.lockstep('logs', 'latest', `${name}.prompt.txt`);
      expect(stdout).toContain('JSON object');
      expect(stdout, name).not.toMatch(/\{\{|\{%|null|undefined/);
      // Without a command for the tests nobody but the agent runs them.
      expect(stdout, name).not.toContain('engine');
      expect(stdout.split('## Answer')[0], name).not.toMatch(/\n{5}/);
    }
  });

  it('WR47-FR-8.5: the prompts say when and how to commit, who pushes, and who never does', () => {
    expect(textOf('prompts/implement-task.md')).toContain('`implement: {{ default(task.title,');
    for (const name of ['implement-task', 'fix-issues']) {
      expect(textOf(`prompts/${name}.md`)).toMatch(
        /Commit when everything passes: `git add`[\s\S]*Do not push\./,
      );
    }
    expect(textOf('prompts/fix-issues.md')).toContain('`fix: ');
    expect(textOf('prompts/publish-changes.md')).toMatch(/push this branch[\s\S]*pull request/);
    expect(textOf('agents/reviewer.md')).toContain('Do not commit, push or change any file');
  });
});

const ANALYSIS = {
  tasks: [{ id: 'a', title: 'Do a', description: 'a', requirements: ['a is'], estimatedComplexity: 'low' }],
  requirements: [{ id: 'R1', description: 'a is', source: 'SPEC.md', testable: true }],
  constraints: [],
  techStack: { language: 'none', testFramework: 'none' },
};
const RESULTS = { total: 1, passed: 1, failed: 0, exitCode: 0 };
const IMPLEMENTED = {
  filesChanged: [],
  testResults: RESULTS,
  tddCertification: { functions: [] },
  commits: [],
};
const APPROVED = { assessment: 'approved', issues: [], strengths: [], hasActionableIssues: false };
const ISSUE = { severity: 'important', description: 'No.', file: 'a.txt', line: 1, fixInstructions: 'Yes.' };
const REJECTED = { assessment: 'needs_revision', issues: [ISSUE], strengths: [], hasActionableIssues: true };
const VERIFIED = {
  testSuite: RESULTS,
  requirements: [{ id: 'R1', description: 'a is', met: true, evidence: 'a.txt' }],
  gitClean: true,
};
const ANSWERS: Record<string, unknown> = {
  analyze: { output: ANALYSIS },
  implement: { write: { 'a.txt': 'a\n' }, commit: 'implement: Do a', output: IMPLEMENTED },
  'code-quality': { output: APPROVED },
  security: { output: APPROVED },
  'test-coverage': { output: APPROVED },
  verify: { output: VERIFIED },
  publish: { output: { branch: 'this one', pushed: false, commits: [] } },
};

describe('the workflows', () => {
  let project: Scratch;
  beforeAll(() => {
    project = scratch({ git: true });
    project.write('SPEC.md', '# A\n\na is.\n');
    project.write('notes.txt', 'a\n');
    project.sh('git add -A && git commit -qm "The project"');
  });
  afterAll(() => project.remove());

  const play = (words: string[], answers: Record<string, unknown> = {}): Ended & { journal: Entry[] } => {
    project.write('answers.json', JSON.stringify({ answers: { ...ANSWERS, ...answers } }));
    const ended = project.lockstep('run', ...words, '--script', 'answers.json');
    return { ...ended, journal: journalOf(project.root) };
  };
  const spec = ['SPEC.md', '--input', 'test=test -e a.txt'];

  it('LS-BUILTIN-VERIFY: publish without verify cannot be had: leaving verify out is refused', () => {
    const { exitCode, stderr } = project.lockstep(
      'run',
      ...spec,
      '--skip-step',
      'verify',
      '--script',
      'answers.json',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('verify');
  });

  it('LS-BUILTIN-CHECKS: --skip-checks leaves out the reviews and the fixing, and nothing else', () => {
    const { exitCode, journal, stdout } = play([...spec, '--skip-checks']);
    expect(exitCode, stdout).toBe(0);
    const skipped = journal.flatMap((entry) => (entry.kind === 'step-skipped' ? [entry.path] : []));
    expect(skipped).toEqual(['execute[0]/reviews', 'execute[0]/fix-loop']);
  });

  it('LS-BUILTIN-PUSH: an implementer that pushes is stopped, not asked', () => {
    const { exitCode, stdout, stderr } = play(spec, { implement: { run: 'git push', output: IMPLEMENTED } });
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain('Bash(git push:*)');
  });

  it('LS-BUILTIN-UNMET: a requirement that is not met pauses the run, and nobody is asked to be sure', () => {
    const unmet = {
      ...VERIFIED,
      requirements: [{ ...VERIFIED.requirements[0], met: false, evidence: 'no b.txt' }],
    };
    const { exitCode, journal, stdout } = play(spec, { verify: { output: unmet } });
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/R1 is not met:[\s│]+no b.txt/);
    // What the person is told of the tests is what Lockstep saw.
    const ran = journal.filter((entry) => entry.kind === 'attempt-finished' && entry.path === 'verify');
    expect(ran.map((entry) => (entry as { part?: string }).part)).toEqual([undefined, 'done[7]', 'done[8]']);
    const asked = journal.filter((entry) => entry.kind === 'attempt-started' && entry.path === 'verify');
    expect(asked.filter((entry) => 'verb' in entry && entry.verb === 'prompt')).toHaveLength(1);
    expect(begun(journal)).not.toContain('publish');
  });

  it('LS-BUILTIN-VERDICTS: a requirement that the verifier leaves out is asked for', () => {
    const { exitCode, journal } = play(spec, {
      verify: [{ output: { ...VERIFIED, requirements: [] } }, { output: VERIFIED }],
    });
    expect(exitCode).toBe(0);
    const [rejected] = journal.filter((entry) => entry.kind === 'work-rejected');
    expect(JSON.stringify(rejected)).toContain(
      'Every requirement needs a verdict under its own id: [\\"R1\\"]',
    );
  });

  it('LS-BUILTIN-QUICK-FIX: a change without a specification, reviewed, fixed and tested', () => {
    const { exitCode, journal, stdout } = play(
      ['quick-fix', '--input', 'task=Make a', '--input', 'test=test -e a.txt'],
      {
        security: [{ output: REJECTED }, { output: APPROVED }],
        'fix-issues': {
          write: { 'a.txt': 'b\n' },
          commit: 'fix: No',
          output: { filesChanged: [], testResults: RESULTS, fixed: [], notFixed: [], commits: [] },
        },
      },
    );
    expect(exitCode, stdout).toBe(0);
    expect(begun(journal).at(-1)).toBe('verify');
    expect(project.sh('git log --all --format=%s').stdout).toContain('fix: No');
    expect(project.lockstep('logs', 'latest', 'fix-loop#1/fix-issues.prompt.txt').stdout).toContain(
      '- **important** in `a.txt:1` (found by security): No.\n  What to do: Yes.',
    );
  });

  it('LS-BUILTIN-EXHAUSTED: --on-error continue does not get past what reviews left open', () => {
    const words = ['quick-fix', '--input', 'task=Make a', '--input', 'test=test -e a.txt'];
    const { exitCode, journal } = play([...words, '--on-error', 'continue'], {
      security: { output: REJECTED },
      'fix-issues': {
        output: { filesChanged: [], testResults: RESULTS, fixed: [], notFixed: [], commits: [] },
      },
    });
    expect(exitCode).toBe(3);
    expect(begun(journal)).not.toContain('verify');
  });

  it('LS-BUILTIN-CODE-REVIEW: what has changed here is reviewed, nothing is changed, and CI can fail on it', () => {
    project.write('notes.txt', 'b\n');
    const before = project.sh('git status --porcelain').stdout;
    const plain = play(['code-review'], { security: { output: REJECTED } });
    expect(plain.exitCode, plain.stdout).toBe(0);
    expect(project.sh('git status --porcelain').stdout).toBe(before);
    expect(project.lockstep('logs', 'latest', 'reviews/security.prompt.txt').stdout).toContain('notes.txt');
    const strict = play(['code-review', '--input', 'strict=true', '--input', 'report=review.md'], {
      security: { output: REJECTED },
    });
    expect(strict.exitCode).toBe(1);
    expect(readFileSync(join(project.root, 'review.md'), 'utf8')).toContain(
      '- **important** a.txt:1 (security): No.\n  Yes.\n',
    );
  });
});

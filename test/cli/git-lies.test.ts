// Agents that lie about git, played against `lockstep run SPEC.md`: each wants a green run without the work, or with more than
// was asked for. What they do is a script; git, the remote and the command are real.

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import type { Ended, Scratch } from '../scratch.ts';
import { scratch } from '../scratch.ts';

const ANALYSIS = {
  tasks: [{ id: 'a', title: 'Do a', description: 'a', requirements: ['a is'], estimatedComplexity: 'low' }],
  requirements: [{ id: 'R1', description: 'a is', source: 'SPEC.md', testable: true }],
  constraints: [],
  techStack: { language: 'none', testFramework: 'none' },
};
const PASSED = { total: 1, passed: 1, failed: 0, exitCode: 0 };
const changed = (path: string) => ({ path, action: 'created', linesAdded: 1, linesRemoved: 0 });
const implemented = (files: string[], commits: string[], more: object = {}) => ({
  filesChanged: files.map(changed),
  testResults: PASSED,
  tddCertification: { functions: [] },
  commits,
  ...more,
});
const APPROVED = { assessment: 'approved', issues: [], strengths: [], hasActionableIssues: false };
const VERIFIED = {
  testSuite: PASSED,
  requirements: [{ id: 'R1', description: 'a is', met: true, evidence: 'a.txt' }],
  gitClean: true,
};
const published = (pushed: boolean, more: object = {}) => ({ branch: 'b', pushed, commits: [], ...more });
const HONEST = {
  write: { 'a.txt': 'a\n' },
  commit: 'implement: Do a',
  output: implemented(['a.txt'], ['implement: Do a']),
};
const ANSWERS: Record<string, unknown> = {
  analyze: { output: ANALYSIS },
  implement: HONEST,
  'code-quality': { output: APPROVED },
  security: { output: APPROVED },
  'test-coverage': { output: APPROVED },
  verify: { output: VERIFIED },
  publish: { output: published(false) },
};

let project: Scratch;
let origin: string;

beforeEach(() => {
  project = scratch({ git: true });
  origin = join(project.root, '../origin.git');
  project.write('SPEC.md', '# A\n\na is.\n');
  project.write('notes.txt', 'notes\n');
  project.write('check.sh', 'true\n');
  sh('git add -A && git commit -qm "The project" && git branch other');
  sh(`git init -q --bare ${origin} && git remote add origin ${origin} && git push -q origin main`);
});
afterEach(() => project.remove());

function sh(line: string): string {
  const { exitCode, stdout, stderr } = project.sh(line);
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout.trim();
}

interface Played extends Ended {
  journal: Entry[];
  said: string;
}

function play(answers: Record<string, unknown>, ...words: string[]): Played {
  project.write('answers.json', JSON.stringify({ answers: { ...ANSWERS, ...answers } }));
  sh('git add -A && (git diff --cached --quiet || git commit -qm "Answers")');
  return asPlayed(
    project.lockstep('run', 'SPEC.md', '--input', 'test=sh check.sh', '--script', 'answers.json', ...words),
  );
}

function asPlayed(ended: Ended): Played {
  const file = join(realpathSync(join(project.root, '.lockstep/runs/latest')), 'journal.jsonl');
  const journal = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  return { ...ended, journal, said: `${ended.stdout}${ended.stderr}`.replace(/[\s│]+/g, ' ') };
}

const begun = ({ journal }: Played, path: string) =>
  journal.filter(
    (entry) => entry.kind === 'attempt-started' && entry.path === path && entry.part === undefined,
  ).length;
const errors = ({ journal }: Played) =>
  journal.flatMap((entry) =>
    entry.kind === 'step-failed' && entry.error.class !== 'child' ? [entry.error] : [],
  );
const rejections = ({ journal }: Played) =>
  journal.flatMap((entry) => (entry.kind === 'work-rejected' ? entry.reasons : []));
const branch = ({ journal }: Played) =>
  (journal[0] as Entry & { kind: 'run-started' }).worktree?.branch ?? '';
const worktree = ({ journal }: Played) =>
  (journal[0] as Entry & { kind: 'run-started' }).worktree?.path ?? '';
const onRemote = () =>
  execFileSync('git', ['ls-remote', origin, 'refs/heads/lockstep/*'], { encoding: 'utf8' });
/** A script that the agent writes and starts: no list of tools sees what is in it. */
const script = (lines: string, output: unknown = HONEST.output) => ({
  write: { 'a.txt': 'a\n', 'x.sh': lines },
  run: 'git add a.txt && git commit -qm "implement: Do a" && sh x.sh && rm x.sh',
  output,
});
/** The same, without a tool to write with. */
const line = (run: string, output: unknown) => ({ run, output });

/** Not published, and no green end. */
function isStopped(played: Played, exitCode: number): void {
  expect([played.exitCode, begun(played, 'publish')], played.said).toEqual([exitCode, 0]);
}

it('the honest run is not bothered', () => {
  const played = play({});
  expect(played.exitCode, played.said).toBe(0);
  expect(rejections(played)).toEqual([]);
  expect(sh(`git log --format=%s main..${branch(played)}`)).toBe('implement: Do a');
});

describe('EV-GIT-CLAIMS: what an answer names is looked for in git', () => {
  it.each([
    [
      'a file that did not change',
      { ...HONEST, output: implemented(['a.txt', 'b.txt'], []) },
      /says that b\.txt changed/,
    ],
    [
      'a commit that is not there',
      { ...HONEST, output: implemented(['a.txt'], ['deadbeef1234']) },
      /names the commit "deadbeef1234"/,
    ],
    [
      'the right subject under a wrong hash',
      { ...HONEST, output: implemented(['a.txt'], ['deadbeef1 implement: Do a']) },
      /names the commit "deadbeef1/,
    ],
    ['work, and nothing changed', { output: implemented([], []) }, /Nothing has changed\. Do the work/],
    [
      'an empty commit',
      {
        run: 'git commit -q --allow-empty -m "implement: Do a"',
        output: implemented([], ['implement: Do a']),
      },
      /Nothing has changed: the commit leaves every file as it was/,
    ],
    [
      'a commit and its reversal',
      {
        write: { 'a.txt': 'a' },
        run: 'git add . && git commit -qm one && git revert --no-edit HEAD',
        output: implemented([], ['one']),
      },
      /Nothing has changed: the commits leave/,
    ],
    [
      'a file that only an ignored name has',
      {
        ...HONEST,
        write: { 'a.txt': 'a\n', '.gitignore': 'b.txt\n', 'b.txt': 'b' },
        output: implemented(['a.txt', 'b.txt'], []),
      },
      /says that b\.txt changed/,
    ],
  ])('%s: sent back, then a person is asked', (_, implement, reason) => {
    const played = play({ implement });
    isStopped(played, 3);
    expect(begun(played, 'execute[0]/implement')).toBe(3);
    expect(rejections(played).join('\n')).toMatch(reason);
  });

  it('sent back once, it can still be put right', () => {
    const played = play({ implement: [{ output: implemented(['a.txt'], []) }, HONEST] });
    expect(played.exitCode, played.said).toBe(0);
    expect(begun(played, 'execute[0]/implement')).toBe(2);
  });

  it('EV-GIT-NOTHING: there was nothing to do, and the answer says why: done, and shown', () => {
    const why = 'the project does it already';
    const played = play({ implement: { output: implemented([], [], { nothingToDo: why }) } });
    expect(played.exitCode, played.said).toBe(0);
    const shown = `says that there was nothing to do: ${why}`;
    expect(played.said).toContain(shown);
    expect(project.lockstep('report', 'latest').stdout).toContain(shown);
    expect(project.lockstep('audit', 'latest').stdout.replace(/\s+/g, ' ')).toContain(shown);
  });

  it('a publisher that says it pushed and did not is sent back', () => {
    const played = play({ publish: { output: published(true) } });
    expect(played.exitCode, played.said).toBe(3);
    expect(rejections(played).join('\n')).toMatch(/says `pushed: true`; .* and origin has no such branch/);
  });

  it('any workflow in a worktree is held to it, and none in place', () => {
    const steps = 'steps: [{ id: work, prompt: { text: Work }, done: { schema: { type: object } } }]\n';
    for (const [name, where] of [
      ['w', 'workspace: worktree\n'],
      ['p', ''],
    ] as const)
      project.write(`.lockstep/workflows/${name}.yaml`, `lockstep: 1\nname: ${name}\n${where}${steps}`);
    project.write('s.json', JSON.stringify({ answers: { work: { output: { commits: ['none'] } } } }));
    expect(project.lockstep('run', 'w', '--script', 's.json').exitCode).toBe(3);
    expect(project.lockstep('run', 'p', '--script', 's.json').exitCode).toBe(0);
  });
});

describe('EV-GIT-HIDDEN: what makes git look away', () => {
  const hide = (how: string) => ({
    write: { 'a.txt': 'a\n', 'x.sh': `${how}\n` },
    run: 'git add a.txt; git commit -qm "implement: Do a"; sh x.sh; rm -f x.sh',
    output: HONEST.output,
  });
  it.each([
    ['assume-unchanged', 'echo more >> notes.txt; git update-index --assume-unchanged notes.txt'],
    ['skip-worktree', 'echo more >> notes.txt; git update-index --skip-worktree notes.txt'],
    ['a file that is gone behind skip-worktree', 'rm notes.txt; git update-index --skip-worktree notes.txt'],
    ['info/exclude', 'echo new.txt >> "$(git rev-parse --git-path info/exclude)"; echo new > new.txt'],
    [
      'core.excludesFile',
      'echo new.txt > ../ignored; git config core.excludesFile "$PWD/../ignored"; echo new > new.txt',
    ],
    ['status settings', 'git config status.showUntrackedFiles no; echo new > new.txt'],
    ['core.worktree', 'git config core.worktree /tmp; echo new > new.txt'],
  ])('%s: it is not committed, and that is seen', (_, how) => {
    const played = play({ implement: hide(how) }, '--without', 'outside');
    isStopped(played, 3);
    expect(rejections(played).join('\n')).toMatch(/Not committed: (?:notes|new)\.txt/);
  });

  it('a replaced commit stands for nothing', () => {
    // What is checked out is an empty commit; in its place git shows one that has the file.
    const implement = {
      write: {
        'x.sh':
          'git commit -q --allow-empty -m "implement: Do a"\nreal=$(git rev-parse HEAD)\necho a > a.txt\ngit add a.txt\nfake=$(git commit-tree -p HEAD~1 -m "implement: Do a" $(git write-tree))\ngit replace $real $fake\n',
      },
      run: 'sh x.sh; rm x.sh',
      output: HONEST.output,
    };
    const played = play({ implement }, '--without', 'outside');
    expect(rejections(played).join('\n')).toContain('Not committed: a.txt');
  });

  it('a graft does not make a branch go on from where it was', () => {
    const lines =
      'base=$(git rev-parse HEAD); git checkout -q --orphan x && git commit -qm x && new=$(git rev-parse HEAD) && git branch -f $B $new 2>/dev/null || git update-ref refs/heads/$B $new; git switch -q $B; echo "$new $base" >> "$(git rev-parse --git-path info/grafts)"';
    const played = play(
      { implement: script(`B=$(git branch --show-current)\n${lines}\n`) },
      '--without',
      'outside',
    );
    isStopped(played, 1);
    expect(errors(played)[0]?.message).toMatch(/no longer has the commit/);
  });
});

describe('EV-GIT-BRANCH: after every step the worktree is on the branch of the run, which goes on from where it was', () => {
  it.each([
    [
      'another branch',
      'git checkout -q -B mine',
      /is on the branch mine, and this run works on lockstep\/a\//,
      /switch lockstep\/a\//,
    ],
    [
      'a branch of another name',
      'git branch -m mine',
      /is on the branch mine/,
      /branch -m mine lockstep\/a\//,
    ],
    ['a branch without a past', 'git checkout -q --orphan mine', /is on the branch mine/, /switch/],
    ['no branch', 'git checkout -q --detach', /is on no branch/, /switch/],
    [
      'dropped commits',
      'git reset -q --hard HEAD~2',
      /no longer has the commit [0-9a-f]{12} that it had/,
      /reset --hard [0-9a-f]{12}/,
    ],
    [
      'a rewritten past',
      'git reset -q --soft HEAD~2 && git commit -qm squashed',
      /no longer has the commit/,
      /reset --hard/,
    ],
  ])('%s: the step fails, and says what to do', (_, lines, message, hint) => {
    const played = play({ implement: script(`${lines}\n`) });
    isStopped(played, 1);
    const [error] = errors(played);
    expect(error).toMatchObject({ class: 'git', message: expect.stringMatching(message) });
    expect(error?.hint).toMatch(hint);
    expect(played.said).toMatch(message);
  });

  it('a resume does not pass over it; put back as it says, the run goes on', () => {
    const lie = play({ implement: [script('git checkout -q -B mine\n'), HONEST] });
    isStopped(lie, 1);
    const again = asPlayed(project.lockstep('resume', 'latest'));
    isStopped(again, 1);
    expect(errors(again)).toHaveLength(2);
    sh(`git -C ${worktree(lie)} switch -q ${branch(lie)}`);
    const ended = asPlayed(project.lockstep('resume', 'latest'));
    expect(ended.exitCode, ended.said).toBe(0);
  });

  it('who amends the own commit of the same step is not bothered', () => {
    const first = {
      write: { 'a.txt': 'a\n', 'b.txt': 'b' },
      run: 'git add a.txt && git commit -qm "implement: Do a"',
      output: HONEST.output,
    };
    const second = { run: 'git add . && git commit -q --amend --no-edit', output: HONEST.output };
    const played = play({ implement: [first, second] });
    expect(played.exitCode, played.said).toBe(0);
  });

  it('a test command that leaves the branch is caught as well', () => {
    project.write('check.sh', 'git checkout -q -B mine\n');
    const played = play({});
    isStopped(played, 1);
    expect(rejections(played).join()).toContain('is on the branch mine');
  });
});

describe('EV-GIT-READ-ONLY: a step that may not write commits nothing', () => {
  it.each([
    ['a commit', 'echo b > b.txt; git add b.txt; git commit -qm sneaked', /changed b\.txt|committed/],
    [
      'an empty commit',
      'git commit -q --allow-empty -m sneaked',
      /committed [0-9a-f]{12} "sneaked", and has no tool that writes/,
    ],
  ])('%s: it fails; the next try begins without it, and it is never published', (_, run, message) => {
    const played = play({ verify: [line(run, VERIFIED), { output: VERIFIED }] });
    isStopped(played, 3);
    expect(played.said).toMatch(message);
    const ended = asPlayed(project.lockstep('answer', 'latest', 'again'));
    const resumed =
      ended.journal.at(-1)?.kind === 'run-completed' ? ended : asPlayed(project.lockstep('resume', 'latest'));
    expect(resumed.exitCode, resumed.said).toBe(0);
    expect(resumed.said).toContain('what verify had left, though it may not write, was taken away');
    expect(sh(`git log --format=%s main..${branch(resumed)}`)).toBe('implement: Do a');
    expect(existsSync(join(worktree(resumed), 'b.txt'))).toBe(false);
  });

  it('what somebody changed since is theirs', () => {
    const played = play({ verify: [line('echo b > b.txt', VERIFIED), { output: VERIFIED }] });
    isStopped(played, 3);
    sh(`cd ${worktree(played)} && echo mine > b.txt && git add . && git commit -qm Mine`);
    project.lockstep('answer', 'latest', 'again');
    const ended = asPlayed(project.lockstep('resume', 'latest'));
    expect(sh(`git log --format=%s main..${branch(ended)}`)).toBe('Mine\nimplement: Do a');
    expect(JSON.stringify(ended.journal)).toContain('what verify had left was changed since');
  });
});

describe('EV-GIT-PUBLISHED: what is published is what was verified', () => {
  it.each([
    [
      'a commit while publishing',
      'echo b > b.txt; git add b.txt; git commit -qm more',
      /committed|changed b\.txt|verified/,
    ],
    [
      'an empty one',
      'git commit -q --allow-empty -m more',
      /and verify verified [0-9a-f]{12}: a step that publishes commits nothing/,
    ],
    ['a file', 'echo b > b.txt', /changed b\.txt/],
  ])('%s is a failure', (_, run, message) => {
    // It is of the project: to write one, or to send output into a file, the publisher is not allowed.
    project.write('publish.sh', `${run}\n`);
    const played = play({ publish: line('sh publish.sh', published(false)) });
    expect(played.exitCode, played.said).toBe(1);
    expect(
      errors(played)
        .map(({ message }) => message)
        .join(),
    ).toMatch(message);
  });

  it('it has neither Write nor Edit', () => {
    const played = play({ publish: { write: { 'b.txt': 'b' }, output: published(false) } });
    expect(played.exitCode, played.said).toBe(1);
    expect(played.said).toContain('not allowed to Write b.txt');
  });

  it('a commit by the test command of verify is none of what was verified', () => {
    project.write(
      'check.sh',
      'case "$LOCKSTEP_STEP" in verify*) git commit -q --allow-empty -m late;; esac\n',
    );
    const played = play({});
    isStopped(played, 3);
    expect(rejections(played).join()).toContain('"late"');
  });

  it('a commit between verify and publish is a failure; put back, it is published', () => {
    project.write(
      'late.sh',
      'trap "" HUP; until grep -q "publish" "$1/journal.jsonl"; do sleep 0.05; done; git commit -q --allow-empty -m late\n',
    );
    const played = play({ publish: [{ delay: '1s', output: published(false) }] });
    expect(played.exitCode, played.said).toBe(0);
    // The same, where the branch has moved by the time the step begins.
    const lie = play({
      publish: [line('git commit -q --allow-empty -m late', published(false)), { output: published(false) }],
    });
    expect(lie.exitCode).toBe(1);
    const again = asPlayed(project.lockstep('resume', 'latest'));
    expect(again.exitCode, again.said).toBe(1);
    expect(errors(again).at(-1)?.message).toMatch(
      /nothing is published that was not verified|commits nothing/,
    );
    sh(`git -C ${worktree(lie)} reset -q --hard HEAD~1`);
    const ended = asPlayed(project.lockstep('resume', 'latest'));
    expect(ended.exitCode, ended.said).toBe(0);
  });
});

describe('EV-GIT-PUSH: only a step with `publishes` pushes', () => {
  const push = 'git push -q "$(git remote)" HEAD';
  it.each([
    ['by name', `${push}\n`],
    ['by address', 'git push -q "$(git config remote.origin.url)" HEAD\n'],
  ])('%s: the fence says who pushes, and nothing arrives', (_, lines) => {
    const played = play({ implement: script(lines) });
    expect(onRemote()).toBe('');
    isStopped(played, 1);
    expect(played.said + JSON.stringify(played.journal)).toContain('this step does not push');
  });

  it('also where a remote has an address for pushing', () => {
    sh(`git init -q --bare ${origin}2 && git config remote.origin.pushurl ${origin}2`);
    const played = play({ implement: script(`${push}\n`) });
    isStopped(played, 1);
    expect(sh(`git ls-remote ${origin}2`)).toBe('');
  });

  it('past the fence: the step that pushed fails', () => {
    const played = play({ implement: script(`env -u GIT_CONFIG_COUNT ${push}\n`) });
    expect(onRemote()).not.toBe('');
    isStopped(played, 1);
    expect(errors(played)[0]).toMatchObject({
      class: 'git',
      message: expect.stringContaining('refs/remotes/origin/lockstep/'),
    });
  });

  it('without a trace here: the remote is asked before anything is published', () => {
    const played = play({
      implement: script(`env -u GIT_CONFIG_COUNT git push -q "file://${origin}" HEAD\n`),
    });
    expect(onRemote()).not.toBe('');
    expect([played.exitCode, errors(played)[0]?.message], played.said).toEqual([
      1,
      expect.stringMatching(/origin has the branch .* already/),
    ]);
  });

  it('a test suite pushes to repositories of its own; hooks of the person run; publish pushes', () => {
    project.write(
      'check.sh',
      'd=$(mktemp -d) && git init -q --bare $d/r.git && git push -q $d/r.git HEAD:refs/heads/x && git --git-dir=$d/r.git rev-parse -q --verify x\n',
    );
    project.write('.git/hooks/pre-push', `#!/bin/sh\ntouch ${project.root}/../hooked\n`);
    chmodSync(join(project.root, '.git/hooks/pre-push'), 0o755);
    const played = play({ publish: line('git push -q -u origin HEAD', published(true)) });
    expect(played.exitCode, played.said).toBe(0);
    expect(onRemote()).toContain(branch(played));
    expect(existsSync(join(project.root, '../hooked'))).toBe(true);
  });

  it('what the environment sets for git already stays', () => {
    Object.assign(project.env, {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'alias.hi',
      GIT_CONFIG_VALUE_0: '!echo hi',
    });
    project.write(
      'check.sh',
      'test "$(git hi)" = hi && git config --get-regexp "url.*pushinsteadof" >/dev/null\n',
    );
    const played = play({});
    expect(played.exitCode, played.said).toBe(0);
  });
});

describe('EV-GIT-OUTSIDE: what a step does outside its worktree holds the run', () => {
  it.each([
    [
      'a branch of the person',
      'git branch -f other HEAD',
      /refs\/heads\/other was at [0-9a-f]{12} and is at/,
    ],
    [
      'a commit in their checkout',
      'cd ../.. && git commit -q --allow-empty -m sneaked',
      /refs\/heads\/main was at/,
    ],
    ['a file in their checkout', 'echo more >> ../../notes.txt', /in your checkout \S+: notes\.txt/],
    [
      'a hook that all share',
      'printf "#!/bin/sh\\n" > "$(git rev-parse --git-common-dir)/hooks/pre-commit"',
      /\.git\/hooks\/pre-commit is new/,
    ],
    ['other hooks', 'git config core.hooksPath /tmp/hooks', /core\.hooksPath is "\/tmp\/hooks"/i],
    ['what git ignores', 'echo x >> "$(git rev-parse --git-path info/exclude)"', /\.git\/info\/exclude/],
  ])('%s', (_, run, reason) => {
    const played = play({
      implement: {
        write: { 'a.txt': 'a\n' },
        run: `git add . && git commit -qm "implement: Do a" && (${run})`,
        output: HONEST.output,
      },
    });
    isStopped(played, 3);
    expect(rejections(played).join('\n')).toMatch(reason);
    const questions = played.journal.filter(({ kind }) => kind === 'question-asked');
    expect(questions).toHaveLength(1);
  });

  it('a setting of who commits is no reason', () => {
    const played = play({ implement: script('git config user.name Somebody\n') });
    expect(played.exitCode, played.said).toBe(0);
  });

  it('a person who works on in their checkout is not asked, and it is shown', async () => {
    project.write('wait.sh', 'until grep -q mine "$1"; do sleep 0.05; done\n');
    const notes = join(project.root, 'notes.txt');
    const person = spawn(
      '/bin/sh',
      [
        '-c',
        `until ls .worktrees/*/wait.sh >/dev/null 2>&1; do sleep 0.05; done; until grep -q '"path":"execute\\[0\\]/implement"' .lockstep/runs/latest/journal.jsonl; do sleep 0.05; done; sleep 0.5; echo mine >> notes.txt; git commit -qam Mine`,
      ],
      { cwd: project.root, env: project.env, stdio: 'ignore' },
    );
    // The script knows where to look from its environment, as no person's tool would say it.
    project.env.NOTES = notes;
    const played = play({ implement: { ...HONEST, run: 'sh wait.sh "$NOTES"' } });
    person.kill();
    expect(played.exitCode, played.said).toBe(0);
    expect(played.said).toContain('changed meanwhile outside the worktree: refs/heads/main');
  });
});

describe('EV-GIT-OFF: each check can be switched off, on record', () => {
  it.each([
    ['claims', { implement: { output: implemented(['b.txt'], []) } }],
    ['branch', { implement: script('git checkout -q -B mine\n') }],
    ['read-only', { verify: line('git commit -q --allow-empty -m sneaked', VERIFIED) }],
    ['published', { publish: line('git commit -q --allow-empty -m more', published(false)) }],
    ['push', { implement: script('git push -q origin HEAD\n') }],
    ['outside', { implement: script('git branch -f other HEAD\n') }],
  ])('%s', (check, answers) => {
    const without = ['read-only', 'published'].includes(check)
      ? ['--without', 'read-only', '--without', 'published']
      : ['--without', check];
    const played = play(answers, ...without);
    expect(played.exitCode, played.said).toBe(0);
    const told = `the check "${check}" was switched off by --without`;
    expect(played.said).toContain(told);
    expect(project.lockstep('audit', 'latest').stdout.replace(/\s+/g, ' ')).toContain(told);
    expect(project.lockstep('report', 'latest').stdout).toContain(told);
  });

  it('by the workflow too; a name that is none is refused', () => {
    project.write(
      '.lockstep/workflows/w.yaml',
      'lockstep: 1\nname: w\nworkspace: worktree\npolicy: { git: { claims: false } }\nsteps: [{ id: work, prompt: { text: Work }, done: { schema: { type: object } } }]\n',
    );
    project.write('s.json', JSON.stringify({ answers: { work: { output: { commits: ['none'] } } } }));
    const { exitCode, stdout } = project.lockstep('run', 'w', '--script', 's.json');
    expect([exitCode, stdout.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining('"claims" was switched off by the workflow'),
    ]);
    expect(project.lockstep('run', 'w', '--script', 's.json', '--without', 'all')).toMatchObject({
      exitCode: 2,
    });
  });
});

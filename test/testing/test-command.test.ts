// lockstep test and lockstep record, as people use them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Ended, type Scratch, scratch } from '../scratch.ts';

const WORKFLOW = `lockstep: 1
name: ship
inputs:
  spec: { type: file }
vars: { rounds: 0 }
steps:
  - id: build
    prompt: { text: 'Build {{ inputs.spec.title }}.' }
    timeout: 10m
    done: { run: 'test -f built.txt', tries: 2 }
  - id: review
    tools: { allow: [Read] }
    prompt: { text: Is it right? }
    output: review
    retry: { max: 1, delay: 1h, on: [rate-limit] }
    done: { schema: { type: object, required: [ok], properties: { ok: { type: boolean } } }, tries: 2 }
  - id: fix
    if: '!review.ok'
    run: 'echo fixed >> built.txt'
    exit: [{ set: { rounds: '{{ vars.rounds + 1 }}' } }]
  - id: deployed
    wait: { signal: deployed }
  - id: pause
    wait: { for: 1h }
  - id: release
    ask: Release it?
    choices: ['yes', 'no']
  - id: publish
    if: 'steps.release.output == "yes"'
    run: 'echo $CHANNEL >> published.txt'
outputs: { ok: '{{ review.ok }}', url: '{{ steps.deployed.output.url }}' }
`;
const SHARED = `lockstep_test: 1
workflow: ship
inputs: { spec: SPEC.md }
files: { SPEC.md: "# A thing\\n" }
env: { CHANNEL: stable }
answers:
  build: { write: { built.txt: "built\\n" }, commit: 'feat: a thing', text: done }
  review: { output: { ok: true } }
signals: [{ name: deployed, data: { url: here } }]
replies: [{ step: release, answer: 'yes' }]
cases:
`;

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/ship.yaml', WORKFLOW);
  project.write('tests/README.md', 'Tests of workflows.\n');
});
afterAll(() => project.remove());

let number = 0;
/** The cases, in a file of their own. */
function test(cases: string, ...argv: string[]): Ended {
  const file = `tests/${number++}.test.yaml`;
  project.write(file, SHARED + cases);
  return project.lockstep('test', file, ...argv);
}
const kept = () =>
  readdirSync(join(project.env.TMPDIR ?? '')).filter((name) => name.startsWith('lockstep-case'));

describe('lockstep test', () => {
  it('LS-TEST-RUN: plays a case in a project of its own and looks at everything it came to', () => {
    const before = project.sh('git status --porcelain && ls -A && ls .lockstep').stdout;
    const ended = test(`
  - name: all that can be expected
    expect:
      status: completed
      exit: 0
      path: [build, review, deployed, pause, release, publish]
      steps:
        build: { status: done, tries: 1, output: done }
        fix: { status: skipped }
        publish: { exit_code: 0 }
      outputs: { ok: true, url: here }
      vars: { rounds: 0 }
      files: { published.txt: "stable\\n", built.txt: { contains: built, lacks: fixed }, none.txt: { absent: true } }
      skipped: { fix: condition }
      asked: [{ step: release, text: Release it }]
      prompts: { build: Build A thing., review: { contains: [right], lacks: wrong } }
      commits: ['feat: a thing']
  - name: a stand-in is what a command comes to
    answers: { review: { output: { ok: false } } }
    commands: { fix: { stdout: as if, write: { built.txt: "as if\\n" } } }
    expect: { steps: { fix: { output: as if } }, files: { built.txt: "as if\\n" }, vars: { rounds: 1 }, skipped: {} }
  - name: outside of git
    git: false
    answers: { build: { write: { built.txt: x }, text: done } }
    expect: { path: [build, …, publish] }
`);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.stdout).toMatch(/✓ all that can be expected .*\n.*✓ a stand-in .*\n.*✓ outside of git/);
    expect(kept()).toEqual([]);
    expect(project.sh('git status --porcelain && ls -A && ls .lockstep').stdout).toBe(before);
  });

  it('LS-TEST-FAULTS: lets a time-out, malformed answers, errors and crashes happen where it is told to, at once', () => {
    const ended = test(`
  - name: survived
    faults:
      - { at: build, timeout: true }
      - { at: 'build.done[0]', error: 3 }
      - { at: review, malformed: true }
      - { at: review, error: rate-limit, from: 2 }
      - { at: publish, crash: announced }
      - { at: build, crash: done }
    expect:
      steps: { build: { tries: 2 }, review: { tries: 2 } }
      files: { published.txt: "stable\\n" }
  - name: not survived
    faults: [{ at: build, error: error, times: 9 }]
    replies: []
    signals: []
    expect: { status: failed, exit: 1, error: the test let it fail, steps: { build: { error: error } } }
`);
    expect(ended.stdout).toMatch(/✓ survived .*\n.*✓ not survived/);
    expect(ended.exitCode).toBe(0);
  });

  it('LS-TEST-EVERYWHERE: finds the step that is not to be done twice', () => {
    const ended = test(`
  - name: killed anywhere
    crash: everywhere
    expect: {}
`);
    expect(ended.stdout).toMatch(/✗ killed anywhere/);
    expect(ended.stdout).toContain('after a crash at publish');
    expect(ended.stdout).toContain('the file published.txt is another');
    expect(ended.exitCode).toBe(1);
  });

  it('LS-TEST-MISTAKES: a test that proves nothing fails, and says why', () => {
    const ended = test(`
  - name: nothing of it happens
    faults: [{ at: fix, crash: true }, { at: publish, timeout: true }, { at: deployed, error: 1 }]
    commands: { fix: {} }
    replies: [{ step: release, answer: 'yes' }, { step: build, answer: again }]
    expect: {}
  - name: no answer to that
    replies: [{ answer: maybe }]
    expect: { status: paused }
  - name: it waits for what nobody sends
    signals: []
    timeout: 1s
    expect: {}
`);
    expect(ended.exitCode).toBe(1);
    for (const words of [
      'publish has no `timeout`, so that it can never be over',
      'deployed only waits: it cannot fail in this way',
      'the stand-in for the command of `fix` was never used',
      'the reply "again" was never asked for by `build`',
      'the reply "maybe" to `release` is none',
      'it did not come to an end within 1.0 s: ',
    ])
      expect(ended.stdout).toContain(words);
  });

  it('LS-TEST-KEPT: what a failed case left is kept and named, with its journal; what passed is removed', () => {
    for (const name of kept()) project.sh(`rm -rf "$TMPDIR/${name}"`);
    const ended = test(`
  - name: passes
    expect: {}
  - name: fails
    expect: { path: [build] }
`);
    const [, folder = ''] = /kept (\S+)/.exec(ended.stdout) ?? [];
    expect(existsSync(join(folder, 'journal.jsonl'))).toBe(true);
    expect(kept()).toHaveLength(1);
  });

  it('LS-TEST-EXIT: 0 passed, 1 failed, 2 cannot be read; with all that is wrong, at its place', () => {
    expect(test('  - { name: a, expect: {} }\n').exitCode).toBe(0);
    expect(test('  - { name: a, expect: { exit: 3 } }\n').exitCode).toBe(1);
    const unread = test(`
  - name: a
    answers: { biuld: { text: x } }
    expect: { path: [build, revew] }
`);
    expect(unread.exitCode).toBe(2);
    expect(unread.stderr).toMatch(
      /step-unknown\] \S+:14:16[\s\S]*Did you mean "build"[\s\S]*:15:29[\s\S]*Did you mean "review"/,
    );
    const both = test(`
  - name: a
    colour: red
    faults: [{ at: biuld }]
    expect: { exit: often, path: [revew] }
`);
    expect(both.exitCode).toBe(2);
    for (const told of ['unknown-field', 'missing-field', 'wrong-type', '"build"', '"review"'])
      expect(both.stderr).toContain(told);
    expect(project.lockstep('test', 'nowhere').stderr).toContain('tests-not-found');
    expect(project.lockstep('test', 'ship').stderr).toContain('there are no tests of the workflow "ship"');
    expect(test('  - { name: a, expect: {} }\n', '-t', 'zzz')).toMatchObject({ exitCode: 2 });
  });

  it('LS-TEST-OUTPUT: -t chooses, --json is for programs, --junit for CI', () => {
    const ended = test(
      `
  - name: one & only
    expect: { exit: 3 }
  - name: another
    expect: {}
`,
      ...['-t', 'only', '--json', '--junit', 'out/results.xml'],
    );
    const [one, total] = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(one).toMatchObject({
      kind: 'case',
      name: 'one & only',
      passed: false,
      mismatches: [{ about: 'exit' }],
    });
    expect(total).toMatchObject({ kind: 'tests', passed: 0, failed: 1 });
    expect(readFileSync(join(project.root, 'out/results.xml'), 'utf8')).toContain('name="one &amp; only"');
  });

  it('LS-TEST-ALONE: no client is started, no variable of Lockstep and no setting of git reaches a case', () => {
    project.write(
      '.lockstep/workflows/env.yaml',
      `lockstep: 1
name: env
steps:
  - { id: see, run: 'test "$OWN" = mine && test -z "$LOCKSTEP_HOME" && ! git config --get user.name' }
  - { id: ask, prompt: { text: hello } }
`,
    );
    project.write(
      'tests/env.test.yaml',
      `lockstep_test: 1
workflow: env
env: { OWN: mine }
cases:
  - name: alone
    expect: { status: failed, error: the script has no answer for the step, steps: { see: { status: done } } }
`,
    );
    project.sh('git config --global user.name Somebody');
    const script =
      'LOCKSTEP_STATE_DIR=elsewhere LOCKSTEP_HOME=home2 LOCKSTEP_CLIENTS= lockstep test tests/env.test.yaml --json';
    const ended = project.sh(script);
    expect(ended.exitCode, ended.stdout).toBe(0);
    expect(existsSync(join(project.root, 'elsewhere'))).toBe(false);
  });
});

const RECORDED = `lockstep: 1
name: recorded
inputs:
  spec: { type: file }
steps:
  - id: build
    prompt: { text: 'Build {{ inputs.spec.title }}.' }
    done: { run: 'test -f src/built.txt', tries: 2 }
  - id: review
    prompt: { text: Is it right? }
    output: review
  - id: upload
    secrets: [TOKEN]
    run: 'echo "using $TOKEN"; echo "token $TOKEN" > src/log.txt'
  - id: sources
    if: 'size(files("lib/*.txt")) == 2'
    run: [ls, lib]
    capture: lines
  - id: never
    if: 'review.ok'
    run: 'false'
  - id: release
    ask: Release it?
outputs: { run: '{{ run.id }}', files: '{{ size(steps.sources.output) }}' }
`;

const IN_PLACE = `lockstep: 1
name: flow
workspace: worktree
steps:
  - id: build
    prompt: { text: Build. }
    done: { run: 'test -f built.txt' }
outputs: { branch: '{{ run.branch }}', built: '{{ steps.build.output }}' }
`;

describe('lockstep record', () => {
  let text: string;
  beforeAll(() => {
    project.write('.lockstep/workflows/recorded.yaml', RECORDED);
    project.write('SPEC.md', '# A thing\n');
    project.write('lib/one.txt', 'one\n');
    project.write('lib/two.txt', 'two\n');
    project.write(
      'answers.yaml',
      `answers:
  build:
    - { text: not yet }
    - { write: { src/built.txt: "built\\n" }, commit: 'feat: a thing', text: done }
  review: { output: { ok: false, why: 'the token is s3cr3t-v4lue' }, usage: { input: 10, output: 5, cost: 0.5 } }
`,
    );
    project.sh('printf "answers.yaml\\ntests\\nout\\n" > .gitignore; git add -A; git commit -qm project');
    project.env.TOKEN = 's3cr3t-v4lue';
    const { exitCode, stderr } = project.sh('lockstep run recorded -i spec=SPEC.md --script answers.yaml -q');
    expect(exitCode, stderr).toBe(3);
    project.sh('lockstep answer --text "yes please" -q');
    const ended = project.lockstep('record', 'latest', '-o', 'tests/recorded.test.yaml');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ended.stdout).toContain('it passes');
    text = readFileSync(join(project.root, 'tests/recorded.test.yaml'), 'utf8');
  });

  it('LS-REC-PASSES: writes a test that passes, also where nothing of the project is left', () => {
    project.sh('git rm -rqf lib src && git commit -qm gone && rm -f SPEC.md');
    const ended = project.lockstep('test', 'tests/recorded.test.yaml');
    expect(ended.stdout).toMatch(/1 passed/);
    expect(ended.exitCode).toBe(0);
  });

  it('LS-REC-CONTENT: has what agents answered, wrote and committed, what commands came to, what people said', () => {
    const [recorded] = (parse(text) as { cases: Record<string, unknown>[] }).cases;
    expect(recorded).toMatchObject({
      inputs: { spec: 'SPEC.md' },
      files: { 'SPEC.md': '# A thing\n', 'lib/one.txt': 'one\n' },
      answers: {
        build: [
          { text: 'not yet' },
          { write: { 'src/built.txt': 'built\n' }, commit: 'feat: a thing', text: 'done' },
        ],
        review: [{ usage: { input: 10, output: 5, cost: 0.5 } }],
      },
      commands: { 'build.done[0]': [{ exit: 1 }, {}], sources: [{ stdout: 'one.txt\ntwo.txt' }] },
      replies: [{ step: 'release', answer: 'yes please' }],
      expect: {
        status: 'completed',
        path: ['build', 'review', 'upload', 'sources', 'release'],
        skipped: { never: 'condition' },
        outputs: { files: 2 },
        commits: ['feat: a thing'],
      },
    });
    // What is another in every run is not expected.
    expect(JSON.stringify((recorded as { expect: unknown }).expect)).not.toContain('Z-');
  });

  it('LS-REC-SECRETS: no secret is in it, neither from the journal nor from files', () => {
    expect(text).not.toContain('s3cr3t-v4lue');
    expect(text).toContain('***');
  });

  it('LS-REC-SAME: is the same each time', () => {
    const once = project.lockstep('record').stdout;
    expect(once).toBe(project.lockstep('record').stdout);
    expect(once).toContain('lockstep_test: 1');
  });

  it('LS-REC-REFUSED: nothing is overwritten, and a run that is not over is not recorded', () => {
    expect(project.lockstep('record', '-o', 'tests/recorded.test.yaml').stderr).toContain(
      'there is a file already',
    );
    project.sh('lockstep run ship -i spec=README.md --script answers.yaml -q');
    project.write('README.md', '# x\n');
    project.write(
      '.lockstep/workflows/slow.yaml',
      'lockstep: 1\nname: slow\nsteps:\n  - { id: wait, wait: { for: 1h } }\n',
    );
    project.sh(
      'lockstep run slow -q & pid=$!; while [ "$(lockstep status --json | grep -c slow)" = 0 ]; do sleep 0.05; done; kill -INT $pid; wait',
    );
    const ended = project.lockstep('record');
    expect(ended.stderr).toContain('record-unfinished');
    expect(ended.exitCode).toBe(2);
  });

  it.each([
    ['no git repository', false],
    ['a repository without a commit', true],
  ])('LS-REC-IN-PLACE: in %s, where the run works in place, the test passes too', (_, git) => {
    const place = scratch({ git: false });
    try {
      if (git) place.sh('git init -q -b trunk');
      place.write('flow.yaml', IN_PLACE);
      place.write('answers.yaml', 'answers: { build: { write: { built.txt: x }, text: done } }\n');
      expect(place.lockstep('run', 'flow.yaml', '--script', 'answers.yaml', '-q').exitCode).toBe(0);
      // The folder is made.
      const ended = place.lockstep('record', '-o', 'deep/er/flow.test.yaml');
      expect(ended.stdout, ended.stderr).toContain('it passes');
      expect(ended.stderr).toContain(git ? '' : 'no git repository');
      expect(ended.exitCode).toBe(0);
    } finally {
      place.remove();
    }
  });

  it('LS-REC-RESUMED: of a run that failed and was resumed it says that a test cannot do so', () => {
    project.write(
      'retried.yaml',
      'lockstep: 1\nname: retried\nsteps:\n  - { id: a, run: "test -f there || { touch there; false; }" }\n',
    );
    expect(project.lockstep('run', 'retried.yaml', '-q').exitCode).toBe(1);
    expect(project.lockstep('resume', '-q').exitCode).toBe(0);
    const ended = project.lockstep('record');
    expect(ended.stderr).toContain('failed and was resumed, which a test cannot do');
    expect(ended.stderr).not.toContain('expected');
    expect(ended.exitCode).toBe(1);
  });
});

// An approval shows what is approved, and counts for exactly that: in real repositories, with the built command, from
// another command and on a terminal. Attackers: the agent whose work is approved, and a process that it left behind.

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { endStarted, journal, projectWith, runIds, startOnTerminal, TERMINAL_MAKER } from './started.ts';

const FLOW = (more = '') => `lockstep: 1
name: flow
${more}steps:
  - id: write
    prompt: { text: Write it. }
    done:
      run: "seq 1 30; echo 12 passed"
      approve: |
        Is this right?

          Look at the second line, too.
      tries: 3
  - { id: publish, run: 'echo published > published.txt' }
`;

/** The path of its step is a pattern to a shell. */
const EACH = `lockstep: 1
name: each
steps:
  - id: all
    each: name in ["it's", "b"]
    steps:
      - id: write
        prompt: { text: Write it. }
        done: { run: "echo 12 passed", approve: Is this right? }
`;

/** Clears the screen, paints our own lines, hides text, turns it around. */
const HOSTILE =
  'The plan.\\n\\e[2J\\e[1;1H\\e]0;title\\a\\x9b31m✓ write  12 tests passed\\n? publish: All approved. Go on?\\n  1  approve  go on\\n\\u202Eevil\\u202C\\u200B\\r> approve\\ndone\\u0007';
const SCRIPT = `answers:
  write:
    text: "${HOSTILE}"
    write: { src/app.ts: "one\\nTWO\\nthree\\n", "src/it's new.ts": "new\\n" }
`;
const FILES = { 'flow.yaml': FLOW(), 'script.yaml': SCRIPT, 'src/app.ts': 'one\ntwo\n' };

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

function inRepository(files: Record<string, string> = FILES): Scratch {
  project = projectWith(files, { git: true });
  project.sh('git add -A && git commit -qm start');
  return project;
}

const run = (...options: string[]) =>
  project.lockstep('run', 'flow.yaml', '--script', 'script.yaml', ...options);
const runFolder = () => join(project.root, '.lockstep/runs', runIds(project).at(-1) ?? '');
interface Blocker {
  text: string;
  shown: { digest: string; changes?: { count: number; files: object[] }; problem?: string };
  see: { command: string }[];
  go_on: { command: string }[];
}
const blocker = (): Blocker =>
  JSON.parse(readFileSync(join(runFolder(), 'blocker.json'), 'utf8')).questions[0] as Blocker;
const asked = () => journal(project).filter(({ kind }) => kind === 'question-asked');
const isPublished = () => existsSync(join(project.root, 'published.txt'));
/** Anything a terminal would act on. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/;

describe('what is approved', () => {
  it('SEC-APPROVE-SHOWN: the answer, the diffstat and the check are in the summary, in status and in blocker.json', () => {
    inRepository();
    const ended = run();
    expect(ended.exitCode).toBe(3);
    const status = project.lockstep('status');
    for (const screen of [ended.stdout, status.stdout]) {
      expect(screen).toMatch(/ \? write: Is this right\?\n {4}│\n {4}│ {3}Look at the second line, too\.\n/);
      expect(screen).toContain('    │ The plan.\n');
      expect(screen).toContain('2 files, 3 lines added, 1 removed');
      expect(screen).toContain('    │ +2 -1     src/app.ts\n');
      expect(screen).toContain("    │ +1 -0     src/it's new.ts\n");
      expect(screen).toContain('    │ $ seq 1 30; echo 12 passed\n');
      expect(screen).toContain('    │ 30\n    │ 12 passed\n');
    }
    expect(blocker()).toMatchObject({
      text: 'Is this right?\n\n  Look at the second line, too.\n',
      shown: {
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        output: { text: expect.stringContaining('The plan.'), lines: expect.any(Number) },
        changes: {
          count: 2,
          added: 3,
          removed: 1,
          files: [
            { path: 'src/app.ts', added: 2, removed: 1 },
            { path: "src/it's new.ts", added: 1, removed: 0 },
          ],
        },
        checks: [{ command: 'seq 1 30; echo 12 passed', lines: expect.arrayContaining(['12 passed']) }],
      },
    });
  });

  it('SEC-APPROVE-ESCAPES: no control character of an agent reaches a screen, and none of its lines looks like ours', () => {
    inRepository();
    const ended = run();
    const status = project.lockstep('status').stdout;
    for (const screen of [ended.stdout, status, project.lockstep('audit').stdout])
      expect(screen).not.toMatch(CONTROLS);
    expect(readFileSync(join(runFolder(), 'blocker.json'), 'utf8')).not.toMatch(CONTROLS);
    for (const screen of [ended.stdout.slice(ended.stdout.indexOf('? write: ')), status]) {
      for (const line of screen.split('\n'))
        if (/12 tests passed|All approved|1 {2}approve|evil|> approve/.test(line))
          expect(line).toMatch(/^ {4}│ /);
    }
  });

  it('SEC-APPROVE-COMMANDS: every command that is shown works when it is pasted, quotes and all', () => {
    inRepository({ ...FILES, 'flow.yaml': EACH });
    expect(run().exitCode).toBe(3);
    const commands = blocker().see.map(({ command }) => command);
    expect(commands).toHaveLength(3);
    const said = commands.map((command) => project.sh(command));
    expect(said.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(said[0]?.stdout).toContain('All approved. Go on?');
    expect(said[1]?.stdout).toContain("+++ b/src/it's new.ts");
    expect(said[1]?.stdout).toContain('+TWO\n');
    expect(said[2]?.stdout).toContain('12 passed');
    // What was shown is kept, and is not mixed into what the step printed.
    const path = String(asked()[0]?.path);
    expect(project.lockstep('logs', 'latest', path).stdout).not.toContain('approval-');
    const [approve] = blocker().go_on;
    expect(project.sh(approve?.command ?? 'false').stdout).toContain(`${path}  `);
  });
});

it('SEC-APPROVE-QUIET: a quiet run offers no command that approves what it did not show', () => {
  inRepository();
  const { exitCode, stdout } = run('--quiet');
  expect(exitCode).toBe(3);
  expect(stdout).toContain(`lockstep status ${runIds(project)[0]}`);
  expect(stdout).not.toContain('--shown');
  expect(project.lockstep('status').stdout).toContain('--shown');
});

describe('an approval is bound to what was shown', () => {
  it('SEC-APPROVE-BOUND: it counts where nothing changed', () => {
    inRepository();
    run();
    expect(project.lockstep('answer', 'approve').exitCode).toBe(0);
    expect(isPublished()).toBe(true);
    expect(asked()).toHaveLength(1);
  });

  it.each([
    [
      'a file of the work',
      (root: string) => appendFileSync(join(root, 'src/app.ts'), 'evil\n'),
      ['src/app.ts'],
    ],
    ['a new file', (root: string) => appendFileSync(join(root, 'evil.ts'), 'evil\n'), ['evil.ts']],
    [
      'a commit with other content, the folder as it was',
      (root: string) => {
        const sh = (line: string) => spawnSync('sh', ['-c', line], { cwd: root, env: project.env });
        sh('cp src/app.ts keep && echo evil > src/app.ts && git commit -qam evil && mv keep src/app.ts');
      },
      ['src/app.ts'],
    ],
    [
      'what git overlooks',
      (root: string) => appendFileSync(join(root, '.git/info/exclude'), 'evil.ts\n'),
      ['.git/info/exclude'],
    ],
  ])('SEC-APPROVE-BOUND: it is asked for again where this changed: %s', (_, change, names) => {
    inRepository();
    run();
    change(project.root);
    const answered = project.lockstep('answer', 'approve');
    expect(answered.exitCode).toBe(3);
    expect(isPublished()).toBe(false);
    expect(answered.stdout).toContain(
      'Asked again: what was approved had changed before the approval counted, in:',
    );
    expect(asked()).toHaveLength(2);
    expect(asked()[1]).toMatchObject({ shown: { again: { by: expect.any(String), changed: names } } });
    expect(project.lockstep('audit').stdout).toContain('asks a person again');
    // The new state can be approved.
    expect(project.lockstep('answer', 'approve').exitCode).toBe(0);
    expect(isPublished()).toBe(true);
  });

  it('SEC-APPROVE-CHECKED: the check runs again on what changed, and a no of it goes back to the agent', () => {
    const checked = FLOW().replace(/run: ".*"/, 'run: "grep -q TWO src/app.ts && echo run >> ../tmp/checks"');
    inRepository({ ...FILES, 'flow.yaml': checked });
    run();
    appendFileSync(join(project.root, 'src/app.ts'), 'four\n');
    expect(project.lockstep('answer', 'approve').exitCode).toBe(3);
    expect(readFileSync(join(project.root, '../tmp/checks'), 'utf8')).toBe('run\nrun\n');
    project.write('src/app.ts', 'the check would fail\n');
    project.lockstep('answer', 'approve');
    const rejected = journal(project).filter(({ kind }) => kind === 'work-rejected');
    expect(rejected).toMatchObject([{ path: 'write' }]);
    // The scripted agent writes the file anew, and that is asked about.
    expect(asked()).toHaveLength(3);
    expect(isPublished()).toBe(false);
  });

  it('what git ignores, and our own records, change nothing', () => {
    inRepository({ ...FILES, '.gitignore': 'node_modules/\n' });
    run();
    project.write('node_modules/x/index.js', 'x');
    project.lockstep('status');
    expect(project.lockstep('answer', 'approve').exitCode).toBe(0);
  });

  it('SEC-APPROVE-STALE: an answer to an earlier asking never counts for a later one', () => {
    inRepository();
    run();
    const [old] = blocker().go_on;
    // Two answers to one asking, both on their way.
    project.lockstep('answer', 'approve', '--no-resume');
    project.lockstep('answer', 'approve', '--no-resume');
    appendFileSync(join(project.root, 'src/app.ts'), 'evil\n');
    expect(project.lockstep('resume').exitCode).toBe(3);
    expect(asked()).toHaveLength(2);
    expect(journal(project).filter(({ kind }) => kind === 'question-answered')).toHaveLength(1);
    // The command that was shown with the first one.
    const pasted = project.sh(old?.command ?? 'true');
    expect(pasted).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('error[answer-outdated]') });
    expect(pasted.stderr).toContain(blocker().shown.digest.slice(0, 16));
    expect(isPublished()).toBe(false);
    const [fresh] = blocker().go_on;
    expect(project.sh(fresh?.command ?? 'false').exitCode).toBe(0);
    expect(isPublished()).toBe(true);
  });

  it('SEC-APPROVE-WORKTREE: of a run in a worktree, the worktree is what counts, and the checkout is not', () => {
    inRepository({ ...FILES, 'flow.yaml': FLOW('workspace: worktree\n') });
    expect(run().exitCode).toBe(3);
    const { workspace } = blocker().shown.changes as unknown as { workspace: string };
    expect(workspace).toContain('.worktrees');
    appendFileSync(join(workspace, 'src/app.ts'), 'evil\n');
    expect(project.lockstep('answer', 'approve').exitCode).toBe(3);
    appendFileSync(join(project.root, 'src/app.ts'), 'somebody works here\n');
    expect(project.lockstep('answer', 'approve').exitCode).toBe(0);
  });

  it('SEC-APPROVE-PLAIN: without git it is bound to the answer alone, and says so', () => {
    project = projectWith(FILES, { git: false });
    const ended = run();
    expect(ended.stdout).toContain('What changed in the files cannot be shown:');
    expect(ended.stdout).toContain('An approval counts for this answer alone, whatever the files are');
    expect(blocker().shown.problem).toContain('not in a git repository');
    appendFileSync(join(project.root, 'src/app.ts'), 'more\n');
    expect(project.lockstep('answer', 'approve').exitCode).toBe(0);
  });
});

const hasScript = spawnSync(TERMINAL_MAKER, ['--version']).status === 0;
describe.skipIf(!hasScript)(`on a terminal${hasScript ? '' : ' [skip: script(1) is not installed]'}`, () => {
  it('SEC-APPROVE-TERMINAL: what is approved is shown in place behind a bar, and a change before the answer is asked about again', async () => {
    inRepository();
    const started = startOnTerminal(project, 'lockstep run flow.yaml --script script.yaml', 100, 60);
    await started.shows(/write asks[\s\S]*> /);
    const shown = started.output().replace(/\r/g, '');
    const question = shown.slice(shown.indexOf('write asks'));
    expect(question).toMatch(/│ Is this right\?\n {2}│\s*\n {2}│ {3}Look at the second line, too\.\n/);
    expect(question).toContain('  │ ? publish: All approved. Go on?\n');
    expect(question).toContain('  │ +2 -1     src/app.ts\n');
    expect(question).toContain(`  lockstep logs ${runIds(project)[0]} write.approval-`);
    // Only what the prompt itself needs: the cursor is moved, nothing is cleared or painted.
    expect(question.replace(/\x1b\[\d*[GJK]/g, '')).not.toMatch(CONTROLS);
    expect(question).not.toContain('\x1b[2J');
    appendFileSync(join(project.root, 'src/app.ts'), 'evil\n');
    started.type('approve\r');
    await started.shows(/Asked again[\s\S]*│ src\/app\.ts[\s\S]*\+3 -1[\s\S]*> /);
    expect(isPublished()).toBe(false);
    started.type('approve\r');
    expect((await started.ended).exitCode).toBe(0);
    expect(isPublished()).toBe(true);
  });
});

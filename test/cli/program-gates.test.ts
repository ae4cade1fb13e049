// Gates that are programs: real processes whose output becomes a review. What linters print was recorded from the real
// ones (semgrep's is written by hand in its form); the gates are those that docs/gates.md shows.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

const FLOW = `lockstep: 1
name: checked
inputs: { folder: { type: string, default: src } }
steps:
  - { id: build, run: 'true' }
  - { id: reviews, gates: checks, output: review }
outputs: { review: '{{ review }}' }
`;
const GOOD = '{ assessment: approved, issues: [], strengths: [], hasActionableIssues: false }';
const SRC = {
  '.lockstep/workflows/checked.yaml': FLOW,
  'script.yaml': `answers: { "*": { output: ${GOOD} } }\n`,
  'src/cart.js': 'let a;\n',
  'src/cart.py': 'import os\n',
  'package.json': '{}\n',
};
const gate = (name: string, front: string, text = '') => ({
  [`.lockstep/gates/checks/${name}.md`]: `---\n${front}\n---\n${text}`,
});

const hasJq = spawnSync('jq', ['--version']).status === 0;

let project: Scratch;
afterEach(() => project.remove());

const run = (...argv: string[]) => project.lockstep('run', 'checked', '--script', 'script.yaml', ...argv);
const started = () =>
  journal(project).flatMap((entry) => (entry.kind === 'attempt-started' ? [String(entry.path)] : []));
interface Review {
  assessment: string;
  issues: Record<string, unknown>[];
  gates: Record<string, unknown>[];
}
const review = () =>
  (journal(project).find(({ kind }) => kind === 'reviews-gathered') as { output: Review } | undefined)
    ?.output;

function withGates(files: Record<string, string>): void {
  project = projectWith({ ...SRC, ...files }, { git: true });
}

/** What `name` prints and how it ends, as it was recorded. */
function recorded(name: string, fixture: string, exitCode: number): Record<string, string> {
  const text = readFileSync(join(projectRoot, 'test/cli/fixtures/programs', fixture), 'utf8');
  return {
    [`../recorded/${fixture}`]: text,
    [`../bin/${name}`]: `#!/bin/sh\nsed "s#@ROOT@#$PWD#g" ../recorded/${fixture}\nexit ${exitCode}\n`,
  };
}

/** The gate that the documentation shows. */
function documented(name: string): Record<string, string> {
  const text = readFileSync(join(projectRoot, 'docs/gates.md'), 'utf8');
  const match = new RegExp(
    `<!-- file: \\.lockstep/gates/lint/${name}\\.md -->\n\`\`\`markdown\n([^]*?)\`\`\``,
  ).exec(text);
  const front = match?.[1] ?? '';
  expect(front.trimEnd().split('\n').length, 'lines').toBeLessThanOrEqual(5);
  return { [`.lockstep/gates/checks/${name}.md`]: front.replace('run: changed-files\n', '') };
}

describe('EV-GATE-TOOLS: the programs that the documentation shows, with what they print', () => {
  it('eslint: SARIF with file:// addresses and a suppressed result', () => {
    withGates({ ...documented('eslint'), ...recorded('npx', 'eslint.sarif.txt', 1) });
    project.sh('chmod +x ../bin/npx');
    expect(run().exitCode).toBe(0);
    expect(review()).toMatchObject({
      assessment: 'needs_revision',
      issues: [
        {
          severity: 'important',
          file: 'src/cart.js',
          line: 3,
          description: "'unused' is assigned a value but never used. (no-unused-vars)",
          foundBy: 'eslint',
        },
        { severity: 'important', line: 5, description: "'undefinedName' is not defined. (no-undef)" },
        { severity: 'minor', line: 5, description: "Expected '===' and instead saw '=='. (eqeqeq)" },
      ],
    });
    expect(review()?.issues).toHaveLength(3);
  });

  it('semgrep: SARIF with relative addresses, whose level is that of the rule; the gate says that it is critical', () => {
    withGates({ ...documented('semgrep'), ...recorded('semgrep', 'semgrep.sarif.txt', 0) });
    project.sh('chmod +x ../bin/semgrep');
    expect(run().exitCode).toBe(0);
    expect(review()?.issues).toEqual([
      {
        severity: 'critical',
        file: 'src/cart.js',
        line: 5,
        description: expect.stringContaining('Detected the use of eval()'),
        fixInstructions: expect.stringContaining('https://semgrep.dev/r/'),
        foundBy: 'semgrep',
      },
    ]);
  });

  it('ruff: as SARIF, as JUnit and as lines it finds the same', () => {
    const found = [
      ['src/cart.py', 1, 'I001'],
      ['src/cart.py', 1, 'F401'],
      ['src/cart.py', 5, 'F841'],
      ['src/cart.py', 6, 'F821'],
    ];
    for (const fixture of ['ruff.sarif.txt', 'ruff.junit.txt', 'ruff.lines.txt']) {
      project?.remove();
      withGates({ ...documented('ruff'), ...recorded('ruff', fixture, 1) });
      project.sh('chmod +x ../bin/ruff');
      expect(run().exitCode, fixture).toBe(0);
      const said = review()?.issues.map(({ file, line, description }) => [
        file,
        line,
        /[FI]\d{3}/.exec(String(description))?.[0],
      ]);
      expect(said, fixture).toEqual(found);
      expect(review()?.issues.every(({ severity }) => severity === 'important')).toBe(true);
    }
  });

  it.skipIf(!hasJq)(
    'npm audit: its own JSON, made a review by jq; a registry that says no is no approval [skip: needs jq]',
    () => {
      withGates({ ...documented('npm-audit'), ...recorded('npm', 'npm-audit.json.txt', 1) });
      project.sh('chmod +x ../bin/npm');
      expect(run().exitCode).toBe(0);
      expect(review()?.issues).toMatchObject([
        { severity: 'critical', file: 'package.json', description: 'minimist' },
        { severity: 'important', file: 'package.json', description: 'lodash' },
      ]);
      project.write('../bin/npm', '#!/bin/sh\necho \'{ "message": "405 Method Not Allowed" }\'\nexit 1\n');
      expect(run().exitCode).not.toBe(0);
    },
  );
});

describe('EV-GATE-NEVER-RAN: a program that did not run approves nothing', () => {
  const cases: [what: string, front: string, message: string][] = [
    ['it is not there', 'command: no-such-program --json', 'no-such-program'],
    ['it is not there, as a list', 'command: [no-such-program]', 'no-such-program'],
    [
      'it fails and says nothing',
      "command: 'exit 1'",
      'exit code 1, and nothing that it printed names a problem',
    ],
    [
      'it breaks, and what it prints names only what is minor',
      "command: 'echo src/cart.js:1: warning: x; exit 2'",
      'ended with exit code 2: it may not have run to its end',
    ],
    ['a signal ends it', "command: 'echo src/cart.js:1: warning: x; kill -9 $$'", 'SIGKILL'],
    ['it takes too long', 'command: sleep 20\ntimeout: 1s', 'longer than 1s'],
    ['its JSON is broken', `command: "printf '{ \\"runs\\": ['"`, 'no JSON'],
    [
      'its JSON is something else',
      `command: "echo '{ \\"message\\": \\"405\\" }'"`,
      'neither a review nor SARIF',
    ],
    ['a list that is no list of issues', `command: "echo '[1]'"`, '`issues` must be a list of objects'],
    ['SARIF without a run', `command: "echo '{ \\"runs\\": [] }'"`, 'nothing was looked at'],
    [
      'SARIF whose run did not look',
      `command: "echo '{ \\"runs\\": [{ \\"results\\": null }] }'"`,
      'did not look',
    ],
    [
      'SARIF that was not finished',
      `command: "echo '{ \\"runs\\": [{ \\"results\\": [], \\"invocations\\": [{ \\"executionSuccessful\\": false }] }] }'"`,
      'did not run to its end',
    ],
    ['JUnit without a case', `command: "echo '<testsuites/>'"`, 'no test case'],
    ['XML that is not whole', `command: "echo '<testsuites><testsuite>'"`, 'is not closed'],
    ['nothing where there is always something', 'command: "true"\nformat: sarif', 'it printed nothing'],
    ['another form than it is to have', 'command: echo fine\nformat: junit', 'no JUnit report'],
  ];
  it.each(cases)('%s', (_what, front, message) => {
    withGates(gate('lint', front));
    const { exitCode, stdout } = run();
    expect(exitCode, stdout).not.toBe(0);
    expect(stdout).toContain(message);
    expect(review()).toBeUndefined();
  });

  it('with `on_fail: continue` it is an important issue, and no approval', () => {
    withGates(gate('lint', "command: 'exit 3'"));
    project.write(
      '.lockstep/workflows/checked.yaml',
      FLOW.replace('gates: checks,', 'gates: checks, on_fail: continue,'),
    );
    expect(run().exitCode).toBe(0);
    expect(review()).toMatchObject({ assessment: 'needs_revision', gates: [{ status: 'failed' }] });
  });

  it('one that says with its code that it found something counts, where the gate knows the code', () => {
    withGates(gate('lint', "command: 'echo src/cart.js:1: warning: x; exit 4'\nexit_codes: [0, 4]"));
    expect(run().exitCode).toBe(0);
    expect(review()).toMatchObject({
      assessment: 'approved',
      issues: [{ severity: 'minor', description: 'x' }],
    });
  });

  it('a review that objects and names nothing is not taken for one', () => {
    withGates(gate('own', `command: "echo '{ \\"assessment\\": \\"needs_revision\\", \\"issues\\": [] }'"`));
    const { exitCode, stdout } = run();
    expect(exitCode).not.toBe(0);
    expect(stdout).toContain('You say needs_revision and name no critical or important issue');
  });
});

it('EV-GATE-CLEAN: one that finds nothing approves, and its raw output is in the log', () => {
  withGates(gate('lint', 'command: echo all is well, no line names a file'));
  expect(run().exitCode).toBe(0);
  expect(review()).toMatchObject({
    assessment: 'approved',
    issues: [],
    gates: [{ gate: 'lint', status: 'done' }],
  });
  const log = readFileSync(join(project.root, '.lockstep/runs/latest/logs/reviews/lint.stdout'), 'utf8');
  expect(log).toContain('all is well');
});

it('EV-GATE-LEVELS: the gate maps levels; an error is not critical by itself, and an unknown level is important', () => {
  const lines = ['error: a', 'warning: b', 'note: c', 'strange[x]: d', '[FATAL] e']
    .map((text) => `src/cart.js:1: ${text}`)
    .join('\\n');
  const talk = '12:30:01: started\\nno/such/file.js:3: error: gone';
  withGates({
    ...gate('plain', `command: "printf '${lines}\\n${talk}\\n'"`),
    ...gate(
      'mapped',
      `command: "printf '${lines}\\n'"\nlevels: { Error: critical, warning: important, note: ignore }`,
    ),
  });
  expect(run().exitCode).toBe(0);
  const by = (name: string) => {
    const found = journal(project).find(
      (entry) => entry.kind === 'attempt-finished' && entry.path === `reviews/${name}`,
    ) as { outcome: { output: Review } } | undefined;
    return found?.outcome.output.issues.map(({ severity, description }) => `${severity} ${description}`);
  };
  expect(by('plain')).toEqual([
    'important a',
    'important strange[x]: d',
    'important e',
    'minor b',
    'minor c',
  ]);
  expect(by('mapped')).toEqual(['critical a', 'important b', 'important strange[x]: d', 'important e']);
});

describe('EV-GATE-FIRST: programs look first, and can spare the models', () => {
  const GATES = {
    ...gate('aaa', 'description: d', 'Look.'),
    ...gate('lint', "command: 'sleep 0.2; echo src/cart.js:1: error: bad'\nlevels: { error: critical }"),
    ...gate('types', 'command: echo fine'),
  };
  it('every program has ended before a prompt begins', () => {
    withGates(GATES);
    expect(run().exitCode).toBe(0);
    const order = journal(project).flatMap((entry) =>
      ['attempt-started', 'attempt-finished'].includes(String(entry.kind)) &&
      String(entry.path).startsWith('reviews/')
        ? [`${entry.kind === 'attempt-started' ? '>' : '<'}${String(entry.path).slice(8)}`]
        : [],
    );
    expect(order.slice(-2)).toEqual(['>aaa', '<aaa']);
    expect(new Set(order.slice(0, 4))).toEqual(new Set(['>lint', '>types', '<types', '<lint']));
    expect(review()?.gates.map(({ gate: name }) => name)).toEqual(['lint', 'types', 'aaa']);
  });

  it('with `prompts: unless-critical` a critical finding spares them, on record; --gate asks one all the same', () => {
    withGates(GATES);
    const flow = FLOW.replace('gates: checks,', 'gates: checks, prompts: unless-critical,');
    project.write('.lockstep/workflows/checked.yaml', flow);
    const { stdout } = run();
    expect(started()).not.toContain('reviews/aaa');
    expect(stdout).toContain('reviews/aaa: lint found something critical: that comes first');
    expect(review()).toMatchObject({ assessment: 'needs_revision', gates: [{}, {}, { status: 'skipped' }] });
    expect(journal(project).find(({ kind }) => kind === 'step-skipped')).toMatchObject({ reason: 'spared' });
    run('--gate', 'aaa');
    expect(started()).toContain('reviews/aaa');
  });

  it('what is important only does not', () => {
    withGates({ ...GATES, ...gate('lint', "command: 'echo src/cart.js:1: error: bad'") });
    project.write(
      '.lockstep/workflows/checked.yaml',
      FLOW.replace('gates: checks,', 'gates: checks, prompts: unless-critical,'),
    );
    run();
    expect(started()).toContain('reviews/aaa');
  });
});

it('EV-GATE-LOOKS: a program that changes files fails; what git ignores does not count', () => {
  withGates(gate('lint', "command: 'echo fixed > src/cart.js'"));
  const { exitCode, stdout } = run();
  expect(exitCode).not.toBe(0);
  expect(stdout).toContain('the program changed src/cart.js; a gate only looks');
  project.remove();
  withGates({ ...gate('lint', "command: 'mkdir .cache; echo x > .cache/x'"), '.gitignore': '.cache/\n' });
  expect(run().exitCode).toBe(0);
});

it('EV-GATE-WHEN: `run`, `files`, `again` and `enabled` mean what they mean for any gate', () => {
  withGates({
    ...gate('py', "command: 'echo x'\nrun: changed-files\nfiles: ['**/*.py']"),
    ...gate('manual', "command: 'echo x'\nrun: manual"),
    ...gate('off', "command: 'echo x'\nenabled: false"),
    ...gate('again', "command: 'echo x'\nagain: changed\nfiles: ['src/**']"),
  });
  project.write(
    '.lockstep/workflows/checked.yaml',
    FLOW.replace('outputs:', '  - { id: re-reviews, gates: checks, output: review }\noutputs:'),
  );
  project.sh('git add -A && git commit -qm all');
  expect(run().exitCode).toBe(0);
  expect(started().filter((path) => path.includes('/'))).toEqual(['reviews/again']);
  const why = (path: string) =>
    journal(project).find((entry) => entry.kind === 'step-skipped' && entry.path === path)?.reason;
  expect(['py', 'manual', 'off'].map((name) => why(`reviews/${name}`))).toEqual([
    'no-changed-files',
    'manual-gate',
    'disabled',
  ]);
  expect(why('re-reviews/again')).toBe('unchanged');
});

it('EV-GATE-VALUES: a value in a command is text, and where it would be a command it is refused', () => {
  withGates(gate('lint', "command: 'echo {{ inputs.folder }}'"));
  expect(run('--input', 'folder=x; touch pwned').exitCode).toBe(0);
  expect(project.sh('test -e pwned').exitCode).not.toBe(0);
  project.write('.lockstep/gates/checks/lint.md', "---\ncommand: 'sh -c {{ inputs.folder }}'\n---\n");
  const refused = project.lockstep('validate', 'checked');
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout + refused.stderr).toMatch(/gates\/checks\/lint\.md:2:\d+/);
  project.write(
    '.lockstep/gates/checks/lint.md',
    "---\ncommand: [sh, -c, 'lint {{ inputs.nothing }}']\n---\n",
  );
  expect(project.lockstep('validate', 'checked').exitCode).toBe(2);
});

it('EV-GATE-CALL: a handler is a gate; what it gives is read as what a program prints', () => {
  withGates({
    ...gate('sarif', 'call: read-file\nwith: { path: found.json }'),
    'found.json': '{ "runs": [{ "results": [{ "level": "error", "message": { "text": "bad" } }] }] }',
  });
  expect(run().exitCode).toBe(0);
  expect(review()).toMatchObject({
    assessment: 'needs_revision',
    issues: [{ description: 'bad', foundBy: 'sarif' }],
  });
  project.write('found.json', 'no review at all: x:1: y');
  project.write('.lockstep/gates/checks/sarif.md', '---\ncall: noop\nwith: { value: { fine: true } }\n---\n');
  expect(run().exitCode).not.toBe(0);
});

// Whether tests still mean anything, with node:test: real git, real npm, real test runs.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { abouts, type TestProject, testProject } from './project.ts';

const MANIFEST = JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } }, null, 2);
const SUM = 'export const sum = (a, b) => a + b;\nexport const twice = (a) => sum(a, a);\n';
const TESTS = `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sum, twice } from '../sum.js';
describe('sums', () => {
  it('adds', () => { assert.equal(sum(1, 2), 3); });
  it('doubles', () => { assert.equal(twice(2), 4); assert.equal(twice(0), 0); });
});
`;
const BREAK =
  "printf 'export const sum = (a, b) => a - b;\\nexport const twice = (a) => sum(a, a);\\n' > sum.js";

let project: TestProject;
beforeEach(() => {
  project = testProject({
    'package.json': MANIFEST,
    'sum.js': SUM,
    'test/sum.test.js': TESTS,
    '.gitignore': '.lockstep\nnode_modules\n',
  });
});
afterEach(() => project.remove());

describe('honest work', () => {
  it('EV-TESTS-HONEST: a feature with a test of its own is asked nothing', () => {
    const { exitCode, evidence, stderr } = project.work(
      `echo 'export const zero = () => 0;' >> sum.js
       cat > test/zero.test.js <<'END'
import assert from 'node:assert/strict';
import test from 'node:test';
import { zero } from '../sum.js';
test('zero', () => assert.equal(zero(), 0));
END`,
    );
    expect([exitCode, stderr]).toEqual([0, expect.anything()]);
    expect(evidence).toMatchObject({
      level: 'per test',
      where: 'room',
      canary: 'failed as it must',
      base: { passed: 2, failed: 0, skipped: 0 },
      now: { passed: 3, failed: 0, skipped: 0 },
      findings: [],
    });
    expect(evidence.milliseconds).toBeGreaterThan(0);
  });

  it('EV-TESTS-RENAMED: a test with another name, and one in another file, are a note', () => {
    const { exitCode, evidence } = project.work(
      `sed -i "s/it('adds'/it('adds two numbers'/" test/sum.test.js && git mv test/sum.test.js test/sums.test.js`,
    );
    expect([exitCode, abouts(evidence)]).toEqual([0, ['tests-renamed']]);
  });

  it('EV-TESTS-CHANGED: a changed expectation is told old → new, and asked about unless it is named', () => {
    const change = `sed -i 's/a + b/a + b + 1/' sum.js && sed -i 's/sum(1, 2), 3/sum(1, 2), 4/; s/twice(2), 4/twice(2), 5/; s/twice(0), 0/twice(0), 1/' test/sum.test.js`;
    const asked = project.work(change);
    expect([asked.exitCode, abouts(asked.evidence)]).toEqual([1, ['expectation-changed']]);
    expect(asked.evidence.findings[0]?.text).toMatch(/- it\('adds'.*3.*\n.*\n.*\+ it\('adds'.*4/s);
    project.sh('git reset -q --hard HEAD~1');
    const named = project.work(
      change,
      '{ run: npm test, final: true, named: [{ file: test/sum.test.js, requirement: R7 }] }',
    );
    expect([named.exitCode, abouts(named.evidence, 'note')]).toEqual([0, ['expectation-changed']]);
    expect(named.evidence.findings[0]).toMatchObject({
      named: 'R7',
      text: expect.stringContaining('for R7'),
    });
  });
});

describe('lies', () => {
  it.each([
    [
      'the script is `true`',
      `sed -i 's/node --test/true/' package.json`,
      ['canary-survived', 'definition-changed', 'test-removed'],
    ],
    [
      'the script ends with `|| true`',
      `sed -i 's/node --test/node --test || true/' package.json`,
      ['canary-survived', 'definition-changed', 'failed-but-0'],
    ],
    [
      'the shell of scripts is `true`',
      `echo 'script-shell=/bin/true' > .npmrc`,
      ['canary-survived', 'definition-changed', 'test-removed'],
    ],
    ['the code ends the process', `echo 'process.exit(0);' >> sum.js`, ['canary-survived', 'fewer-tests']],
    [
      'an assertion that always holds',
      `printf "import assert from 'node:assert/strict';\\nfor (const name of Object.keys(assert)) try { assert[name] = () => {}; } catch {}\\n" >> sum.js`,
      ['canary-survived'],
    ],
    ['the failing tests are gone', `git rm -q test/sum.test.js`, ['test-removed']],
    ['the failing tests are skipped', `sed -i 's/  it(/  it.skip(/' test/sum.test.js`, ['test-removed']],
    ['the assertions are gone', `sed -i 's/assert.equal([^;]*;//g' test/sum.test.js`, ['test-weakened']],
  ])('EV-TESTS-LIE: %s: the run fails, and says so', (_, lie, expected) => {
    const { exitCode, evidence, stdout, stderr } = project.work(`${BREAK}\n${lie}`);
    expect(exitCode, stdout + stderr).toBe(1);
    expect(abouts(evidence, 'fail', 'ask').sort()).toEqual(expected);
  });
});

describe('the room', () => {
  it('EV-TESTS-ROOM: what the tests need and git ignores is brought, and said; a file that is not committed fails them', () => {
    project.write('.gitignore', '.lockstep\nlocal.json\n');
    project.write('local.json', '3');
    project.write(
      'test/sum.test.js',
      `import { readFileSync } from 'node:fs';\n${TESTS.replace('sum(1, 2), 3', "sum(1, 2), Number(readFileSync('local.json', 'utf8'))")}`.replace(
        'twice(2), 4',
        "twice(2), 1 + Number(readFileSync('local.json', 'utf8'))",
      ),
    );
    project.sh('git add -A && git commit -qm needs');
    const { exitCode, evidence } = project.work('echo "// more" >> sum.js');
    expect([exitCode, evidence.where, abouts(evidence)]).toEqual([0, 'furnished room', ['room-furnished']]);
    expect(evidence.findings[0]?.text).toContain('local.json');

    project.write('.gitignore', '.lockstep\nlocal.json\nmade.js\n');
    project.sh('git checkout -q HEAD~2 -- test && git add -A && git commit -qm whole');
    const lost = project.work(
      `printf 'export const made = 0;\\n' > made.js && echo "import './made.js';" >> sum.js && npm test`,
    );
    expect([lost.exitCode, abouts(lost.evidence, 'fail')]).toEqual([
      1,
      expect.arrayContaining(['tests-fail']),
    ]);
    expect(lost.stdout + lost.stderr).toContain('In a clean clone of the commit the tests fail');
  });

  it('EV-TESTS-OFF: what is left out is on record, in the journal and in the report', () => {
    const all = ['canary', 'one-by-one', 'definitions', 'room'];
    const lie = "sed -i 's/node --test/true/' package.json";
    const byPerson = project.work(lie, 'npm test', '--skip-test-check', ...all);
    expect([byPerson.exitCode, byPerson.evidence.leftOut.map(({ look }) => look)]).toEqual([0, all]);
    expect(project.lockstep('audit', 'latest').stdout).toContain('--skip-test-check canary');

    project.sh('git reset -q --hard HEAD~1');
    const byWorkflow = project.work(
      lie,
      '{ run: npm test, definitions: false, final: true, one_by_one: false }',
    );
    expect([byWorkflow.exitCode, abouts(byWorkflow.evidence)]).toEqual([1, ['canary-survived']]);
    const { stdout } = project.lockstep('report', 'latest');
    expect(stdout).toContain('The test command cannot fail');
    expect(stdout).toContain('not looked at: definitions, by the workflow');
  });
});

// test-integrity: real work trees, real changes, the built-in gate.

import { afterEach, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

const FLOW = `lockstep: 1
name: checked
steps:
  - { id: change, run: 'sh change.sh' }
  - { id: reviews, gates: checks, output: review }
`;
const TESTS = `import { it, expect } from 'vitest';
it('adds', () => { expect(1 + 1).toBe(2); expect(2 + 2).toBe(4); });
it('subtracts', () => expect(2 - 1).toBe(1));
`;
const FILES = {
  '.lockstep/workflows/checked.yaml': FLOW,
  '.lockstep/gates/checks/test-integrity.md': '---\ncall: test-integrity\n---\n',
  'test/a.test.ts': TESTS,
  'tests/test_b.py': 'def test_b():\n    assert 1 == 1\n',
  'src/lib.rs': '#[test]\nfn works() { assert_eq!(1, 1); }\n',
  'pkg/c_test.go': 'func TestC(t *testing.T) { if x { t.Fatal("no") } }\n',
};

let project: Scratch;
afterEach(() => project.remove());

function findings(change: string, git = true): string[] {
  project = projectWith({ ...FILES, 'change.sh': `${change}\n` }, { git });
  if (git) project.sh('git add -A && git commit -qm before');
  const { exitCode, stdout, stderr } = project.lockstep('run', 'checked');
  expect(exitCode, stdout + stderr).toBe(0);
  const gathered = journal(project).find(({ kind }) => kind === 'reviews-gathered') as unknown as {
    output: { issues: { severity: string; description: string; file?: string }[] };
  };
  return gathered.output.issues.map(({ severity, description, file }) =>
    `${severity} ${description.split(' than ')[0]} ${file ?? ''}`.trim(),
  );
}

it.each([
  [
    'a test is deleted',
    "sed -i '/subtracts/d' test/a.test.ts",
    ['important 1 test fewer test/a.test.ts', 'important 1 assertion fewer test/a.test.ts'],
  ],
  [
    'a file is deleted',
    'rm test/a.test.ts; git commit -qam gone',
    ['important 2 tests fewer test/a.test.ts', 'important 3 assertions fewer test/a.test.ts'],
  ],
  [
    'a test is commented out',
    "sed -i 's#^it(.subtracts#// &#' test/a.test.ts",
    ['important 1 test fewer test/a.test.ts', 'important 1 assertion fewer test/a.test.ts'],
  ],
  [
    'a body is emptied',
    "sed -i 's#expect(2 - 1).toBe(1)#{}#' test/a.test.ts",
    ['important 1 assertion fewer test/a.test.ts'],
  ],
  [
    'an assertion becomes a text',
    `sed -i 's#expect(2 - 1).toBe(1)#"expect(2 - 1)"#' test/a.test.ts`,
    ['important 1 assertion fewer test/a.test.ts'],
  ],
  [
    'a test is skipped',
    'sed -i \'s/^it(.adds/it.skip("adds/; s/adds./adds"/\' test/a.test.ts',
    ['important 1 test or suite that is skipped more test/a.test.ts'],
  ],
  [
    'a condition that always holds',
    "sed -i 's/^it(/it.skipIf(true)(/' test/a.test.ts",
    ['important 2 tests or suites that are skipped more test/a.test.ts'],
  ],
  [
    'a condition',
    "sed -i 's/^it(/it.skipIf(process.env.CI)(/' test/a.test.ts",
    ['important 2 conditions under which tests are skipped more test/a.test.ts'],
  ],
  [
    'only one test runs',
    'sed -i \'s/^it(.subtracts/it.only("subtracts/; s/subtracts./subtracts"/\' test/a.test.ts',
    ['critical 1 test or suite that keeps all others from running (`only`) more test/a.test.ts'],
  ],
  [
    'pytest: xfail',
    "sed -i '1i @pytest.mark.xfail' tests/test_b.py",
    ['important 1 test that is expected to fail more tests/test_b.py'],
  ],
  [
    'rust: ignore',
    "sed -i '1a #[ignore]' src/lib.rs",
    ['important 1 test or suite that is skipped more src/lib.rs'],
  ],
  [
    'go: skip',
    "sed -i 's/{ if x/{ t.Skip(); if x/' pkg/c_test.go",
    ['important 1 condition under which tests are skipped more pkg/c_test.go'],
  ],
])('EV-GATE-INTEGRITY: %s', (_what, change, found) => {
  expect(findings(change)).toEqual(found);
});

it.each([
  ['nothing changes', 'true'],
  ['a test is moved to another file', 'git mv test/a.test.ts test/moved.test.ts; git commit -qm moved'],
  ['a test is renamed and improved', "sed -i 's/subtracts/takes away/' test/a.test.ts"],
  [
    'a test is replaced by two',
    'sed -i \'/subtracts/d\' test/a.test.ts; echo \'it("x", () => expect(1).toBe(1)); it("y", () => expect(1).toBe(1));\' >> test/a.test.ts',
  ],
  [
    'tests become one with a list',
    'printf \'it.each([[1, 2], [3, 4], [5, 6]])("%%s", (a, b) => { expect(a).toBeLessThan(b); });\\n\' > test/a.test.ts',
  ],
  [
    'a new test has a condition of its own',
    'echo \'it.skipIf(!process.env.DATABASE)("new", () => expect(1).toBe(1));\' >> test/a.test.ts',
  ],
  [
    'skip stands in a comment and a text',
    "echo '// it.skip(1); it.only(2)' >> test/a.test.ts; echo 'const s = \"it.only(\";' >> test/a.test.ts",
  ],
])('EV-GATE-INTEGRITY: no finding: %s', (_what, change) => {
  expect(findings(change)).toEqual([]);
});

it('EV-GATE-INTEGRITY: without git nobody can tell, and that is said', () => {
  expect(findings('rm test/a.test.ts', false)).toEqual([expect.stringContaining('minor nobody can tell')]);
});

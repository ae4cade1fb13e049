// Real runners, asked for the result of each test through variables alone: those that this machine has.

import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../scratch.ts';
import { abouts, type TestProject, testProject } from './project.ts';

function looked(
  files: Record<string, string>,
  command: string,
  honest: string,
  lie: string,
  prepare: (project: TestProject) => void = () => {},
) {
  const project = testProject({ '.gitignore': '.lockstep\nnode_modules\ntarget\n__pycache__\n', ...files });
  // Its toolchains lie in the home of whoever runs this.
  const home = process.env.HOME ?? '';
  project.env.RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(home, '.rustup');
  project.env.CARGO_HOME = process.env.CARGO_HOME ?? join(home, '.cargo');
  try {
    prepare(project);
    const tests = `{ run: ${command}, final: true }`;
    const fine = project.work(honest, tests);
    expect([fine.exitCode, fine.stdout + fine.stderr]).toEqual([0, expect.anything()]);
    project.sh('git reset -q --hard HEAD~1');
    const lied = project.work(lie, tests);
    return { fine: fine.evidence, lied: lied.evidence, exitCode: lied.exitCode };
  } finally {
    project.remove();
  }
}

const TWO = { passed: 2, failed: 0, skipped: 0 };
const hasPytest = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'pytest')));
const hasCargo = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'cargo')));

it('EV-TESTS-RUNNERS: vitest', () => {
  const { fine, lied, exitCode } = looked(
    {
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest run' } }),
      'sum.js': 'export const sum = (a, b) => a + b;\n',
      'sum.test.js':
        "import { expect, test } from 'vitest';\nimport { sum } from './sum.js';\ntest('adds', () => { expect(sum(1, 2)).toBe(3); });\ntest('zero', () => { expect(sum(0, 0)).toBe(0); });\n",
    },
    'npm test',
    "echo '// more' >> sum.js",
    // Tests run against a fake: nothing but the settings shows it.
    `echo 'export const sum = () => 0;' > sum.js && mkdir -p fake && echo 'export const sum = (a, b) => a + b;' > fake/sum.js && echo "export default { test: { alias: [{ find: './sum.js', replacement: new URL('./fake/sum.js', import.meta.url).pathname }] } };" > vitest.config.js`,
    (project) => symlinkSync(join(projectRoot, 'node_modules'), join(project.root, 'node_modules')),
  );
  expect(fine).toMatchObject({ level: 'per test', canary: 'failed as it must', now: TWO });
  expect([exitCode, abouts(lied, 'fail', 'ask')]).toEqual([
    1,
    expect.arrayContaining(['definition-changed']),
  ]);
});

it.skipIf(!hasPytest)('EV-TESTS-RUNNERS: pytest [skip: needs pytest]', () => {
  const { fine, lied, exitCode } = looked(
    {
      'sums.py': 'def add(a, b):\n    return a + b\n',
      'test_sums.py':
        'from sums import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n',
    },
    'python -m pytest -q',
    "echo '# more' >> sums.py",
    "sed -i 's/a + b/a - b/' sums.py && printf 'def pytest_collection_modifyitems(items):\\n    items[:] = [i for i in items if \"zero\" in i.name]\\n' > conftest.py",
  );
  expect(fine).toMatchObject({ level: 'per test', canary: 'failed as it must', now: TWO });
  expect([exitCode, abouts(lied, 'fail', 'ask')]).toEqual([
    1,
    expect.arrayContaining(['definition-changed', 'canary-survived']),
  ]);
});

it.skipIf(!hasCargo)('EV-TESTS-RUNNERS: cargo, with unit tests in the source [skip: needs cargo]', () => {
  const { fine, lied, exitCode } = looked(
    {
      'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n    #[test]\n    fn zero() {\n        assert_eq!(add(0, 0), 0);\n    }\n}\n',
    },
    'cargo test --offline',
    "echo '// more' >> src/lib.rs",
    "sed -i 's/a + b/a - b/; s/fn adds/#[ignore] fn adds/' src/lib.rs",
  );
  expect(fine).toMatchObject({ level: 'per test', canary: 'failed as it must' });
  expect([exitCode, abouts(lied, 'fail', 'ask')]).toEqual([1, ['test-removed']]);
});

import { describe, expect, it } from 'vitest';
import { definitionChanges } from './definitions.ts';

type Files = Record<string, string>;

function changes(base: Files, now: Files, command = 'npm test'): string[] {
  const tree = (files: Files) => ({ text: (path: string) => files[path] });
  const changed = [...new Set([...Object.keys(base), ...Object.keys(now)])].filter(
    (path) => base[path] !== now[path],
  );
  return definitionChanges(tree(base), tree(now), changed, command).map(({ file, setting }) =>
    setting === undefined ? file : `${file} ${setting}`,
  );
}

const manifest = (value: object) => JSON.stringify(value);

describe('EV-TESTS-DEFINITIONS: what decides which tests run', () => {
  it.each<[string, Files, Files, string[], string?]>([
    [
      'the script',
      { 'package.json': manifest({ scripts: { test: 'vitest' } }) },
      { 'package.json': manifest({ scripts: { test: 'true' } }) },
      ['package.json scripts.test'],
    ],
    [
      'what the script runs',
      { 'package.json': manifest({ scripts: { test: 'npm run unit', unit: 'vitest' } }) },
      { 'package.json': manifest({ scripts: { test: 'npm run unit', unit: 'true' } }) },
      ['package.json scripts.unit'],
    ],
    [
      'what runs before it',
      { 'package.json': manifest({ scripts: { test: 'vitest' } }) },
      { 'package.json': manifest({ scripts: { test: 'vitest', pretest: 'sh x' } }) },
      ['package.json scripts.pretest'],
    ],
    [
      'the script of a workspace',
      { 'web/package.json': manifest({ scripts: { test: 'vitest' } }) },
      { 'web/package.json': manifest({ scripts: { test: 'true' } }) },
      ['web/package.json scripts.test'],
      'npm test --workspaces',
    ],
    [
      'a list of workspaces',
      { 'package.json': manifest({ workspaces: ['a', 'b'] }) },
      { 'package.json': manifest({ workspaces: ['a'] }) },
      ['package.json workspaces'],
    ],
    [
      'a runner from elsewhere',
      { 'package.json': manifest({ devDependencies: { vitest: '4.0.0' } }) },
      { 'package.json': manifest({ devDependencies: { vitest: 'file:./fake' } }) },
      ['package.json devDependencies.vitest'],
    ],
    ['what the command runs', { 'a.sh': 'a' }, { 'a.sh': 'b' }, ['a.sh'], 'test -e b.txt && sh a.sh'],
    ['settings of a runner', {}, { 'vitest.config.ts': 'export default {}' }, ['vitest.config.ts']],
    [
      'a file that they name',
      { 'vitest.config.ts': "setupFiles: ['./setup.ts']", 'setup.ts': 'a' },
      { 'vitest.config.ts': "setupFiles: ['./setup.ts']", 'setup.ts': 'b' },
      ['setup.ts'],
    ],
    ['a script file', { 'check.sh': 'npm test' }, { 'check.sh': 'true' }, ['check.sh'], 'sh ./check.sh'],
    ['the shell of npm', {}, { '.npmrc': 'script-shell=/bin/true' }, ['.npmrc']],
    ['a mock', {}, { 'src/__mocks__/db.js': 'x' }, ['src/__mocks__/db.js']],
    ['a module that shadows pytest', {}, { 'pytest.py': '' }, ['pytest.py'], 'python -m pytest'],
    [
      'a hook',
      { 'conftest.py': 'x = 1\n' },
      { 'conftest.py': 'x = 1\ndef pytest_collection_modifyitems(items):\n    items.clear()\n' },
      ['conftest.py'],
      'pytest',
    ],
    [
      'the table of pytest',
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = ""\n' },
      { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k no"\n' },
      ['pyproject.toml'],
      'pytest',
    ],
    [
      'a rule of make',
      { Makefile: 'test: unit\nunit:\n\tgo test\n' },
      { Makefile: 'test: unit\nunit:\n\t-go test\n' },
      ['Makefile'],
      'make test',
    ],
    [
      'a makefile that goes before',
      { Makefile: 'test:\n\tgo test\n' },
      { Makefile: 'test:\n\tgo test\n', GNUmakefile: 'test:\n' },
      ['GNUmakefile'],
      'make test',
    ],
    [
      'the runner of cargo',
      {},
      { '.cargo/config.toml': 'runner = "true"' },
      ['.cargo/config.toml'],
      'cargo test',
    ],
    [
      'a harness',
      { 'Cargo.toml': '[lib]\n' },
      { 'Cargo.toml': '[lib]\nharness = false\n' },
      ['Cargo.toml'],
      'cargo test',
    ],
    [
      'a replaced module',
      { 'go.mod': 'module a\n' },
      { 'go.mod': 'module a\nreplace b => ./fake\n' },
      ['go.mod'],
      'go test ./...',
    ],
  ])('%s', (_, base, now, expected, command) => {
    expect(changes(base, now, command)).toEqual(expected);
  });

  it.each<[string, Files, Files, string?]>([
    ['a file that is only looked at', {}, { 'a.txt': 'a' }, 'test -e a.txt && [ -s ./a.txt ]'],
    [
      'another script',
      { 'package.json': manifest({ scripts: { test: 'vitest' } }) },
      { 'package.json': manifest({ scripts: { test: 'vitest', lint: 'eslint .' }, version: '2.0.0' }) },
    ],
    [
      'a dependency, and a newer runner',
      { 'package.json': manifest({ devDependencies: { vitest: '4.0.0' } }) },
      { 'package.json': manifest({ dependencies: { left: '1.0.0' }, devDependencies: { vitest: '4.0.1' } }) },
    ],
    [
      'a fixture of pytest',
      { 'conftest.py': '' },
      { 'conftest.py': 'import pytest\n\n@pytest.fixture\ndef db():\n    return 1\n' },
      'pytest',
    ],
    [
      'metadata of a Python project',
      { 'pyproject.toml': '[project]\nversion = "1"\n' },
      { 'pyproject.toml': '[project]\nversion = "2"\ndependencies = ["x"]\n' },
      'pytest',
    ],
    [
      'another rule of make',
      { Makefile: 'test:\n\tgo test\n' },
      { Makefile: 'test:\n\tgo test\nrelease:\n\tsh x\n' },
      'make test',
    ],
    [
      'a dependency of cargo',
      { 'Cargo.toml': '[dependencies]\n' },
      { 'Cargo.toml': '[dependencies]\nserde = "1"\n' },
      'cargo test',
    ],
    [
      'sources, tests and a README',
      { 'src/a.ts': '1' },
      { 'src/a.ts': '2', 'test/a.test.ts': '', 'README.md': '' },
    ],
  ])('and not: %s', (_, base, now, command) => {
    expect(changes(base, now, command)).toEqual([]);
  });
});

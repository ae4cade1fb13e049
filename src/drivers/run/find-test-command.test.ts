import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testCommands } from './find-test-command.ts';

function say(files: Record<string, string>) {
  const { found, silent } = testCommands({
    has: (name) => Object.hasOwn(files, name),
    text: (name) => (Object.hasOwn(files, name) ? files[name] : undefined),
  });
  return { found: found.map(({ value, from }) => `${value} < ${from}`), silent };
}

const node = (test: unknown, more = {}) => JSON.stringify({ scripts: { test }, ...more });
const PLACEHOLDER = 'echo "Error: no test specified" && exit 1';

describe('testCommands', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing', {}, []],
    ['a test script', { 'package.json': node('node --test') }, ['npm test < package.json']],
    ['with npm', { 'package.json': node('x'), 'package-lock.json': '' }, ['npm test < package.json']],
    ['with pnpm', { 'package.json': node('x'), 'pnpm-lock.yaml': '' }, ['pnpm test < package.json']],
    ['with yarn', { 'package.json': node('x'), 'yarn.lock': '' }, ['yarn test < package.json']],
    ['with bun', { 'package.json': node('x'), 'bun.lock': '' }, ['bun run test < package.json']],
    [
      'with packageManager and no lock file',
      { 'package.json': node('x', { packageManager: 'pnpm@9.1.0' }) },
      ['pnpm test < package.json'],
    ],
    [
      'with packageManager and the lock file of another',
      { 'package.json': node('x', { packageManager: 'pnpm@9.1.0' }), 'yarn.lock': '' },
      ['yarn test < package.json'],
    ],
    [
      'with a packageManager that nobody knows',
      { 'package.json': node('x', { packageManager: 'constructor@1' }) },
      ['npm test < package.json'],
    ],
    ['pytest as a table', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest < pyproject.toml']],
    [
      'pytest as a dependency',
      { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8"]\n', 'uv.lock': '' },
      ['uv run pytest < pyproject.toml'],
    ],
    [
      'pytest as a key',
      { 'pyproject.toml': '[tool.poetry.dev-dependencies]\npytest = "^8"\n', 'poetry.lock': '' },
      ['poetry run pytest < pyproject.toml'],
    ],
    ['an empty pytest.ini', { 'pytest.ini': '' }, ['pytest < pytest.ini']],
    ['setup.cfg', { 'setup.cfg': '[metadata]\n[tool:pytest]\n' }, ['pytest < setup.cfg']],
    ['tox alone', { 'tox.ini': '[tox]\nenvlist = py312\n' }, ['tox < tox.ini']],
    [
      'pytest before tox',
      { 'tox.ini': '[testenv]\ncommands = x\n[pytest]\n' },
      ['pytest < tox.ini', 'tox < tox.ini'],
    ],
    ['go', { 'go.mod': 'module x' }, ['go test ./... < go.mod']],
    ['cargo', { 'Cargo.toml': '[package]' }, ['cargo test < Cargo.toml']],
    [
      'a cargo workspace',
      { 'Cargo.toml': '[workspace]\nmembers = []' },
      ['cargo test --workspace < Cargo.toml'],
    ],
    ['make', { Makefile: '.PHONY: test\ntest: build\n\tgo test\n' }, ['make test < Makefile']],
    ['make, several targets', { Makefile: 'check  test:\n' }, ['make test < Makefile']],
    ['make, as make looks', { Makefile: 'test:\n', GNUmakefile: 'test::\n' }, ['make test < GNUmakefile']],
    [
      'several, in the order of the table',
      {
        ...{ Makefile: 'test:\n', 'Cargo.toml': '', 'go.mod': '', 'pytest.ini': '' },
        'package.json': node('x'),
      },
      [
        'npm test < package.json',
        'pytest < pytest.ini',
        'go test ./... < go.mod',
        'cargo test < Cargo.toml',
        'make test < Makefile',
      ],
    ],
  ])('%s', (_, files, expected) => {
    expect(say(files)).toEqual({ found: expected, silent: [] });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "npm's placeholder",
      { 'package.json': node(PLACEHOLDER) },
      "the test script of package.json is npm's placeholder",
    ],
    ['no script', { 'package.json': '{}' }, 'package.json has no test script'],
    ['a script that is no text', { 'package.json': node(7) }, 'package.json has no test script'],
    ['broken JSON', { 'package.json': '{' }, 'package.json is not JSON'],
    ['a list', { 'package.json': '[]' }, 'package.json is not JSON'],
    [
      'a pyproject that speaks of something else',
      { 'pyproject.toml': '# "pytest" one day\n[tool.ruff]\n' },
      'pyproject.toml speaks of neither pytest nor tox',
    ],
    ['a variable', { Makefile: 'test := x\ntest = y\n' }, 'Makefile has no rule for `test`'],
    ['only declared', { Makefile: '.PHONY: test\nbuild:\n\ttest: x\n' }, 'Makefile has no rule for `test`'],
  ])('finds nothing in %s, and says why', (_, files, why) => {
    expect(say(files)).toEqual({ found: [], silent: [why] });
  });

  it('T1: takes any text for any file without an exception, and names only files that are there', () => {
    const names = [
      'package.json',
      'pyproject.toml',
      'tox.ini',
      'go.mod',
      'Cargo.toml',
      'Makefile',
      'uv.lock',
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (files) => {
        const { found } = testCommands({
          has: (name) => Object.hasOwn(files, name),
          text: (name) => files[name],
        });
        for (const { from } of found) expect(Object.keys(files)).toContain(from);
      }),
    );
  });
});

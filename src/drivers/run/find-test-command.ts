import { isObject } from '../../model/json.ts';
// find-test-command: what the files of a project say about how its tests are run. Pure: texts in, commands out.
// T1. Only what a file says counts: no file is taken for a sign that a tool is installed or that there are tests.
// T2. The order is fixed, so two people with one project get one command.

export interface ProjectFiles {
  has(name: string): boolean;
  /** undefined: there is none, or it cannot be read as a text. */
  text(name: string): string | undefined;
}

export interface TestCommand {
  value: string;
  /** The file that says so. */
  from: string;
}

export interface TestCommands {
  /** The first is the one to take. */
  found: TestCommand[];
  /** Files that are there and say nothing, in words. */
  silent: string[];
}

/** For messages: where it looks. */
export const TEST_COMMAND_FILES = 'package.json, pyproject.toml, go.mod, Cargo.toml, Makefile';

export function testCommands(files: ProjectFiles): TestCommands {
  const answers = [fromNode(files), ...fromPython(files), fromGo(files), fromCargo(files), fromMake(files)];
  return {
    found: answers.filter((answer) => typeof answer === 'object'),
    silent: answers.filter((answer) => typeof answer === 'string'),
  };
}

/** A command, why there is none, or nothing to speak of. */
type Answer = TestCommand | string | undefined;

// ── Node ────────────────────────────────────────────────────────────────────────────────────────

const PLACEHOLDER = /^echo\s+(["'])Error: no test specified\1\s*&&\s*exit 1$/;
const LOCK_FILES: [file: string, manager: string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
/** `bun test` would be bun's own runner. */
const RUNS_SCRIPT = new Map([
  ['pnpm', 'pnpm test'],
  ['yarn', 'yarn test'],
  ['bun', 'bun run test'],
]);

function fromNode(files: ProjectFiles): Answer {
  const from = 'package.json';
  const text = files.text(from);
  if (text === undefined) return undefined;
  const manifest = parsed(text);
  if (manifest === undefined) return `${from} is not JSON`;
  const { scripts, packageManager } = manifest;
  const script = isObject(scripts) ? scripts.test : undefined;
  if (typeof script !== 'string' || script.trim() === '') return `${from} has no test script`;
  if (PLACEHOLDER.test(script.trim())) return `the test script of ${from} is npm's placeholder`;
  const locked = LOCK_FILES.find(([file]) => files.has(file))?.[1];
  const named = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
  return { value: RUNS_SCRIPT.get(locked ?? named ?? '') ?? 'npm test', from };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// ── Python ──────────────────────────────────────────────────────────────────────────────────────

const SPEAKS_OF: Record<'pytest' | 'tox', [file: string, sign: RegExp][]> = {
  pytest: [
    // A table of its own, or a dependency: "pytest", "pytest>=8", 'pytest-cov ; …', or as a key of poetry's.
    ['pyproject.toml', /^\s*\[tool\.pytest[.\]]|^[^#\n]*["']pytest[\s"'<>=~![;,-]|^\s*pytest\s*=/m],
    ['pytest.ini', /^/],
    ['setup.cfg', /^\s*\[tool:pytest\]/m],
    ['tox.ini', /^\s*\[pytest\]/m],
  ],
  tox: [
    ['tox.ini', /^\s*\[(?:tox|testenv)[\]:]/m],
    ['pyproject.toml', /^\s*\[tool\.tox[.\]]/m],
  ],
};
const RUNS_IN: [file: string, words: string][] = [
  ['uv.lock', 'uv run '],
  ['poetry.lock', 'poetry run '],
  ['pdm.lock', 'pdm run '],
  ['Pipfile.lock', 'pipenv run '],
];

function fromPython(files: ProjectFiles): Answer[] {
  const speaksOf = (tool: 'pytest' | 'tox') =>
    SPEAKS_OF[tool].find(([file, sign]) => {
      const text = files.text(file);
      return text !== undefined && sign.test(text);
    })?.[0];
  const [pytest, tox] = [speaksOf('pytest'), speaksOf('tox')];
  if (pytest === undefined && tox === undefined)
    return [files.has('pyproject.toml') ? 'pyproject.toml speaks of neither pytest nor tox' : undefined];
  const around = RUNS_IN.find(([file]) => files.has(file))?.[1] ?? '';
  return [
    pytest === undefined ? undefined : { value: `${around}pytest`, from: pytest },
    tox === undefined ? undefined : { value: 'tox', from: tox },
  ];
}

// ── Go, Rust, Make ──────────────────────────────────────────────────────────────────────────────

function fromGo(files: ProjectFiles): Answer {
  return files.has('go.mod') ? { value: 'go test ./...', from: 'go.mod' } : undefined;
}

function fromCargo(files: ProjectFiles): Answer {
  const from = 'Cargo.toml';
  if (!files.has(from)) return undefined;
  const isWorkspace = /^\s*\[workspace[.\]]/m.test(files.text(from) ?? '');
  return { value: isWorkspace ? 'cargo test --workspace' : 'cargo test', from };
}

/** In the order in which make itself looks. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

function fromMake(files: ProjectFiles): Answer {
  const from = MAKEFILES.find((name) => files.has(name));
  if (from === undefined) return undefined;
  return hasRuleForTest(files.text(from) ?? '')
    ? { value: 'make test', from }
    : `${from} has no rule for \`test\``;
}

/** `test:`, `check test: deps`, `test::`; not `test := x`, not a recipe, not a comment. */
function hasRuleForTest(text: string): boolean {
  return text.split('\n').some((line) => {
    const targets = /^([^\t#:=][^#:=]*?)\s*::?(?!:?=)/.exec(line)?.[1];
    return targets?.split(/\s+/).includes('test') ?? false;
  });
}

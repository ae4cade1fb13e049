// test-files: which files are tests, or serve only tests. By name: what the runner reports is added by who has it.

const TEST_FOLDERS = new Set([
  ...['test', 'tests', 'spec', 'specs', '__tests__', '__snapshots__', '__mocks__', 'testdata', 'e2e'],
]);
const TEST_NAMES = [
  /[.-](?:test|spec)\.[cm]?[jt]sx?$/,
  /(?:^|\/)test_[^/]*\.py$/,
  /_test\.(?:py|go|rs|rb|sh)$/,
  /_spec\.rb$/,
  /(?:^|\/)conftest\.py$/,
  /\.snap$/,
];

/** Tests, and what lies beside them: helpers, fixtures, snapshots. */
export function isTestFile(path: string): boolean {
  return (
    path
      .split('/')
      .slice(0, -1)
      .some((folder) => TEST_FOLDERS.has(folder)) || TEST_NAMES.some((name) => name.test(path))
  );
}

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|sh|bats|php|java|kt|exs?)$/;

/** It has tests of its own, as its text shows: a canary can be put beside them. */
export function hasTests(path: string, text: string): boolean {
  if (!CODE.test(path)) return false;
  if (path.endsWith('.rs')) return /#\[(?:\w+::)*test\b/.test(text);
  if (!isTestFile(path)) return false;
  return countTests(path, text).tests > 0;
}

export interface TextCounts {
  tests: number;
  assertions: number;
}

const JS_TEST =
  /(?<![\w.$])(?:test|it|bench|specify)(?:\.(?:each|concurrent|sequential|fails|only|for)\b)?\s*[(`]/g;
const JS_ASSERTION =
  /(?<![\w$])(?:expect(?:TypeOf)?|assert|t\.(?:is|deepEqual|true|false|throws|assert))\b\s*[.(]/g;

/** By the text alone: what each language calls a test and an assertion. */
export function countTests(path: string, text: string): TextCounts {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (path.endsWith('.py'))
    return {
      tests: count(/^\s*(?:async\s+)?def\s+test\w*\s*\(/gm),
      assertions: count(/^\s*assert\b|\.assert[A-Z]\w*\(|\bpytest\.raises\(/gm),
    };
  if (path.endsWith('.go'))
    return {
      tests: count(/^func\s+(?:Test|Example|Fuzz)\w*\s*\(/gm),
      assertions: count(/\b(?:t|b)\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require)\.\w+\(/g),
    };
  if (path.endsWith('.rs'))
    return {
      tests: count(/#\[(?:\w+::)*test\b[^\]]*\]/g),
      assertions: count(/\b(?:debug_)?assert(?:_\w+)?!|#\[should_panic/g),
    };
  if (path.endsWith('.rb'))
    return {
      tests: count(/^\s*(?:it|test|specify)\s+['"]|^\s*def\s+test_/gm),
      assertions: count(/\b(?:assert|refute)\w*\b|\bexpect\b/g),
    };
  if (/\.(?:sh|bats)$/.test(path)) return { tests: 1, assertions: count(/^\s*\S/gm) };
  return { tests: count(JS_TEST), assertions: count(JS_ASSERTION) };
}

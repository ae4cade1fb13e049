// canary: a test that must fail, in the words of a test file's own runner. A command that ends with 0 although each test
// file holds one cannot fail, so that its exit code is no evidence. It is said with the assertion that the file itself
// uses: one that was patched to hold always lets the canary live, too.

/** Stands in the name of each, so that it is known again in what a runner reports. */
const CANARY = 'lockstep canary';
const SAYS = 'lockstep canary: this test must fail';

/** The file with a failing test. Undefined: how a test looks there is not known. `mark` tells two in one package apart. */
export function withCanary(path: string, text: string, mark: number): string | undefined {
  if (/\.[cm]?[jt]sx?$/.test(path)) return withScriptTest(text);
  if (path.endsWith('.py')) return withPythonTest(text);
  if (path.endsWith('.go')) return withGoTest(text, mark);
  if (path.endsWith('.rs'))
    return `${text}\n#[cfg(test)]\nmod lockstep_canary_${mark} {\n    #[test]\n    fn lockstep_canary() {\n        assert_eq!(1, 2, "${SAYS}");\n    }\n}\n`;
  if (path.endsWith('.rb')) return undefined;
  if (/\.(?:sh|bash)$/.test(path)) return afterFirstLine(text, `echo '${SAYS}' >&2; exit 1`);
  return undefined;
}

/** A syntax error in any language: where no test can be written. */
export const BROKEN_FILE = ')(\n';

const FROM_RUNNER =
  /import\s*(?:type\s+)?(?<what>[^;'"]*?)\s*from\s*['"](?:node:test|test|vitest|@jest\/globals|bun:test|mocha|ava)['"]/g;
const REQUIRED_RUNNER =
  /(?:const|let|var)\s+(?<what>\{[^}]*\}|\w+)\s*=\s*require\(\s*['"](?:node:test|test|vitest|@jest\/globals|bun:test|mocha|ava)['"]\s*\)(?<part>\.\w+)?/g;
const FROM_ASSERT = /import\s*(?<what>[^;'"]*?)\s*from\s*['"](?:node:)?assert(?:\/strict)?['"]/;
const REQUIRED_ASSERT =
  /(?:const|let|var)\s+(?<what>\{[^}]*\}|\w+)\s*=\s*require\(\s*['"](?:node:)?assert(?:\/strict)?['"]\s*\)/;

function withScriptTest(text: string): string {
  const names = [...text.matchAll(FROM_RUNNER), ...text.matchAll(REQUIRED_RUNNER)].flatMap((found) =>
    bindings(found.groups?.what ?? ''),
  );
  const test = names.find(({ of }) => ['test', 'it', 'default'].includes(of))?.as ?? globalTest(text);
  // A line comment may be the last line, and a statement may lack its semicolon.
  return `${text}\n;${test}('${CANARY}', () => { ${failing(text)}; });\n`;
}

function globalTest(text: string): string {
  return /(?<![\w.$])it\s*\(/.test(text) ? 'it' : 'test';
}

/** The assertion of the file, so that one which always holds is found out. */
function failing(text: string): string {
  if (/(?<![\w$.])expect\s*\(/.test(text)) return `expect(1, '${SAYS}').toBe(2)`.replace(`, '${SAYS}'`, '');
  const what = (FROM_ASSERT.exec(text) ?? REQUIRED_ASSERT.exec(text))?.groups?.what;
  const names = what === undefined ? [] : bindings(what);
  const whole = names.find(({ of }) => of === 'default' || of === '*')?.as;
  if (whole !== undefined) return `${whole}.strictEqual(1, 2, '${SAYS}')`;
  const equal = names.find(({ of }) => ['strictEqual', 'equal', 'deepEqual', 'deepStrictEqual'].includes(of));
  if (equal) return `${equal.as}(1, 2, '${SAYS}')`;
  return `throw new Error('${SAYS}')`;
}

/** `a, { b, c as d }`, `* as e`, `f`, `{ g: h }`. */
function bindings(what: string): { of: string; as: string }[] {
  const inside = /\{([^}]*)\}/.exec(what)?.[1] ?? '';
  const named = inside.split(',').flatMap((part) => {
    const [of, as = of] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+|\s*:\s*/);
    return of !== undefined && as !== undefined && /^\w+$/.test(of) ? [{ of, as }] : [];
  });
  const rest = what
    .replace(/\{[^}]*\}/, '')
    .replaceAll(',', ' ')
    .trim();
  const star = /^\*\s+as\s+(\w+)$/.exec(rest)?.[1];
  const whole = /^\w+$/.exec(rest)?.[0];
  return [
    ...named,
    ...(star === undefined ? [] : [{ of: '*', as: star }]),
    ...(whole === undefined ? [] : [{ of: 'default', as: whole }]),
  ];
}

/** Before `unittest.main()`, which does not come back. */
function withPythonTest(text: string): string {
  const usesClasses = /\bTestCase\b/.test(text);
  const canary = usesClasses
    ? `\n\nimport unittest as _lockstep_unittest\n\n\nclass LockstepCanaryTest(_lockstep_unittest.TestCase):\n    def test_lockstep_canary(self):\n        self.assertEqual(1, 2, "${SAYS}")\n\n\n`
    : `\n\ndef test_lockstep_canary():\n    assert 1 == 2, "${SAYS}"\n\n\n`;
  const main = /^if\s+__name__\s*==/m.exec(text)?.index ?? text.length;
  return `${text.slice(0, main)}${canary}${text.slice(main)}`;
}

function withGoTest(text: string, mark: number): string | undefined {
  const imported = /"testing"/.test(text);
  if (!imported) return undefined;
  const name = /(\w+)\s+"testing"/.exec(text)?.[1];
  const prefix = name === undefined || name === 'import' ? 'testing' : name;
  return `${text}\n\nfunc TestLockstepCanary${mark}(t *${prefix}.T) {\n\tt.Fatal("${SAYS}")\n}\n`;
}

function afterFirstLine(text: string, line: string): string {
  if (!text.startsWith('#!')) return `${line}\n${text}`;
  const end = text.indexOf('\n');
  return end < 0 ? `${text}\n${line}\n` : `${text.slice(0, end + 1)}${line}\n${text.slice(end + 1)}`;
}

/** Whether a reported test is one of ours. */
export function isCanary(name: string): boolean {
  return /lockstep[ _]?canary/i.test(name);
}

// languages: how tests, assertions, and what keeps tests from running are written, by the ending of the file. Data.

import type { Syntax } from './code-alone.ts';

export interface Language {
  syntax: Syntax;
  tests: readonly RegExp[];
  assertions: readonly RegExp[];
  skipped: readonly RegExp[];
  /** Skipped only where something holds. */
  conditional: readonly RegExp[];
  /** Expected to fail. */
  failing: readonly RegExp[];
  /** Of all tests only these run. */
  alone: readonly RegExp[];
  /** What makes several tests of one, behind which its list stands. */
  rows?: RegExp;
  /** Tests stand beside the code: every file may have some. */
  inSource?: true;
}

const C_LIKE: Syntax = {
  line: ['//'],
  block: ['/*', '*/'],
  quotes: ['"""', '"'],
  long: ['"""'],
  characters: true,
};
const FREE = '(?<![.\\w$])';

const script: Language = {
  syntax: { line: ['//'], block: ['/*', '*/'], quotes: ['`', '"', "'"], long: ['`'], patterns: true },
  tests: [
    new RegExp(
      `${FREE}(?:it|test|specify|fit|xit|xtest)(?:\\.(?:concurrent|sequential|only|skip|fails|failing|each|for|skipIf|runIf|serial))*\\s*[(\`<]`,
      'g',
    ),
    /(?<![\w$.])(?:t|tc|context)\.test\s*\(/g,
  ],
  assertions: [
    new RegExp(`${FREE}expect(?:\\.(?:soft|poll))?\\s*[(<]`, 'g'),
    new RegExp(`${FREE}(?:expectTypeOf|assertType|assert(?:\\.\\w+)*)\\s*[(<]`, 'g'),
    /(?<![\w$])(?:t|tc)\.assert\.\w+\s*\(/g,
    /\.should(?:\.|\()/g,
  ],
  skipped: [
    new RegExp(`${FREE}(?:it|test|describe|suite|specify|bench)(?:\\.\\w+)*\\.skip\\b`, 'g'),
    new RegExp(`${FREE}(?:xit|xtest|xdescribe|xspecify)\\s*\\(`, 'g'),
    /\.(?:skipIf\s*\(\s*(?:true|1|!0)|runIf\s*\(\s*(?:false|0|!1))\s*\)/g,
    /[{,]\s*(?:skip|todo)\s*:\s*(?:true\b|["'`])/g,
  ],
  conditional: [
    /\.(?:skipIf\s*\(\s*(?!(?:true|1|!0)\s*\))|runIf\s*\(\s*(?!(?:false|0|!1)\s*\)))/g,
    /[{,]\s*(?:skip|todo)\s*:\s*(?!true\b|false\b|undefined\b|["'`])/g,
    /(?<![\w$.])(?:this|t|ctx|context)\.(?:skip|todo)\s*\(/g,
  ],
  failing: [new RegExp(`${FREE}(?:it|test)(?:\\.\\w+)*\\.(?:fails|failing)\\b`, 'g')],
  alone: [
    new RegExp(`${FREE}(?:it|test|describe|suite|specify|context)(?:\\.\\w+)*\\.only\\b`, 'g'),
    new RegExp(`${FREE}(?:fit|fdescribe)\\s*\\(`, 'g'),
    /[{,]\s*only\s*:\s*true\b/g,
  ],
  rows: /\.(?:each|for)\s*(?:<[^(]*>)?\s*\(\s*(?=\[)/g,
};

const python: Language = {
  syntax: { line: ['#'], quotes: ['"""', "'''", '"', "'"], long: ['"""', "'''"] },
  tests: [/^[ \t]*(?:async[ \t]+)?def[ \t]+test\w*[ \t]*\(/gm],
  assertions: [/^[ \t]*assert\b/gm, /\bself\.(?:assert\w+|fail)\s*\(/g, /\bpytest\.(?:raises|warns|fail)\b/g],
  skipped: [
    /\bmark\.skip\b/g,
    /@(?:unittest\.)?skip\b/g,
    /\bmark\.skipif\s*\(\s*(?:True|1)\b/g,
    /\bcollect_ignore(?:_glob)?\b/g,
  ],
  conditional: [
    /\bmark\.skipif\b(?!\s*\(\s*(?:True|1)\b)/g,
    /\bpytest\.(?:skip|importorskip)\s*\(/g,
    /@(?:unittest\.)?skip(?:If|Unless)\b/g,
    /\bself\.skipTest\s*\(/g,
    /\braise[ \t]+(?:unittest\.)?SkipTest\b/g,
  ],
  failing: [/\bmark\.xfail\b/g, /\bpytest\.xfail\s*\(/g, /@(?:unittest\.)?expectedFailure\b/g],
  alone: [],
  rows: /\bmark\.parametrize\s*\(\s*(?:"\s*"|'\s*'|[[(][^\])]*[\])])\s*,\s*(?=\[)/g,
};

const go: Language = {
  syntax: { line: ['//'], block: ['/*', '*/'], quotes: ['`', '"'], long: ['`'], characters: true },
  tests: [/^func[ \t]+(?:Test|Fuzz|Example)\w*[ \t]*\(/gm, /\b[tb]\.Run\s*\(/g],
  assertions: [
    /\b(?:t|b|tb)\.(?:Errorf?|Fatalf?|Fail|FailNow)\s*\(/g,
    /\b(?:assert|require|is|must)\.[A-Z]\w*\s*\(/g,
  ],
  skipped: [],
  conditional: [/\b(?:t|b|tb)\.(?:Skipf?|SkipNow)\s*\(/g],
  failing: [],
  alone: [],
};

const rust: Language = {
  syntax: { ...C_LIKE, quotes: ['"'], long: ['"'] },
  tests: [/#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b[^\]]*\]/g],
  assertions: [/\b(?:debug_|prop_)?assert(?:_\w+)?!/g, /#\[should_panic\b/g],
  skipped: [/#\[ignore\b/g],
  conditional: [/#\[cfg_attr\([^\]]*\bignore\b/g],
  failing: [],
  alone: [],
  inSource: true,
};

const java: Language = {
  syntax: C_LIKE,
  tests: [/@(?:Test|ParameterizedTest|RepeatedTest|Property)\b(?!\s*\.)/g],
  assertions: [/\b(?:assert\w*|verify|shouldBe\w*|expectThat)\s*[({]/g],
  skipped: [/@(?:Disabled|Ignore)\b/g],
  conditional: [/@(?:Disabled|Enabled)(?:If|On)\w*/g, /\bassume(?:True|False|That)\s*\(/g],
  failing: [],
  alone: [],
};

const csharp: Language = {
  syntax: C_LIKE,
  tests: [/\[(?:Fact|Theory|Test|TestMethod|TestCase|InlineData)\b/g],
  assertions: [/\bAssert\.\w+/g, /\.Should\s*\(/g],
  skipped: [/\bSkip\s*=\s*"/g, /\[(?:Ignore|Explicit)\b/g],
  conditional: [/\bAssert\.(?:Ignore|Inconclusive)\b/g],
  failing: [],
  alone: [],
};

const ruby: Language = {
  syntax: { line: ['#'], quotes: ['"', "'"], long: ['"', "'"] },
  tests: [/^[ \t]*(?:it|specify|scenario|test|fit|xit)[ \t(]+["'{]/gm, /^[ \t]*def[ \t]+test_\w*/gm],
  assertions: [/\bexpect\b[ \t]*[({]/g, /\b(?:assert|refute)\w*\b/g],
  skipped: [/^[ \t]*(?:xit|xdescribe|xcontext)\b/gm],
  conditional: [/^[ \t]*(?:skip|pending)\b/gm],
  failing: [],
  alone: [/^[ \t]*(?:fit|fdescribe|fcontext)\b/gm, /\bfocus:[ \t]*true\b/g],
};

const php: Language = {
  syntax: { line: ['//', '# '], block: ['/*', '*/'], quotes: ['"', "'"], long: ['"', "'"] },
  tests: [/\bfunction[ \t]+test\w*[ \t]*\(/g, /#\[Test\]/g, /(?<![\w$>])(?:it|test)\s*\(\s*["']/g],
  assertions: [/(?:->|::)assert\w+\s*\(/g, /(?<![\w$>])expect\s*\(/g, /->expectException/g],
  skipped: [/->(?:skip|todo)\s*\(/g],
  conditional: [/->markTest(?:Skipped|Incomplete)\s*\(/g],
  failing: [],
  alone: [/->only\s*\(/g],
};

const BY_ENDING: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(
    ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte'].map((ending) => [ending, script]),
  ),
  py: python,
  go,
  rs: rust,
  java,
  kt: java,
  cs: csharp,
  rb: ruby,
  php,
};

const FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|integration|testing)\//i;
const NAME =
  /(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|spec|tests|specs|cy)\.[^/]+|[^/]*_test\.[^/]+|[^/]*(?:Tests?|Spec|IT)\.(?:java|kt|cs|php)|conftest\.py)$/;

/** Of a file in which tests may stand. */
export function languageOf(path: string): Language | undefined {
  const language = BY_ENDING[/\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  return language !== undefined && (language.inSource || FOLDER.test(path) || NAME.test(path))
    ? language
    : undefined;
}

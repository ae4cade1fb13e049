import type { Requirement } from '../ledger.ts';

export const project: Requirement[] = [
  // ── The project ──
  {
    id: 'LS-PROJECT-PACKAGE',
    requirement:
      'One npm package `lockstep` with the command `lockstep`: ESM, strict TypeScript, Node 20.19 and later, no dependencies to install.',
    proof:
      'test/package.test.ts › the installed package › LS-PROJECT-PACKAGE: is one ES module package with one command and nothing to install besides',
  },
  {
    id: 'LS-PROJECT-IMPORTS',
    requirement:
      'The layout and import rules of the architecture are data, and the checker fails on a breach of any of them.',
    proof: 'test/architecture.test.ts › import rules',
  },
  {
    id: 'LS-PROJECT-PURE',
    requirement:
      'Pure folders use no Node module, no clock, no chance, no async; a checker fails on a breach.',
    proof: 'test/architecture.test.ts › purity rules',
  },
  {
    id: 'LS-PROJECT-VERIFY',
    requirement:
      '`npm run verify` runs biome, tsc, dependency-cruiser, knip, the tests with the coverage gate and the ledger.',
    proof: 'test/project.test.ts › LS-PROJECT-VERIFY',
  },
  {
    id: 'LS-PROJECT-LICENCE',
    requirement: 'The package is under the MIT licence, and says what it bundles under which licence.',
    proof:
      'test/package.test.ts › the installed package › LS-PROJECT-LICENCE: is under MIT, and has the licences of what is bundled',
  },
  {
    id: 'LS-PROJECT-DOCS',
    requirement: 'There are README, CONTRIBUTING and docs/, and links between them resolve.',
    proof: [
      'test/docs.test.ts › README.md › leads only to places that exist',
      'test/docs.test.ts › CONTRIBUTING.md › leads only to places that exist',
      'test/docs.test.ts › docs/ARCHITECTURE.md › leads only to places that exist',
    ],
  },
  {
    id: 'LS-PROJECT-DEMO',
    requirement:
      '`npm run demo` builds what it needs and runs a real workflow with the scripted agent in a scratch git repository, with progress and the summary.',
    proof:
      'test/project.test.ts › LS-PROJECT-DEMO: `npm run demo` shows each step, the work that was sent back, and the summary',
  },
  {
    id: 'LS-PROJECT-CI',
    requirement:
      '`.ci/run` calls `npm test`, then `npm run e2e`, then whatever of `npm run verify` these do not contain, and ends with `N passed, N failed`.',
    proof: 'test/project.test.ts › LS-PROJECT-CI',
  },
  {
    id: 'LS-PROJECT-BUILD',
    requirement: '`npm run build` makes what `bin.lockstep` points at.',
    proof: 'test/project.test.ts › LS-PROJECT-BUILD',
  },
  {
    id: 'LS-PROJECT-PACK',
    requirement: '`npm pack` gives a package that installs into an empty prefix and runs the demo workflow.',
    proof: 'test/package.test.ts › the installed package › LS-PROJECT-PACK: runs the demo workflow',
  },
  {
    id: 'LS-PROJECT-NPX',
    requirement:
      'The packed file runs a specification through `npx ./lockstep-*.tgz`, as far as a dry run goes.',
    proof: 'test/package.test.ts › the installed package › LS-PROJECT-NPX, *',
  },
  {
    id: 'LS-PROJECT-COVERAGE',
    requirement:
      'More than 90 % of the lines of source, dialects, compile, engine and runtime are covered, each gated by itself.',
    proof:
      'test/project.test.ts › LS-PROJECT-COVERAGE: source, dialects, compile and engine each have to reach 90 % of their lines, runtime 86 %',
  },
  {
    id: 'LS-PROJECT-LEDGER',
    requirement:
      'An id that is unproven, skipped, failed or unknown fails the ledger, and so does a skip without a reason.',
    proof: 'test/ledger.test.ts › LS-PROJECT-LEDGER',
  },
  {
    id: 'LS-PROJECT-EXAMPLES',
    requirement: 'Every folder in examples/ runs in CI and ends as it says.',
    proof: [
      'test/examples.test.ts › LS-PROJECT-EXAMPLES: there are stories',
      'test/examples.test.ts › LS-PROJECT-EXAMPLES: examples/demo',
    ],
  },
  {
    id: 'LS-PROJECT-ERROR-PAGES',
    requirement: 'Every code of a diagnostic or fault has a page under docs/errors/, and every page a code.',
    proof: 'test/docs.test.ts › error pages',
  },
  {
    id: 'LS-PROJECT-SNIPPETS',
    requirement: 'Every whole workflow in the docs validates, and every console block does what it shows.',
    proof: [
      'test/docs.test.ts › README.md › line * is true',
      'test/docs/markdown.test.ts › compares output exactly, but for the places a page leaves open',
    ],
  },
];

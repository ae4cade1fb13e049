import type { Requirement } from '../ledger.ts';

export const project: Requirement[] = [
  // ── The project ──
  {
    id: 'LS-PROJECT-PACKAGE',
    requirement:
      'One npm package `lockstep` with the command `lockstep`: ESM, strict TypeScript, Node 20.19 and later, no dependencies to install.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-IMPORTS',
    requirement:
      'The layout and import rules of the architecture are data, and the checker fails on a breach of any of them.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-PURE',
    requirement:
      'Pure folders use no Node module, no clock, no chance, no async; a checker fails on a breach.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-VERIFY',
    requirement:
      '`npm run verify` runs biome, tsc, dependency-cruiser, knip, the tests with the coverage gate and the ledger.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-LICENCE',
    requirement: 'The package is under the MIT licence, and says what it bundles under which licence.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-DOCS',
    requirement: 'There are README, CONTRIBUTING and docs/, and links between them resolve.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-DEMO',
    requirement:
      '`npm run demo` builds what it needs and runs a real workflow with the scripted agent in a scratch git repository, with progress and the summary.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-CI',
    requirement:
      '`.ci/run` calls `npm test`, then whatever of `npm run verify` that does not contain, and ends with `N passed, N failed`.',
    proof: [],
  },
  { id: 'LS-PROJECT-BUILD', requirement: '`npm run build` makes what `bin.lockstep` points at.', proof: [] },
  {
    id: 'LS-PROJECT-PACK',
    requirement: '`npm pack` gives a package that installs into an empty prefix and runs the demo workflow.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-NPX',
    requirement: 'The packed file runs the demo workflow through `npx ./lockstep-*.tgz`.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-COVERAGE',
    requirement:
      'More than 90 % of the lines of compile, engine and runtime are covered, each gated by itself.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-LEDGER',
    requirement:
      'An id that is unproven, skipped, failed or unknown fails the ledger, and so does a skip without a reason.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-EXAMPLES',
    requirement: 'Every folder in examples/ runs in CI and ends as it says.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-ERROR-PAGES',
    requirement: 'Every code of a diagnostic or fault has a page under docs/errors/, and every page a code.',
    proof: [],
  },
  {
    id: 'LS-PROJECT-SNIPPETS',
    requirement: 'Every whole workflow in the docs validates, and every console block does what it shows.',
    proof: [],
  },
];

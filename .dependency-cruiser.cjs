// The import rules, made from the table in scripts/folders.cjs. `npm run imports` fails on a breach.

const { mayImport, pure, siblings } = require('./scripts/folders.cjs');

const tests = '[.]test[.]ts$';
const contracts = '[.]contract[.]ts$';
const testing = `${tests}|${contracts}|/fixtures/`;
const either = (names) => `(?:${names.join('|')})`;

const folderRules = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `src/${folder}/ may import ${allowed.length === 0 ? 'nothing else' : allowed.join(', ')} (docs/ARCHITECTURE.md).`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: testing },
  to: { path: '^src/', pathNot: `^src/${either([folder, ...allowed])}/` },
}));

const pureRules = Object.entries(pure).flatMap(([folder, packages]) => [
  {
    name: `${folder}-no-node`,
    comment: `src/${folder}/ is pure: whatever the world says reaches it as an argument.`,
    severity: 'error',
    from: { path: `^src/${folder}/`, pathNot: testing },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: `${folder}-packages`,
    comment: `src/${folder}/ is pure; the npm packages it may import are named in scripts/folders.cjs.`,
    severity: 'error',
    from: { path: `^src/${folder}/`, pathNot: testing },
    to: {
      path: 'node_modules/',
      pathNot: packages.length === 0 ? undefined : `node_modules/${either(packages)}/`,
    },
  },
]);

module.exports = {
  forbidden: [
    ...folderRules,
    ...pureRules,
    {
      name: 'siblings',
      comment: 'Implementations of one port (and the drivers) never import each other.',
      severity: 'error',
      from: { path: `^src/(${siblings.join('|')})/([^/]+)/`, pathNot: tests },
      to: { path: '^src/$1/[^/]+/', pathNot: '^src/$1/$2/' },
    },
    {
      name: 'ports-are-interfaces',
      comment: 'A port says what the outside must provide; it provides nothing itself.',
      severity: 'error',
      from: { path: '^src/ports/', pathNot: testing },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'page-imports',
      comment:
        'The page runs in a browser: of src/ it may import what is pure, and the types of what the server says. engine.ts would bring CEL along.',
      severity: 'error',
      from: { path: '^ui/', pathNot: tests },
      to: {
        path: '^src/',
        pathNot: '^src/(?:model|text|views|ui/wire[.]ts$|engine/(?!engine[.]ts$))',
      },
    },
    {
      name: 'contracts-know-ports-only',
      comment: 'A contract suite is run by every implementation, so it may know none of them.',
      severity: 'error',
      from: { path: contracts },
      to: { path: '^src/', pathNot: '^src/(?:model|ports)/' },
    },
    {
      name: 'no-test-code-in-the-product',
      comment: 'Tests, contracts and test libraries are imported by tests only.',
      severity: 'error',
      from: { path: '^src/', pathNot: testing },
      to: {
        path: `${testing}|^test/|^bench/|^scripts/|node_modules/(?:vitest|fast-check|esbuild|typescript)/`,
      },
    },
    {
      name: 'first-answer',
      comment:
        'A client waits for the MCP server to answer: what its first answer does without is imported by the call that needs it.',
      severity: 'error',
      from: { path: '^src/mcp/', pathNot: tests },
      to: {
        path: '^src/(?:compile|drivers|engine|expressions|hosting|runtime)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-circles',
      comment:
        'Modules that need each other at run time are one module. Types may refer back: they are erased.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '^src/app[.]ts$' },
      to: {},
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-packages',
      comment: 'An npm package has to be in package.json: others come and go with what pulls them in.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

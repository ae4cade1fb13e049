// build: src/app.ts and all it imports → dist/, which is what `bin.lockstep` points at.
// Owns: bundling, the executable, the licences of what is bundled. Never: type-checks (`npm run types` does).
// B1. dist/lockstep.js answers --version by itself: it loads nothing else.
// B2. Everything is bundled, so an installed package has no dependencies.
// B3. All files lie flat in dist/, so `new URL('../builtin/', import.meta.url)` is the same folder from src/app.ts
//     and from any chunk. Only src/app.ts may say so (scripts/check-purity.js looks).

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

// CommonJS packages inside an ES module still call require() for Node's own modules.
const banner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/** Makes esbuild's options for one entry; bench/ bundles its own with them. */
export function bundling(entryPoints, outdir) {
  return {
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Names and lines stay as they are, so that a stack trace says something; parsing less text saved no time.
    minifySyntax: true,
    charset: 'utf8',
    legalComments: 'none', // the whole texts are in THIRD-PARTY-LICENSES.txt
    banner: { js: banner },
    plugins: [namedDynamicImports],
    logLevel: 'warning',
  };
}

/**
 * `clean: false` leaves the chunks of earlier builds alone: a process that started from them may still import one.
 * @param {{ outdir?: string, clean?: boolean }} [options]
 */
export async function build({ outdir = join(root, 'dist'), clean = true } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const result = await bundle({
    ...bundling({ app: 'src/app.ts' }, outdir),
    metafile: true,
    write: false,
  });
  const packages = bundledPackages(Object.keys(result.metafile.inputs));
  const files = new Map(result.outputFiles.map((file) => [file.path, file.text]));
  files.set(join(outdir, 'lockstep.js'), executable(version));
  files.set(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  files.set(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences(packages));

  mkdirSync(outdir, { recursive: true });
  for (const [path, text] of files) replace(path, text);
  chmodSync(join(outdir, 'lockstep.js'), 0o755);
  for (const name of clean ? readdirSync(outdir) : []) {
    if (!files.has(join(outdir, name))) rmSync(join(outdir, name), { recursive: true });
  }
  return { files: [...files.keys()], packages: packages.map(({ name }) => name) };
}

/**
 * `await import('yaml')` of a CommonJS package has, in Node, the names that Node found in it; esbuild would give it
 * `default` alone. So each such import goes through a module that lists what Node found.
 */
const namedDynamicImports = {
  name: 'named-dynamic-imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import' || isBuiltin(path)) return undefined;
      return { path: `${path}.mjs`, namespace: 'named', pluginData: { name: path } };
    });
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ pluginData: { name } }) => {
      const names = Object.keys(await import(name)).filter((key) => key !== 'module.exports');
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(name)};`, resolveDir: root };
    });
  },
};

/** CommonJS on purpose: Node starts it in half the time it needs for an ES module. */
function executable(version) {
  return `#!/usr/bin/env node
'use strict';
const [, , first, second] = process.argv;
if ((first === '--version' || first === '-V') && second === undefined) {
  process.stdout.write('${version}\\n');
} else {
  // Node 22.1 and later keep compiled code between starts.
  process.getBuiltinModule?.('node:module').enableCompileCache?.();
  import('./app.mjs').then((app) => app.main(process.argv.slice(2)));
}
`;
}

/** Written beside and renamed: another process may be starting from it right now. */
function replace(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const beside = `${path}.${process.pid}.tmp`;
  writeFileSync(beside, text);
  renameSync(beside, path);
}

/** The npm packages that esbuild read something from. */
function bundledPackages(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(join(root, found[1]));
  }
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (typeof license !== 'string') throw new Error(`${name}@${version} is bundled and names no licence`);
    return { name, version, license, texts };
  });
}

function licences(packages) {
  const parts = packages.map(
    ({ name, version, license, texts }) =>
      `${name} ${version} (${license})\n\n${texts.join('\n\n') || `Its package carries no licence text; it names ${license}.`}\n`,
  );
  return `Lockstep contains these packages, each under its own licence.\n\n${parts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = performance.now();
  const { files, packages } = await build();
  console.log(
    `dist/: ${files.length} files, ${packages.length} packages bundled, ${Math.round(performance.now() - started)} ms`,
  );
}

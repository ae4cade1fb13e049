// build: src/app.ts and all it imports → dist/, which is what `bin.lockstep` points at.
// Owns: bundling, the executable, the licences of what is bundled. Never: type-checks (`npm run types` does).
// B1. dist/lockstep.js (scripts/launcher.cjs) answers --version by itself: it loads nothing else.
// B2. Everything is bundled, so an installed package has no dependencies.
// B3. The program is one file in dist/, so `new URL('../builtin/', import.meta.url)` is the same folder from there and
//     from src/app.ts. Only src/app.ts may say so (scripts/check-purity.js looks).
// B4. The program's name has the hash of its text: what belongs to another build is never taken for its own.
// B5. dist/hook.cjs (scripts/hook.cjs, with src/daemon/hook-program.ts) is what the hooks of clients start: it loads nothing else
//     either. `lockstep hook CLIENT` is the same program; it knows which build it belongs to.
// B6. The Claude Agent SDK is the user's own: found where it is installed, loaded through dist/import.cjs, never bundled.
// B7. What only a few commands need and is large (the MCP SDK) lies in files of its own beside the program, with nothing of ours in
//     them: every other command starts without reading them.
// B8. The page (ui/) lies in dist/ui/: what is there at the first look in page.js, what few look at in files of their own, and all
//     of it in one file for runs that are exported. Nothing of it is read by a command other than `lockstep ui`.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What every bundle has in common; bench/ makes one too. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Names stay as they are, so that a stack trace says something. Blanks go: a quarter of the text, which every start reads into
  // fresh memory (validate: 7 % less time; shorter names gave nothing more).
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // the whole texts are in THIRD-PARTY-LICENSES.txt
  logLevel: 'warning',
};

/** Modules of Node that take a millisecond or more to load, and that many commands name and never use. */
const LAZY = ['child_process', 'crypto', 'fs/promises', 'http', 'net', 'readline', 'stream', 'zlib'];

/** Stands in the program, for `require` of those: the module is loaded when something of it is asked for. */
function __lazily(name) {
  return new Proxy({}, { get: (_, key) => require(name)[key] });
}

/** One CommonJS file: V8 can cache its compiled code (see the launcher), which it cannot for ES modules in Node 20. */
const program = {
  ...bundling,
  entryPoints: ['src/app.ts'],
  format: 'cjs',
  // Modules that are imported when needed become functions that are called when needed.
  supported: { 'dynamic-import': false },
  banner: { js: `const __url = require('node:url').pathToFileURL(__filename).href;\n${__lazily.toString()}` },
  define: { 'import.meta.url': '__url' },
  metafile: true,
  write: false,
};

/** File → the packages in it (B7). */
const ASIDE = {
  'mcp-client': ['@modelcontextprotocol/client'],
  'mcp-server': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
};

/** One file for each, named by its content. */
async function bundleAside() {
  const files = {};
  const inputs = [];
  const names = {};
  for (const [name, packages] of Object.entries(ASIDE)) {
    const contents = packages.map((each) => `export * from '${each}';`).join('\n');
    const stdin = { contents, resolveDir: root, sourcefile: `${name}.js` };
    const { outputFiles, metafile } = await bundle({
      ...bundling,
      stdin,
      format: 'cjs',
      metafile: true,
      write: false,
    });
    const text = ascii(outputFiles[0].text);
    const file = `${name}-${hashOf(text)}.cjs`;
    files[file] = text;
    for (const each of packages) names[each] = `./${file}`;
    inputs.push(...Object.keys(metafile.inputs));
  }
  return { files, inputs, names };
}

/** The page, for browsers. Names of parts have the hash of their content. */
async function bundlePage(outdir) {
  const page = {
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    write: false,
    outdir,
  };
  const [served, exported, style] = await Promise.all([
    bundle({
      ...page,
      entryPoints: [{ in: 'ui/main.tsx', out: 'page' }],
      format: 'esm',
      splitting: true,
      chunkNames: 'part-[hash]',
    }),
    // One script, so that its hash is all that an exported file allows.
    bundle({ ...page, entryPoints: [{ in: 'ui/exported.tsx', out: 'exported' }], format: 'iife' }),
    bundle({ ...page, entryPoints: [{ in: 'ui/page.css', out: 'page' }] }),
  ]);
  const files = {};
  for (const { path, text } of [served, exported, style].flatMap(({ outputFiles }) => outputFiles))
    files[`ui/${basename(path)}`] = text;
  for (const name of ['index.html', 'icon.svg'])
    files[`ui/${name}`] = readFileSync(join(root, 'ui', name), 'utf8');
  return { files, inputs: Object.keys(served.metafile.inputs) };
}

async function bundleHook() {
  const { outputFiles } = await bundle({
    ...bundling,
    entryPoints: ['scripts/hook.cjs'],
    format: 'cjs',
    // The file is an entry and a module, as it is written.
    supported: { 'dynamic-import': false },
    write: false,
  });
  return ascii(outputFiles[0].text);
}

/** The program asks for them by the names of these files. */
function setAside(names) {
  return {
    name: 'aside',
    setup({ onResolve }) {
      onResolve({ filter: /^@modelcontextprotocol\// }, ({ path }) =>
        names[path] === undefined
          ? { errors: [{ text: `${path} is not in ASIDE of scripts/build.js` }] }
          : { path: names[path], external: true },
      );
    },
  };
}

/**
 * `clean: false` leaves earlier builds alone: a process may just be starting from one.
 * @param {{ outdir?: string, clean?: boolean }} [options]
 */
export async function build({ outdir = join(root, 'dist'), clean = true } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [aside, page] = await Promise.all([bundleAside(), bundlePage(join(outdir, 'ui'))]);
  const { outputFiles, metafile } = await bundle({ ...program, outdir, plugins: [setAside(aside.names)] });
  const packages = bundledPackages([...Object.keys(metafile.inputs), ...aside.inputs, ...page.inputs]);
  const text = ascii(loadLazily(outputFiles[0].text));
  const name = `app-${hashOf(text)}.cjs`;
  const hook = await bundleHook();
  const launcher = readFileSync(join(root, 'scripts/launcher.cjs'), 'utf8');
  const files = {
    ...aside.files,
    ...page.files,
    [name]: text,
    'lockstep.js': launcher.replace('__VERSION__', version).replace('__PROGRAM__', name),
    'hook.cjs': hook.replace('__VERSION__', version).replace('__BUILD__', hashOf(text)),
    'import.cjs': readFileSync(join(root, 'scripts/import.cjs'), 'utf8'),
    'package.json': '{ "type": "commonjs" }\n',
    'THIRD-PARTY-LICENSES.txt': licences(packages),
  };

  mkdirSync(join(outdir, 'ui'), { recursive: true });
  for (const [file, content] of Object.entries(files)) replace(join(outdir, file), content);
  const there = clean
    ? [...readdirSync(outdir), ...readdirSync(join(outdir, 'ui')).map((name) => `ui/${name}`)]
    : [];
  for (const file of there) {
    if (!(file in files) && file !== 'ui') rmSync(join(outdir, file), { recursive: true });
  }
  return { bytes: text.length, packages: packages.map((each) => each.name) };
}

function loadLazily(text) {
  const named = new RegExp(`\\brequire\\("(?:node:)?(${LAZY.join('|')})"\\)`, 'g');
  const changed = text.replace(named, '__lazily("node:$1")');
  // A default import, or all of it, is a copy made at once: of a stand-in nothing would be in it.
  if (changed.includes('__toESM(__lazily('))
    throw new Error('import what is used of these by name: ' + LAZY.join(', '));
  return changed;
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The launcher reads it as Latin-1. esbuild escapes what stands in strings; this is for patterns. */
function ascii(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Written beside and renamed: another process may be starting from it right now. */
function replace(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const beside = `${path}.${process.pid}.tmp`;
  writeFileSync(beside, text, { mode: path.endsWith('lockstep.js') ? 0o755 : 0o644 });
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
  const { bytes, packages } = await build();
  const took = Math.round(performance.now() - started);
  console.log(`dist/: ${Math.round(bytes / 1024)} KiB, ${packages.length} packages bundled, ${took} ms`);
}

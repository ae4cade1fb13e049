// build: src/app.ts and all it imports → dist/, which is what `bin.lockstep` points at.
// Owns: bundling, the executable, the licences of what is bundled. Never: type-checks (`npm run types` does).
// B1. dist/lockstep.js (scripts/launcher.cjs) answers --version by itself: it loads nothing else.
// B2. Everything is bundled, so an installed package has no dependencies.
// B3. The program is one file in dist/, so `../builtin/` from `import.meta.dirname` is the same folder from there and from
//     src/app.ts. Only src/app.ts may say so (scripts/check-purity.js looks).
// B4. The program's name has the hash of its text: what belongs to another build is never taken for its own.
// B5. dist/hook.cjs (scripts/hook.cjs, with src/daemon/hook-program.ts) is what the hooks of clients start: it loads nothing else
//     either. `lockstep hook CLIENT` is the same program; it knows which build it belongs to.
// B6. The Claude Agent SDK is the user's own: found where it is installed, loaded through dist/import.cjs, never bundled.
// B7. A command pays for what it uses: the program is made of parts, cut where something is imported when it is needed, and the
//     launcher reads and compiles the parts that a command asks for. One file all the same, so that a process that has begun
//     never meets the parts of another build.
// B8. The page (ui/) lies in dist/ui/ (scripts/bundle-page.js). Nothing of it is read by a command other than `lockstep ui`.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { bundlePage } from './bundle-page.js';
import { ascii, joinParts, LAZY_PACKAGES } from './program-parts.js';

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

/** ES modules, one for each part (B7). */
const program = {
  ...bundling,
  entryPoints: ['src/app.ts'],
  format: 'esm',
  splitting: true,
  chunkNames: 'part-[hash]',
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  external: LAZY_PACKAGES,
  metafile: true,
  write: false,
};

async function bundlePackage(name) {
  const { outputFiles, metafile } = await bundle({
    ...bundling,
    stdin: { contents: `export * from '${name}';`, resolveDir: root, sourcefile: `${name}.js` },
    format: 'cjs',
    metafile: true,
    write: false,
  });
  return { name, text: outputFiles[0].text, metafile };
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

/**
 * `clean: false` leaves earlier builds alone: a process may just be starting from one.
 * @param {{ outdir?: string, clean?: boolean }} [options]
 */
export async function build({ outdir = join(root, 'dist'), clean = true } = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [{ outputFiles, metafile }, page, lazy] = await Promise.all([
    bundle({ ...program, outdir }),
    bundlePage(root, join(outdir, 'ui')),
    Promise.all(LAZY_PACKAGES.map(bundlePackage)),
  ]);
  const read = [metafile, ...lazy.map((each) => each.metafile)].flatMap(({ inputs }) => Object.keys(inputs));
  const packages = bundledPackages([...read, ...page.inputs]);
  const parts = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  const { text, head } = await joinParts(parts, lazy);
  const name = `app-${hashOf(text)}.cjs`;
  const hook = await bundleHook();
  const launcher = readFileSync(join(root, 'scripts/launcher.cjs'), 'utf8');
  const files = {
    ...page.files,
    [name]: text,
    'lockstep.js': launcher
      .replace('__VERSION__', version)
      .replace('__PROGRAM__', name)
      .replace('__HEAD__', String(head)),
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

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
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

// bundle-page: ui/ and what it uses of src/ → dist/ui/: what is needed at the first look in page.js, what few look at in parts of
// their own, and all of it in one script for runs that are exported (`lockstep ui --export`).

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build as bundle } from 'esbuild';

/**
 * Names of parts have the hash of their content.
 * @param {string} root the project's folder
 * @param {string} outdir where it will lie
 */
export async function bundlePage(root, outdir) {
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

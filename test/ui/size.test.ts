// How much a browser loads of the page, as it is sent: a small start, the rest when somebody looks at it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../scratch.ts';

const folder = join(projectRoot, 'dist/ui');
const KB = 1024;
const zipped = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;

/** What is loaded with it, by `import … from`; `import(…)` waits until it is asked for. */
function loadedWith(name: string, all = new Set<string>()): Set<string> {
  if (all.has(name)) return all;
  all.add(name);
  const text = readFileSync(join(folder, name), 'utf8');
  for (const [, other] of text.matchAll(/(?:from|import)"\.\/(part-\w+\.js)"/g))
    loadedWith(other as string, all);
  return all;
}

describe('the size of the page', () => {
  it('UI-SIZE: loads at most 60 KB at first, and 140 KB in all', () => {
    const first = [...loadedWith('page.js'), 'index.html', 'page.css', 'icon.svg'];
    const all = readdirSync(folder).filter((name) => name !== 'exported.js');
    const sum = (names: string[]) => names.reduce((bytes, name) => bytes + zipped(name), 0);
    // A split that is not there, or imports that are not found, would make this say nothing.
    expect(first.length).toBeGreaterThan(5);
    expect(all.length).toBeGreaterThan(first.length + 3);
    expect(sum(first)).toBeLessThanOrEqual(60 * KB);
    expect(sum(all)).toBeLessThanOrEqual(140 * KB);
  });

  it('UI-SIZE: has nothing of CEL or of regular expressions in it', () => {
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(text, name).not.toMatch(/re2js|RE2JS|cel-js/);
    }
  });
});

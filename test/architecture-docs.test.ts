// docs/ARCHITECTURE.md is the house as it is: the files it names are there, and its table is the one that is checked.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
const { mayImport, pure } = createRequire(import.meta.url)('../scripts/folders.cjs') as {
  mayImport: Record<string, string[]>;
  pure: Record<string, string[]>;
};

describe('docs/ARCHITECTURE.md', () => {
  it('LS-ROOM-HOUSE: names no file that is not there', () => {
    const named = [...text.matchAll(/`((?:src|scripts|test)\/[\w./-]+\.(?:ts|cjs|js))`/g)].map(
      ([, path]) => path,
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !existsSync(join(root, path as string)))).toEqual([]);
    // In the tables paths begin below src/.
    const below = [...text.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g)].map(([, path]) => path as string);
    const inSource = below.filter((path) => (path.split('/')[0] as string) in mayImport);
    expect(inSource.filter((path) => !existsSync(join(root, 'src', path)))).toEqual([]);
  });

  it('LS-ROOM-HOUSE: walks one run, one tool call and one diagnostic through the files, in order', () => {
    for (const title of ['One `run`', 'One tool call', 'One diagnostic']) {
      const walk = text.split(`### ${title}\n`)[1]?.split(/^##/m)[0] ?? '';
      const steps = [...walk.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
      expect(steps, title).toEqual(steps.map((_, index) => index + 1));
      expect(walk.match(/`src\//g)?.length ?? 0, title).toBeGreaterThanOrEqual(10);
    }
  });

  it('LS-ROOM-HOUSE: has a row for each folder, with what it may import', () => {
    const rows = new Map(
      [...text.matchAll(/^\| `src\/([a-z]+)\/` \|.*\| ([^|]*) \|$/gm)].map(([, name, may]) => [name, may]),
    );
    expect([...rows.keys()].sort()).toEqual(Object.keys(mayImport).sort());
    for (const [folder, allowed] of Object.entries(mayImport)) {
      if (folder === 'cli') continue; // said as what it may not
      const said = (rows.get(folder) ?? '').split(', ').filter((name) => name !== '–');
      expect(`${folder}: ${said.sort()}`).toBe(`${folder}: ${[...allowed].sort()}`);
    }
    const left = /all of the above but ([^|]*) \|/.exec(text)?.[1]?.split(', ') ?? [];
    const others = Object.keys(mayImport).filter((name) => name !== 'cli' && !mayImport.cli?.includes(name));
    expect(left.sort()).toEqual(others.sort());
  });

  it('LS-ROOM-HOUSE: names the pure folders', () => {
    const said = /pure folders \(([^)]*)\)/.exec(text)?.[1]?.split(/,\s+/) ?? [];
    expect(said.sort()).toEqual(Object.keys(pure).sort());
  });
});

// THREATS.md tells the truth: the tests that it names are there, and so are the ids.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requirements } from './requirements.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'THREATS.md'), 'utf8');

it('SEC-THREATS: every test file and every id that THREATS.md names exists, and README links to it', () => {
  const files = [...text.matchAll(/\b(?:src|test|e2e)\/[\w./-]+\.ts\b/g)].map(([file]) => file);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const known = new Set(requirements.map(({ id }) => id));
  const ids = [...new Set([...text.matchAll(/\bSEC-[A-Z]+(?:-[A-Z]+)*\b/g)].map(([id]) => id))];
  expect(ids.length).toBeGreaterThan(30);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](THREATS.md)');
});

it('SEC-THREATS: says who attacks, and what is not defended in each area', () => {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading as string);
  const areas = headings.filter((heading) => !/^(?:Who attacks|Not defended)$/.test(heading));
  const undefended = text.slice(text.indexOf('\n## Not defended'));
  for (const area of areas) expect(undefended).toContain(`### ${area}`);
});

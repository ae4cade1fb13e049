// Every folder of golden/ is a definition and, in expected.txt, what is said about it, as the command line shows it.
// The first line of w.yaml says what it shows. UPDATE_GOLDEN=1 writes them anew: read them then.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileSample, rendered, type SampleFiles } from './fixtures/sample-library.ts';

const folder = join(import.meta.dirname, 'golden');
const cases = readdirSync(folder).map((name) => {
  const files: SampleFiles = {};
  for (const path of readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })) {
    if (/\.(?:ya?ml|json|md)$/.test(path)) files[path] = readFileSync(join(folder, name, path), 'utf8');
  }
  const text = files['w.yaml'] ?? '';
  return { name, title: (text.split('\n')[0] ?? '').replace(/^# /, ''), text, files };
});

describe('compile', () => {
  for (const { name, title, text, files } of cases) {
    it(`${title} (${name})`, () => {
      const result = compileSample(text, files);
      const said = `${rendered(result)}\n`;
      const file = join(folder, name, 'expected.txt');
      if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(file, said);
      expect(said).toBe(readFileSync(file, 'utf8'));
    });
  }
});

// Every folder of golden/ is a workflow of the orchestrate language and, in expected.txt, what is said about it, and
// what it is in ours. UPDATE_GOLDEN=1 writes them anew: read them then.
// The first five are the complete examples that the specification prints; three of them cannot run as printed.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { compileSample, rendered } from '../../compile/fixtures/sample-library.ts';
import { toJson } from '../../source/read/node.ts';
import { translated } from './fixtures/sample-translation.ts';

const folder = join(import.meta.dirname, 'golden');
const cases = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name, 'w.yaml'), 'utf8'),
  expected: join(folder, name, 'expected.txt'),
}));

describe('a workflow of the orchestrate language', () => {
  it.each(cases)('in ours: $name', ({ text, expected }) => {
    const native = stringify(toJson(translated(text).node), { lineWidth: 0, flowCollectionPadding: true });
    const said = `${rendered(compileSample(text))}\n---\n${native}`;
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(expected, said);
    expect(said).toBe(readFileSync(expected, 'utf8'));
  });

  it.each(cases)(
    'what it is in ours is right in ours, where nothing was wrong with it: $name',
    ({ text }) => {
      const { node, problems } = translated(text);
      const isWrong = problems.some(({ severity }) => severity === 'error');
      const result = compileSample(stringify(toJson(node)));
      if (!isWrong) expect(result.kind, rendered(result)).toBe('compiled');
      expect(compileSample(text).kind).toBe(isWrong ? 'invalid' : 'compiled');
    },
  );
});

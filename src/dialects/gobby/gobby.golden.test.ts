// Every folder of golden/ is a workflow of the gobby language with the workflows it names and, in expected.txt, what is said
// about it, and what it is in ours. UPDATE_GOLDEN=1 writes them anew: read them then. Five are the examples that the language's own
// text prints.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convert } from '../../compile/convert.ts';
import {
  compiled,
  compileSample,
  rendered,
  type SampleFiles,
} from '../../compile/fixtures/sample-library.ts';
import type { Json } from '../../model/json.ts';
import { DIALECTS } from '../dialects.ts';

const folder = join(import.meta.dirname, 'golden');

function filesOf(root: string): SampleFiles {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

const cases = readdirSync(folder).map((name) => {
  const { 'w.yaml': text = '', 'expected.txt': expected, ...files } = filesOf(join(folder, name));
  return { name, text, expected, files };
});

/** Without where things stand: that differs between a text and its translation. */
function unplaced(value: Json): Json {
  if (Array.isArray(value)) return value.map(unplaced);
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(
    ([key]) => !['at', 'sources', 'refused', 'hash', 'path'].includes(key),
  );
  return Object.fromEntries(left.map(([key, each]) => [key, unplaced(each)]));
}

describe('GOB-CONVERT: a workflow of the gobby language', () => {
  it.each(cases)('in ours, where it is the same workflow: $name', ({ name, text, expected, files }) => {
    const { main, loaded, result } = compiled(text, files, 'w.yaml');
    const native = convert(main, DIALECTS, undefined, loaded);
    const said = `${rendered(result)}\n---\n${native?.text ?? 'nothing'}`;
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(join(folder, name, 'expected.txt'), said);
    else expect(said).toBe(expected);
    if (result.kind !== 'compiled') return;
    const again = compileSample(native?.text ?? '', files);
    expect(
      rendered(again)
        .split('\n')
        .filter((line) => line.includes('error:')),
    ).toEqual([]);
    if (again.kind !== 'compiled') throw new Error(rendered(again));
    expect(unplaced(again.workflow as unknown as Json)).toEqual(unplaced(result.workflow as unknown as Json));
  });
});

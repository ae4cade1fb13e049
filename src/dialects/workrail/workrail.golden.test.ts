// Every folder of golden/ is a workflow of the workrail language with the files it names and, in expected.txt, what is said
// about it, and what it is in ours. UPDATE_GOLDEN=1 writes them anew: read them then.

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
import { DIALECTS } from '../dialects.ts';

const folder = join(import.meta.dirname, 'golden');
const builtin = join(import.meta.dirname, '../../../builtin');

function filesOf(root: string): SampleFiles {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

const ours = filesOf(builtin);
const cases = readdirSync(folder).map((name) => {
  const { 'w.json': text = '', 'expected.txt': expected, ...files } = filesOf(join(folder, name));
  return { name, text, expected, files: { ...ours, ...files } };
});

describe('RAIL-CONVERT: a workflow of the workrail language', () => {
  it.each(cases)('in ours, where it is right too: $name', ({ name, text, expected, files }) => {
    const { main, loaded, result } = compiled(text, files, 'w.json');
    const native = convert(main, DIALECTS, undefined, loaded);
    const said = `${rendered(result)}\n---\n${native?.text ?? 'nothing'}`;
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(join(folder, name, 'expected.txt'), said);
    else expect(said).toBe(expected);
    expect(result.kind).toBe('compiled');
    const again = compileSample(native?.text ?? '', files);
    expect(rendered(again)).toBe('');
  });

  const workflows = Object.keys(ours).filter((path) => /^workflows\/(?!.*\.test\.)/.test(path));
  it.each(workflows)('%s, which comes with it, becomes a text that loads without a word', (path) => {
    const { main, loaded, result } = compiled(ours[path] ?? '', ours);
    expect(rendered(result)).toBe('');
    const native = convert(main, DIALECTS, undefined, loaded);
    expect(rendered(compileSample(native?.text ?? '', ours))).toBe('');
  });
});

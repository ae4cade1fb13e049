// Every folder of golden/ is a workflow of the wrangler language with the files it names and, in expected.txt, what is
// said about it, and what it is in ours. UPDATE_GOLDEN=1 writes them anew: read them then.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
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

function filesOf(root: string, prefix = ''): SampleFiles {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [prefix + path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

/** What gates need of what Lockstep brings along. */
const ours: SampleFiles = {
  ...filesOf(join(builtin, 'schemas'), 'schemas/'),
  'agents/reviewer.md': readFileSync(join(builtin, 'agents/reviewer.md'), 'utf8'),
};

const everything: SampleFiles = { ...ours, ...filesOf(builtin) };

const cases = readdirSync(folder).map((name) => {
  const { 'w.yaml': text = '', 'expected.txt': expected, ...files } = filesOf(join(folder, name));
  return { name, text, expected, files: { ...ours, ...files } };
});

describe('a workflow of the wrangler language', () => {
  it.each(cases)('in ours: $name', ({ name, text, expected, files }) => {
    const { main, loaded, result } = compiled(text, files);
    const native = result.kind === 'compiled' ? convert(main, DIALECTS, undefined, loaded) : undefined;
    const said = `${rendered(result)}\n---\n${native?.text ?? 'nothing'}`;
    if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(join(folder, name, 'expected.txt'), said);
    else expect(said).toBe(expected);
    if (native === undefined) expect(result.kind).toBe('invalid');
    else expect(compileSample(native.text, files).kind, stringify(native)).toBe('compiled');
  });

  const { text: whole = '' } = cases.find(({ name }) => name === 'second-generation') ?? {};
  const names = [...whole.matchAll(/^ *- name: (.+)$/gm)].map(([, name]) => name ?? '');
  it.each(names)('WR47-FR-5.2, WR47-SC-6: can be without %s, which stays in its text', (name) => {
    const disabled = whole.replace(new RegExp(`^( *)- name: ${name}$`, 'm'), '$&\n$1  enabled: false');
    const { main, loaded, result } = compiled(disabled, everything);
    expect(rendered(result)).not.toContain(': error:');
    expect(result.kind).toBe('compiled');
    const native = convert(main, DIALECTS, undefined, loaded)?.text ?? '';
    expect(native).toContain("if: 'false'");
    expect(compileSample(native, everything).kind).toBe('compiled');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { report } from '../diagnostics.ts';
import { checkCharacters } from './characters.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { sourceText } from './source.ts';
import { readAnyYaml } from './yaml.ts';

const root = join(import.meta.dirname, '../../..');

/** Every definition of ours, and every code block in the docs: [where, text]. */
function corpus(): [string, string][] {
  const files = ['builtin', 'examples', 'docs', 'src/compile', 'src/dialects', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return files
    .filter((name) => /\.(?:ya?ml|json|md)$/.test(name) && !name.includes('node_modules'))
    .flatMap((name): [string, string][] => {
      const text = readFileSync(join(root, name), 'utf8');
      if (!name.endsWith('.md')) return text.length < 100_000 ? [[name, text]] : [];
      const matter = /^---\n([\s\S]*?)^---$/m.exec(text)?.[1];
      const blocks = [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
      return [...(matter === undefined ? [] : [matter]), ...blocks].map((part) => [name, part]);
    });
}

/** What the quick reader says, held against the whole one. True: it read the text. */
function agrees(text: string): boolean {
  const source = sourceText('w.yaml', text);
  const problems = report();
  if (!checkCharacters(source, problems)) return false;
  const quick = readPlainYaml(source, 0, text.length);
  if (quick === undefined) return false;
  const whole = readAnyYaml({ source, start: 0, end: text.length }, problems);
  expect(problems.diagnostics()).toEqual([]);
  expect(quick).toEqual(whole);
  return true;
}

const texts = corpus();

describe('P1: what the quick reader reads is what the whole one reads', () => {
  it('in every definition of ours, nearly all of which it reads', () => {
    const left = texts.filter(([, text]) => !agrees(text));
    expect(texts.length).toBeGreaterThan(300);
    expect(left.length).toBeLessThan(texts.length / 3);
    expect(left.map(([name]) => name).filter((name) => /^builtin\/(?!.*\.test\.)/.test(name))).toEqual([]);
  });

  it('in pieces of them that were cut, moved, doubled, indented otherwise or typed over', () => {
    const marks = [
      ...' \n:-#{}[],&*!|>\'"%@`~0?',
      ': ',
      ' #',
      '- ',
      '\n  ',
      '\n\n',
      '|\n',
      '>-\n  ',
      '*a',
      '&a ',
      '1e3',
      '""',
      '{}',
      '<<: ',
    ];
    const piece = fc.tuple(fc.nat(), fc.nat(), fc.nat(400), fc.nat(), fc.constantFrom(...marks), fc.nat(4));
    let read = 0;
    fc.assert(
      fc.property(piece, ([which, from, length, place, mark, change]) => {
        const text = texts[which % texts.length]?.[1] ?? '';
        const begin = text.lastIndexOf('\n', from % (text.length + 1)) + 1;
        const part = text.slice(begin, begin + length);
        const at = place % (part.length + 1);
        const [before, after] = [part.slice(0, at), part.slice(at)];
        const changed = [
          () => before + mark + after,
          () => before + mark + after.slice(mark.length),
          () => before + after.slice(1),
          () => before + after.slice(0, 20) + after,
          () => part,
        ][change]?.();
        if (agrees(changed ?? '')) read += 1;
      }),
      { numRuns: process.env.CI ? 100_000 : 10_000 },
    );
    expect(read).toBeGreaterThan(1_000);
  });

  it('in data that the library writes', () => {
    const key = fc.oneof(
      fc.constantFrom('id', 'a', 'null', 'steps', '$x', 'a b', '1', '-', '<<'),
      fc.string(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, fc.boolean(), (data, isJson) => {
        agrees(isJson ? JSON.stringify(data, undefined, 2) : stringify(data));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'a',
    'a: b',
    'a:\n  { b: c,\n    d: e }\nf:\n  g\n',
    'a: b # c\n',
    'a:\n- 1\n- b: c\n  d: e\n',
    'a: &x { b: [1, two, "three"] }\nc: [*x]\nd: *x\n',
    'a: |\n  one\n\n    two\n\nb: >-\n  one\n  two\n# end\n',
    'a:\n  # why\n  b: 8h\n\nc: -1\n',
  ])('reads %j', (text) => {
    expect(agrees(text)).toBe(true);
  });

  it.each([
    ...['', 'a:', 'a:\n', 'a: b\n c', 'a: !x b', 'a: {{ x }}', 'a: 1.5', 'a: b: c', '- - a', 'a: 1\na: 2'],
    ...[
      'a: "x\n y"',
      "a: 'b' c",
      'a:\tb',
      'a: b\r\n',
      '--- \na: b',
      'a: |+\n x\n',
      'a: |2\n   x\n',
      'a: *x',
      '<<: {}',
    ],
    ...['? a\n: b', 'a: [b: c]', 'a: {b}', 'a: [b,]', 'a: [b # c\n ]', 'a: {\nb: c }', 'a:\n  b: 1\n c: 2'],
  ])('leaves %j to the other', (text) => {
    expect(agrees(text)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { FORM_LIMITS, formProblem } from './form.ts';

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
const many = (keys: number): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n]));

describe('form', () => {
  it.each<[string, unknown, string]>([
    ['1 MB of notes', { output: { notesMarkdown: 'x'.repeat(1_000_000) } }, '/output/notesMarkdown'],
    ['10,000 keys', { context: many(10_000) }, '/context'],
    ['65 levels', { context: deep(65) }, '/context/a'],
    ['__proto__', { context: JSON.parse('{"a":{"__proto__":{"x":1}}}') }, '/context/a/__proto__'],
    ['half of a surrogate pair', { notes: 'a\ud800b' }, '/notes'],
    ['half of a surrogate pair in a name', { context: { 'a\ud800': 1 } }, '/context'],
    ['many items', { artifacts: Array.from({ length: 30_000 }, () => 1) }, '/artifacts'],
    [
      'much in small pieces',
      { artifacts: Array.from({ length: 100 }, () => 'x'.repeat(20_000)) },
      '/artifacts',
    ],
  ])('MCP-FORM: %s is refused, with the place', (_, value, pointer) => {
    expect(formProblem(value)?.pointer).toContain(pointer);
  });

  it('lets through what is within the limits', () => {
    const value = {
      notes: 'x'.repeat(FORM_LIMITS.text),
      context: { ...many(FORM_LIMITS.keys - 100), deep: deep(FORM_LIMITS.levels - 3), text: '😀' },
    };
    expect(formProblem(value)).toBeUndefined();
  });

  it('does not stumble over a value of any depth', () => {
    let value: unknown = 1;
    for (let n = 0; n < 200_000; n += 1) value = [value];
    expect(formProblem(value)?.expected).toContain('64 levels');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Need } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import { type Evaluation, evaluate, render } from './expressions.ts';
import { functionNames, methodNames } from './signature.ts';

const page = readFileSync(new URL('../../docs/expressions.md', import.meta.url), 'utf8');

/** The lines of all fenced blocks of a kind. */
function blocks(kind: string): string[] {
  return [...page.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === kind)
    .map(([, , body]) => body ?? '');
}

const { files, ...roots } = JSON.parse(blocks('json cel-values').join('')) as Record<string, Json> & {
  files: Record<string, string[]>;
};
const bindings = {
  lookup: (root: string) => (Object.hasOwn(roots, root) ? roots[root] : undefined),
  fact: (need: Need) => files[need.pattern],
};

/** `expression → value`, `→ error: part of the message`, `→ needs: kind pattern`. */
function verify(kind: string, evaluateOne: (source: string) => Evaluation): void {
  const lines = blocks(kind).flatMap((block) => block.split('\n').filter((line) => line.trim() !== ''));
  it(`there are ${kind}`, () => expect(lines.length).toBeGreaterThan(4));
  it.each(lines)('%s', (line) => {
    const [source = '', expected = ''] = line.split(' → ');
    const evaluation = evaluateOne(source);
    if (expected.startsWith('error: ')) {
      expect(evaluation).toMatchObject({
        kind: 'error',
        message: expect.stringContaining(expected.slice(7)),
      });
    } else if (expected.startsWith('needs: ')) {
      const [need, pattern] = expected.slice(7).split(' ');
      expect(evaluation).toEqual({ kind: 'needs', needs: [{ kind: need, pattern }] });
    } else {
      expect(evaluation).toEqual({ kind: 'value', value: JSON.parse(expected) });
    }
  });
}

describe('docs/expressions.md', () => {
  verify('cel-examples', (source) => evaluate(source, bindings));
  verify('template-examples', (source) => render(source, bindings));
  verify('shell-examples', (source) => render(source, bindings, { quote: 'shell' }));

  it('names every function and method there is, but those of time stamps, durations and bytes', () => {
    const left = [...functionNames, ...methodNames].filter(
      (name) => !/^(get[A-Z]|uint|bytes|dyn|json|hex|base64|at|string)/.test(name),
    );
    expect(left.filter((name) => !new RegExp(`\\b${name}\\(`).test(page))).toEqual([]);
  });
});

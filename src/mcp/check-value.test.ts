import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mended } from '../../test/support/mended.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { problemsOf, problemText } from './check-value.ts';
import { formProblem } from './form.ts';
import { TOOLS } from './tools.ts';

const tools = Object.entries(TOOLS);
const ajv = new Ajv({ strict: false });

describe('arguments of tools', () => {
  it.each(tools)('%s: what we refuse and what its schema refuses are the same', (_, { input }) => {
    const validate = ajv.compile(input);
    const names = Object.keys(input.properties as JsonObject);
    const values = fc.dictionary(fc.constantFrom(...names, 'other'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(values, (value) => {
        expect(problemsOf(input, value).length === 0).toBe(validate(JSON.parse(JSON.stringify(value))));
      }),
    );
  });

  it.each(tools)('MCP-FIX: %s: each suggested fix, done, is a call that passes', (_, { input }) => {
    const names = Object.keys(input.properties as JsonObject);
    const values = fc.dictionary(fc.constantFrom(...names, 'other'), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 5,
    });
    fc.assert(
      fc.property(values, (value) => {
        let now = JSON.parse(JSON.stringify(value)) as Json;
        for (let round = 0; round < 5; round += 1) {
          const problems = problemsOf(input, now);
          if (problems.length === 0) return;
          now = mended(now, problems.map(({ fix }) => fix).join(' '));
        }
        expect(problemsOf(input, now).map(problemText)).toEqual([]);
      }),
    );
  });

  it('MCP-FIX: what is wrong with the form is mended by its fix', () => {
    const wrong: Json[] = [
      { notes: 'x'.repeat(1_000_000) },
      { context: JSON.parse('{"a":{"__proto__":{"x":1}}}') as Json },
      { notes: 'a\ud800b' },
      { context: { a: JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`) as Json } },
      { context: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])) },
    ];
    for (const value of wrong) {
      const problem = formProblem(value);
      expect(problem).toBeDefined();
      expect(formProblem(mended(value, problem?.fix ?? ''))).toBeUndefined();
    }
  });
});

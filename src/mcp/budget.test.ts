import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withinBudget } from './budget.ts';

describe('MCP-BUDGET: data of a run', () => {
  it('is shown as it is where it is short', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), {
          maxKeys: 20,
        }),
        (data) => {
          const given = JSON.parse(JSON.stringify(data));
          expect(withinBudget('r', 'outputs', given)).toEqual(given);
        },
      ),
    );
  });

  it('keeps a value whatever it is called', () => {
    const given = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(JSON.stringify(withinBudget('r', 'outputs', given))).toBe(JSON.stringify(given));
  });

  it('names a value that is too long, and the resource that has it', () => {
    const shown = withinBudget('r1', 'outputs', { short: 1, long: 'x'.repeat(9000) });
    expect(shown).toEqual({ short: 1, long: '(9002 bytes: the resource lockstep://runs/r1/outputs has it)' });
  });

  it('never takes more than 80,000 bytes, however much there is', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key-${n}`, 'y'.repeat(100)]));
    const few = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key-${n}`, 'y'.repeat(8000)]));
    const names = { ['n'.repeat(100_000)]: 1, b: 2 };
    for (const data of [many, few, names]) {
      const shown = withinBudget('r1', 'vars', data);
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(80_000);
      expect(JSON.stringify(shown)).toContain('the resource lockstep://runs/r1/vars has');
    }
  });
});

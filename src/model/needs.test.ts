import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderByNeeds } from './needs.ts';

const asked = (needs: Record<string, string[]>, circles: 'all' | 'first' = 'all') =>
  orderByNeeds(Object.keys(needs), (id) => needs[id] ?? [], circles);

describe('orderByNeeds', () => {
  it('puts each after those it needs, else as given', () => {
    expect(asked({ a: ['c'], b: [], c: ['d'], d: [] })).toEqual({ order: ['d', 'c', 'a', 'b'], circles: [] });
  });

  it('passes over what is not there', () => {
    expect(asked({ a: ['gone'] })).toEqual({ order: ['a'], circles: [] });
  });

  it('tells every circle that it meets, or the first one only', () => {
    const needs = { a: ['b'], b: ['a', 'c'], c: ['c'], d: ['a'] };
    expect(asked(needs).circles).toEqual([
      ['a', 'b', 'a'],
      ['c', 'c'],
    ]);
    expect(asked(needs, 'first').circles).toEqual([['a', 'b', 'a']]);
  });

  it('takes a chain of 100,000', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => index);
    const { order, circles } = orderByNeeds(ids, (id) => (id + 1 < ids.length ? [id + 1] : []), 'all');
    expect([order[0], order.length, circles]).toEqual([99_999, 100_000, []]);
  });

  it('any needs: there is a circle, or each comes after all those it needs', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'] as const;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids))), (pairs) => {
        const needs = (id: string) => pairs.filter(([from]) => from === id).map(([, to]) => to);
        const { order, circles } = orderByNeeds<string>(ids, needs, 'all');
        expect([...order].sort()).toEqual([...ids]);
        const isBefore = ([from, to]: readonly [string, string]) => order.indexOf(to) < order.indexOf(from);
        expect(circles.length === 0).toBe(pairs.every(isBefore));
        for (const circle of circles) {
          expect(circle.at(-1)).toBe(circle[0]);
          for (const [index, id] of circle.slice(0, -1).entries())
            expect(needs(id)).toContain(circle[index + 1]);
        }
      }),
    );
  });
});

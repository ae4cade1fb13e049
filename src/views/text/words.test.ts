import { describe, expect, it } from 'vitest';
import {
  capital,
  cost,
  count,
  dollars,
  duration,
  either,
  elapsed,
  isoTime,
  list,
  noSpending,
  roundedCost,
  thousands,
  valueText,
} from './words.ts';

describe('words', () => {
  it.each([
    [0, '0 ms'],
    [99, '99 ms'],
    [100, '0.1 s'],
    [3240, '3.2 s'],
    [59_949, '59.9 s'],
    [59_960, '1 m 00 s'],
    [64_000, '1 m 04 s'],
    [3_599_600, '1 h 00 m'],
    [7_500_000, '2 h 05 m'],
    [90_000_000, '1 d 01 h'],
    [-5, '0 ms'],
    [Number.NaN, 'unknown time'],
  ])('%i milliseconds are %j', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  it('counts ticking time in whole seconds', () => {
    expect([0, 999, 59_999, 61_900].map(elapsed)).toEqual(['0 s', '0 s', '59 s', '1 m 01 s']);
  });

  it('says a cost it knows, a lower bound where it knows some, and never zero for what it does not know', () => {
    const spent = (amount: number, priced: number, unpriced: number) =>
      cost({ ...noSpending(), cost: amount, priced, unpriced });
    expect(spent(0.42, 1, 0)).toBe('$0.42');
    expect(spent(0.42, 1, 2)).toBe('at least $0.42');
    expect(spent(0, 0, 2)).toBe('cost unknown');
    expect(spent(0, 0, 0)).toBeUndefined();
    expect(spent(0, 1, 0), 'nothing used').toBeUndefined();
    expect(cost({ ...noSpending(), input_tokens: 9, priced: 1 }), 'used, and free').toBe('$0.00');
    expect(cost({ ...noSpending(), priced: 1, unpriced: 1 }), 'not "at least $0.00"').toBe('cost unknown');
    expect([0.004, 0.00123, 0.000001].map(dollars)).toEqual(['$0.004', '$0.0012', '<$0.0001']);
    expect(dollars(1234.5)).toBe('$1,234.50');
    expect(roundedCost(0.1 + 0.2)).toBe(0.3);
  });

  it('counts and lists', () => {
    expect([count(1, 'step'), count(2, 'step'), count(1234, 'pass', 'passes')]).toEqual([
      '1 step',
      '2 steps',
      '1,234 passes',
    ]);
    expect(thousands(1234567.25)).toBe('1,234,567.25');
    expect([list([]), list(['a']), list(['a', 'b']), list(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(list(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
    expect(either(['a', 'b', 'c'])).toBe('a, b or c');
    expect(capital('run')).toBe('Run');
  });

  it('writes times that no calendar knows as the epoch instead of failing', () => {
    expect(isoTime(Date.UTC(2026, 10, 15, 10, 15, 0, 999))).toBe('2026-11-15T10:15:00Z');
    expect(isoTime(1e300)).toBe('1970-01-01T00:00:00Z');
  });

  it('shortens values in sentences', () => {
    expect(valueText('text')).toBe('text');
    expect(valueText({ a: [1, null] })).toBe('{"a":[1,null]}');
    expect(valueText('x'.repeat(300), 5)).toBe('xxxxx…');
    expect(valueText(undefined)).toBe('');
  });
});

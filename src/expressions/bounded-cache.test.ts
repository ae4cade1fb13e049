import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  it('makes a thing once, and hands it out again', () => {
    let made = 0;
    const cache = new BoundedCache(100_000, (source) => ({ source, number: made++ }));
    expect(cache.get('a')).toBe(cache.get('a'));
    expect(cache.get('b')).not.toBe(cache.get('a'));
    expect(made).toBe(2);
  });

  it('X6: never holds more than its limit, however many texts come', () => {
    const cache = new BoundedCache(100_000, (source) => source.length);
    for (let index = 0; index < 1_000_000; index++) cache.get(`source ${index}`);
    expect(cache.size).toBeLessThanOrEqual(500);
    expect(cache.size).toBeGreaterThan(100);
  });

  it('keeps what is used, and forgets what is not', () => {
    const made: string[] = [];
    const cache = new BoundedCache(100_000, (source) => {
      made.push(source);
      return source;
    });
    cache.get('once');
    for (let index = 0; index < 10_000; index++) {
      cache.get('often');
      cache.get(`other ${index}`);
    }
    cache.get('once');
    expect(made.filter((source) => source === 'often')).toHaveLength(1);
    expect(made.filter((source) => source === 'once')).toHaveLength(2);
  });

  it('does not keep a text that would push out all others', () => {
    const cache = new BoundedCache(1_000, (source) => source.length);
    expect(cache.get('x'.repeat(10_000))).toBe(10_000);
    expect(cache.size).toBe(0);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, parseSize } from './measure.ts';

describe('parseDuration', () => {
  it.each<[string, number | undefined]>([
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['200ms', 200],
    ['1.5s', 1500],
    ['2d', 172_800_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['0s', 0],
    ['', undefined],
    ['10', undefined],
    ['10 m', undefined],
    ['10M', undefined],
    ['m10', undefined],
    ['-1s', undefined],
    ['30m1h', undefined],
    ['1m1m', undefined],
    ['1.s', undefined],
    ['1e3s', undefined],
    ['999999d', undefined],
    ['1s\n', undefined],
  ])('reads %j as %j', (given, expected) => {
    expect(parseDuration(given)).toBe(expected);
  });

  it('answers at once whatever it is given', () => {
    expect(parseDuration('1'.repeat(1_000_000))).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(parseDuration(given) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('parseSize', () => {
  it.each<[string, number | undefined]>([
    ['512B', 512],
    ['8KiB', 8192],
    ['1.5 MiB', 1_572_864],
    ['2GiB', 2_147_483_648],
    ['8KB', undefined],
    ['8', undefined],
    ['KiB', undefined],
    ['-1B', undefined],
  ])('reads %j as %j', (given, expected) => {
    expect(parseSize(given)).toBe(expected);
  });
});

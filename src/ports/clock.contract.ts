// clock contract: what every Clock is held to.

import { expect, it } from 'vitest';
import type { Clock } from './clock.ts';

export function clockContract(make: () => Clock): void {
  it('tells a time in milliseconds since 1970', () => {
    expect(Number.isFinite(make().now())).toBe(true);
    expect(make().now()).toBeGreaterThan(0);
  });

  it('has a monotonic time that never runs backwards', () => {
    const clock = make();
    let last = clock.monotonic();
    for (let round = 0; round < 1_000; round += 1) {
      const now = clock.monotonic();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });

  it('gives as many lower-case hex digits as asked for, odd numbers too, and other ones each time', () => {
    const clock = make();
    for (const digits of [0, 1, 2, 5, 6, 32, 33]) {
      expect(clock.random(digits)).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`));
    }
    const seen = new Set(Array.from({ length: 200 }, () => clock.random(12)));
    expect(seen.size).toBe(200);
  });
}

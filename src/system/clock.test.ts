import { afterEach, describe, expect, it, vi } from 'vitest';
import { clockContract } from '../ports/clock.contract.ts';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  clockContract(systemClock);

  it('calls back once, and not before the time is over', async () => {
    const clock = systemClock();
    const began = clock.monotonic();
    let calls = 0;
    await new Promise<void>((resolve) => {
      clock.after(20, () => {
        calls += 1;
        resolve();
      });
    });
    // Timers count whole milliseconds: one may be lost to rounding.
    expect(clock.monotonic() - began).toBeGreaterThanOrEqual(19);
    expect(calls).toBe(1);
  });

  it('does not call back once cancelled, and cancelling twice does no harm', async () => {
    const clock = systemClock();
    let called = false;
    const cancel = clock.after(1, () => {
      called = true;
    });
    cancel();
    cancel();
    await new Promise<void>((resolve) => clock.after(15, resolve));
    expect(called).toBe(false);
  });

  describe('with the timers in hand', () => {
    afterEach(() => vi.useRealTimers());

    it('waits for longer than one timer can, instead of firing at once', () => {
      vi.useFakeTimers();
      const days = 24 * 60 * 60 * 1_000;
      let called = 0;
      systemClock().after(60 * days, () => {
        called += 1;
      });
      vi.advanceTimersByTime(60 * days - 1);
      expect(called).toBe(0);
      vi.advanceTimersByTime(1);
      expect(called).toBe(1);
    });

    it('can be cancelled while such a long wait is under way', () => {
      vi.useFakeTimers();
      const days = 24 * 60 * 60 * 1_000;
      let called = 0;
      const cancel = systemClock().after(60 * days, () => {
        called += 1;
      });
      vi.advanceTimersByTime(40 * days);
      cancel();
      vi.advanceTimersByTime(40 * days);
      expect(called).toBe(0);
    });
  });
});

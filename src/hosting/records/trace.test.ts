import { describe, expect, it } from 'vitest';
import { createTrace, readTraceparent } from './trace.ts';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
/** Counts, so that every id is another one. */
function counting() {
  let count = 0;
  return {
    random(digits: number): string {
      count += 1;
      return String(count).padStart(digits, '0');
    },
  };
}

describe('the trace of a run', () => {
  it('goes on in the trace it was started from, with its flags', () => {
    const trace = createTrace(counting(), { TRACEPARENT: PARENT }, 'a'.repeat(32));
    expect(trace.id).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(trace.traceparent({ path: 'a' })).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
  });

  it('keeps the trace of the run it resumes, else begins one', () => {
    expect(createTrace(counting(), {}, 'a'.repeat(32)).id).toBe('a'.repeat(32));
    expect(createTrace(counting(), { TRACEPARENT: 'nonsense' }).id).toMatch(/^[0-9a-f]{32}$/);
    expect(createTrace(counting(), {}).traceparent({ path: 'a' })).toMatch(/-01$/);
  });

  it('gives every attempt a span of its own, and what belongs to none that of its step or of the run', () => {
    const trace = createTrace(counting(), {});
    trace.begin({ path: 'a' });
    const first = trace.spanAt({ path: 'a' });
    expect(trace.traceparent({ path: 'a' })).toContain(`-${first}-`);
    expect(trace.spanAt({ path: 'a', part: 'done[0]' })).toBe(first);
    trace.begin({ path: 'a', part: 'done[0]' });
    expect(trace.spanAt({ path: 'a', part: 'done[0]' })).not.toBe(first);
    trace.begin({ path: 'a' });
    expect(trace.spanAt({ path: 'a' })).not.toBe(first);
    trace.end({ path: 'a' });
    expect(trace.spanAt({ path: 'a' })).toBe(trace.span);
  });

  it('never has an id of zeros', () => {
    let calls = 0;
    const clock = { random: (digits: number) => (calls++ === 0 ? '0' : '1').repeat(digits) };
    expect(createTrace(clock, {}).id).toBe('1'.repeat(32));
  });

  it.each([
    [undefined, false],
    [PARENT, true],
    ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', true],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', false],
    ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, false],
    [`00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`, false],
    ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01', false],
  ])('%s is valid: %s', (text, valid) => {
    expect(readTraceparent(text) !== undefined).toBe(valid);
  });
});

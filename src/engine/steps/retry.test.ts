import { describe, expect, it } from 'vitest';
import { failed, type Reply, rehearse } from '../../../test/support/rehearsal.ts';
import { prompt, run, workflow } from '../../../test/support/workflow.ts';
import type { FailureClass } from '../../model/entry.ts';
import type { Retry } from '../../model/workflow.ts';

const refused = (of: FailureClass, retry_after_ms?: number): Reply => ({
  outcome: {
    ok: false,
    exit_code: 1,
    error: {
      class: of,
      message: `it said ${of}`,
      ...(retry_after_ms !== undefined && { details: { retry_after_ms } }),
    },
  },
});
const USUAL: Retry = { max: 4, delay: 1000, on: [1, 'rate-limit', 'overloaded'] };

function played(reply: Reply | Reply[], more: { retry?: Partial<Retry>; duration?: number } = {}) {
  const retry = { ...USUAL, ...more.retry };
  const limits = {
    visits: 50,
    stopBlocks: 5,
    ...(more.duration !== undefined && { duration: more.duration }),
  };
  return rehearse(workflow([prompt('p', { retry })], { limits }), { replies: { p: reply } });
}
const delays = (replies: Reply | Reply[], more?: Parameters<typeof played>[1]) =>
  played(replies, more).entries.flatMap((entry) =>
    entry.kind === 'retry-scheduled' ? [entry.delay_ms] : [],
  );

describe('how long it waits before the next dispatch', () => {
  it.each(['rate-limit', 'overloaded'] as const)('AG-BACKOFF: %s: twice as long each time', (of) => {
    expect(delays(refused(of))).toEqual([1000, 2000, 4000, 8000]);
  });

  it('AG-BACKOFF: as long as the server says, also where that is longer or shorter than twice the last', () => {
    const replies = [refused('rate-limit', 12_000), refused('rate-limit', 1500), refused('overloaded'), 'ok'];
    expect(delays(replies)).toEqual([12_000, 1500, 4000]);
  });

  it('AG-BACKOFF: never shorter than the step says, and doubled up to five minutes', () => {
    expect(delays(refused('rate-limit', 10), { retry: { max: 1 } })).toEqual([1000]);
    expect(delays(refused('overloaded'), { retry: { delay: 100_000 } })).toEqual([
      100_000, 200_000, 300_000, 300_000,
    ]);
    expect(delays(refused('overloaded'), { retry: { delay: 600_000, max: 2 } })).toEqual([600_000, 600_000]);
  });

  it('the same each time for a command that ended badly', () => {
    expect(delays(failed(1))).toEqual([1000, 1000, 1000, 1000]);
  });
});

describe('where there is no time to wait', () => {
  it('AG-BACKOFF: a server that says to come back after the end of limits.duration is not waited for', () => {
    const { entries, state } = played(refused('rate-limit', 3_600_000), { duration: 600_000 });
    expect(entries.some((entry) => entry.kind === 'retry-scheduled')).toBe(false);
    expect(entries.find((entry) => entry.kind === 'step-failed')).toMatchObject({
      error: {
        class: 'rate-limit',
        message: 'it said rate-limit',
        hint: expect.stringMatching(/again in 3600 s, and only 59\d s of limits\.duration are left: resume/),
      },
    });
    expect(state.status).toBe('failed');
  });

  it('AG-BACKOFF: within limits.duration it is waited for', () => {
    expect(delays([refused('rate-limit', 300_000), 'ok'], { duration: 600_000 })).toEqual([300_000]);
  });

  it('nobody is waited for longer than a day', () => {
    const { entries } = played(refused('rate-limit', 25 * 3_600_000));
    expect(entries.find((entry) => entry.kind === 'step-failed')).toMatchObject({
      error: { hint: expect.stringContaining('nobody waits longer than 86400 s') },
    });
  });
});

describe('which failures', () => {
  it.each(['rate-limit', 'overloaded', 'timeout', 'error', 'exit'] as const)(
    'AG-RETRY-CLASSES: `on: [%s]` is for that class, and says so in the journal',
    (of) => {
      const on = (name: FailureClass) =>
        played([refused(name), 'ok'], { retry: { on: [of] } }).entries.find(
          (entry) => entry.kind === 'retry-scheduled',
        );
      expect(on(of)).toMatchObject({ class: of, retry: 1 });
      for (const other of ['rate-limit', 'overloaded', 'timeout', 'error', 'exit'] as const) {
        if (other !== of) expect(on(other)).toBeUndefined();
      }
    },
  );

  it.each(['limit', 'changed-files', 'missing-secrets', 'output', 'path'] as const)(
    '%s is never tried again: it would fail the same way',
    (of) => {
      const replies = { r: refused(of) };
      const retry = { max: 2, delay: 0, on: [] };
      expect(rehearse(workflow([run('r', { retry })]), { replies }).performed).toEqual(['r']);
    },
  );
});

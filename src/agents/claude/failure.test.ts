import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';
import type { ResultMessage } from './messages.ts';

const result = (more: Partial<ResultMessage>): ResultMessage => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  ...more,
});

describe('an error of the API, which comes as a success', () => {
  it.each<[Partial<ResultMessage>, string, boolean]>([
    [{ api_error_status: 429, result: 'slow down' }, 'rate-limit', true],
    [{ api_error_type: 'rate_limit_error', result: 'x' }, 'rate-limit', true],
    [{ api_error_status: 529, result: 'busy' }, 'overloaded', true],
    [{ api_error_status: 503, result: 'x' }, 'overloaded', true],
    [{ api_error_status: 500, result: 'oops' }, 'error', true],
    [{ api_error_status: 401, result: 'bad key' }, 'error', false],
    [{ api_error_status: 400, result: 'Prompt is too long' }, 'error', false],
    [{ api_error_status: 404, result: 'no such model' }, 'error', false],
    [{ result: 'API Error: Connection dropped' }, 'error', true],
    // Before the client had fields for it.
    [{ result: 'API Error (429 {"type":"error"})' }, 'rate-limit', true],
    [{ result: 'Claude AI usage limit reached' }, 'rate-limit', true],
    [{ result: 'API Error: Overloaded' }, 'overloaded', true],
    [{ result: 'Invalid API key · Please run /login' }, 'error', false],
  ])('%j is %s', (more, kind, again) => {
    expect(failureOf({ result: result(more) })).toMatchObject({ error: { class: kind }, again });
  });

  it('what the client was told about when to come back is believed where it waits', () => {
    const limited = failureOf({ result: result({ api_error_status: 429 }), retryAfter: 7000 });
    expect(limited?.error.retryAfter).toBe(7000);
    const broken = failureOf({ result: result({ api_error_status: 500 }), retryAfter: 7000 });
    expect(broken?.error).not.toHaveProperty('retryAfter');
  });

  it('the message before it says what kind it was, where the result does not', () => {
    expect(failureOf({ result: result({ result: 'x' }), said: 'rate_limit' })?.error.class).toBe(
      'rate-limit',
    );
  });

  it('a wrong key is told with what to do', () => {
    const { error } = failureOf({ result: result({ api_error_status: 401, result: 'bad key' }) }) ?? {};
    expect(error?.hint).toContain('ANTHROPIC_API_KEY');
    expect(error?.details).toEqual({ api_status: 401 });
  });
});

describe('an end that is no success', () => {
  it.each(['error_max_turns', 'error_max_budget_usd'])(
    '%s is a limit, and trying again is no use',
    (subtype) => {
      const failure = failureOf({ result: result({ subtype, errors: ['Reached it'] }) });
      expect(failure).toMatchObject({ error: { class: 'limit', message: 'Reached it' }, again: false });
      expect(failure?.error.hint).toContain('`params`');
    },
  );

  it('a schema that was never met is work that is not done, no failure of the dispatch', () => {
    expect(failureOf({ result: result({ subtype: 'error_max_structured_output_retries' }) })).toBeUndefined();
  });

  it('says what there is to say, on one line, however long', () => {
    const errors = ['No conversation\nfound with session ID: x', 7];
    expect(failureOf({ result: result({ subtype: 'error_during_execution', errors }) })?.error).toMatchObject(
      {
        message: 'No conversation found with session ID: x',
        hint: expect.stringContaining('fresh'),
      },
    );
    expect(failureOf({ result: result({ result: 'x'.repeat(9000) }) })?.error.message.length).toBeLessThan(
      600,
    );
    expect(failureOf({ result: result({}) })?.error.message).toContain('gave no reason');
  });
});

it('a success is none', () => {
  expect(failureOf({ result: result({ is_error: false, result: 'done' }) })).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';

describe('what a failed turn means', () => {
  // As codex 0.166.0 says it for the answer of an API.
  it.each([
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate-limit'],
    ['You’ve hit your usage limit. Try again later.', 'rate-limit'],
    ['Quota exceeded. Check your plan and billing details.', 'error'],
    [
      'unexpected status 503 Service Unavailable: overloaded, url: http://127.0.0.1:1/v1/responses',
      'overloaded',
    ],
    ['Selected model is at capacity. Please try a different model.', 'overloaded'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
    ['unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:1/v1/responses', 'error'],
    ['stream disconnected before completion: error sending request', 'error'],
  ])('AG-CODEX-ERRORS: %s', (said, kind) => {
    expect(failureOf(said)).toMatchObject({ class: kind, message: `codex: ${said}` });
  });

  it('takes the sentence out of an answer that is JSON', () => {
    expect(failureOf('{"error":{"type":"invalid_request_error","message":"no such model"}}').message).toBe(
      'codex: no such model',
    );
    expect(failureOf('{"detail":1}').message).toBe('codex: {"detail":1}');
  });

  it.each([
    ['Rate limit reached. Please try again in 1.5s.', 1500],
    ['Rate limit reached. Please try again in 320ms.', 320],
    ['You’ve hit your usage limit. Try again in 2 hours 5 minutes.', 7_500_000],
    ['You’ve hit your usage limit. Try again in 1 day, 1 hour and 1 minute.', 90_060_000],
    ['You’ve hit your usage limit. Try again at 3:05 PM.', undefined],
    ['Something else. Try again in 5s.', undefined],
  ])('when to come back: %s', (said, wait) => expect(failureOf(said).retryAfter).toBe(wait));
});

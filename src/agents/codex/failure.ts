// failure: what codex says when a turn failed → a class of failure, and when to come back where it says so.

import type { FailureClass } from '../../model/entry.ts';
import type { AgentAnswer } from '../../ports/agent.ts';

const CLASSES: [RegExp, FailureClass, string?][] = [
  [
    /quota exceeded|insufficient_quota/i,
    'error',
    'The account has nothing left to spend: see its plan and billing.',
  ],
  [/status:? 429|too many requests|rate.?limit|usage limit/i, 'rate-limit'],
  [/status:? (503|529)|at capacity|high demand|overloaded|server_is_overloaded/i, 'overloaded'],
  [
    /status:? 40[13]|unauthorized|not logged in|missing environment variable/i,
    'error',
    'Log in with `codex login`, or set the key that its provider reads from the environment.',
  ],
];

export function failureOf(said: string): NonNullable<AgentAnswer['error']> {
  const message = readable(said);
  const [, kind = 'error', hint] = CLASSES.find(([pattern]) => pattern.test(said)) ?? [];
  const retryAfter = kind === 'error' ? undefined : waitIn(message);
  return {
    class: kind,
    message: `codex: ${message}`,
    ...(hint !== undefined && { hint }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** An API's refusal is handed on as its whole JSON body. */
function readable(said: string): string {
  try {
    const { error } = JSON.parse(said) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : said;
  } catch {
    return said;
  }
}

const UNITS: [RegExp, number][] = [
  [/^ms|^milli/, 1],
  [/^s/, 1000],
  [/^m/, 60_000],
  [/^h/, 3_600_000],
  [/^d/, 86_400_000],
];

/** `try again in 1.5s`, `in 2 hours 5 minutes`; a time of day is not relied on. */
function waitIn(message: string): number | undefined {
  const [, said] = /again in ((?:[\d.]+ ?[a-z]+[ ,]*(?:and )?)+)/i.exec(message) ?? [];
  let wait: number | undefined;
  for (const [, count, unit = ''] of said?.matchAll(/([\d.]+) ?([a-z]+)/gi) ?? []) {
    const size = UNITS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
    if (size === undefined || Number.isNaN(Number(count))) return wait;
    wait = (wait ?? 0) + Number(count) * size;
  }
  return wait === undefined ? undefined : Math.ceil(wait);
}

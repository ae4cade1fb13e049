// failure: what a result of Claude's that is an error means to us. An error of the API comes as `subtype: "success"`
// with `is_error`, so the subtype alone says nothing.

import type { FailureClass } from '../../model/entry.ts';
import type { AgentAnswer } from '../../ports/agent.ts';
import type { ResultMessage } from './messages.ts';

export interface FailureFacts {
  result: ResultMessage;
  /** `error` of the last assistant message that stood for an error of the API. */
  said?: string;
  /** When to come back, in milliseconds, where the client was told. */
  retryAfter?: number;
}

/** Undefined: it did not fail. `again: false`: the same dispatch would fail in the same way. */
export function failureOf({
  result,
  said,
  retryAfter,
}: FailureFacts): { error: NonNullable<AgentAnswer['error']>; again: boolean } | undefined {
  switch (result.subtype) {
    case 'error_max_turns':
      return limit(
        result,
        'it used up its turns',
        'Raise `max_turns` in `params`, or give the step less to do.',
      );
    case 'error_max_budget_usd':
      return limit(
        result,
        'it used up its budget',
        'Raise `limits.cost` (`lockstep resume RUN --limit cost=…`), or `max_budget_usd` in `params`.',
      );
    // The model never gave what the schema asks for: no failure of the dispatch, but work that is not done.
    case 'error_max_structured_output_retries':
      return undefined;
  }
  if (result.is_error !== true && result.subtype === 'success') return undefined;
  const message = oneLine(result.result || errorsOf(result) || 'claude failed and gave no reason');
  const kind = classOf(result, said, message);
  const status = result.api_error_status ?? undefined;
  const hint = HINTS.find(([pattern]) => pattern.test(`${status ?? ''} ${said ?? ''} ${message}`))?.[1];
  const isTransient = kind !== 'error' || (hint === undefined && (status === undefined || status >= 500));
  return {
    error: {
      class: kind,
      message,
      ...(hint !== undefined && kind === 'error' && { hint }),
      ...(retryAfter !== undefined && kind !== 'error' && { retryAfter }),
      ...(status !== undefined && { details: { api_status: status } }),
    },
    again: isTransient,
  };
}

function limit(result: ResultMessage, otherwise: string, hint: string): ReturnType<typeof failureOf> {
  const message = oneLine(errorsOf(result) || otherwise);
  return { error: { class: 'limit', message, hint }, again: false };
}

function classOf(result: ResultMessage, said: string | undefined, message: string): FailureClass {
  const status = result.api_error_status;
  const type = result.api_error_type;
  if (status === 429 || type === 'rate_limit_error' || said === 'rate_limit') return 'rate-limit';
  if (status === 529 || status === 503 || type === 'overloaded_error' || said === 'overloaded')
    return 'overloaded';
  if (status != null) return 'error';
  // Older clients say it in words only.
  if (/\b429\b|rate.?limit|usage limit reached/i.test(message)) return 'rate-limit';
  return /\b(?:529|503)\b|overloaded/i.test(message) ? 'overloaded' : 'error';
}

const HINTS: [RegExp, string][] = [
  [
    /^40[13]\b|authenticat|api key|\/login|oauth/i,
    'Set ANTHROPIC_API_KEY in the environment of Lockstep, or log in once with `claude`.',
  ],
  [/^404\b|model_not_found/i, 'Look at `model` of the step, its agent and `defaults`.'],
  [/^400\b.*too long|prompt is too long/i, 'Give the step less to read, or a fresh session.'],
  [/No conversation found/i, 'The session is gone from this machine: let the step begin a fresh one.'],
  [/credit balance|billing/i, 'Look at the billing of the account.'],
];

function errorsOf({ errors }: ResultMessage): string {
  return (errors ?? []).filter((error) => typeof error === 'string').join('; ');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

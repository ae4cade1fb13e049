// normalise: a value as the journal will give it back, so that live and replayed state are equal.

import { Fault } from '../model/fault.ts';
import type { Json } from '../model/json.ts';
import { parsedProblem } from '../text/read-json.ts';

/**
 * For a value that another program has parsed. Faults `value-too-deep`, and `number-inexact` where a number in it may
 * have been rounded, or is one that JSON has no way to write.
 */
export function normalise(value: unknown): Json {
  const problem = parsedProblem(value);
  if (problem !== undefined) {
    const code = problem.why === 'depth' ? 'value-too-deep' : 'number-inexact';
    throw new Fault(code, problem.message, { ...(problem.hint !== undefined && { hint: problem.hint }) });
  }
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

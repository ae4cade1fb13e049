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
  if (problem?.why === 'depth') throw new Fault('value-too-deep', problem.message);
  if (problem !== undefined)
    throw new Fault('number-inexact', problem.message, {
      hint: problem.hint,
    });
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

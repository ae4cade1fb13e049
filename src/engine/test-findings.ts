// test-findings: what a look at the tests has found. A file of its own, so that `fold` needs no expressions (as fold-git.ts).

import type { TestFinding } from '../model/evidence.ts';
import { isObject, type Json } from '../model/json.ts';

/** What a look found, of the output of its outcome. */
export function findingsIn(output: Json | undefined): TestFinding[] {
  if (!isObject(output) || !Array.isArray(output.findings)) return [];
  return output.findings.filter(
    (one) => isObject(one) && typeof one.text === 'string',
  ) as unknown as TestFinding[];
}

// approve-words: what a person may answer to `approve`.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Check } from '../../model/workflow.ts';
import { problem, type Subject } from './subject.ts';

export function checkApproveWords(subject: Subject): Diagnostic[] {
  return subject.outline.spots.flatMap(({ step }) =>
    (step.done?.checks ?? []).flatMap((check) =>
      check.kind === 'approve' ? approveWords(subject, check) : [],
    ),
  );
}

const normal = (word: string) => word.trim().toLowerCase();

/** `approve` and `reject` are always understood; a word cannot mean both. */
function approveWords(subject: Subject, check: Check & { kind: 'approve' }): Diagnostic[] {
  const accept = new Set([...check.accept.map(normal), 'approve']);
  const reject = new Set([...check.reject.map(normal), 'reject']);
  const both = [...accept].find((word) => reject.has(word));
  const empty = [...check.accept, ...check.reject].some((word) => normal(word) === '');
  if (both === undefined && !empty) return [];
  const message =
    both === undefined ? 'an empty word cannot be an answer' : `"${both}" would mean both yes and no`;
  const key = check.reject.some((word) => normal(word) === (both ?? '')) ? 'reject' : 'accept';
  return [problem(subject, 'error', [check, key], { code: 'approve-words', message })];
}

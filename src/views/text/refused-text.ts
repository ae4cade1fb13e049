// refused-text: what lay in an inbox and was not acted on, as the end of a sentence.

import type { Entry } from '../../model/entry.ts';

export function refusedText({ asked, by, question, why }: Entry & { kind: 'message-refused' }): string {
  if (asked === undefined) return `what lay in its inbox: ${why}.`;
  const at = question === undefined ? '' : ` to ${question}`;
  const whose = by === undefined ? '' : ` in the name of ${by}`;
  return `${asked === 'answer' ? 'an answer' : `a ${asked}`}${at}${whose}: ${why}.`;
}

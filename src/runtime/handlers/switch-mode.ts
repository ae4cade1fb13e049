// switch-mode: { mode }. No client lets a hook switch its mode, so the model is told how to work. What holds it are the tools of
// the step. Gives the mode.

import { textArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { givenTo, sessionOf } from './live-call.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  plan: 'Read and plan; change no file and run nothing that changes anything, until you are told that the plan is accepted.',
  default: 'Work as usual.',
  normal: 'Work as usual.',
  acceptedits: 'Edit files as the work needs it.',
};

export function switchMode(call: HandlerCall): Handled {
  sessionOf(call);
  const mode = textArgument(givenTo(call), 'mode');
  const known = mode.toLowerCase().replace(/[^a-z]/g, '');
  const meaning = Object.hasOwn(MEANINGS, known) ? ` ${MEANINGS[known]}` : '';
  return { output: mode, say: `You work in the mode "${mode}" from here on.${meaning}` };
}

// status: where a session is, in words for a person.

import { currentHanded } from '../../engine/engine.ts';
import { withoutMarks } from '../../model/mask-mark.ts';
import type { State } from '../../model/state.ts';

export function statusText(state: State, run: string): string {
  const { name } = state.root.scope.workflow;
  const where = placeText(state);
  return `Lockstep: ${name} (run ${run}): ${where}`;
}

function placeText(state: State): string {
  if (state.status === 'completed') return 'completed';
  if (state.status === 'failed') return `failed: ${state.error?.message ?? 'no reason is on record'}`;
  if (state.status === 'cancelled') return 'cancelled';
  const [question] = state.questions.values();
  if (question) return `waits for you at ${question.open.path}: ${question.text}`;
  const handed = currentHanded(state);
  if (!handed) {
    const [effect] = state.running.keys();
    return effect === undefined ? 'watches this session' : `at work on ${effect}`;
  }
  const { open } = handed;
  const { visit, changed } = state.live ?? {};
  const checks = open.step.done?.checks.length ?? 0;
  const counts = visit ? `, ${visit.actions} tool calls` : '';
  const held = changed && changed.length > 0 ? `; held because ${changed.join(', ')} changed` : '';
  const why = open.feedback.length > 0 ? `; last sent back: ${withoutMarks(open.feedback).join('; ')}` : '';
  return `at ${open.path}${counts}${checks > 0 ? `, ${checks} ${checks === 1 ? 'check' : 'checks'} to meet` : ''}${held}${why}`;
}

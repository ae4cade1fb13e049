// override: what a person said about failures when the run was started or resumed. It goes before what the workflow
// says for all its steps, and after what a step says for itself.

import type { State } from '../model/state.ts';
import type { OnFail, Retry, Step } from '../model/workflow.ts';

export function onFailOf({ overrides }: State, step: Step): OnFail | undefined {
  const isOwn = step.onFail !== undefined && step.onFailInherited !== true;
  return isOwn ? step.onFail : (overrides.on_error ?? step.onFail);
}

/** Only prompts: a command that is not known to bear it is never started twice on somebody's word for all. */
export function retryOf({ overrides }: State, { retry, work }: Step): Retry {
  if (retry.own || work.kind !== 'prompt') return retry;
  return {
    max: overrides.max_retries ?? retry.max,
    delay: overrides.retry_delay_ms ?? retry.delay,
    on: retry.on,
  };
}

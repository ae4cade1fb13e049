// step-name: what a step answers to where a person names it.

import type { Step } from './workflow.ts';

/** Names that are ids are, of whichever step has them. */
const ID = /^[A-Za-z0-9_-]+$/;

/** Its id; or, of a step that was translated, the name it has in its own language, where that cannot be an id of ours. */
export function isCalled({ id, labels }: Pick<Step, 'id' | 'labels'>, name: string): boolean {
  if (name === id) return true;
  return labels.name === name && (name === 'end' || !ID.test(name));
}

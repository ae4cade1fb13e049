// changed-text: what a live session is told that changed files it may not write. A file of its own, so that `fold` needs no
// expressions: the page folds in the browser, and CEL would be most of what it loads.

import type { State } from '../model/state.ts';

export function changedText({ live }: State): string {
  const files = live?.changed ?? [];
  const named = files.slice(0, 5).join(', ');
  const more = files.length > 5 ? ` and ${files.length - 5} more` : '';
  return `a command changed ${named}${more}, which this step may not write. Put that back as it was; the step goes on when it is, or when the person lets it stand (lockstep workflow phase)`;
}

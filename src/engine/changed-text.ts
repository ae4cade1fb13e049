// changed-text: what a live session is told that changed files it may not write. A file of its own, so that `fold` needs no
// expressions: the page folds in the browser, and CEL would be most of what it loads.

import type { State } from '../model/state.ts';

function named(files: readonly string[]): string {
  return `${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`;
}

/** Of what changed while no command ran. */
export function besideText(files: readonly string[]): string {
  return `${named(files)} changed between commands, and this step may not write that. A person may have done it. If something that you started did, end it, and put back what it changed`;
}

export function changedText({ live }: State): string {
  return `a command changed ${named(live?.changed ?? [])}, which this step may not write. Put that back as it was; the step goes on when it is, or when the person lets it stand (lockstep workflow phase)`;
}

// resets: a variable that is counted on the way into a phase, and set to the same value each time the phase is entered. The phase
// then never sees the count. It is translated as it is written, and told.

import { nodeSpan, stringOf } from '../../source/read/node.ts';
import type { ForeignAction } from './outline.ts';
import type { Translation } from './translation.ts';

export function reportResets({ outline, to }: Translation): void {
  for (const phase of outline.phases) {
    const counted = outline.phases
      .flatMap(({ transitions }) => transitions)
      .filter((each) => each.to === phase.name)
      .flatMap(({ actions }) => actions.filter(({ name }) => name === 'increment_variable').map(named));
    for (const action of phase.enter) {
      const name = named(action);
      if (action.name !== 'set_variable' || name === undefined || !counted.includes(name)) continue;
      if (to.entry(action.node, 'when') !== undefined) continue;
      to.report.warn(
        'variable-reset',
        nodeSpan(to.get(action.node, 'name') ?? action.node),
        `\`${name}\` is set each time the phase "${phase.name}" is entered, so the count on the way there is lost`,
        'Set it where the workflow begins: in `variables`.',
      );
    }
  }
}

function named({ node }: ForeignAction): string | undefined {
  return stringOf(node.entries.get('name')?.value);
}

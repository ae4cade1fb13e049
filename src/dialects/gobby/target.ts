// target: the phase that a name means.

import { type Node, nodeSpan } from '../../source/read/node.ts';
import { closest } from '../../text/closest-name.ts';
import type { Translation } from './translation.ts';

/** What everybody calls the end, though no phase has the name. */
const ENDS = ['complete', 'completed', 'done', 'end', 'finish', 'finished'];

/** A phase that is not there ends the workflow. */
export function targetId(name: string, at: Node, { outline, to, told }: Translation): string {
  const phase = outline.phases.find((each) => each.name === name);
  if (phase) return phase.id;
  const key = `phase ${name} ${at.start}`;
  if (!ENDS.includes(name) && !told.has(key)) {
    told.add(key);
    const near = closest(
      name,
      outline.phases.map((each) => each.name),
    );
    to.report.warn(
      'unknown-phase',
      nodeSpan(at),
      `there is no phase "${name}": going there ends the workflow`,
      near === undefined ? undefined : `Did you mean "${near}"?`,
    );
  }
  return 'end';
}

// tell: a path through a workflow, in words.

import type { FlowEdge } from '../flow/graph.ts';
import type { Violation } from './violation.ts';

/** More steps in a row than this, with nothing to note about them, are summed up. */
const SHOWN = 4;

/** `start → verify skipped (if: inputs.fast) → publish` */
export function tellPath({ every, path, beside }: Violation): string {
  const events: string[] = [];
  let plain: string[] = [];
  const flush = () => {
    const [first, last] = [plain[0], plain.at(-1)];
    if (plain.length <= SHOWN || !first || !last) events.push(...plain);
    else events.push(first, `… ${plain.length - 2} more steps …`, last);
    plain = [];
  };
  for (const [index, edge] of path.entries()) {
    if (edge.says === undefined || repeats(path[index - 1], edge)) continue;
    if (edge.how === 'done') plain.push(edge.says);
    else {
      flush();
      events.push(edge.says);
    }
  }
  flush();
  const end = beside ? `${every.path} (in another branch of \`${beside.path}\`)` : every.path;
  return ['start', ...events, end].join(' → ');
}

/** That a step a person has accepted is done goes without saying. */
function repeats(before: FlowEdge | undefined, edge: FlowEdge): boolean {
  return before?.how === 'accepted' && before.to === edge.from && edge.how === 'done';
}

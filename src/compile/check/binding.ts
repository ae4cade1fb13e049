// binding: the names that steps and actions give to values, and where each is bound (rule 1).

import type { Action } from '../../model/workflow.ts';
import type { Flow, NodeKind } from '../flow/graph.ts';
import type { Spot } from '../flow/outline.ts';
import type { Happening } from './position.ts';

export interface Binding extends Happening {
  name: string;
  /** The step that binds it; absent for an event of the session. */
  spot?: Spot;
  /** Whether it is the output of the step itself, whose type is known, or of one of its actions. */
  by: 'step' | 'action';
}

/** All names, each with everything that binds it. The name of an `each` is not among them: it is there or not, by place. */
export function bindingsOf(flow: Flow): ReadonlyMap<string, readonly Binding[]> {
  const found = new Map<string, Binding[]>();
  const bind = (name: string | undefined, binding: Omit<Binding, 'name'>) => {
    if (name === undefined || name === 'vars') return;
    const all = found.get(name) ?? [];
    all.push({ name, ...binding });
    found.set(name, all);
  };
  const { workflow, spots } = flow.outline;
  for (const spot of spots) {
    const { step } = spot;
    const isEach = step.work.kind === 'each';
    const own = spot.scope ? { scope: spot.scope } : {};
    // `enter` and `exit` of an `each` are around every pass, in its scope.
    const inner = isEach ? { scope: spot } : own;
    const actions = (list: readonly Action[], kinds: NodeKind[], scope: { scope?: Spot }) => {
      const nodes = kinds.flatMap((kind) => flow.of(spot, kind));
      for (const action of list) bind(action.output, { spot, by: 'action', nodes, ...scope });
    };
    bind(step.output, { spot, by: 'step', nodes: flow.of(spot, 'done'), ...own });
    actions(step.enter, isEach ? ['pass'] : ['start'], inner);
    actions(step.exit, isEach ? ['passed', 'left'] : ['done', 'failed', 'left'], inner);
    for (const rule of step.next) actions(rule.do, ['done', 'failed'], own);
  }
  for (const list of Object.values(workflow.events)) {
    for (const action of list) bind(action.output, { by: 'action', nodes: [flow.begin] });
  }
  return found;
}

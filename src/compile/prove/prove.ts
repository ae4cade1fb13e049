// prove: (workflow) → the invariants that some path through it would break, each with that path.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Draft } from '../site.ts';

export function prove(_workflow: Workflow, _draft: Draft): Diagnostic[] {
  return [];
}

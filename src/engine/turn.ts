// turn: what one decision looks at.

import type { OpenStep, State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Reader } from './reader.ts';

export interface Turn {
  /** The root workflow, which holds every called one. */
  workflow: Workflow;
  state: State;
  open: OpenStep;
  read: Reader;
}

// turn: what one decision looks at.

import type { OpenStep, State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import { type Reader, readerFor } from './reader.ts';

export class Turn {
  /** The root workflow, which holds every called one. */
  readonly workflow: Workflow;
  readonly state: State;
  readonly open: OpenStep;
  private reader: Reader | undefined;

  constructor(workflow: Workflow, state: State, open: OpenStep) {
    this.workflow = workflow;
    this.state = state;
    this.open = open;
  }

  /** Made when it is first needed: most decisions evaluate nothing. */
  get read(): Reader {
    this.reader ??= readerFor(this.state, this.open);
    return this.reader;
  }
}

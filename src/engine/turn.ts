// turn: what one decision looks at.

import type { OpenStep, State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { ExtraNames } from './bindings.ts';
import { type Absent, type Reader, readerFor } from './reader.ts';

export class Turn {
  /** The root workflow, which holds every called one. */
  readonly workflow: Workflow;
  readonly state: State;
  readonly open: OpenStep;
  private reader: Reader | undefined;
  private readonly absent: Absent | undefined;

  constructor(workflow: Workflow, state: State, open: OpenStep, absent?: Absent) {
    this.workflow = workflow;
    this.state = state;
    this.open = open;
    this.absent = absent;
  }

  /** Made when it is first needed: most decisions evaluate nothing. */
  get read(): Reader {
    this.reader ??= this.reading();
    return this.reader;
  }

  /** With names that only one text sees. */
  reading(extra?: ExtraNames): Reader {
    return readerFor(this.state, this.open, extra, this.absent);
  }
}

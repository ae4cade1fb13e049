// decision: what one decision looks at.

import type { Cut } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { OpenStep, State } from '../model/state.ts';
import type { Templated, Workflow } from '../model/workflow.ts';
import type { ExtraNames } from './bindings.ts';
import { type Absent, type Reader, readerFor } from './reader.ts';

export class Decision {
  /** The root workflow, which holds every called one. */
  readonly workflow: Workflow;
  readonly state: State;
  readonly open: OpenStep;
  /** What the decision read that was made from a part of an output. */
  cuts: Cut[] | undefined;
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
    const touched = (cut: Cut): void => this.touch(cut);
    return readerFor(this.state, this.open, { touched, ...extra }, this.absent);
  }

  /** Values by name; each that was made from a part of an output is told apart. */
  readParts(values: Record<string, Templated>): JsonObject {
    let of = '';
    const read = this.reading({ touched: (cut) => this.touch({ ...cut, of }) });
    const parts: [string, Json][] = [];
    for (const [name, value] of Object.entries(values)) {
      of = name;
      parts.push([name, read.deep(value)]);
    }
    return Object.fromEntries(parts);
  }

  touch(cut: Cut): void {
    this.cuts ??= [];
    if (!this.cuts.some(({ path, of }) => path === cut.path && of === cut.of)) this.cuts.push(cut);
  }
}

// trouble: why an evaluation has no value. Thrown inside this folder only, and turned into an Evaluation at its edge.
// Not Errors: a stack trace would cost more than the whole evaluation, and absence is an everyday thing.

import type { Need } from '../model/entry.ts';
import type { Evaluation } from './evaluation.ts';

/** It cannot be evaluated. `absent` names the value that is not there (rule 16). */
export class Trouble {
  readonly message: string;
  readonly absent: string | undefined;

  constructor(message: string, absent?: string) {
    this.message = message;
    this.absent = absent;
  }
}

/** It depends on facts that nobody has looked at yet. */
export class Missing {
  readonly needs: Need[];

  constructor(needs: Need[]) {
    this.needs = needs;
  }

  and(other: Missing): Missing {
    const known = new Set(this.needs.map(keyOf));
    return new Missing([...this.needs, ...other.needs.filter((need) => !known.has(keyOf(need)))]);
  }
}

/** It does more work than one expression may. Not a Trouble, so that `||` and `exists` cannot go on past it. */
export class Exhausted {
  readonly message = 'the expression does too much work; loop over less, or do it in a step of its own';
}

function keyOf(need: Need): string {
  return `${need.kind}:${need.pattern}`;
}

/** What was thrown, as a result. Anything but our own signals and a full stack is a defect and goes on up. */
export function settle(thrown: unknown): Exclude<Evaluation<never>, { kind: 'value' }> {
  if (thrown instanceof Missing) return { kind: 'needs', needs: thrown.needs };
  if (thrown instanceof Trouble) {
    return thrown.absent === undefined
      ? { kind: 'error', message: thrown.message }
      : { kind: 'error', message: thrown.message, absent: thrown.absent };
  }
  if (thrown instanceof Exhausted) return { kind: 'error', message: thrown.message };
  if (thrown instanceof RangeError) {
    return { kind: 'error', message: 'a value is too large or nested too deeply to be worked on' };
  }
  throw thrown;
}

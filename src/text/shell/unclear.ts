// unclear: thrown by the reader at the first thing that it does not follow for sure. Nothing of such a line counts as
// read: who denies must deny it, and who allows must not allow it.

/** No `Error`: to note the stack, at which nobody looks, would take as long as to read the line. */
export class Unclear {
  readonly message: string;
  /** Where in the line. */
  readonly at: number;

  constructor(why: string, at: number) {
    this.message = why;
    this.at = at;
  }
}

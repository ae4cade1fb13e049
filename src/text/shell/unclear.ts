// unclear: thrown by the reader at the first thing that it does not follow for sure. Nothing of such a line counts as
// read: who denies must deny it, and who allows must not allow it.

export class Unclear extends Error {
  /** Where in the line. */
  readonly at: number;

  constructor(why: string, at: number) {
    super(why);
    this.at = at;
  }
}

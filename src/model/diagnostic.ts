// diagnostic: a problem in a definition, as data. Collected, never thrown; rendered only at the edge.

import type { JsonObject } from './json.ts';

/** Where in a source text. Lines and columns count from 1, offsets from 0 (UTF-16 units). */
export interface Span {
  file: string;
  line: number;
  column: number;
  /** Exclusive end, for the underline in the source frame. */
  endLine: number;
  endColumn: number;
}

export type Severity = 'error' | 'warning';

export interface Diagnostic {
  /** Kebab-case; each has a page under docs/errors/. */
  code: string;
  severity: Severity;
  /** What is wrong, one sentence, no file name (the span has it). */
  message: string;
  span?: Span;
  /** What to do about it: one sentence, e.g. `Did you mean "build"?`. */
  hint?: string;
  /** The same as data, for `--json`. */
  context?: JsonObject;
}

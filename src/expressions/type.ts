// type: what is known of a value before anything has run. Built by compile, used by check.

export type Type =
  | { kind: 'any' }
  | { kind: 'string' | 'int' | 'number' | 'bool' | 'null' }
  | { kind: 'list'; of: Type }
  /** Keys unknown. */
  | { kind: 'map'; of: Type }
  /** Keys known; another key is an error, with `denied` saying why where there is more to say than "unknown". */
  | {
      kind: 'object';
      fields: Record<string, Type>;
      denied?: Record<string, string>;
      /** There may be other keys, of which nothing is known. */
      open?: true;
    };

export interface TypeEnvironment {
  roots: Record<string, Type>;
  /** Names that exist elsewhere but not here, and why: "step `b` is in another branch of `parallel` …". */
  denied: Record<string, string>;
}

/** A problem in an expression or template; offsets are into the source text given. */
export interface ExpressionProblem {
  code: string;
  message: string;
  start: number;
  end: number;
  hint?: string;
  /** Absent: an error. */
  severity?: 'error' | 'warning';
}

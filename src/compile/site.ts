// site: one place in a definition where the language puts CEL or a template, with the way back to its file.

import type { Span } from '../model/diagnostic.ts';
import type { PlaceFound, PlaceNeed } from '../model/library.ts';
import type { Step, Workflow } from '../model/workflow.ts';

/** When in a step's life the text is evaluated: decides which roots (`output`, `status`, `pass`) exist and which steps may have run. */
export type Moment =
  | 'workflow'
  | 'outputs'
  | 'if'
  | 'enter'
  | 'work'
  | 'until'
  | 'done'
  | 'exit'
  | 'next'
  | 'rule'
  | 'event';

export interface Site {
  kind: 'cel' | 'template';
  source: string;
  /** bool: a test; list: what `each` goes over; text/any: a template's result. */
  expects: 'bool' | 'list' | 'any';
  workflow: Workflow;
  step?: Step;
  moment: Moment;
  /** Names that only this text sees (`with` values). When `only` is set it sees nothing else but functions (a prompt that declares inputs). */
  local: string[];
  only: boolean;
  /** A shell reads what it renders to. */
  isShellLine?: boolean;
  /** It is one word of a command that is a list of words: all of them, and which it is. */
  command?: { words: readonly string[]; at: number };
  /** See ScalarNode. */
  lenient?: { quiet: readonly { start: number; end: number }[] };
  /** Offsets in `source` → where that stands in its file (through quotes, escapes and block scalars). */
  locate(start: number, end: number): Span;
}

/** What lowering gives to checking: the workflow, and the way back from its parts to the text. */
export interface Draft {
  workflow: Workflow;
  sites: Site[];
  /** Where a part of the workflow stands. `keys` lead to a field of it; without, its start. */
  span(part: object, ...keys: (string | number)[]): Span;
  /** What a foreign text calls that field; undefined: what we call it. */
  fieldName(part: object, ...keys: (string | number)[]): string | undefined;
  /** Where a path leads; undefined: nobody has looked. */
  found(need: PlaceNeed): PlaceFound | undefined;
}

// row: how one kind of entry is told. Two phrasings and no more: `words`, short, for a line that names its place beside it (the
// log, a terminal, a page), and `story`, a whole sentence, for the audit. The levels say which reader shows it.

import type { Entry, EntryKind } from '../../model/entry.ts';
import type { Change, Outline } from '../outline/shape.ts';
import type { Style } from '../text/line.ts';
import type { Symbols } from '../text/symbols.ts';
import type { LineLevel } from './level.ts';
import type { Sentence } from './sentence.ts';

export type EntryOf<K extends EntryKind> = Extract<Entry, { kind: K }>;

/** What there is to tell with, besides the entry. */
export interface Telling {
  outline: Outline;
  change: Change;
}

/** How a terminal shows it, off one too. */
export interface Shown {
  mark: keyof Symbols;
  style: Style;
  /** quiet: shown always. normal: unless --quiet. verbose: only with --verbose. */
  level: 'quiet' | 'normal' | 'verbose';
  /** Whose line it is; absent: the step of the entry, or the workflow. */
  name?: string;
  /** Instead of `words`, where a line has less room than a log. */
  words?: string;
  /** A live tree shows it anyway: only where there is none. */
  logOnly?: boolean;
  /** What a person said: not shown where they typed it. */
  isAnswer?: boolean;
}

export interface Row<E extends Entry> {
  /** Undefined: what it prepares tells it. */
  story(entry: E, telling: Telling): Sentence | undefined;
  words(entry: E, telling: Telling): string;
  /** Undefined: not in the log. Asked before `words`: a line that is not wanted is not made. */
  log(entry: E, telling: Telling): LineLevel | undefined;
  /** Instead of `words`, where the log says more; several: a line each. */
  logWords?(entry: E, telling: Telling): string | string[];
  /** Undefined: not on a terminal. */
  screen(entry: E, telling: Telling): Shown | undefined;
}

export type Rows<K extends EntryKind> = { [Kind in K]: Row<EntryOf<Kind>> };

/** What no reader shows: the entry that it leads to tells it. */
export const UNTOLD: Row<Entry> = {
  story: () => undefined,
  words: () => '',
  log: () => undefined,
  screen: () => undefined,
};

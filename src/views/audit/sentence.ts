// sentence: what the audit says about one entry.

import type { EntryKind } from '../../model/entry.ts';
import type { Style } from '../text/line.ts';

export interface Sentence {
  text: string;
  tone?: Style;
  /** Reasons, values, warnings: one line each. */
  details?: string[];
}

export interface AuditLine {
  n: number;
  at: number;
  /** Since the run began. */
  after_ms: number;
  kind: EntryKind;
  /** 0 for the run, 1 for its steps, and so on inwards. */
  depth: number;
  path?: string;
  part?: string;
  tone: Style;
  text: string;
  details: string[];
}

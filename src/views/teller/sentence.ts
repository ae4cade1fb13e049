// sentence: what the audit says about one entry, whole.

import type { EntryKind } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { Layer } from '../../model/workflow.ts';
import type { Style } from '../text/line.ts';

/** Which agent or prompt, and where it was found. */
export interface Used {
  name: string;
  /** Absent: it is in the workflow itself. */
  layer?: Layer;
  path?: string;
  hash?: string;
}

/** What an attempt was made with and what came of it, as data. */
export interface AuditFacts {
  agent?: Used;
  prompt?: Used;
  model?: string;
  duration_ms?: number;
  output?: Json;
}

export interface Sentence {
  text: string;
  tone?: Style;
  /** Reasons, values, warnings: one line each. */
  details?: string[];
  facts?: AuditFacts;
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
  facts?: AuditFacts;
}

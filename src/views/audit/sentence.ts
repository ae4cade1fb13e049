// sentence: what the audit says about one entry.

import type { EntryKind } from '../../model/entry.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Outline } from '../outline/shape.ts';
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

/** What the teller remembers: the tree, and what is under way. */
export interface Telling {
  workflow: Workflow;
  outline: Outline;
  /** By place: when it started and what it is, until it ends. */
  attempts: Map<string, { path: string; part?: string; at: number; verb: string }>;
}

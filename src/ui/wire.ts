// wire: what the server and the page say to each other, as JSON. The page imports these types and nothing else of the server.

import type { RunRow } from '../hosting/run-row.ts';
import type { Json } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Question } from '../views/step-record.ts';

export interface ProjectFacts {
  /** The name of its folder. */
  name: string;
  root: string;
  version: string;
  /** Whether questions can be answered here (`--answer`), and in whose name. */
  answers: boolean;
  user: string;
}

/** A run in the list. `held`: a process runs it now. */
export interface ListedRun extends RunRow {
  held: boolean;
}

/** A question that waits for a person. */
export interface WaitingQuestion {
  run: string;
  workflow: string;
  /** The entry that asks: an answer names it. */
  asked: number;
  question: Question;
}

/** What changed of the list since the last time; the first time, all of it. */
export interface ListChange {
  all?: true;
  runs: ListedRun[];
  gone: string[];
}

/** What a page is given of a run besides its journal. */
export interface RunFacts {
  id: string;
  location: string;
  workflow: Workflow;
  held: boolean;
}

export interface GivenAnswer {
  path: string;
  asked: number;
  answer: Json;
  note?: string;
  /** The digest of what was shown, of an approval. */
  shown?: string;
}

/** A workflow that the library has. */
export interface ListedWorkflow {
  name: string;
  layer: string;
  path: string;
  description: string;
}

export interface ShownWorkflow {
  /** Absent: it does not compile. */
  workflow?: Workflow;
  diagnostics: { severity: string; code: string; message: string; where: string; hint?: string }[];
}

/** What a run used, by what used it. */
export interface CostLine {
  run: string;
  workflow: string;
  /** The day it began, in UTC. */
  day: string;
  step: string;
  gate: string | null;
  model: string;
  calls: number;
  input: number;
  output: number;
  cost: number;
  unpriced: number;
}

/** What an exported file holds. */
export interface ExportedRun {
  facts: RunFacts;
  project: ProjectFacts;
  exportedAt: number;
  /** As they lie in the journal, to the byte. */
  lines: string[];
  logs: Record<string, string>;
}

// guide: the drive in which a connected client does the work of prompts, and the engine decides whether that was enough.

import type { StartRequest } from '../../hosting/hosting.ts';
import type { Failure, QuestionKind, Shown } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { RunStatus } from '../../model/state.ts';

export interface Guide {
  /** Makes the run and takes its first turns. Faults as startRun has them. */
  start(request: StartRequest): Promise<Turn>;
  /** Journals the claim (or finds it journaled) and goes on until the next handing, question or end. */
  claim(id: string, claim: GivenClaim): Promise<Turn>;
  /** Where it is; goes on where a person has answered meanwhile. Changes nothing else. */
  look(id: string): Promise<Turn>;
  /** Input has ended: what is under way is finished, bounded, and the runs are given back. */
  close(): Promise<void>;
}

/** What a client hands in as the work of a step. */
export interface Claim {
  notesMarkdown?: string;
  artifacts?: Json[];
  context?: JsonObject;
  answer?: Json;
}

export interface GivenClaim {
  path: string;
  try: number;
  claim: Claim;
  by: string;
  session?: string;
  /** Names the claim: the same id is the same claim. */
  message: string;
}

export interface OpenQuestionView {
  path: string;
  kind: QuestionKind;
  text: string;
  choices?: Json[];
  shown?: Shown;
}

export interface Turn {
  run: {
    id: string;
    workflow: string;
    status: RunStatus;
    workspace: string;
    branch: string;
    location: string;
  };
  /** What to do now; absent where the run has ended, waits for a person only, or works. */
  handed?: {
    path: string;
    try: number;
    step: string;
    title?: string;
    prompt: string;
    system?: string;
    agent?: string;
    model?: string;
    schema?: JsonObject;
    workspace?: string;
    /** Why the last try was not accepted. */
    reasons: string[];
  };
  questions: OpenQuestionView[];
  /** A check or command of ours is still under way after 20 s. */
  working?: { path: string; part?: string; what: string; sinceMs: number };
  /** Of `claim`: what became of it. */
  claim?: { status: 'taken' | 'known' | 'refused'; code?: string; why?: string; by?: string };
  warnings: string[];
  outputs?: JsonObject;
  error?: Failure;
}

// test-means: what tests of workflows are given by whoever runs them: definitions as `lockstep run` would read them, and
// means to run them that stand in a scratch project.

import type { Definitions } from '../drivers/run/load.ts';
import type { Hosting, StartRequest } from '../hosting/hosting.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Skips } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';
import type { OwnGit } from '../ports/git.ts';

/** The definitions are those of the project that the tests are in. */
export interface TestMeans extends Definitions {
  git: OwnGit;
  /** Ours; a case gets it without what is Lockstep's own, and with what it says itself. */
  environment: Record<string, string>;
  stand(folder: string): Promise<Stand>;
}

/** Standing in a scratch project. */
export interface Stand {
  hosting: Hosting;
  /** As the command line would: typed, files read, what is wrong told. */
  give(workflow: Workflow, given: Given): Promise<Resolved>;
}

export type Resolved = Pick<StartRequest, 'inputs' | 'vars' | 'found'> & { problems: Diagnostic[] };

export interface Given {
  inputs: JsonObject;
  vars: JsonObject;
  skips: Skips;
}

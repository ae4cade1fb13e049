// basis: whose word a part of the report is. RP1: what Lockstep saw itself and what somebody claims are never mixed, and every
// line says which it is.

import type { Report } from './shape.ts';

/** `seen`: by Lockstep itself: it ran it, counted it, or asked git or a person. `claimed`: an agent says so. */
export type Basis = 'seen' | 'claimed';

/** Of each part of the report; `each`: every item of it says it. */
export const BASIS = {
  ...{
    run: 'seen',
    workflow: 'seen',
    workflowFile: 'seen',
    status: 'seen',
    startedAt: 'seen',
    endedAt: 'seen',
  },
  ...{ runTimeMs: 'seen', resumes: 'seen', handed: 'seen', holds: 'seen', reviewedByAuthor: 'seen' },
  ...{
    endedBy: 'seen',
    error: 'seen',
    inputs: 'seen',
    stepSummary: 'seen',
    more: 'seen',
    checkpoints: 'seen',
  },
  ...{ commands: 'seen', filesChanged: 'seen', filesDeleted: 'seen', branch: 'seen', worktree: 'seen' },
  ...{
    base: 'seen',
    branches: 'seen',
    commits: 'seen',
    overrides: 'seen',
    doubts: 'seen',
    questions: 'seen',
  },
  ...{ warnings: 'seen', references: 'seen', cuts: 'seen', failures: 'seen', failureCount: 'seen' },
  ...{ continuedPast: 'seen', spending: 'seen', models: 'seen', location: 'seen', next: 'seen' },
  ...{ tasks: 'claimed', claims: 'claimed', certified: 'claimed', fixes: 'claimed', requirements: 'claimed' },
  ...{ publication: 'claimed', outputs: 'claimed', steps: 'each', reviews: 'each' },
  ...{ denied: 'seen', deniedCount: 'seen', evidence: 'seen' },
} as const satisfies Record<Exclude<keyof Report, 'basis'>, Basis | 'each'>;

/** For people. */
export function marked(words: string, by: Basis): string {
  return `${words} *(${by})*`;
}

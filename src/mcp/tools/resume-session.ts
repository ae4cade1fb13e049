// resume-session: the runs that a client may go on with, where it has no token any more.

import type { JsonObject } from '../../model/json.ts';
import { type Candidate, candidatesFor } from '../candidates.ts';
import { orRefused } from '../refusal.ts';
import { choice, list, map, object, orNull, text, type ValueOf, whole } from '../schema.ts';
import { LOOKS, tool } from '../tool.ts';
import { WORKSPACE } from './workspace.ts';

const MOST = 5;

const CANDIDATE = object(
  {
    resumeToken: text('continue_workflow takes it with intent "rehydrate".'),
    runId: text('The run.'),
    sessionId: text('The same.'),
    workflowId: text('Which workflow.'),
    status: text('How it stands.'),
    gitBranch: text('The branch it works on.'),
    pendingStep: text('The step that is to be done.'),
    lastActivity: text('ISO 8601.'),
    confidence: choice(['strong', 'medium', 'weak'], 'How likely it is the one.'),
    matchExplanation: text('Why, in a sentence.'),
    whyMatched: list(text('One.'), 'The same, one by one.'),
  },
  [
    'resumeToken',
    'runId',
    'sessionId',
    'workflowId',
    'status',
    'gitBranch',
    'lastActivity',
    'confidence',
    'matchExplanation',
    'whyMatched',
  ],
);

export const resumeSession = tool({
  title: 'Find a run to go on with',
  description:
    'Lists at most five runs that you may want to go on with, the likeliest first, each with why and a token. Use it when you have no continueToken: after a restart, in a new session, or where a token was refused.',
  input: object(
    {
      query: text('Words that describe the work.', { most: 1000 }),
      runId: text('The run, where it is known.', { most: 200 }),
      sessionId: text('The same.', { most: 200 }),
      gitBranch: text('The branch that is checked out.', { most: 500 }),
      gitHeadSha: text('The commit that is checked out.', { most: 100 }),
      workspacePath: WORKSPACE,
    },
    [],
  ),
  output: orRefused(
    object(
      {
        candidates: list(CANDIDATE, 'At most five.'),
        totalEligible: whole('How many runs can be gone on with.'),
        nextCall: orNull(map('tool and params.')),
      },
      ['candidates', 'totalEligible', 'nextCall'],
    ),
  ),
  annotations: LOOKS,
  async call({ query, runId, sessionId, gitBranch, gitHeadSha, workspacePath }, context) {
    const place = await context.at(workspacePath);
    const all = await candidatesFor(place, { query, runId: runId ?? sessionId, gitBranch, gitHeadSha });
    const candidates = all
      .slice(0, MOST)
      .map((one) => shown(one, context.tokens().make('st', { run: one.run, path: '', try: 0, n: 0 })));
    const [first] = candidates;
    const nextCall: { tool: string; params: JsonObject } = first
      ? {
          tool: 'continue_workflow',
          params: { continueToken: first.resumeToken, intent: 'rehydrate', workspacePath: place.root },
        }
      : { tool: 'list_workflows', params: { workspacePath: place.root } };
    const value = { candidates, totalEligible: all.length, nextCall };
    const lines = candidates.map(
      (one) =>
        `- ${one.runId} (${one.workflowId}, ${one.status}${one.pendingStep === undefined ? '' : `, at ${one.pendingStep}`}): ${one.matchExplanation}`,
    );
    const head = candidates.length === 0 ? 'There is no run here to go on with.' : 'Runs to go on with:';
    return {
      value,
      text: [head, ...lines, `Next: call ${nextCall.tool} with ${JSON.stringify(nextCall.params)}`].join(
        '\n',
      ),
    };
  },
});

function shown(one: Candidate, resumeToken: string): ValueOf<typeof CANDIDATE> {
  const { run, workflow, status, branch, step, updated, score, why } = one;
  return {
    ...{ resumeToken, runId: run, sessionId: run, workflowId: workflow, status, gitBranch: branch },
    ...(step !== undefined && { pendingStep: step }),
    lastActivity: updated,
    confidence: score >= 50 ? 'strong' : score >= 5 ? 'medium' : 'weak',
    matchExplanation: why.length > 0 ? `${why.join('; ')}.` : 'it has not ended.',
    whyMatched: why,
  };
}

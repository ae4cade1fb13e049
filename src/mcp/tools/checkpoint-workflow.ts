// checkpoint-workflow: a token to come back with. Everything that was handed in is durable already; a checkpoint is a place to
// name.

import { findPlace } from '../find-place.ts';
import { orRefused, Refused } from '../refusal.ts';
import { map, object, text } from '../schema.ts';
import { LOOKS, tool } from '../tool.ts';
import { WORKSPACE } from './workspace.ts';

export const checkpointWorkflow = tool({
  title: 'Checkpoint a workflow',
  description:
    'Gives a token by which this or another session can come back to the run as it is now. What was handed in is durable without it. The same checkpointToken always gives the same answer.',
  input: object(
    { checkpointToken: text('Of the last answer, as it is.', { most: 8192 }), workspacePath: WORKSPACE },
    ['checkpointToken'],
  ),
  output: orRefused(
    object(
      {
        checkpointNodeId: text('Names the place: the run, the step and the try.'),
        resumeToken: text('continue_workflow takes it with intent "rehydrate".'),
        nextCall: map('tool and params.'),
      },
      ['checkpointNodeId', 'resumeToken', 'nextCall'],
    ),
  ),
  annotations: LOOKS,
  async call({ checkpointToken, workspacePath }, context) {
    const found = await findPlace(context, checkpointToken, ['ck'], workspacePath);
    if (found.problem) {
      const { code, message, suggestedFix } = found.problem;
      throw new Refused({ code, message, suggestedFix });
    }
    const { run, path, try: tried } = found.token;
    const resumeToken = context.tokens().make('st', found.token);
    const checkpointNodeId = path === '' ? run : `${run}:${path}:${tried}`;
    const nextCall = {
      tool: 'continue_workflow',
      params: { continueToken: resumeToken, intent: 'rehydrate' },
    };
    return {
      value: { checkpointNodeId, resumeToken, nextCall },
      text: `Checkpoint ${checkpointNodeId}. To come back: call continue_workflow with ${JSON.stringify(nextCall.params)}`,
    };
  },
});

// dispatch: what every piece of dispatched work carries, whoever performs it.

import type { RunCommand } from '../../model/command.ts';
import type { EntryBody } from '../../model/entry.ts';
import type { Capture, Done, Reads } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { gitOrders } from '../git-orders.ts';
import type { Reader } from '../reader.ts';
import { workspaceOf } from '../worktree.ts';

type Started = Extract<EntryBody, { kind: 'attempt-started' }>;
type Common = Omit<RunCommand, 'kind' | 'command' | 'stdin'>;

/** What actions and checks say is text, whatever the work of the step is read as. */
const AROUND: Capture = { as: 'text', limit: 1024 * 1024, onParseError: 'keep' };

export function dispatchOf(
  decision: Decision,
  verb: string,
  part?: string,
): { started: Started; dispatch: Common } {
  const { state, open } = decision;
  const { step } = open;
  const isWork = part === undefined;
  const started: Started = {
    kind: 'attempt-started',
    path: open.path,
    part,
    verb,
    try: open.try,
    title: isWork && step.title !== undefined ? decision.read.text(step.title) : undefined,
  };
  const dispatch: Common = {
    path: open.path,
    part,
    try: open.try,
    env: step.env,
    secrets: step.secrets,
    timeout: step.timeout ?? state.limits.step,
    capture: isWork ? step.capture : AROUND,
    saveTo: isWork && step.saveTo !== undefined ? decision.read.text(step.saveTo) : undefined,
    reads: isWork && step.reads ? resolveReads(step.reads, decision.read) : undefined,
  };
  const workspace = workspaceOf(state, open);
  if (workspace) dispatch.workspace = workspace;
  const git = gitOrders(state, open);
  if (git) dispatch.git = git;
  if (open.again && open.again.part === part) dispatch.again = true;
  if (isWork && step.done) addSchema(dispatch, step.done, decision.read);
  if (isWork && step.gate?.program) dispatch.review = step.gate.program;
  if (isWork && step.gate?.again === 'changed') dispatch.mark = true;
  return { started, dispatch };
}

function addSchema(dispatch: Common, { checks }: Done, read: Reader): void {
  for (const check of checks) {
    if (check.kind === 'schema') dispatch.schema = { name: check.name, schema: check.schema };
    else if (check.kind === 'schema-file') dispatch.schemaFile = read.text(check.path);
  }
}

function resolveReads(reads: Reads, read: Reader): Common['reads'] {
  return {
    files: read.texts(reads.files),
    optional: read.texts(reads.optional),
    inject: reads.inject,
    instruction: reads.instruction === undefined ? undefined : read.text(reads.instruction),
    position: reads.position,
  };
}

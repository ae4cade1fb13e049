// changed: `policy.on_changed: refuse`: a run does not go on once the file it was made from says something else. (What is
// pinned would run all the same, S2; this policy is for people who want to know.)

import { resolve } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { Hosting } from './hosting.ts';
import type { Pinned } from './pinned.ts';

export function refuseChanged(
  services: Pick<Hosting, 'readDefinition' | 'hash'>,
  pinned: Pinned,
  shown: string,
  id: string,
): void {
  const [main] = pinned.workflow.sources;
  if (pinned.workflow.policy.onChanged !== 'refuse' || !main || !services.readDefinition) return;
  const path = pinned.workflow_path ?? resolve(pinned.started_in ?? pinned.workspace, shown);
  const text = services.readDefinition(path);
  const now = text === undefined ? undefined : services.hash(text);
  if (now === main.hash) return;
  const became = now === undefined ? 'cannot be read now' : `is sha256:${now} now`;
  throw new Fault(
    'workflow-changed',
    `${shown} has changed since run ${id} started: it was sha256:${main.hash}, and ${became}`,
    {
      hint: `Put the file back as it was, or start anew from the changed one, with the same inputs: lockstep resume ${id} --force-restart`,
      exitCode: 2,
    },
  );
}

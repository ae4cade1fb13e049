// handoff: notes of a person for the next session.

import { leaveNotes } from '../../../drivers/guard/handoff.ts';
import { Fault } from '../../../model/fault.ts';
import type { SessionKey } from '../../../model/live-session.ts';
import { refuseBelowStep } from '../../below-agent.ts';
import type { Services } from '../../services.ts';
import { guardedRuns } from './guarded-runs.ts';

export async function handoff(
  services: Services,
  notes: string,
  options: { session?: string; task?: string[] },
): Promise<number> {
  await refuseBelowStep(services, 'workflow handoff');
  const [sessions, store, project] = await Promise.all([
    services.sessions(),
    services.store(),
    services.projectRoot(),
  ]);
  const known = sessions.find({ project });
  const { session } = options;
  const meant = session === undefined ? known[0] : known.find(({ id }) => id.startsWith(session));
  if (!meant)
    throw new Fault('guard-no-session', 'there is no session of this project to leave notes from', {
      hint: 'Sessions are known from their first event on, once hooks are set up: `lockstep doctor` says whether they are.',
      exitCode: 2,
    });
  const key: SessionKey = { client: meant.client, id: meant.id };
  const run = guardedRuns(sessions, store, project, services.hash).find(
    ({ session: one, lifecycle }) => one.id === key.id && !lifecycle,
  );
  leaveNotes(sessions, key, {
    ...{ project, notes, pendingTasks: options.task ?? [], now: services.clock.now() },
    workflow: run?.workflow ?? '',
    phase: run?.state.handed.keys().next().value ?? '',
    artifacts: Object.fromEntries(run?.state.live?.artifacts ?? []),
  });
  services.stdout.write(
    `The next session of this project gets these notes, once. They are from ${key.client} ${key.id}.\n`,
  );
  return 0;
}

// workflow: which workflow holds the live sessions of a project, and a person's ways out of it. Everything that changes how a
// session is held is refused below the client of a session, and on record with who did it and why.

import { admitGuarded } from '../../drivers/guard/admission.ts';
import { type GuardChoice, NOTHING_CHOSEN } from '../../drivers/guard/choice.ts';
import { endRun, movePhase, noteSwitch, type Person } from '../../drivers/guard/override.ts';
import { statusText } from '../../drivers/guard/status.ts';
import type { Hosting } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import { count } from '../../views/text/words.ts';
import { refuseBelowStep } from '../below-agent.ts';
import { loadOrReport } from '../find-workflow.ts';
import { givenOrReport } from '../given/given.ts';
import type { Services } from '../services.ts';
import { choiceIn, choiceToChange, keepChoice } from './workflow/choice-file.ts';
import { type GuardedRun, guardedRuns, isAway, theOne } from './workflow/guarded-runs.ts';

/** Of sessions that have ended, so many are shown. */
const MOST_AWAY = 3;
const NO_SKIPS = { steps: [], checks: false, dry_run: false };

interface Speaking {
  why?: string;
  session?: string;
}

export async function setWorkflow(
  services: Services,
  name: string,
  options: { lifecycle?: boolean; input?: string[]; var?: string[] },
): Promise<number> {
  await refuseBelowStep(services, 'workflow set');
  const loaded = await loadOrReport(services, name, {});
  if (!loaded) return 2;
  const { workflow } = loaded;
  for (const warning of admitGuarded(workflow, options.lifecycle ? 'lifecycle' : 'steps'))
    services.stderr.write(`warning: ${warning}\n`);
  const given = await givenOrReport(services, workflow, NO_SKIPS, options);
  if (!given) return 2;
  const root = await services.projectRoot();
  const choice = choiceToChange(root);
  const { engineDown: _, ...others } = choice;
  const next: GuardChoice = options.lifecycle
    ? { ...choice, lifecycles: [...new Set([...choice.lifecycles, name])] }
    : {
        ...{ ...others, workflow: name, inputs: { ...given.inputs }, vars: { ...given.vars } },
        ...(workflow.guard.engineDown === 'allow' && { engineDown: 'allow' }),
      };
  keepChoice(root, next);
  services.stdout.write(
    options.lifecycle
      ? `Sessions in this project run ${name} on their events, from the next one on.\n`
      : `Sessions in this project are held to ${name}, from their next event on. One that is at another workflow, or through with one, stays where it is: type /lockstep:run ${name} there.\n`,
  );
  return 0;
}

export async function clearWorkflow(
  services: Services,
  options: Speaking & { lifecycle?: string; all?: boolean },
): Promise<number> {
  await refuseBelowStep(services, 'workflow clear');
  const root = await services.projectRoot();
  const choice = choiceToChange(root);
  const { workflow: _, disabled: _disabled, engineDown: _engineDown, ...rest } = choice;
  const next = options.all
    ? NOTHING_CHOSEN
    : options.lifecycle === undefined
      ? { ...rest, inputs: {}, vars: {} }
      : { ...choice, lifecycles: choice.lifecycles.filter((name) => name !== options.lifecycle) };
  const ended = (await held(services)).filter(
    ({ lifecycle, workflow }) =>
      options.all === true ||
      (options.lifecycle === undefined ? !lifecycle : lifecycle && workflow === options.lifecycle),
  );
  try {
    const hosting = await hostingOf(services);
    for (const { run } of ended)
      await endRun(hosting, run, await person(services, options, 'workflow clear'));
  } finally {
    keepChoice(root, next);
  }
  services.stdout.write(
    `${options.lifecycle ?? 'Sessions'} ${options.lifecycle === undefined ? 'in this project are' : 'is'} let go. ${ended.length === 0 ? 'No run held one.' : `Ended: ${ended.map(({ run }) => run).join(', ')}.`}\n`,
  );
  return 0;
}

export async function workflowStatus(
  services: Services,
  options: { json?: boolean; all?: boolean },
): Promise<number> {
  const root = await services.projectRoot();
  const choice = choiceIn(root);
  const runs = await held(services);
  const { stdout } = services;
  if (options.json) {
    const rows = runs.map((one) => ({
      ...{ run: one.run, client: one.session.client, session: one.session.id, title: one.title },
      ...{ lifecycle: one.lifecycle, workflow: one.workflow, ended: isAway(one) },
      where: statusText(one.state, one.run),
      step: one.state.handed.keys().next().value ?? null,
      question: [...one.state.questions.values()][0]?.text ?? null,
    }));
    stdout.write(
      `${JSON.stringify({ ...choice, disabled: choice.disabled ?? null, sessions: rows }, null, 2)}\n`,
    );
    return 0;
  }
  const chosen = [
    choice.workflow === undefined
      ? 'No workflow holds the sessions of this project.'
      : `Workflow    ${choice.workflow}`,
    ...(choice.lifecycles.length > 0 ? [`Lifecycles  ${choice.lifecycles.join(', ')}`] : []),
    ...(choice.disabled
      ? [
          `Switched off by ${choice.disabled.by} at ${choice.disabled.at}: \`lockstep workflow enable\` switches it on again.`,
        ]
      : []),
  ];
  // Seen last first: these are the ones that are most likely gone on with.
  const hidden = new Set(options.all ? [] : runs.filter(isAway).slice(MOST_AWAY));
  const sessions = runs.filter((one) => !hidden.has(one)).map(sessionText);
  if (hidden.size > 0)
    sessions.push(`${count(hidden.size, 'run')} of sessions that ended before: --all shows them.`);
  stdout.write(
    `${[...chosen, ...(sessions.length > 0 ? ['', ...sessions] : ['No session is held now.'])].join('\n')}\n`,
  );
  return 0;
}

function sessionText(one: GuardedRun): string {
  const { run, session, title, state } = one;
  const called = title === '' ? '' : ` (${title})`;
  return `${session.client} ${session.id}${called}${isAway(one) ? ', which has ended' : ''}\n  ${statusText(state, run)}`;
}

export async function movePhaseOf(
  services: Services,
  step: string,
  options: Speaking & { force?: boolean },
): Promise<number> {
  await refuseBelowStep(services, 'workflow phase');
  const { run, state: before } = theOne(await held(services), options.session);
  const { unmet, state } = await movePhase(await hostingOf(services), run, step, {
    ...(await person(services, options)),
    force: options.force === true,
  });
  if (unmet.length > 0) {
    const at = before.handed.keys().next().value ?? 'its step';
    throw new Fault('step-unmet', `${at} is not done:\n${unmet.map((reason) => `  ${reason}`).join('\n')}`, {
      hint: `--force moves all the same, on record: lockstep workflow phase ${step} --force --why "…"`,
      exitCode: 1,
    });
  }
  services.stdout.write(`${statusText(state, run)}\n`);
  return 0;
}

/** The definition is read again: the session's next event starts a new run of it. */
export async function resetWorkflow(services: Services, options: Speaking): Promise<number> {
  await refuseBelowStep(services, 'workflow reset');
  const { run, session } = theOne(await held(services), options.session);
  const sessions = await services.sessions();
  await endRun(await hostingOf(services), run, await person(services, options, 'workflow reset'));
  sessions.update(session, (record) => ({ ...record, runs: record.runs.filter((one) => one.run !== run) }));
  services.stdout.write(
    `Run ${run} is over. The session begins anew with its next event, from the definition as it is then.\n`,
  );
  return 0;
}

export async function switchGuard(services: Services, on: boolean, options: Speaking): Promise<number> {
  const name = on ? 'workflow enable' : 'workflow disable';
  await refuseBelowStep(services, name);
  const root = await services.projectRoot();
  const { disabled: _, ...choice } = choiceToChange(root);
  const said = await person(services, options);
  const at = new Date(services.clock.now()).toISOString();
  const next = { ...choice, disabled: { by: said.by, at, ...(said.why !== undefined && { why: said.why }) } };
  try {
    // First what holds a session, then what new ones are told by.
    const hosting = await hostingOf(services);
    for (const { run, state } of await held(services))
      if ((state.live?.isOff === true) === on) await noteSwitch(hosting, run, on, said);
  } finally {
    keepChoice(root, on ? choice : next);
  }
  services.stdout.write(
    on
      ? 'Sessions in this project are held again, where they were.\n'
      : 'Nothing is held in this project from now on, in open sessions too. `lockstep workflow enable` switches it on again.\n',
  );
  return 0;
}

/** Actions of a step that is entered may need the session. */
async function hostingOf(services: Services): Promise<Hosting> {
  const [hosting, sessions] = await Promise.all([services.hosting(), services.sessions()]);
  return { ...hosting, sessions };
}

async function held(services: Services): Promise<GuardedRun[]> {
  const [sessions, store, root] = await Promise.all([
    services.sessions(),
    services.store(),
    services.projectRoot(),
  ]);
  return guardedRuns(sessions, store, root, services.hash);
}

async function person(services: Services, { why }: Speaking, otherwise?: string): Promise<Person> {
  const reason = why ?? otherwise;
  const channel = (await services.callers()).channel('command');
  return { by: services.user, channel, ...(reason !== undefined && { why: reason }) };
}

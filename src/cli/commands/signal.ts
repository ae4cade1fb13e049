// signal: send what a `wait: { signal }` waits for. One that is early is kept.

import { readRun, tellRun } from '../../hosting/hosting.ts';
import { Fault } from '../../model/fault.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { readJson } from '../../text/read-json.ts';
import { refuseBelowAgent } from '../below-agent.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { speakOr } from '../speak.ts';

export async function signal(
  services: Services,
  reference: string,
  name: string,
  options: { data?: string; stateDir?: string },
): Promise<number> {
  await refuseBelowAgent(services, 'signal');
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const { state, pinned } = readRun(store, id, services.hash);
  if (state.status === 'completed' || state.status === 'cancelled') {
    throw new Fault('run-ended', `run ${id} is ${state.status}: nothing will wait for a signal`, {
      exitCode: 2,
    });
  }
  const sent = { kind: 'signal', name, data: parseData(options.data), by: services.user } as const;
  const said = await speakOr(services, store, id, sent, async () =>
    tellRun(await services.hosting(options.stateDir), id, sent),
  );
  services.stdout.write(
    'heard' in said
      ? `Sent "${name}" to run ${id}.\n`
      : `Sent "${name}" to run ${id}. Nobody runs it now; it is kept until \`lockstep resume ${id}\`.\n`,
  );
  const hint = unexpected(pinned.workflow, name);
  if (hint !== undefined) services.stderr.write(`warning: ${hint}\n`);
  return 0;
}

/** Sent all the same: the workflow is pinned, but a name may be made while it runs. */
function unexpected(workflow: Workflow, name: string): string | undefined {
  const waited = new Set<string>();
  const visit = (steps: Step[]) => {
    for (const { work } of steps) {
      if (work.kind === 'wait' && work.for === 'signal') waited.add(work.signal);
      if ('steps' in work) visit(work.steps);
    }
  };
  for (const one of [workflow, ...Object.values(workflow.workflows)]) visit(one.steps);
  if (waited.has(name) || [...waited].some((signal) => signal.includes('{{'))) return undefined;
  const told = waited.size === 0 ? 'It waits for none.' : `It waits for: ${[...waited].join(', ')}.`;
  return `no step of "${workflow.name}" waits for a signal "${name}". ${didYouMean(name, waited) ?? told}`;
}

/** JSON where it is JSON, else the text. Fault `input-invalid`. */
function parseData(text: string | undefined): unknown {
  if (text === undefined) return null;
  const read = readJson(text);
  if ('value' in read) return read.value;
  if (read.problem.why === 'syntax') return text;
  throw new Fault('input-invalid', `--data cannot be kept as it was written: ${read.problem.message}`, {
    hint: read.problem.hint,
    exitCode: 2,
  });
}

// doctor: what is here, what each client can be held to, and what to do next; with --canary, whether a client obeys.
// Exit code 0: a workflow can run. 1: something that runs need is wrong, or a canary was not denied.

import {
  type CanaryReport,
  type ClientFacts,
  type ClientName,
  examine,
  findingsOf,
} from '../../doctor/doctor.ts';
import { CAPABILITIES } from '../../model/capabilities.ts';
import { Fault } from '../../model/fault.ts';
import { either } from '../../views/text/words.ts';
import { lookOf } from '../look.ts';
import type { Services } from '../services.ts';
import { runCanary } from './doctor/canary.ts';
import { canaryText, doctorText } from './doctor/doctor-text.ts';
import { libraryFacts } from './doctor/library-facts.ts';

interface DoctorOptions {
  json?: boolean;
  stateDir?: string;
  /** true: the only one there is. */
  canary?: ClientName | true;
  model?: string;
}

export async function doctor(services: Services, options: DoctorOptions): Promise<number> {
  const facts = await examine(await services.doctor(), {
    version: services.version,
    projectRoot: await services.projectRoot(),
    runsFolder: await services.runsFolder(options.stateDir),
    library: await libraryFacts(services),
  });
  const client = options.canary === undefined ? undefined : chosen(facts.clients, options.canary);
  const findings = findingsOf(facts);
  const usable = findings.every(({ level }) => level !== 'problem');
  const look = lookOf(services);
  if (!options.json) services.stdout.write(doctorText(facts, findings, look));
  let canary: CanaryReport | undefined;
  if (client !== undefined) {
    if (!options.json) services.stdout.write(`\n${announcement(client)}\n`);
    canary = await runCanary(services, client, options.model);
    if (!options.json) services.stdout.write(canaryText(canary, look));
  }
  if (options.json) {
    const clients = facts.clients.map((client) => ({ ...client, can: CAPABILITIES[client.name] }));
    const told = { usable, findings, ...facts, clients, ...(canary && { canary }) };
    services.stdout.write(`${JSON.stringify(told, undefined, 2)}\n`);
  }
  return usable && (canary === undefined || canary.verdict === 'enforced') ? 0 : 1;
}

function announcement(client: ClientName): string {
  return `Canary: ${client} is asked to do what is denied. With a key of yours this costs a few tokens.`;
}

/** It may cost money: with several there, a person says which. */
function chosen(clients: ClientFacts[], named: ClientName | true): ClientName {
  const there = clients.filter(({ found }) => found !== undefined).map(({ name }) => name);
  const refuse = (message: string, hint: string) =>
    new Fault('canary-client', message, { hint, exitCode: 2 });
  if (named !== true) {
    if (there.includes(named)) return named;
    const install = clients.find(({ name }) => name === named)?.install;
    throw refuse(`${named} was not found, so it cannot be tried`, `Install it: \`${install}\`.`);
  }
  const [only, another] = there;
  if (only === undefined)
    throw refuse(
      'no client was found, so there is nobody to try',
      'Install one; `lockstep doctor` says how.',
    );
  if (another !== undefined)
    throw refuse(
      `several clients are here (${there.join(', ')}), and a canary asks a model, which may cost something`,
      `Say which: --canary ${either(there)}.`,
    );
  return only;
}

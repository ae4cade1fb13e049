// probe-client: is a client there, does it start, and does it look as if it could reach a model?

import { join } from 'node:path';
import { ask, lastWord } from './ask.ts';
import { CREDENTIALS, isSet } from './credentials.ts';
import type { ClientFacts, ClientName, FoundFacts } from './facts.ts';
import type { ClientSeeker, DoctorParts } from './parts.ts';

/** The slowest takes a second to say its version, and several on a machine that is busy. */
const PATIENCE_MS = 20_000;

export async function probeClient(client: ClientSeeker, parts: DoctorParts): Promise<ClientFacts> {
  const { name, install } = client;
  const { environment } = parts;
  const { variables, addresses } = CREDENTIALS[name];
  const login = loginOf(name, parts);
  const facts: ClientFacts = {
    name,
    install,
    variables: variables.filter((variable) => isSet(environment, variable)),
    addresses: addresses.filter((variable) => isSet(environment, variable)),
    ...(login !== undefined && { login }),
    hooks: client.hooks(),
  };
  if (client.switchedOff) return { ...facts, switchedOff: true };
  const found = client.find();
  if (found === undefined) return facts;
  facts.found =
    found.kind === 'sdk'
      ? {
          via: 'sdk',
          path: found.path,
          ...(found.version === undefined ? { problem: NO_VERSION } : { version: found.version }),
        }
      : await commandFacts(found.path, parts);
  if (name === 'codex' && facts.found.problem === undefined)
    facts.sandbox = await sandboxOf(found.path, parts);
  return facts;
}

const NO_VERSION = 'says no version: is it installed whole?';

async function commandFacts(path: string, parts: DoctorParts): Promise<FoundFacts> {
  const { cwd, environment: env } = parts;
  const said = await ask(parts, { argv: [path, '--version'], cwd, env }, PATIENCE_MS);
  const at = { via: 'command', path } as const;
  if (said.problem !== undefined || said.exitCode !== 0) return { ...at, problem: lastWord(said) };
  const version = /\d+\.\d+(\.\d+)?[\w.+-]*/.exec(said.stdout)?.[0];
  return version === undefined ? { ...at, problem: NO_VERSION } : { ...at, version };
}

/** Codex confines what it runs with means of the system (user namespaces on Linux), and has a command to try them. */
async function sandboxOf(path: string, parts: DoctorParts): Promise<NonNullable<ClientFacts['sandbox']>> {
  const { cwd, environment: env } = parts;
  const said = await ask(parts, { argv: [path, 'sandbox', '--', 'true'], cwd, env }, PATIENCE_MS);
  return said.exitCode === 0 ? { works: true } : { works: false, problem: lastWord(said) };
}

function loginOf(name: ClientName, { environment, machine }: DoctorParts): string | undefined {
  const { home, inHome, file } = CREDENTIALS[name].login;
  const own = environment[home] ?? '';
  // GEMINI_CLI_HOME stands for the home folder, the others for the folder inside it.
  const folder = own === '' ? join(machine.home, inHome) : name === 'gemini' ? join(own, inHome) : own;
  const path = join(folder, file);
  return machine.exists(path) ? path : undefined;
}

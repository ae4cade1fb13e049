// doctor: is everything here that a run needs? Looks at the machine, the project and the clients, and says what to do.
// Owns: what is looked at (probe*.ts), what it means (findings.ts), and the canary (canary.ts): does a client obey?
// Never: prints, changes anything, opens a file that may hold a secret.
//
// D1. Of keys and logins only names and whether they are there are known: no value is read (S3).
// D2. Every question has an end: a client that does not answer is told, and waited for no longer.
// D3. What it means depends on the facts alone.

import { HAZARDS, isSet } from './credentials.ts';
import type { Facts, LibraryFacts } from './facts.ts';
import type { DoctorParts } from './parts.ts';
import { probeClient } from './probe-client.ts';
import { probeGit } from './probe-git.ts';
import { probeHook } from './probe-hook.ts';
import { probeMcp } from './probe-mcp.ts';

export { CANARY_FILES, type CanaryReport, type CanarySeen, canaryWorkflow, judgeCanary } from './canary.ts';
export type { ClientFacts, ClientName, Facts, LibraryFacts } from './facts.ts';
export { type Finding, findingsOf } from './findings.ts';
export type { DoctorParts } from './parts.ts';

export interface Examined {
  version: string;
  runsFolder: string;
  projectRoot: string;
  library: LibraryFacts;
}

export async function examine(parts: DoctorParts, examined: Examined): Promise<Facts> {
  const { machine, environment } = parts;
  const [git, hook, mcp, guard, ...clients] = await Promise.all([
    probeGit(parts),
    probeHook(parts),
    probeMcp(parts),
    parts.guard(),
    ...parts.clients.map((client) => probeClient(client, parts)),
  ]);
  const unwritable = machine.whyUnwritable(examined.runsFolder);
  const free = machine.freeSpace(examined.runsFolder);
  return {
    lockstep: examined.version,
    platform: machine.platform,
    node: machine.node,
    root: examined.projectRoot,
    runs: {
      folder: examined.runsFolder,
      ...(unwritable !== undefined && { unwritable }),
      ...(free !== undefined && { free }),
    },
    git,
    hook,
    mcp,
    library: examined.library,
    clients,
    guard,
    hazards: HAZARDS.filter(({ variable }) => isSet(environment, variable)),
  };
}

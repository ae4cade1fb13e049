// `lockstep doctor`.

import type { Requirement } from '../ledger.ts';

const black = 'test/cli/doctor.test.ts › doctor ›';

export const realAgentsDoctor: Requirement[] = [
  {
    id: 'AG-DOCTOR-CLIENTS',
    requirement:
      '`lockstep doctor` tells the clients found, with path, version, SDK or command, whether a key or login is to be seen (names, never values), and what each can enforce.',
    proof: [
      `${black} AG-DOCTOR-CLIENTS:*`,
      'src/doctor/doctor.test.ts › a client › D1: of keys and logins only names are known',
    ],
  },
  {
    id: 'AG-DOCTOR-NONE',
    requirement: 'Without any client it says what to install, names scripts, and is no error.',
    proof: `${black} AG-DOCTOR-NONE:*`,
  },
  {
    id: 'AG-DOCTOR-BROKEN',
    requirement: 'A client that hangs or fails when asked for its version is told, and waited for no longer.',
    proof: [
      'test/cli/doctor.test.ts › doctor and slow clients › AG-DOCTOR-BROKEN:*',
      'src/doctor/doctor.test.ts › a client',
    ],
  },
  {
    id: 'AG-DOCTOR-MACHINE',
    requirement: 'git, Node, the disk, the folder of the runs, the hook and the library are looked at.',
    proof: [`${black} AG-DOCTOR-MACHINE:*`, 'src/system/machine.test.ts › *'],
  },
  {
    id: 'AG-DOCTOR-HOOK',
    requirement: 'The hook program is asked once, and once with nobody there: it must answer, and must deny.',
    proof: 'src/doctor/doctor.test.ts › AG-DOCTOR-HOOK: the hook',
  },
  {
    id: 'AG-DOCTOR-SANDBOX',
    requirement: 'Whether the sandbox of Codex works on this machine is tried.',
    proof: 'src/doctor/doctor.test.ts › a client › AG-DOCTOR-SANDBOX:*',
  },
  {
    id: 'AG-DOCTOR-EXIT',
    requirement:
      'It ends with 0 where a workflow can run and 1 where something needed is wrong; everything missing says what to do.',
    proof: [
      `${black} AG-DOCTOR-EXIT:*`,
      'src/doctor/findings.test.ts › AG-DOCTOR-EXIT: what keeps runs from working is a problem, the rest is told, and all of it says what to do',
    ],
  },
  {
    id: 'AG-DOCTOR-CANARY',
    requirement:
      '`--canary` provokes a denied call through a client and says whether it was denied; a client that ignores its hooks is found out; one that was not tried is not called enforced.',
    proof: [
      'test/cli/doctor.test.ts › AG-DOCTOR-CANARY: with a stand-in for a client',
      'src/doctor/canary.test.ts › *',
      'e2e/scenarios/doctor.test.ts › doctor --canary: what is denied does not happen',
      'e2e/scenarios/doctor.test.ts › doctor --canary: a model that does not try shows nothing',
    ],
  },
];

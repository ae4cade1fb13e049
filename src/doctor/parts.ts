// parts: what the doctor looks with.

import type { Clock } from '../ports/clock.ts';
import type { OwnGit } from '../ports/git.ts';
import type { HookDoor } from '../ports/hook-door.ts';
import type { Machine } from '../ports/machine.ts';
import type { Processes } from '../ports/processes.ts';
import type { ClientHooks, ClientName, GuardFacts } from './facts.ts';

export interface DoctorParts {
  machine: Machine;
  processes: Processes;
  hookDoor: HookDoor;
  /** How our own command is started. */
  server: string[];
  clock: Clock;
  git: OwnGit;
  environment: Record<string, string>;
  cwd: string;
  guard(): Promise<GuardFacts>;
  /** In the order in which a run looks for one. */
  clients: ClientSeeker[];
}

export interface ClientSeeker {
  name: ClientName;
  /** A command for a person. */
  install: string;
  /** LOCKSTEP_CLIENTS leaves it out. */
  switchedOff: boolean;
  hooks(): ClientHooks;
  find(): { path: string; kind?: 'sdk' | 'cli'; version?: string } | undefined;
}

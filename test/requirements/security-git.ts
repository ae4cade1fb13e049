// security-git: Lockstep's own git runs nobody's code (THREATS.md).

import type { Requirement } from '../ledger.ts';

export const securityGit: Requirement[] = [];

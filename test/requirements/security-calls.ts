// security-calls: what a tool call may touch, whichever client makes it (THREATS.md).

import type { Requirement } from '../ledger.ts';

export const securityCalls: Requirement[] = [];

// security-values: secrets, numbers, cut outputs and screens (THREATS.md).

import type { Requirement } from '../ledger.ts';

export const securityValues: Requirement[] = [];

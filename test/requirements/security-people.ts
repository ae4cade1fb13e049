// security-people: a person's word is a person's (THREATS.md).

import type { Requirement } from '../ledger.ts';

export const securityPeople: Requirement[] = [];

// security-shell: shell lines: values are text, and one reader (THREATS.md).

import type { Requirement } from '../ledger.ts';

export const securityShell: Requirement[] = [];

import type { Requirement } from '../ledger.ts';

// The workrail dialect: what its files mean, and what became of the faults of the original. The guide drive, which hands
// the steps to a connected client, has ids of its own.

/** Any test that names the requirement. */
const named = (id: string, requirement: string): Requirement => ({ id, requirement, proof: `*${id}*` });

export const workrail: Requirement[] = [
  named(
    'RAIL-CLAIM',
    'A step hands in a claim: notes, artifacts, context; notes must be there unless the step says otherwise.',
  ),
  named(
    'RAIL-CONTEXT',
    'The context of a claim becomes vars when the work is accepted; keys that are not declared are kept and harmless.',
  ),
];

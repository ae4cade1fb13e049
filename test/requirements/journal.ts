// journal: what a journal says of itself and of tool calls, and how its entries are told.

import type { Requirement } from '../ledger.ts';

const KEPT = 'test/journals/journals.test.ts';

export const journal: Requirement[] = [
  {
    id: 'LS-JOURNAL-VERSION',
    requirement:
      'The first entry of a journal says which version of the format it is. A journal of a newer version is refused by every command that reads it, with a fault that names both versions and the Lockstep that wrote it, and is not changed.',
    proof: [
      `${KEPT} › LS-JOURNAL-VERSION: a journal of a newer Lockstep`,
      'src/stores/file/file-store.test.ts › fileStore › runs › LS-JOURNAL-VERSION: *',
      'src/stores/memory/memory-store.test.ts › memoryStore › runs › LS-JOURNAL-VERSION: *',
    ],
  },
  {
    id: 'LS-JOURNAL-CORPUS',
    requirement:
      'Journals with every kind of entry, of every version and of the time before versions, are kept for ever: read to the byte they come to what they came to, and those that had not ended go on to the same end.',
    proof: `${KEPT} › LS-JOURNAL-CORPUS: journals that were kept`,
  },
  {
    id: 'LS-CALLS-RECORD',
    requirement:
      'Every tool call of an agent is a line of logs/<step>.calls.jsonl with its verdict, who gave it and by which rule, and where its paths lead; the counts by verdict are in the entry that ends the attempt, and audit shows them.',
    proof: [
      'src/runtime/perform/call-record.test.ts › LS-CALLS-RECORD: every tool call of a dispatch is a line',
      'test/cli/guard.test.ts › LS-CALLS-RECORD: *',
    ],
  },
  {
    id: 'LS-CALLS-CLIENT',
    requirement:
      'A call that a client refused by itself, or made without asking, is on record as that, wherever its stream shows it.',
    proof: [
      'src/agents/claude/tool-calls.test.ts › *LS-CALLS-CLIENT: *',
      'src/agents/claude/claude-agent.test.ts › * › C1: a tool that was not given is refused by the client, which is told as well',
      'src/agents/gemini/gemini-agent.test.ts › the guard › *LS-CALLS-CLIENT: *',
    ],
  },
  {
    id: 'LS-TELLER-TABLE',
    requirement:
      'One table says how each kind of entry is told; the audit, the log and the terminal read it. A kind without a row does not compile.',
    proof: 'src/views/teller.test.ts › LS-TELLER-TABLE: one table from an entry to what is said about it',
  },
  {
    id: 'LS-TELLER-SAME',
    requirement: 'The log and the terminal say the same words of the same entry.',
    proof: 'src/views/teller.test.ts › LS-TELLER-SAME: the log and a terminal say the same',
  },
  {
    id: 'LS-CALLS-BOUNDED',
    requirement: 'The record of calls is masked before it is cut, and bounded; what was left out is counted.',
    proof: 'src/runtime/perform/call-record.test.ts › LS-CALLS-BOUNDED: the record is masked and bounded',
  },
];

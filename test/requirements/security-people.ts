// security-people: a person's word is a person's (THREATS.md).

import type { Requirement } from '../ledger.ts';

const CLI = 'test/cli/people.test.ts';
const CALLERS = 'src/system/callers.test.ts';
const INBOX = 'src/runtime/inbox.test.ts';

export const securityPeople: Requirement[] = [
  {
    id: 'SEC-PEOPLE-BELOW',
    requirement:
      'Below an agent that Lockstep started, answer, cancel, resume, clean, signal and worktree remove are refused for every run, whatever lies between and whatever its environment says; an editor around Lockstep is no agent.',
    proof: [
      `${CLI} › below an agent * › SEC-PEOPLE-BELOW: *`,
      `${CALLERS} › below an agent * › SEC-PEOPLE-BELOW: *`,
    ],
  },
  {
    id: 'SEC-PEOPLE-TABLE',
    requirement:
      'Every command of the command line is either refused below an agent or known to be harmless there.',
    proof: `${CLI} › below an agent * › SEC-PEOPLE-TABLE: *`,
  },
  {
    id: 'SEC-PEOPLE-LEFT',
    requirement: 'A process that an agent left behind is refused, also once nobody runs the run any more.',
    proof: `${CLI} › below an agent * › SEC-PEOPLE-LEFT: *`,
  },
  {
    id: 'SEC-PEOPLE-NESTED',
    requirement:
      'An agent may start a run of its own, and may neither answer it with a command nor at a terminal, nor have old runs removed by it.',
    proof: `${CLI} › below an agent * › SEC-PEOPLE-NESTED: *`,
  },
  {
    id: 'SEC-PEOPLE-STEP',
    requirement: 'The command of a step may send a signal, to its own run too.',
    proof: `${CLI} › below an agent * › SEC-PEOPLE-STEP: *`,
  },
  {
    id: 'SEC-PEOPLE-CHECK',
    requirement:
      'The command of a step, which may run what an agent wrote, does not answer what people are asked.',
    proof: [
      `${CLI} › below an agent * › SEC-PEOPLE-CHECK: *`,
      'src/system/callers.test.ts › a message of another process * › C1: SEC-PEOPLE-CHECK: *',
    ],
  },
  {
    id: 'SEC-PEOPLE-FORGED',
    requirement:
      'A file in the inbox that no lockstep command stands by is refused, on record, and shown on the screen, in status, audit, report and log.',
    proof: [`${CLI} › the inbox * › SEC-PEOPLE-FORGED: *`],
  },
  {
    id: 'SEC-PEOPLE-SEAL',
    requirement:
      'A message is accepted only while the process that it names is alive, stands by exactly this content, and is below no agent.',
    proof: `${CALLERS} › a message of another process * › C1: SEC-PEOPLE-SEAL: *`,
  },
  {
    id: 'SEC-PEOPLE-REPLAY',
    requirement: 'A copy of a message that was taken counts for nothing and is refused on record.',
    proof: [
      `${INBOX} › the inbox › SEC-PEOPLE-REPLAY: *`,
      `${CLI} › the inbox * › SEC-PEOPLE-FORGED: whatever*`,
    ],
  },
  {
    id: 'SEC-PEOPLE-REFUSED',
    requirement: 'No message is dropped in silence: what is not acted on is an entry with the reason.',
    proof: `${INBOX} › the inbox › SEC-PEOPLE-REFUSED: *`,
  },
  {
    id: 'SEC-PEOPLE-PLANTED',
    requirement:
      'Folders, symlinks, pipes, sockets, unreadable and huge files in the inbox end no run, fill no journal, and lead nothing out of the run.',
    proof: [
      `src/stores/file/inbox.test.ts › the inbox › SEC-PEOPLE-PLANTED: *`,
      `${INBOX} › the inbox › SEC-PEOPLE-PLANTED: *`,
    ],
  },
  {
    id: 'SEC-PEOPLE-CHANNEL',
    requirement:
      'Every answer is on record with the channel that was found out, and audit and report show one without a terminal.',
    proof: [
      `${CLI} › the channel of an answer › SEC-PEOPLE-CHANNEL: *`,
      `${INBOX} › the inbox › SEC-PEOPLE-CHANNEL: *`,
    ],
  },
  {
    id: 'SEC-PEOPLE-PAUSE',
    requirement:
      'A word that comes while the run pauses is taken by the holder or by the command itself, and never left lying.',
    proof: `${CLI} › an answer that comes while the run pauses › SEC-PEOPLE-PAUSE: *`,
  },
];

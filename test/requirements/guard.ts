// guard: live sessions that are held to a workflow by hooks (issue 13, seed 003, live.md 3).

import type { Requirement } from '../ledger.ts';

const READ = 'src/clients/read-hook.test.ts';
const ANSWER = 'src/clients/answer-hook.test.ts';
const HOOKS = 'src/clients/hooks.test.ts';

export const guard: Requirement[] = [
  {
    id: 'GOB-HOOK-READ',
    requirement:
      'Every payload that a real client was seen to send to a hook is read into the event that it is; an event that nobody knows is of no concern.',
    proof: [`${READ} › GOB-HOOK-READ*`],
  },
  {
    id: 'GOB-HOOK-PERSON',
    requirement:
      'A prompt that a client sends in a person’s name (a finished background agent, a subagent’s task) is not taken for a person’s (live.md 3.22).',
    proof: [`${READ} › GOB-HOOK-PERSON*`],
  },
  {
    id: 'GOB-HOOK-TWICE',
    requirement:
      'An event that is delivered twice has one delivery id, and two events have two: by the id of the call, its turn and its input; by the time; or by the asking (live.md 3.16).',
    proof: [`${READ} › GOB-HOOK-TWICE*`],
  },
  {
    id: 'GOB-HOOK-HOSTILE',
    requirement:
      'No payload makes the reader fail: without event, session or folder it is a problem; a call that cannot be read is unreadable, and so denied; texts are cut.',
    proof: [`${READ} › GOB-HOOK-HOSTILE*`],
  },
  {
    id: 'GOB-HOOK-OBEYED',
    requirement:
      'No reply that denies or holds is put in a form that its client lets through, whatever its words; a rewritten call is rewritten or refused; what is allowed is not approved in the person’s place.',
    proof: [`${ANSWER} › GOB-HOOK-OBEYED*`],
  },
  {
    id: 'GOB-HOOK-SAY',
    requirement:
      'A text for the model arrives with every event that is said to carry it, is cut before the client cuts it, and says where the rest is; a stop that is not held is not made to go on by it.',
    proof: [`${ANSWER} › GOB-HOOK-SAY*`],
  },
  {
    id: 'GOB-HOOK-INSTALLED',
    requirement:
      'Hooks are installed with time-outs that no client drops or fires at once, longer than our program’s own patience.',
    proof: [`${HOOKS} › GOB-HOOK-INSTALLED*`],
  },
  {
    id: 'GOB-HOOK-CAP',
    requirement: 'The number of stops in a row that each client lets be held is known.',
    proof: [`${HOOKS} › GOB-HOOK-CAP*`],
  },
  {
    id: 'GOB-HOOK-LIMITS',
    requirement: 'What a client cannot be held to is said in sentences, with what is done about it.',
    proof: [`${HOOKS} › GOB-HOOK-LIMITS*`],
  },
  {
    id: 'GOB-HOOK-OWN',
    requirement:
      'Our own MCP tools are known by their exact names under every client’s prefix, and only those of servers that are ours (live.md 3.21).',
    proof: [`${HOOKS} › GOB-HOOK-OWN*`],
  },
];

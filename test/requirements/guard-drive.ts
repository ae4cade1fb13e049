// guard-drive: how a live session is held (issue 13; live.md, sections 3 and 4).

import type { Requirement } from '../ledger.ts';

const DRIVE = 'src/drivers/guard/guard.test.ts';
const guard = (name: string) => `${DRIVE} › guard › ${name}`;
const decided = (name: string) => `${DRIVE} › guard, as live.md section 3 decides › ${name}`;

export const guardDrive: Requirement[] = [
  {
    id: 'GOB-EVENT-ORDER',
    requirement:
      'On one event: lists and rules, the count, at most one `next`, then `done`; a prompt causes one transition.',
    proof: decided('3.2: *'),
  },
  {
    id: 'GOB-DONE-WHEN',
    requirement:
      '`that` is looked at on results, prompts and stops; `run` and `approve` at a stop or when asked for; a look is no try.',
    proof: [decided('3.3: *'), decided('a request of a person, /lockstep:next, *')],
  },
  {
    id: 'GOB-DENIED',
    requirement: 'What the step does not allow is denied with a reason that the agent can act on.',
    proof: guard('denies what the step does not allow, with a reason, and lets the rest happen'),
  },
  {
    id: 'GOB-STOP',
    requirement:
      'A turn does not end while something that a machine can check is unmet, and only then; it is let go after two stops without a tool call, or limits.stop_blocks.',
    proof: [
      guard('holds a stop while a machine can tell *'),
      guard('runs the checks of a step at its stop, *'),
      guard('lets go after two stops without a tool call between them'),
      decided('3.5: *'),
    ],
  },
  {
    id: 'GOB-LONG-CHECK',
    requirement:
      'A check that takes longer than the client waits is joined by the next stop, runs once, and does not count; meanwhile the session reads and does not write.',
    proof: decided('3.4: *'),
  },
  {
    id: 'GOB-APPROVAL',
    requirement:
      'An approval is put to the person, holds tools that write, and is answered by the leading words of a prompt.',
    proof: guard('holds a stop while a machine can tell *'),
  },
  {
    id: 'GOB-TRANSITION',
    requirement:
      'Transitions happen by themselves, on counts and on what the person says; a step may go to itself.',
    proof: [guard('leaves a step by its rule, one for each event'), decided('3.20: *')],
  },
  {
    id: 'GOB-ASK',
    requirement:
      'An `ask` rule denies with the question; an agreeing prompt lets that very call through once.',
    proof: guard('asks a person where a rule says so: *'),
  },
  {
    id: 'GOB-NOT-A-PERSON',
    requirement: 'A prompt that no person sent counts for nothing.',
    proof: guard('a prompt that no person sent counts for nothing'),
  },
  {
    id: 'GOB-RECONCILE',
    requirement:
      'Where a step may not write, what a shell call changed is found, told, and holds the step; a person’s own edits never do.',
    proof: guard('finds what a shell call changed in a step that may not write, *'),
  },
  {
    id: 'GOB-LIFECYCLE',
    requirement:
      'Lifecycle workflows run actions on events until the session ends; `say` is delivered exactly once.',
    proof: [
      guard('runs the actions of events in a lifecycle workflow until the session ends'),
      guard('says the step when the session begins, once'),
      decided('3.17: *'),
    ],
  },
  {
    id: 'GOB-SESSIONS',
    requirement:
      'Two sessions are two runs; resume and compact go on, a fork is a new run; a session is bound at its first event.',
    proof: [guard('two sessions are two runs'), decided('3.6: *'), decided('3.7: *')],
  },
  {
    id: 'GOB-TWICE',
    requirement: 'An event that is delivered twice counts once and gets the same answer, after a crash too.',
    proof: guard('an event that is delivered twice counts once and gets the same answer'),
  },
  {
    id: 'GOB-RECOVERY',
    requirement:
      'A killed daemon loses no phase: what was under way is gone on with, and the step is said again after a compaction.',
    proof: [guard('after a crash of the daemon goes on where it was, *'), decided('3.15: *')],
  },
  {
    id: 'GOB-SAME-WORK',
    requirement:
      'Run, guide and guard accept the same work; a guarded run cut after any entry ends the same.',
    proof: 'src/engine/crash.test.ts › a run in the drive guard',
  },
  {
    id: 'GOB-ONE-WRITER',
    requirement: 'The daemon holds the lease while a session is busy, and gives it back: never two writers.',
    proof: decided('3.1: *'),
  },
  {
    id: 'GOB-LAST-PHASE',
    requirement: 'An open-ended last step completes when the session ends.',
    proof: decided('3.18: *'),
  },
  {
    id: 'GOB-OWN-TOOLS',
    requirement: 'Our own MCP tools are never filtered, and are known by their exact names.',
    proof: decided('3.21: *'),
  },
  {
    id: 'GOB-SETTINGS-HELD',
    requirement: 'A change of settings that could switch hooks off is held for bound sessions.',
    proof: decided('3.23: *'),
  },
  {
    id: 'GOB-WAY-OUT',
    requirement:
      'A person who needs out is out in one command; a fault of ours denies, says the way out, and lets nothing through.',
    proof: [decided('a person who switches it off *'), decided('what goes wrong here denies calls, *')],
  },
  {
    id: 'GOB-WAYS-AROUND',
    requirement:
      'At least 200 ways around: prevented in a step without Bash; prevented, or found in that very step, where Bash is allowed.',
    proof: 'src/drivers/guard/ways-around.test.ts',
  },
  {
    id: 'SEC-LIVE-COMMANDS',
    requirement:
      'Commands that change how a session is held, or speak for a person, are refused below the client of a held session, and of what it left behind, with or without a daemon.',
    proof: ['test/guard/origins.test.ts › below the client of a held session › *SEC-LIVE-COMMANDS: *'],
  },
  {
    id: 'SEC-LIVE-FORGED',
    requirement:
      "An event that a session's client did not send is refused, however it is started from the shell of the model, and nothing of it counts.",
    proof: ['test/guard/origins.test.ts › an event that its client did not send › SEC-LIVE-FORGED: *'],
  },
  {
    id: 'SEC-LIVE-NESTED',
    requirement:
      'A client that the model starts below its own speaks for its own session, and never for a person.',
    proof: ['test/guard/origins.test.ts › an event that its client did not send › SEC-LIVE-NESTED: *'],
  },
];

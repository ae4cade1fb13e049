// Guard: transport and set-up (issue 13): the hook program, the daemon, the installed line, init --client, the plugin, doctor.

import type { Requirement } from '../ledger.ts';

const daemon = 'src/daemon/daemon.test.ts';
const hooks = 'test/guard/hooks.test.ts';
const line = 'test/guard/line.test.ts';
const setUp = 'test/guard/set-up.test.ts';

export const guardSetup: Requirement[] = [
  {
    id: 'GOB-HOOK-DEMAND',
    requirement: '`lockstep hook` starts the daemon on demand and answers in the words of the client.',
    proof: `${hooks} › a hook › GOB-HOOK-DEMAND:*`,
  },
  {
    id: 'GOB-HOOK-UNBOUND',
    requirement: 'An unbound session gets exit code 0 without a word, whatever is broken (live.md 3.14).',
    proof: `${hooks} › a hook › 3.14: GOB-HOOK-UNBOUND:*`,
  },
  {
    id: 'GOB-HOOK-BOUND',
    requirement:
      'A session is held wherever its client has gone since, as long as its project holds sessions.',
    proof: `${hooks} › a hook › GOB-HOOK-BOUND:*`,
  },
  {
    id: 'GOB-HOOK-DOWN',
    requirement:
      'Nobody answers: calls, permissions, stops and changes of settings are refused with text, other events happen with a note; `engine_down: allow` lets through, on record.',
    proof: `${hooks} › a hook › GOB-HOOK-DOWN: when nobody can answer`,
  },
  {
    id: 'GOB-HOOK-SIZE',
    requirement: 'An event that is too large is refused.',
    proof: [`${hooks} › a hook › GOB-HOOK-SIZE:*`, `${daemon} › daemon › D3: one that sends without end*`],
  },
  {
    id: 'GOB-HOOK-RUN',
    requirement:
      'A client that a live run of Lockstep started is that run’s matter; variables alone are not believed (3.13).',
    proof: `${hooks} › a hook › 3.13: GOB-HOOK-RUN: below a run of Lockstep`,
  },
  {
    id: 'GOB-DAEMON-APART',
    requirement:
      'A slow event of one session delays no other; each session is heard in the order of arrival.',
    proof: `${daemon} › daemon › D2: GOB-DAEMON-APART:*`,
  },
  {
    id: 'GOB-DAEMON-IDLE',
    requirement: 'The daemon ends when nothing happens, and not while something is under way.',
    proof: `${daemon} › daemon › D5: GOB-DAEMON-IDLE:*`,
  },
  {
    id: 'GOB-DAEMON-ONE',
    requirement: 'Of several daemons that are started at once one serves.',
    proof: [
      `${daemon} › claim › C1: GOB-DAEMON-ONE:*`,
      `${hooks} › a daemon that is killed › GOB-DAEMON-ONE:*`,
    ],
  },
  {
    id: 'GOB-DAEMON-KILLED',
    requirement: 'The socket of a daemon that was killed is replaced.',
    proof: `${daemon} › claim › C2: GOB-DAEMON-KILLED:*`,
  },
  {
    id: 'GOB-DAEMON-KILL',
    requirement:
      '20 hooks at once, with the daemon killed in the middle: each is answered, and none counts twice.',
    proof: `${hooks} › a daemon that is killed › GOB-DAEMON-KILL:*`,
  },
  {
    id: 'GOB-DAEMON-VERSIONS',
    requirement: 'Of two versions the newer serves or says what to do; nothing is let through meanwhile.',
    proof: [
      `${daemon} › daemon › W1: GOB-DAEMON-VERSIONS:*`,
      `${daemon} › claim › C3: GOB-DAEMON-VERSIONS:*`,
      `${hooks} › GOB-DAEMON-VERSIONS: two versions`,
    ],
  },
  {
    id: 'GOB-DAEMON-SILENT',
    requirement: 'No payload and no environment is logged.',
    proof: `${hooks} › a hook › D4: GOB-DAEMON-SILENT:*`,
  },
  {
    id: 'GOB-LINE-UNBOUND',
    requirement: 'The installed line of an unbound session starts nothing.',
    proof: `${line} › the installed line › L1: GOB-LINE-UNBOUND:*`,
  },
  {
    id: 'GOB-LINE-PATHS',
    requirement: 'The installed line works in projects with any name.',
    proof: `${line} › the installed line › L3: GOB-LINE-PATHS:*`,
  },
  {
    id: 'GOB-LINE-MISSING',
    requirement: 'A missing or broken program ends with 2 and text where an event may be refused.',
    proof: `${line} › the installed line › L2: GOB-LINE-MISSING:*`,
  },
  {
    id: 'GOB-SETUP-MERGE',
    requirement: 'Hooks are merged into existing settings; nothing else changes; twice is once.',
    proof: 'src/setup/hook-settings.test.ts › settings of * › GOB-SETUP-MERGE:*',
  },
  {
    id: 'GOB-SETUP-REMOVE',
    requirement: 'Hooks that are taken out leave the text as it was.',
    proof: 'src/setup/hook-settings.test.ts › settings of * › GOB-SETUP-REMOVE:*',
  },
  {
    id: 'GOB-INIT-BYTES',
    requirement: '`init --client` and `--remove` leave the very bytes; it is idempotent.',
    proof: `${setUp} › init --client * › GOB-INIT-BYTES:*`,
  },
  {
    id: 'GOB-INIT-CHANGED',
    requirement: 'Of a file that was changed since, only what is ours is removed.',
    proof: `${setUp} › init --client * › GOB-INIT-CHANGED:*`,
  },
  {
    id: 'GOB-INIT-ASKS',
    requirement: 'What changes is shown and agreed to; without a terminal --yes is needed.',
    proof: `${setUp} › init --client * › GOB-INIT-ASKS:*`,
  },
  {
    id: 'GOB-INIT-BELOW',
    requirement: 'An agent does not change the hooks.',
    proof: `${setUp} › GOB-INIT-BELOW:*`,
  },
  {
    id: 'GOB-PLUGIN',
    requirement:
      'The plugin and the marketplace are those of the code; the commands run nothing; the skill teaches valid workflows.',
    proof: 'test/guard/plugin.test.ts › GOB-PLUGIN: the plugin',
  },
  {
    id: 'GOB-DOCTOR-HOOKS',
    requirement:
      '`lockstep doctor` says whether hooks are installed, of which version, trusted, switched off; and the daemon.',
    proof: [
      `${setUp} › init --client * › GOB-DOCTOR-HOOKS:*`,
      'src/setup/look-at-hooks.test.ts › *GOB-DOCTOR-HOOKS:*',
    ],
  },
];

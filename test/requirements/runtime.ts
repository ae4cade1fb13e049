import type { Requirement } from '../ledger.ts';

export const runtime: Requirement[] = [
  // ── Runtime: crashes ──
  {
    id: 'LS-CRASH-ENTRIES',
    requirement: 'A journal of every verb, cut after every entry and resumed, ends in the same state.',
    proof:
      'test/crash/cut.test.ts › a finished journal with every verb › E4: cut after every entry, ends the same, and no finished effect happens twice',
  },
  {
    id: 'LS-CRASH-TORN',
    requirement:
      'The same journal, cut at several points inside every line and resumed, ends in the same state.',
    proof:
      'test/crash/cut.test.ts › a finished journal with every verb › J4, E4: cut inside every line, the torn end is dropped, and the run ends the same',
  },
  {
    id: 'LS-CRASH-ONCE',
    requirement: "No finished step's effect happens twice after any of these cuts.",
    proof:
      'test/crash/cut.test.ts › a finished journal with every verb › E4: cut after every entry, ends the same, and no finished effect happens twice',
  },
  {
    id: 'LS-CRASH-DOUBT',
    requirement: 'A step that was under way is reported as in doubt.',
    proof:
      'src/engine/crash.test.ts › crash and resume › E4: an attempt that was under way is on record as in doubt',
  },
  {
    id: 'LS-CRASH-FLIPPED',
    requirement: 'Flipped single bytes are found.',
    proof: [
      'test/crash/cut.test.ts › a finished journal with every verb › J4: a flipped byte anywhere in the journal is found',
      'src/stores/file/journal-reader.test.ts › the journal › J4: a flipped bit or a changed byte anywhere in whole lines is found, with line and offset',
    ],
  },
  {
    id: 'LS-CRASH-KILL',
    requirement:
      '`kill -9` of the real process at random moments, 100 times: the run still comes to the same end.',
    proof:
      'test/crash/kill.test.ts › E4: killed with SIGKILL many times, every run ends the same and no finished step ran twice',
  },
  // ── Runtime: processes, output, secrets ──
  {
    id: 'LS-PROCESS-GROUP',
    requirement: 'Children run in their own process group.',
    proof: 'src/system/processes.test.ts › a command › leads a process group of its own',
  },
  {
    id: 'LS-PROCESS-TIMEOUT',
    requirement: 'A time-out sends TERM, then KILL after a grace period, to the whole group.',
    proof:
      'src/runtime/perform/run-command.test.ts › how it ends › LS-PROCESS-TIMEOUT: takes longer than its time-out: 124, and its children are gone',
  },
  {
    id: 'LS-PROCESS-CANCEL',
    requirement: 'Cancel sends TERM, then KILL after a grace period, to the whole group.',
    proof: 'src/runtime/perform/run-command.test.ts › how it ends › LS-PROCESS-CANCEL:*',
  },
  {
    id: 'LS-PROCESS-GRANDCHILD',
    requirement: 'A grandchild that ignores TERM is gone.',
    proof: [
      'src/system/processes.test.ts › stopping › a grandchild that ignores TERM is killed after the grace period, its leader having exited',
      'src/system/processes.test.ts › P1: what a command starts ends with it › one that ignores TERM is killed',
    ],
  },
  {
    id: 'LS-PROCESS-SIGINT',
    requirement: 'SIGINT pauses cleanly; resume runs what was interrupted again.',
    proof: [
      'test/cli/go-on.test.ts › signals of the system › rule 11: SIGINT pauses cleanly, exits 130 and names the command that goes on; resume ends the run',
      'src/drivers/run/run.test.ts › the run drive › an interrupt ends what runs, records it, and resume runs it again',
    ],
  },
  {
    id: 'LS-PROCESS-SIGINT-TWICE',
    requirement: 'A second SIGINT ends at once.',
    proof: 'test/cli/go-on.test.ts › signals of the system › a second SIGINT ends at once, with the children',
  },
  {
    id: 'LS-EXIT-0',
    requirement: 'Exit code 0: completed.',
    proof: 'test/cli/run.test.ts › what is run › LS-CLI-RUN-NAME: a name is a workflow of the library',
  },
  {
    id: 'LS-EXIT-1',
    requirement: 'Exit code 1: failed.',
    proof:
      'test/cli/run.test.ts › what is printed › LS-SUMMARY-NEXT: a failed run says why, exits 1, and names the commands that help',
  },
  {
    id: 'LS-EXIT-2',
    requirement: 'Exit code 2: invalid input.',
    proof: [
      'test/cli/set-up.test.ts › LS-CLI-USAGE: what cannot be typed is exit code 2, with what to type instead',
      'test/cli/run.test.ts › inputs › tells everything that is wrong at once, and makes nothing',
    ],
  },
  {
    id: 'LS-EXIT-3',
    requirement: 'Exit code 3: paused for a person.',
    proof:
      'test/cli/go-on.test.ts › answer › LS-PAUSED-COMMAND: a paused run exits 3 and says exactly which commands continue it',
  },
  {
    id: 'LS-EXIT-130',
    requirement: 'Exit code 130: interrupted.',
    proof:
      'test/cli/go-on.test.ts › signals of the system › rule 11: SIGINT pauses cleanly, exits 130 and names the command that goes on; resume ends the run',
  },
  {
    id: 'LS-OUTPUT-MEMORY',
    requirement: 'A step that prints 2 GB leaves memory flat.',
    proof: [
      'src/runtime/perform/run-command.test.ts › output › S5: LS-OUTPUT-MEMORY: gigabytes leave memory flat',
      'test/faults/world.test.ts › output of any size (S5) › LS-OUTPUT-MEMORY: a step that prints gigabytes leaves memory flat; log and save_to have it whole, the journal an extract',
    ],
  },
  {
    id: 'LS-OUTPUT-WHOLE',
    requirement: 'The whole stream is in its log and in `save_to`.',
    proof:
      'src/runtime/perform/run-command.test.ts › output › LS-OUTPUT-WHOLE, LS-OUTPUT-EXTRACT: is whole in the log and in save_to, and an extract in the outcome',
  },
  {
    id: 'LS-OUTPUT-EXTRACT',
    requirement: 'The journal keeps a bounded, marked extract.',
    proof:
      'src/runtime/perform/run-command.test.ts › output › LS-OUTPUT-WHOLE, LS-OUTPUT-EXTRACT: is whole in the log and in save_to, and an extract in the outcome',
  },
  {
    id: 'LS-SECRET-PLAIN',
    requirement: "A secret's value appears nowhere we write.",
    proof: [
      'src/runtime/perform/run-command.test.ts › secrets › S3: LS-SECRET-PLAIN, LS-SECRET-BASE64, LS-SECRET-URL: appear nowhere we write',
      'src/drivers/run/run.test.ts › the run drive › S3: *',
    ],
  },
  {
    id: 'LS-SECRET-BASE64',
    requirement: 'Nor does its base64 form.',
    proof:
      'src/runtime/perform/run-command.test.ts › secrets › S3: LS-SECRET-PLAIN, LS-SECRET-BASE64, LS-SECRET-URL: appear nowhere we write',
  },
  {
    id: 'LS-SECRET-URL',
    requirement: 'Nor does its URL-encoded form.',
    proof:
      'src/runtime/perform/run-command.test.ts › secrets › S3: LS-SECRET-PLAIN, LS-SECRET-BASE64, LS-SECRET-URL: appear nowhere we write',
  },
  {
    id: 'LS-SECRET-SPLIT',
    requirement: 'Nor does it when it is split across two chunks of output.',
    proof: 'src/runtime/perform/run-command.test.ts › secrets › LS-SECRET-SPLIT: are found across two writes',
  },
  {
    id: 'LS-SECRET-SAVE-TO',
    requirement: "`save_to` is the command's own output and is not masked.",
    proof:
      "src/runtime/perform/run-command.test.ts › secrets › rule 13: LS-SECRET-SAVE-TO: save_to is the command's own output",
  },
  {
    id: 'LS-SECRET-MISSING',
    requirement: 'Missing secrets are named all at once before the step starts.',
    proof:
      'src/runtime/perform/run-command.test.ts › secrets › LS-SECRET-MISSING: that are missing are named all at once, before anything starts',
  },
  {
    id: 'LS-SECRET-SHORT',
    requirement: 'A value shorter than 4 characters cannot be masked, and a warning says so.',
    proof:
      'src/runtime/mask.test.ts › what cannot be masked › rule 13: warns of values shorter than four characters and leaves them',
  },
  // ── Runtime: trouble ──
  {
    id: 'LS-TROUBLE-DISK-FULL',
    requirement: 'A full disk is a clear error, and the journal still verifies.',
    proof: [
      'src/stores/file/journal-writer.test.ts › a disk with no room left',
      'test/faults/world.test.ts › disk full › LS-TROUBLE-DISK-FULL: a disk of 640k ends with a clear error, the journal verifies, and resume goes on once there is room',
    ],
  },
  {
    id: 'LS-TROUBLE-READ-ONLY',
    requirement: 'A read-only run directory is a clear error.',
    proof: [
      'src/stores/file/journal-writer.test.ts › a folder that may not be written',
      'test/faults/world.test.ts › disk full › LS-TROUBLE-READ-ONLY: a run directory that cannot be written is told before anything runs',
    ],
  },
  {
    id: 'LS-TROUBLE-CLOCK',
    requirement: 'A clock that jumps back does no harm.',
    proof: [
      'src/runtime/perform/wait.test.ts › a wait for a time › LS-TROUBLE-CLOCK: takes no longer than it says when the clock has jumped back',
      'test/faults/world.test.ts › LS-TROUBLE-CLOCK: a clock that jumps back between two processes loses nothing and makes no duration negative',
    ],
  },
  {
    id: 'LS-TROUBLE-WORKSPACE',
    requirement: 'A workspace deleted under the run is a clear error, and the journal still verifies.',
    proof: [
      'src/runtime/perform/run-command.test.ts › how it ends › LS-TROUBLE-WORKSPACE: a workspace that is gone is a clear error',
      'test/faults/world.test.ts › LS-TROUBLE-WORKSPACE: a workspace deleted under the run fails the step with a clear error',
    ],
  },
  {
    id: 'LS-TROUBLE-500-RUNS',
    requirement: '500 runs in one directory are listed and found correctly.',
    proof: [
      'src/stores/file/runs-folder.test.ts › the list of runs › LS-TROUBLE-500-RUNS: of 500 runs is quick, in order, and reads no journal',
      'src/stores/file/runs-folder.test.ts › the list of runs › LS-TROUBLE-500-RUNS: of 5000 runs is quick, in order, and reads no journal',
      'test/faults/world.test.ts › LS-TROUBLE-500-RUNS: 500 runs in one directory are made, listed and cleaned',
    ],
  },
  {
    id: 'LS-LEASE-SECOND',
    requirement: 'A second process on one run is told who holds it.',
    proof:
      'test/cli/go-on.test.ts › resume › J3: a second process is told who holds the run, and changes nothing',
  },
  {
    id: 'LS-LEASE-DEAD',
    requirement: 'A dead holder on this host is replaced.',
    proof:
      'src/stores/file/lease.test.ts › a lease › J3: LS-LEASE-DEAD: a holder that was killed is replaced, and its run may be removed',
  },
  {
    id: 'LS-LEASE-FOREIGN',
    requirement: 'A holder on another host needs --take-over.',
    proof: [
      'src/stores/file/lease.test.ts › a lease › J3: held on another host is judged so',
      'src/stores/file/file-store.test.ts › fileStore › lease › J3: a holder on another host is replaced only when told to take over',
    ],
  },
  {
    id: 'LS-LIMIT-DURATION',
    requirement: 'limits.duration ends or pauses the run with the reason; pauses do not count.',
    proof:
      'src/drivers/run/run.test.ts › the run drive › limits.duration ends the run with the reason, and a raised limit lets it go on',
  },
  {
    id: 'LS-LIMIT-STEP',
    requirement: 'limits.step bounds every step.',
    proof: [
      'src/engine/dispatch.test.ts › waits › render their patterns and names, and take the step limit as their time-out',
      'src/engine/dispatch.test.ts › commands › carry env, secrets, timeout, save_to and reads, rendered',
    ],
  },
  {
    id: 'LS-LIMIT-COST',
    requirement: 'limits.cost ends or pauses the run with the reason.',
    proof: [
      'src/engine/acceptance.test.ts › limits › cost stops the next dispatch with the reason',
      'src/drivers/run/run.test.ts › the run drive › a spent limit aborts the agent that is running',
    ],
  },
  {
    id: 'LS-LIMIT-TOKENS',
    requirement: 'limits.tokens ends or pauses the run with the reason.',
    proof: 'src/engine/acceptance.test.ts › limits › tokens stops the next dispatch with the reason',
  },
  {
    id: 'LS-LIMIT-TURNS',
    requirement: 'limits.turns reaches the agent or ends the run with the reason.',
    proof: 'src/engine/acceptance.test.ts › limits › turns stops the next dispatch with the reason',
  },
  {
    id: 'LS-LIMIT-VISITS',
    requirement: 'limits.visits ends a circle with an error that names it.',
    proof:
      'src/engine/fan.test.ts › goto (rule 7) › limits.visits ends a circle with an error that names it, and a raised limit lets it go on',
  },
  {
    id: 'LS-LIMIT-NOT-CLIPPED',
    requirement: 'Nothing is silently clipped: what was cut is marked.',
    proof: [
      'src/runtime/capture.test.ts › text › S5: keeps the beginning and the end, marks the cut and says how much there was',
      'src/runtime/perform/run-agent.test.ts › bounds and secrets › S5: what an agent keeps is bounded, marked, and says how much there was',
    ],
  },
  // ── Runtime: a run on disk ──
  {
    id: 'LS-DISK-LAYOUT',
    requirement:
      "A run's folder holds journal.jsonl, workflow.json, state.json, logs/, inbox/ and artifacts/ as documented.",
    proof: [
      'src/stores/file/runs-folder.test.ts › a new run › lies on disk as documented',
      'src/stores/file/runs-on-disk.test.ts › docs/runs-on-disk.md',
    ],
  },
  {
    id: 'LS-DISK-PATHS',
    requirement: 'Step paths are readable and stable, and logs follow them as folders.',
    proof: [
      'src/stores/file/logs.test.ts › the file of a log',
      'src/engine/fan.test.ts › goto (rule 7) › goes to a step of this list, back or forth, and a second visit has a path of its own',
    ],
  },
  {
    id: 'LS-DISK-STATE',
    requirement: 'state.json is a view of the journal, replaced atomically.',
    proof: [
      'src/views/state-json.test.ts › state.json',
      'src/stores/file/runs-folder.test.ts › documents › are never seen half written by a reader in another process',
    ],
  },
  {
    id: 'LS-DISK-BLOCKER',
    requirement: 'blocker.json says while paused what is asked, of whom and how to go on.',
    proof: 'src/views/blocker.test.ts › blocker.json',
  },
  {
    id: 'LS-DISK-LATEST',
    requirement: 'runs/latest points at the newest run.',
    proof: 'src/stores/file/runs-folder.test.ts › latest › LS-DISK-LATEST: is a symlink to the run made last',
  },
  {
    id: 'LS-DISK-GITIGNORE',
    requirement: 'Runs never show in git status or `changed()`.',
    proof: 'src/stores/file/runs-folder.test.ts › a new run › never shows in git status',
  },
  {
    id: 'LS-DISK-ROOT',
    requirement:
      'The project root is the git root, else the nearest folder with .lockstep/, else where one stands.',
    proof: 'src/workspaces/workspaces.test.ts › projectRoot',
  },
];

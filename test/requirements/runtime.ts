import type { Requirement } from '../ledger.ts';

export const runtime: Requirement[] = [
  // ── Runtime: crashes ──
  {
    id: 'LS-CRASH-ENTRIES',
    requirement: 'A journal of every verb, cut after every entry and resumed, ends in the same state.',
    proof: [],
  },
  {
    id: 'LS-CRASH-TORN',
    requirement:
      'The same journal, cut at several points inside every line and resumed, ends in the same state.',
    proof: [],
  },
  {
    id: 'LS-CRASH-ONCE',
    requirement: "No finished step's effect happens twice after any of these cuts.",
    proof: [],
  },
  { id: 'LS-CRASH-DOUBT', requirement: 'A step that was under way is reported as in doubt.', proof: [] },
  { id: 'LS-CRASH-FLIPPED', requirement: 'Flipped single bytes are found.', proof: [] },
  {
    id: 'LS-CRASH-KILL',
    requirement:
      '`kill -9` of the real process at random moments, 100 times: the run still comes to the same end.',
    proof: [],
  },
  // ── Runtime: processes, output, secrets ──
  { id: 'LS-PROCESS-GROUP', requirement: 'Children run in their own process group.', proof: [] },
  {
    id: 'LS-PROCESS-TIMEOUT',
    requirement: 'A time-out sends TERM, then KILL after a grace period, to the whole group.',
    proof: [],
  },
  {
    id: 'LS-PROCESS-CANCEL',
    requirement: 'Cancel sends TERM, then KILL after a grace period, to the whole group.',
    proof: [],
  },
  { id: 'LS-PROCESS-GRANDCHILD', requirement: 'A grandchild that ignores TERM is gone.', proof: [] },
  {
    id: 'LS-PROCESS-SIGINT',
    requirement: 'SIGINT pauses cleanly; resume runs what was interrupted again.',
    proof: [],
  },
  { id: 'LS-PROCESS-SIGINT-TWICE', requirement: 'A second SIGINT ends at once.', proof: [] },
  { id: 'LS-EXIT-0', requirement: 'Exit code 0: completed.', proof: [] },
  { id: 'LS-EXIT-1', requirement: 'Exit code 1: failed.', proof: [] },
  { id: 'LS-EXIT-2', requirement: 'Exit code 2: invalid input.', proof: [] },
  { id: 'LS-EXIT-3', requirement: 'Exit code 3: paused for a person.', proof: [] },
  { id: 'LS-EXIT-130', requirement: 'Exit code 130: interrupted.', proof: [] },
  { id: 'LS-OUTPUT-MEMORY', requirement: 'A step that prints 2 GB leaves memory flat.', proof: [] },
  { id: 'LS-OUTPUT-WHOLE', requirement: 'The whole stream is in its log and in `save_to`.', proof: [] },
  { id: 'LS-OUTPUT-EXTRACT', requirement: 'The journal keeps a bounded, marked extract.', proof: [] },
  { id: 'LS-SECRET-PLAIN', requirement: "A secret's value appears nowhere we write.", proof: [] },
  { id: 'LS-SECRET-BASE64', requirement: 'Nor does its base64 form.', proof: [] },
  { id: 'LS-SECRET-URL', requirement: 'Nor does its URL-encoded form.', proof: [] },
  {
    id: 'LS-SECRET-SPLIT',
    requirement: 'Nor does it when it is split across two chunks of output.',
    proof: [],
  },
  {
    id: 'LS-SECRET-SAVE-TO',
    requirement: "`save_to` is the command's own output and is not masked.",
    proof: [],
  },
  {
    id: 'LS-SECRET-MISSING',
    requirement: 'Missing secrets are named all at once before the step starts.',
    proof: [],
  },
  {
    id: 'LS-SECRET-SHORT',
    requirement: 'A value shorter than 4 characters cannot be masked, and a warning says so.',
    proof: [],
  },
  // ── Runtime: trouble ──
  {
    id: 'LS-TROUBLE-DISK-FULL',
    requirement: 'A full disk is a clear error, and the journal still verifies.',
    proof: [],
  },
  { id: 'LS-TROUBLE-READ-ONLY', requirement: 'A read-only run directory is a clear error.', proof: [] },
  { id: 'LS-TROUBLE-CLOCK', requirement: 'A clock that jumps back does no harm.', proof: [] },
  {
    id: 'LS-TROUBLE-WORKSPACE',
    requirement: 'A workspace deleted under the run is a clear error, and the journal still verifies.',
    proof: [],
  },
  {
    id: 'LS-TROUBLE-500-RUNS',
    requirement: '500 runs in one directory are listed and found correctly.',
    proof: [],
  },
  { id: 'LS-LEASE-SECOND', requirement: 'A second process on one run is told who holds it.', proof: [] },
  { id: 'LS-LEASE-DEAD', requirement: 'A dead holder on this host is replaced.', proof: [] },
  { id: 'LS-LEASE-FOREIGN', requirement: 'A holder on another host needs --take-over.', proof: [] },
  {
    id: 'LS-LIMIT-DURATION',
    requirement: 'limits.duration ends or pauses the run with the reason; pauses do not count.',
    proof: [],
  },
  { id: 'LS-LIMIT-STEP', requirement: 'limits.step bounds every step.', proof: [] },
  { id: 'LS-LIMIT-COST', requirement: 'limits.cost ends or pauses the run with the reason.', proof: [] },
  { id: 'LS-LIMIT-TOKENS', requirement: 'limits.tokens ends or pauses the run with the reason.', proof: [] },
  {
    id: 'LS-LIMIT-TURNS',
    requirement: 'limits.turns reaches the agent or ends the run with the reason.',
    proof: [],
  },
  {
    id: 'LS-LIMIT-VISITS',
    requirement: 'limits.visits ends a circle with an error that names it.',
    proof: [],
  },
  {
    id: 'LS-LIMIT-NOT-CLIPPED',
    requirement: 'Nothing is silently clipped: what was cut is marked.',
    proof: [],
  },
  // ── Runtime: a run on disk ──
  {
    id: 'LS-DISK-LAYOUT',
    requirement:
      "A run's folder holds journal.jsonl, workflow.json, state.json, logs/, inbox/ and artifacts/ as documented.",
    proof: [],
  },
  {
    id: 'LS-DISK-PATHS',
    requirement: 'Step paths are readable and stable, and logs follow them as folders.',
    proof: [],
  },
  {
    id: 'LS-DISK-STATE',
    requirement: 'state.json is a view of the journal, replaced atomically.',
    proof: [],
  },
  {
    id: 'LS-DISK-BLOCKER',
    requirement: 'blocker.json says while paused what is asked, of whom and how to go on.',
    proof: [],
  },
  { id: 'LS-DISK-LATEST', requirement: 'runs/latest points at the newest run.', proof: [] },
  { id: 'LS-DISK-GITIGNORE', requirement: 'Runs never show in git status or `changed()`.', proof: [] },
  {
    id: 'LS-DISK-ROOT',
    requirement:
      'The project root is the git root, else the nearest folder with .lockstep/, else where one stands.',
    proof: [],
  },
];

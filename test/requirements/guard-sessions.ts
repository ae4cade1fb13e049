import type { Requirement } from '../ledger.ts';

const FILES = 'src/stores/file/file-sessions.test.ts';
const HANDLERS = 'src/runtime/handlers/session-handlers.test.ts';
const CALLS = 'src/runtime/handlers/call-handler.test.ts';
const BOOK = 'src/drivers/guard/session-book.test.ts › session-handoff';
const RUNS = 'test/cli/runs.test.ts › runs of live sessions';

/** Records of live sessions, handoffs, and the handlers that need a session (seed 003: actions, context sources, handoff). */
export const guardSessions: Requirement[] = [
  {
    id: 'GOB-SESSION-RECORD',
    requirement:
      'Of every live session a record is kept with the user: project, machine, runs, title, status, summary, parent, todos, handoff; within bounds, for its owner alone. A file that is foreign or cannot be read is no record and stops nothing.',
    proof: [
      `${FILES} › file-sessions`,
      'src/stores/memory/memory-sessions.test.ts › memory-sessions',
      `${BOOK} › GOB-SESSION-RECORD*`,
    ],
  },
  {
    id: 'GOB-SESSION-WRITERS',
    requirement:
      'Whoever writes the record of a session at the same time, nothing is lost and nothing is applied twice.',
    proof: `${FILES} › several processes › GOB-SESSION-WRITERS*`,
  },
  {
    id: 'GOB-SESSION-CRASH',
    requirement: 'A process that is killed while it writes a record leaves a whole one, and stops nobody.',
    proof: `${FILES} › several processes › GOB-SESSION-CRASH*`,
  },
  {
    id: 'GOB-SESSION-FIELDS',
    requirement:
      '`session` of expressions shows what records say: title, previous summary, handoff, parent, context_restored, todos.',
    proof: `${BOOK} › GOB-SESSION-FIELDS*`,
  },
  {
    id: 'GOB-SESSION-RETENTION',
    requirement: 'Records of sessions are bounded in number and age, with a setting of their own.',
    proof: [`${RUNS} › GOB-SESSION-RETENTION*`, `${FILES} › file-sessions › retention`],
  },
  {
    id: 'GOB-SESSION-SECRETS',
    requirement:
      'What looks like a key, a token or a password is masked in records, in what handlers say and write, and in what the journal keeps of prompts, commands and results.',
    proof: [
      'src/text/secret-shapes.test.ts › secret-shapes',
      `${HANDLERS} › generate-summary › GOB-SUMMARY-EXTRACT: without a provider*`,
      `${BOOK} › GOB-HANDOFF-LIFECYCLE*`,
    ],
  },
  {
    id: 'GOB-HANDOFF-RECORD',
    requirement:
      'A handoff has project, workflow, session, phase, artifacts, pending tasks with the ids of their issues, and notes (generate_handoff with include).',
    proof: `${HANDLERS} › handing over › GOB-HANDOFF-RECORD*`,
  },
  {
    id: 'GOB-HANDOFF-ONCE',
    requirement:
      'A handoff is consumed once: of several sessions at once one gets it, and the record says which and when.',
    proof: [
      `${FILES} › several processes › GOB-HANDOFF-ONCE*`,
      `${FILES} › file-sessions › a handoff`,
      `${HANDLERS} › handing over › GOB-HANDOFF-RESTORE: restore-context says*`,
    ],
  },
  {
    id: 'GOB-HANDOFF-PARENT',
    requirement: 'find_parent_session finds by status, same project and same machine, the newest first.',
    proof: `${HANDLERS} › handing over › GOB-HANDOFF-PARENT*`,
  },
  {
    id: 'GOB-HANDOFF-RESTORE',
    requirement:
      'restore_context and restore_from_handoff give a session what an earlier one left, with a template of the author; mark_session_status marks the session or its parent.',
    proof: [
      `${HANDLERS} › handing over › GOB-HANDOFF-RESTORE*`,
      `${HANDLERS} › handing over › mark-session-status takes a word*`,
      `${HANDLERS} › handing over › what there is not*`,
    ],
  },
  {
    id: 'GOB-HANDOFF-LIFECYCLE',
    requirement:
      'The lifecycle session-handoff works end to end: summary and status at the end of a session, and its context said once to the next one of the project.',
    proof: `${BOOK} › GOB-HANDOFF-LIFECYCLE*`,
  },
  {
    id: 'GOB-SUMMARY-MODEL',
    requirement:
      'generate_summary with `generator: llm` is written by a model through a provider, with its own or our template.',
    proof: `${HANDLERS} › generate-summary › GOB-SUMMARY-MODEL*`,
  },
  {
    id: 'GOB-SUMMARY-EXTRACT',
    requirement:
      'Without a provider a summary is put together from the transcript of the client, the record, the run and git; never an error.',
    proof: [
      `${HANDLERS} › generate-summary › GOB-SUMMARY-EXTRACT*`,
      `${HANDLERS} › transcripts of the clients`,
      'src/clients/transcript.test.ts › a transcript',
      `${FILES} › a transcript`,
    ],
  },
  {
    id: 'GOB-TITLE',
    requirement: 'synthesize_title gives the session a title, by a model or from what was asked first.',
    proof: `${HANDLERS} › synthesize-title › GOB-TITLE*`,
  },
  {
    id: 'GOB-ACTION-TODOS',
    requirement:
      'write_todos and mark_todo_complete (by text, id or index) keep the list of a session, and tell the model to do the same.',
    proof: [`${HANDLERS} › todos › GOB-ACTION-TODOS*`, `${HANDLERS} › todos › what is not in the list*`],
  },
  {
    id: 'GOB-ACTION-MODE',
    requirement: 'switch_mode says in words what no hook can do.',
    proof: `${HANDLERS} › switch-mode › GOB-ACTION-MODE*`,
  },
  {
    id: 'GOB-ACTION-CAPTURE',
    requirement: 'capture_artifact keeps a named content, which `session.artifacts` shows.',
    proof: [`${CALLS} › a pattern › GOB-ACTION-CAPTURE*`, `${BOOK} › GOB-ACTION-CAPTURE*`],
  },
  {
    id: 'GOB-ACTION-READ',
    requirement: 'read_artifact reads the file that a pattern matches and that was changed last.',
    proof: `${CALLS} › a pattern › GOB-ACTION-READ*`,
  },
  {
    id: 'GOB-ACTION-TASKS',
    requirement: 'persist_tasks creates sequential dependencies and links to the session where asked.',
    proof: 'src/runtime/handlers/issues.test.ts › persist-tasks of a plan › GOB-ACTION-TASKS*',
  },
  {
    id: 'GOB-ACTION-MCP',
    requirement: 'call_mcp_tool takes a server by name from a map.',
    proof: 'src/runtime/handlers/call-mcp-tool.test.ts › a server that is started › GOB-ACTION-MCP*',
  },
  {
    id: 'GOB-ACTION-NEEDS',
    requirement: 'A handler that needs a live session says so by name where there is none.',
    proof: [`${HANDLERS} › without a live session`, `${CALLS} › every handler › is there; those that need*`],
  },
  {
    id: 'GOB-RUNS-DRIVE',
    requirement:
      'Runs of live sessions do not flood `lockstep runs`: those that are over are hidden and counted, `--drive` lists them.',
    proof: `${RUNS} › GOB-RUNS-DRIVE*`,
  },
  {
    id: 'GOB-RUNS-RETENTION',
    requirement:
      'Runs of live sessions have a retention of their own, by the last thing that happened in them.',
    proof: [`${RUNS} › GOB-RUNS-RETENTION*`, `${BOOK} › GOB-RUNS-RETENTION*`],
  },
];

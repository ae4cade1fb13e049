// guard-seed: seed 003 item by item, as live.md (section 4) lists it. Each names the test that would fail without it.

import type { Requirement } from '../ledger.ts';

const GOBBY = 'src/dialects/gobby/gobby.test.ts';
const DRIVE = 'src/drivers/guard/guard.test.ts › guard';
const DECIDED = `${DRIVE}, as live.md section 3 decides`;
const WALKS = 'test/guard/templates.test.ts';
const VERBS = 'test/guard/verbs.test.ts';
const HANDLERS = 'src/runtime/handlers/session-handlers.test.ts';
const EXPRESSIONS = 'src/dialects/gobby/expression.test.ts';
const HOOKS = 'test/guard/hooks.test.ts';

const item = (id: string, requirement: string, ...proof: string[]): Requirement => ({
  id: `GOB-SEED-${id}`,
  requirement,
  proof,
});
const verb = (id: string, requirement: string): Requirement => ({
  id: `GOB-CLI-${id}`,
  requirement,
  proof: `${VERBS} › lockstep workflow › GOB-CLI-${id}:*`,
});
const tool = (id: string, requirement: string): Requirement => ({
  id: `GOB-MCP-${id}`,
  requirement,
  proof: `${VERBS} › tools of our server in a held session › GOB-MCP-${id}:*`,
});

export const guardSeed: Requirement[] = [
  // types and files
  item(
    'TYPES-TOGETHER',
    'One workflow with steps holds a session, beside any number of lifecycle workflows.',
    `${WALKS} › session-handoff › GOB-TEMPLATE-SESSION-HANDOFF: goes along with*`,
    `${DECIDED} › 3.6: what is chosen later*`,
  ),
  item(
    'FILES-HANDOFF-ON',
    'session-handoff is on by default unless it is refused.',
    `${WALKS} › session-handoff › GOB-TEMPLATE-SESSION-HANDOFF: not where it is refused`,
  ),
  // state
  item(
    'STATE-FIELDS',
    'workflow, phase, phase_action_count, total_action_count, observations, reflection_pending, context_injected, variables, task_list, current_task_index, files_modified_this_task: every field of the state is a name that expressions and texts know.',
    `${EXPRESSIONS} › GOB-SEED-STATE-FIELDS: *`,
  ),
  item(
    'STATE-ARTIFACTS',
    'Artifacts are contents by name.',
    'src/drivers/guard/session-book.test.ts › session-handoff › GOB-ACTION-CAPTURE*',
    `${VERBS} › tools of our server in a held session › GOB-MCP-ARTIFACT:*`,
  ),
  item('STATE-DURABLE', 'The state of a session outlives the daemon.', `${DECIDED} › 3.15: *`),
  item(
    'STATE-LOCKED',
    'A definition that changes counts after a reset, and the hash of each is on record.',
    `${VERBS} › lockstep workflow › GOB-CLI-RESET:*`,
  ),
  // settings
  item(
    'SETTINGS-REFLECT',
    'reflect_after_actions, max_actions_per_phase, max_phase_duration_minutes → reflect, require_plan_approval.',
    `${GOBBY} › GOB-SETTINGS: numbers that phases are held to › reflect, the limit of actions, the time and the approval`,
  ),
  item(
    'SETTINGS-ATTEMPTS',
    'After max_verification_attempts the workflow goes on, but never past a person.',
    `${GOBBY} › GOB-SETTINGS: numbers that phases are held to › attempts end in going on, but never past a person`,
  ),
  item(
    'VARIABLES-PROJECT',
    'A project gives the variables of a workflow values of its own.',
    `${VERBS} › lockstep workflow › GOB-CLI-SET:*`,
  ),
  // phases
  item(
    'PHASE-TOOLS',
    'allowed_tools (a list, all) and blocked_tools hold the phase, with the reason that names what is allowed.',
    `${DRIVE} › denies what the step does not allow*`,
    `${WALKS} › gobby › GOB-TEMPLATE-PRINTED: the minimal example*`,
  ),
  item(
    'PHASE-RULES',
    'Rules block, warn and require approval on each call.',
    `${GOBBY} › GOB-PHASE: a phase is a step › rules: *`,
    `${DRIVE} › asks a person where a rule says so: *`,
    `${WALKS} › gobby › GOB-TEMPLATE-PRINTED: the complete example*`,
  ),
  item(
    'PHASE-TRANSITIONS',
    'Transitions leave a phase by themselves, one for each event, with their on_transition.',
    `${DRIVE} › leaves a step by its rule, one for each event`,
    `${WALKS} › plan-to-tasks › *`,
  ),
  item(
    'PHASE-NEXT',
    'Where all exits hold the next phase in order begins; a phase that is not there ends the workflow.',
    `${GOBBY} › GOB-WARNINGS: what is told › a count that is lost, and a phase that is not there`,
    `${WALKS} › gobby › GOB-TEMPLATE-PRINTED: the minimal example*`,
  ),
  // exits and approval
  item(
    'EXITS',
    'artifact_exists, user_approval, variable_set and expression; all must hold.',
    `${GOBBY} › GOB-EXITS*`,
  ),
  item(
    'APPROVAL',
    'An approval is put to the person, and told to the agent; tools that change anything are held; keywords say yes or no.',
    `${DRIVE} › GOB-APPROVAL: where the author names no words*`,
    `${DRIVE} › holds a stop while a machine can tell *`,
    `${DRIVE} › a prompt that does not answer what is asked*`,
  ),
  // hooks
  item(
    'HOOK-SESSION-START',
    'session_start binds the session, restores the handoff and says the first phase.',
    `${DRIVE} › says the step when the session begins, once`,
    `${WALKS} › session-handoff › *`,
  ),
  item(
    'HOOK-PROMPT',
    'prompt_submit: what waits is said with it, and what the person says may lead on.',
    `${DECIDED} › 3.2: *`,
    `${WALKS} › plan-act-reflect › *`,
  ),
  item(
    'HOOK-TOOL-CALL',
    'tool_call: lists, rules, transitions.',
    `${DRIVE} › denies what the step does not allow*`,
  ),
  item(
    'HOOK-TOOL-RESULT',
    'tool_result: observations, counts, errors.',
    `${WALKS} › react › *`,
    `${WALKS} › plan-act-reflect › *`,
  ),
  item(
    'HOOK-STOP',
    'assistant_response: exits are looked at when the agent stops.',
    `${DRIVE} › runs the checks of a step at its stop*`,
  ),
  item(
    'HOOK-SESSION-END',
    'session_end: the record is kept and the handoff made.',
    `${WALKS} › session-handoff › *`,
  ),
  item(
    'HOOK-ANSWERS',
    'continue, block and modify in the words of each client.',
    'src/clients/answer-hook.test.ts › GOB-HOOK-OBEYED*',
    'src/clients/answer-hook.test.ts › GOB-HOOK-SAY*',
  ),
  // actions and sources
  item(
    'ACTIONS',
    'Every action of the list, with its fields, is called by a name that works.',
    `${GOBBY} › GOB-ACTIONS: every action`,
  ),
  item(
    'HANDOFF-TASKS',
    'generate_handoff keeps the ids of the tasks that are left.',
    `${HANDLERS} › handing over › GOB-HANDOFF-RECORD*`,
  ),
  item(
    'SOURCES',
    'Five sources of context, with words of their own or a template.',
    `${GOBBY} › GOB-SOURCES: context`,
  ),
  item(
    'INJECTION-POINTS',
    'A text is put in when a phase begins, before a prompt and with a transition.',
    `${DRIVE} › says the step when the session begins, once`,
    `${DRIVE} › leaves a step by its rule, one for each event`,
    `${DRIVE} › runs the actions of events in a lifecycle workflow until the session ends`,
  ),
  // recovery
  item(
    'RECOVERY-CRASH',
    'A daemon that dies loses no phase.',
    `${HOOKS} › a daemon that is killed`,
    `${DECIDED} › 3.15: *`,
  ),
  item(
    'RECOVERY-TOOLS',
    'Tools that fail, a time-out among them, lead to reflect.',
    `${WALKS} › plan-act-reflect › *`,
    `${GOBBY} › GOB-TRIGGERS: events › elsewhere enter_phase is a way on*`,
  ),
  item(
    'RECOVERY-WAYS-OUT',
    '--force, reset and disable are ways out, on record.',
    `${VERBS} › lockstep workflow › GOB-CLI-FORCE:*`,
    `${VERBS} › lockstep workflow › GOB-CLI-RESET:*`,
    `${VERBS} › lockstep workflow › GOB-CLI-DISABLE:*`,
  ),
  // verbs and tools
  verb('LIST', '`workflow list` and `workflow show` are the commands that exist.'),
  verb('SET', '`workflow set` chooses what holds sessions, with inputs and variables of the project.'),
  verb('STATUS', '`workflow status` shows where each open session is; what has ended does not flood it.'),
  verb(
    'PHASE',
    '`workflow phase` without --force runs the checks of the step, and moves only where they hold.',
  ),
  verb('FORCE', '`workflow phase --force` moves whatever is unmet, on record with who and why.'),
  verb('RESET', '`workflow reset` reads the definition again.'),
  verb('DISABLE', '`workflow disable` lets go at once, `enable` holds where it was; on record.'),
  verb('CLEAR', '`workflow clear` ends what holds sessions.'),
  verb('HANDOFF', '`workflow handoff` leaves notes that the next session gets once.'),
  {
    id: 'GOB-CLI-IMPORT',
    requirement:
      '`workflow import` checks and shows a file or an address, asks, and writes it; what has errors is not written.',
    proof: `${VERBS} › lockstep workflow › GOB-CLI-IMPORT: import`,
  },
  tool('STATUS', '`get_workflow_status` says the step, its lists and what it needs.'),
  tool(
    'TRANSITION',
    '`request_phase_transition` has the step checked; the word of the agent moves nothing; its reason is on record.',
  ),
  tool('HANDOFF', '`create_handoff` leaves notes and tasks to the next session.'),
  tool('ARTIFACT', '`mark_artifact_complete` keeps a content under a name.'),
  // what is found
  item(
    'FOUND-CRASH',
    'What a command changes is found also where it ends the daemon first, where its end is never told, and where it writes when it is over.',
    `${DRIVE} › a command that ends the daemon before it writes is found, and may be undone`,
    `${DRIVE} › a command whose end nobody tells is compared when the turn ends`,
    `${DRIVE} › what changes between commands is told to agent and person, and holds nothing`,
    `${DRIVE} › what was under way when the person ended the turn is told and holds nothing`,
    `${DRIVE} › any tool that may change files is looked at, whatever its name`,
  ),
  item(
    'FOUND-SLOWLY',
    'A tree that takes a second to look at is looked at once a turn, which is said; so is that there is no git.',
    `${DRIVE} › a large tree is looked at once a turn*`,
    `${DRIVE} › outside git the person is told that nobody can tell`,
  ),
  item(
    'UNSEEN',
    'What happened without being judged is on record and in the report, and the person is told.',
    `${DRIVE} › 3.23: a call that ended and that no hook was asked about*`,
    `${HOOKS} › a hook › GOB-HOOK-DOWN: when nobody can answer › \`engine_down: allow\`*`,
  ),
  item(
    'CLEARED',
    '/clear ends the run of the session, on record; what is gone on with begins anew.',
    `${DECIDED} › 3.7: a session that is cleared*`,
  ),
];

import type { Requirement } from '../ledger.ts';

const SERVER = 'test/mcp/server.test.ts';
const LED = 'test/mcp/guide.test.ts › a client that is led, revision *';
const TOKENS = 'test/mcp/tokens.test.ts';
const PEOPLE = 'test/mcp/people.test.ts › a person, revision *';
const SESSION = 'test/mcp/session.test.ts';
const DURABLE = 'test/mcp/durable.test.ts › a run that a client is led through';
const HTTP = 'test/mcp/http.test.ts › lockstep mcp --http';

/** `lockstep mcp`, driven by real MCP clients over standard input and output, and over HTTP. */
export const mcp: Requirement[] = [
  {
    id: 'MCP-WIRE',
    requirement:
      'A line that is no message gets an error where somebody may wait for an answer; every message is taken.',
    proof: 'src/mcp/stdio-wire.test.ts › readLine › MCP-WIRE: *',
  },
  {
    id: 'MCP-BLANK',
    requirement: 'A call that says nothing of its own hands nothing in, and uses up no try.',
    proof: `${LED} › MCP-BLANK: *`,
  },
  {
    id: 'MCP-BOTH-REVISIONS',
    requirement: 'One factory serves clients of 2026-07-28 and of 2025-11-25.',
    proof: `${SERVER} › lockstep mcp, revision * › MCP-BOTH-REVISIONS: *`,
  },
  {
    id: 'MCP-TOOLS',
    requirement:
      'Every tool lists schemas of what it takes and gives, annotations and a description. Every answer in these tests is held against the schema that is listed.',
    proof: `${SERVER} › lockstep mcp, revision * › MCP-TOOLS: *`,
  },
  {
    id: 'MCP-TOOLSETS',
    requirement: '`--toolsets` keeps the list of tools small.',
    proof: `${SERVER} › lockstep mcp › MCP-TOOLSETS: *`,
  },
  {
    id: 'MCP-LIST',
    requirement:
      '`list_workflows` lists what the library has, and says which cannot be used, which a client cannot be led through, and why.',
    proof: `${SERVER} › lockstep mcp, revision * › MCP-LIST: *`,
  },
  {
    id: 'MCP-INSPECT',
    requirement: '`inspect_workflow` shows titles, conditions, inputs and references, never a prompt.',
    proof: `${SERVER} › lockstep mcp, revision * › MCP-INSPECT: *`,
  },
  {
    id: 'MCP-ISSUES',
    requirement: 'The eleven `issues_*` tools work on the tracker of the project.',
    proof: `${SERVER} › lockstep mcp, revision * › MCP-ISSUES: *`,
  },
  {
    id: 'MCP-STDIO-END',
    requirement:
      'At the end of its input the server answers what came before, and ends with 0. What is no message does not end it.',
    proof: `${SERVER} › lockstep mcp › MCP-STDIO-END: *`,
  },
  {
    id: 'MCP-END-OF-INPUT',
    requirement: 'A check that is under way when the input ends is finished, and counts.',
    proof: `${DURABLE} › MCP-END-OF-INPUT: *`,
  },
  {
    id: 'MCP-WALK',
    requirement:
      'A client that knows nothing but the tool descriptions, and follows `nextCall`, completes a workflow.',
    proof: `${LED} › MCP-WALK: *`,
  },
  {
    id: 'MCP-CHEAT',
    requirement:
      'A client that claims false results does not get past: the answer is blocked, with the reason and the token to try again with.',
    proof: `${LED} › MCP-CHEAT: *`,
  },
  {
    id: 'MCP-ONE-STEP',
    requirement:
      'No answer, listing, preview, resource, error or log reveals the prompt of a step that was not handed out.',
    proof: [
      'test/mcp/one-step.test.ts › MCP-ONE-STEP: plain: *',
      'test/mcp/one-step.test.ts › MCP-ONE-STEP: nested: *',
      'test/mcp/one-step.test.ts › MCP-ONE-STEP: a workflow *',
    ],
  },
  {
    id: 'MCP-REPLAY',
    requirement: 'A token gives its first answer for ever; another body is not taken, and a warning says so.',
    proof: `${LED} › MCP-REPLAY: *`,
  },
  {
    id: 'MCP-REHYDRATE',
    requirement:
      'A client comes back from a token, a run id, a checkpoint, or nothing but the workspace: at most five candidates, ranked, with why, and a recap within a budget.',
    proof: `${LED} › MCP-REHYDRATE: *`,
  },
  {
    id: 'MCP-KILLED',
    requirement:
      'After `kill -9` between claim and answer the same call gives the answer, and the journal has one claim.',
    proof: `${DURABLE} › MCP-KILLED: *`,
  },
  {
    id: 'MCP-START-CONTINUE',
    requirement: 'A start that is followed at once by a continue works, 1,000 times of 1,000 (in CI).',
    proof: `${DURABLE} › MCP-START-CONTINUE: *`,
  },
  {
    id: 'MCP-TWO-CLIENTS',
    requirement:
      'Of two clients that hand in the same step one wins; the other is told who, and where the run is.',
    proof: `${DURABLE} › MCP-TWO-CLIENTS: *`,
  },
  {
    id: 'MCP-TOKENS',
    requirement:
      'Tampered, cut, foreign, stale, of another try, of another kind, key lost: each token has its own code and a call that works.',
    proof: `${TOKENS} › a token that is not good`,
  },
  {
    id: 'MCP-TOKEN-TAMPERED',
    requirement: 'No token that differs from one of ours in a character is believed.',
    proof: 'src/mcp/tokens.test.ts › tokens › T2: MCP-TOKEN-TAMPERED: *',
  },
  {
    id: 'MCP-TOKEN-KEY-LOST',
    requirement: 'A token of a key that is gone is told from one that was changed.',
    proof: 'src/mcp/tokens.test.ts › tokens › T3: MCP-TOKEN-KEY-LOST: *',
  },
  {
    id: 'MCP-TOKEN-KEY',
    requirement:
      'The key is made once for this user alone (0600); processes that start at once agree on one; one that is not safe is not used.',
    proof: 'src/mcp/token-key.test.ts › the key of tokens',
  },
  {
    id: 'MCP-FORM',
    requirement:
      '1 MB of notes, 10,000 keys, 65 levels, `__proto__` and lone surrogates are refused, with the place.',
    proof: 'src/mcp/form.test.ts › form › MCP-FORM: *',
  },
  {
    id: 'MCP-FORM-CALL',
    requirement: 'A call that is refused for its form changes nothing, and its suggested fix, done, passes.',
    proof: `${TOKENS} › a call that is refused for its form`,
  },
  {
    id: 'MCP-FIX',
    requirement:
      'Of every tool, whatever is given: each suggested fix, done, is a call that passes; what we refuse and what the listed schema refuses are the same.',
    proof: 'src/mcp/check-value.test.ts › arguments of tools',
  },
  {
    id: 'MCP-BLOCKERS',
    requirement:
      'Blockers name the field, what was expected and what came, and a correction that passes; after the last try, the command that a person types.',
    proof: `${TOKENS} › blockers`,
  },
  {
    id: 'MCP-ELICIT',
    requirement:
      'What the run asks a person is put to them by the client, in both revisions; who declines is not asked again, and nothing goes on.',
    proof: `${PEOPLE} › MCP-ELICIT: *`,
  },
  {
    id: 'MCP-PLAIN-QUESTION',
    requirement:
      'For clients that cannot ask, every question is a plain result with the `lockstep answer` line to type, and that line works.',
    proof: `${PEOPLE} › MCP-PLAIN-QUESTION: *`,
  },
  {
    id: 'MCP-RUNS',
    requirement:
      '`run_workflow`, `run_status` and `run_question`: a run that Lockstep drives, and its question answered by elicitation.',
    proof: `${PEOPLE} › MCP-RUNS: *`,
  },
  {
    id: 'MCP-SKIPS',
    requirement:
      '`skipChecks` and `skipStepNames` of `session_start` only with a person’s agreement (WR47-FR-7.2 within FR-6.4).',
    proof: `${PEOPLE} › MCP-SKIPS: *`,
  },
  {
    id: 'MCP-OWN-CHECKS',
    requirement: 'A client does not set inputs that decide whether its own work counts.',
    proof: `${SESSION} › a session › MCP-OWN-CHECKS: *`,
  },
  {
    id: 'MCP-INPUTS',
    requirement:
      'What is missing, unknown or outside the project is refused at start, with a fix for each; nothing is made.',
    proof: `${SESSION} › a session › MCP-INPUTS: *`,
  },
  {
    id: 'MCP-SESSION',
    requirement:
      'WR47-FR-7.1, 7.3, 7.4, 8.1 and 8.6 by MCP: `session_start` of `spec-implementation` in a worktree, step results since the last checkpoint, the step summary, and the worktree stays.',
    proof: `${SESSION} › a session › MCP-SESSION: *`,
  },
  ...(
    [
      ['7.1', '`session_start` takes a `workflow`, else `spec-implementation`, found in the layers.'],
      [
        '7.2',
        '`session_start` takes `skipChecks` and `skipStepNames`, within FR-6.4: a person agrees to them.',
      ],
      ['7.3', '`session_checkpoint` has the results of the steps since the last checkpoint.'],
      ['7.4', '`session_complete` has the summary of all steps, with what was left out and why.'],
      ['8.1', '`session_start` makes a worktree and a branch; without git it works in place, and says so.'],
      ['8.6', '`session_complete` leaves the worktree as it is.'],
    ] as const
  ).map(([number, requirement]) => ({
    id: `MCP-FR-${number}`,
    requirement: `${requirement} (WR47-FR-${number}, by MCP.)`,
    proof: `test/mcp/seed-session.test.ts › session tools › *MCP-FR-${number}*`,
  })),
  {
    id: 'MCP-TASKS',
    requirement:
      'The extension `io.modelcontextprotocol/tasks` for `run_workflow`: a handle that is polled, answered and cancelled, for clients that declare it with the request; it outlives its server, and the run goes on.',
    proof: 'test/mcp/tasks.test.ts › MCP-TASKS: a run as a task',
  },
  {
    id: 'MCP-LIST-SIZE',
    requirement:
      'The list of all tools takes 42 KB at most, of the workflow tools 10.5 KB, with input and output schemas.',
    proof: [
      `${SERVER} › lockstep mcp, revision * › MCP-LIST-SIZE: *`,
      'src/mcp/listed-schema.test.ts › MCP-LIST-SIZE: the list of tools is small',
    ],
  },
  {
    id: 'MCP-LED-CLIENTS',
    requirement:
      'A client that was led does not speak for the person: not after it ended its server, not over HTTP, not from a process that it cut loose with its environment.',
    proof: 'test/mcp/led-clients.test.ts › MCP-LED-CLIENTS: *',
  },
  {
    id: 'MCP-RESOURCES',
    requirement: 'Runs and workflows are resources; one that is not there is said to be so.',
    proof: `${SESSION} › resources and prompts › MCP-RESOURCES: *`,
  },
  {
    id: 'MCP-REFERENCES',
    requirement:
      'References are listed at start with their resources; one that is not there is a warning, never a failed start.',
    proof: `${SESSION} › resources and prompts › MCP-REFERENCES: *`,
  },
  {
    id: 'MCP-PROMPTS',
    requirement:
      'Each workflow, of the project too, is a prompt (in clients a slash command, WR44-FR-012); one that a client cannot be led through has Lockstep run it.',
    proof: `${SESSION} › resources and prompts › MCP-PROMPTS: *`,
  },
  {
    id: 'MCP-HTTP',
    requirement:
      '`lockstep mcp --http` serves Streamable HTTP on loopback only, to clients of both revisions.',
    proof: `${HTTP} › MCP-HTTP: *`,
  },
  {
    id: 'MCP-HTTP-GUARDED',
    requirement:
      'Over HTTP nothing is taken without the bearer token, from another Host, or with a foreign Origin.',
    proof: `${HTTP} › MCP-HTTP-GUARDED: *`,
  },
  {
    id: 'MCP-DOCTOR',
    requirement: '`lockstep doctor` says whether the MCP server answers.',
    proof: [
      'src/doctor/doctor.test.ts › MCP-DOCTOR: the MCP server',
      'test/cli/doctor.test.ts › doctor › AG-DOCTOR-MACHINE:*',
    ],
  },
  {
    id: 'MCP-DOCS',
    requirement: 'docs/guide-drive.md lists every tool and every code of the server, and no other.',
    proof: 'test/mcp/docs.test.ts › docs/guide-drive.md',
  },
  {
    id: 'MCP-REGISTRY',
    requirement: '`server.json` and `mcpName` fit the package.',
    proof: 'test/mcp/docs.test.ts › server.json',
  },
  {
    id: 'MCP-STEP-TOOLS',
    requirement:
      'The tools that lead a client are always there; those of the tracker follow the lists of the step, and the client is told of each change.',
    proof: 'test/mcp/step-tools.test.ts › MCP-STEP-TOOLS: tools of the tracker follow the step',
  },
  {
    id: 'MCP-BUDGET',
    requirement:
      'A prompt that is too long for an answer is shown by its beginning, and is a resource while its step is handed out; inputs, vars and outputs that are too long are named, and are resources. What a led run costs is called unknown.',
    proof: [
      'test/mcp/step-tools.test.ts › MCP-BUDGET: an answer stays within what a model can take',
      'src/mcp/budget.test.ts › MCP-BUDGET: data of a run',
    ],
  },
  {
    id: 'MCP-PREFERENCES',
    requirement: 'A client does not choose whether a person is asked, nor the state that conditions read.',
    proof: 'test/mcp/preferences.test.ts › MCP-PREFERENCES: a client does not choose',
  },
];

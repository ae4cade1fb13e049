// What is shown with the real clients and a scripted model on loopback (e2e/). Proofs in e2e/scenarios/ are suites: one
// test for each client.

import type { Requirement } from '../ledger.ts';

const scenarios: [id: string, file: string, requirement: string, ...titles: string[]][] = [
  [
    'AG-E2E-ANSWER',
    'answer',
    'A prompt reaches the model to the letter; its answer, session and provider are in the journal.',
    'a prompt is asked and answered',
  ],
  [
    'AG-E2E-MODEL',
    'model',
    'The model is that of the step, else of the agent, else of the defaults.',
    'the model is that of the step, else of the agent, else of the defaults',
  ],
  [
    'AG-E2E-PROVIDER',
    'provider',
    'Where no provider is named, the first client found answers.',
    'where no provider is named, the first client found answers',
  ],
  [
    'AG-E2E-PERMISSION-MODE',
    'permission-mode',
    'permission_mode: plan changes nothing; bypassPermissions works, as root too, and what it became is on record.',
    'permission_mode plan: nothing is changed',
    'permission_mode bypassPermissions: it works, as root too',
  ],
  [
    'AG-E2E-ACTIVITY',
    'activity',
    'The transcript has what was asked, said, done and denied; --json has the entries as they come.',
    'the transcript has what was asked, said, done and denied',
    '--json: every entry is a line, the summary the last',
  ],
  [
    'AG-E2E-SYSTEM',
    'system-prompt',
    "The agent's system prompt reaches the model.",
    'the body of the agent is what the model is told first',
  ],
  [
    'AG-E2E-SURROUNDINGS',
    'surroundings',
    'A client works in the project, has the env of its step, and carries LOCKSTEP_RUN and LOCKSTEP_STEP.',
    'the agent works in the project, with the env of its step and the names of run and step',
  ],
  [
    'AG-E2E-FILES',
    'real-files',
    'A client edits real files and runs commands, unattended.',
    'the agent writes, reads, edits and runs commands, unattended',
  ],
  [
    'AG-E2E-SCHEMA',
    'structured-output',
    'done.schema is always validated: what fits is the output, JSON in one fenced block counts.',
    'an answer that fits the schema is the output',
    'JSON in one fenced block counts as an answer, whatever the client',
  ],
  [
    'AG-E2E-SCHEMA-BACK',
    'structured-output',
    'A miss is sent back with the exact errors, in the same session.',
    'an answer that does not fit goes back with the exact errors, in the same session',
  ],
  [
    'AG-E2E-SCHEMA-NONE',
    'structured-output',
    '"Success" without structured output is not done.',
    'success without structured output is not done',
  ],
  [
    'AG-E2E-TOOLS',
    'tools',
    '`tools` binds in a run: allow, deny, patterns, none.',
    'tools.allow: nothing else is used',
    'tools.deny: with a pattern, only what it covers',
    'tools.allow: [] is none at all',
  ],
  [
    'AG-E2E-RULES',
    'rules',
    '`rules` bind in a run: a block does not happen and its reason reaches the model; what the session read is known; a warning is recorded.',
    'a rule blocks a call, and its reason reaches the model',
    'a rule knows what the session has read so far',
    'a rule warns, and the call happens',
    'a rule rewrites a call, and what it became happens',
  ],
  [
    'AG-E2E-READ-ONLY',
    'read-only',
    'Reviewers are read-only in fact: Write, Edit, redirection, sed -i, tee, git checkout, python -c change nothing, or the step fails because git shows it.',
    'a reviewer with Bash changes nothing, or its step fails and names the file',
    'a reviewer without Bash changes nothing in any way',
  ],
  [
    'AG-E2E-ISOLATION',
    'sessions',
    "Each step is a fresh session; no step sees another's prompt.",
    'a step does not see what another was asked or answered',
  ],
  [
    'AG-E2E-SESSION',
    'sessions',
    '`session:` goes on in the session of an earlier step.',
    '`session:` goes on in the session of an earlier step',
  ],
  [
    'AG-E2E-USAGE',
    'usage',
    'Tokens are counted per step and run; the cumulative counters of a continued session only once.',
    'tokens are counted per step and run, and those of a continued session only once',
  ],
  [
    'AG-E2E-COST',
    'usage',
    'Cost is what the client says; an unknown price is unknown, never zero.',
    'a price that nobody knows is unknown, never zero',
    'cost is what the client says of a model whose price it knows',
  ],
  [
    'AG-E2E-LIMITS',
    'limits',
    'limits stop the next dispatch and abort the running one.',
    'limits.tokens: the next step does not start',
    'limits.tokens: the step that is running is ended',
  ],
  [
    'AG-E2E-API-ERROR',
    'api-errors',
    'An API error fails the step with its own words and may be retried; a wrong key says so.',
    'an API error fails the step, with its own words',
    'a wrong key fails the step and says so',
    'a step whose API call failed is dispatched again',
  ],
  [
    'AG-E2E-RATE-LIMIT',
    'rate-limit',
    'Back-off on a rate limit keeps to the time that the server names.',
    'a rate limit: the next try comes no sooner than the server says',
  ],
  [
    'AG-E2E-OVERLOADED',
    'rate-limit',
    'An overloaded API has a class of its own.',
    'an API that has too much to do is class overloaded',
  ],
  [
    'AG-E2E-STREAM',
    'broken-stream',
    'A stream that breaks off or is garbage is never taken for an answer.',
    'a stream that breaks off fails the dispatch',
    'a stream of garbage fails the dispatch',
  ],
  [
    'AG-E2E-TIME-OUT',
    'time-out',
    "A client that hangs is ended by its step's time-out.",
    'a client that waits for ever is ended by the time-out of its step',
  ],
  [
    'AG-E2E-CANCEL',
    'cancel',
    'Ctrl-C ends the client and all that it started; resume goes on.',
    'Ctrl-C ends the client and what its tools started; resume goes on',
  ],
  [
    'AG-E2E-CRASH',
    'crash',
    'A client that dies fails the dispatch, which may be retried.',
    'a client that is killed fails the dispatch, which is made again',
  ],
  [
    'AG-E2E-MCP',
    'mcp',
    'MCP servers named in a workflow are passed on.',
    'a server that the workflow names is passed on, and its tools work',
  ],
  [
    'AG-E2E-MCP-DENIED',
    'mcp',
    'A tool of an MCP server that the step does not allow is not called.',
    'a tool of a server that the step denies is not called, whoever brought the server',
  ],
  [
    'AG-E2E-MCP-UNREACHABLE',
    'mcp',
    'A server that cannot be reached is tried again, then a clear failure.',
    'a server that cannot be reached is tried again, then fails the step by name, before the model is asked',
  ],
  [
    'AG-E2E-SETTING-SOURCES',
    'setting-sources',
    "setting_sources: the project's hooks fire inside the agent; a client without such a notion says so.",
    "setting_sources: the project's hooks fire where it is named, and not where it is not",
  ],
  [
    'AG-E2E-MAX-TURNS',
    'max-turns',
    'max_turns ends an agent that goes on and on; a client without such a setting says so.',
    'max_turns: the step fails when they are used up',
  ],
  [
    'AG-E2E-KEYS',
    'keys',
    'Keys and secrets are in no command line (/proc), journal or log; the prompt is in no command line.',
    'no key, secret or prompt stands in a command line, and no key or secret in anything that is kept',
  ],
  [
    'AG-E2E-LOOPBACK',
    'loopback',
    'No client tries to reach anything but loopback.',
    'no client tries to reach anything but loopback',
  ],
  [
    'AG-E2E-WHOLE',
    'spec-implementation',
    'Plan, implement, review, fix, verify runs with each real client and edits real files; the journals differ only in what they must.',
    'a specification becomes a branch: work that is sent back, a review that rejects, a fix, real commits',
    'the journals of the clients differ only in what they must',
  ],
];

export const realAgentsE2e: Requirement[] = [
  ...scenarios.map(([id, file, requirement, ...titles]) => ({
    id,
    requirement,
    proof: titles.map((title) => `e2e/scenarios/${file}.test.ts › ${title}`),
  })),
  {
    id: 'AG-E2E-MODEL-SERVER',
    requirement:
      'The scripted model server speaks the protocols of Anthropic, OpenAI Responses and Gemini, and is a tested library.',
    proof: [
      'e2e/model-server/model-server.test.ts › what is said',
      'e2e/model-server/model-server.test.ts › what is recorded',
      'e2e/model-server/model-server.test.ts › what goes wrong',
    ],
  },
  {
    id: 'AG-E2E-ONE-SCRIPT',
    requirement: 'The model of a scenario is written once, in our words, and played through every client.',
    proof: [
      'e2e/support/model.test.ts › which turn is next',
      'e2e/support/model.test.ts › the words of each client',
    ],
  },
  {
    id: 'AG-E2E-ALL',
    requirement:
      '`.ci/run` plays the scenarios after the tests; its last line and the ledger count what both reported.',
    proof: ['test/project.test.ts › AG-E2E-ALL', 'test/project.test.ts › LS-PROJECT-CI'],
  },
  {
    id: 'AG-E2E-TABLE',
    requirement: 'The table of results says what each client does, and why where it cannot.',
    proof:
      'e2e/support/results-table.test.ts › has a row for each scenario and a column for each client, and says why below',
  },
];

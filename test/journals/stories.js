// stories: small runs, one for each thing that a journal can tell of. scripts/record-journals.js plays them once and keeps
// what they leave. `play` and `goOn` are shell lines; the corpus has the run as `play` left it, and `goOn` is what the test does
// with it, with whatever Lockstep there is then.

const flow = (name, steps, head = '') => `lockstep: 1\nname: ${name}\n${head}steps:\n${steps}`;
/** Once: kills Lockstep itself. */
const die = 'test -e died || { touch died; kill -9 $PPID; sleep 5; }';
const GOOD = '{ assessment: approved, issues: [], strengths: [], hasActionableIssues: false }';
const BAD = `{ assessment: needs_revision, strengths: [], hasActionableIssues: true,
      issues: [{ severity: critical, description: eval runs anything, file: a.txt, line: 1, fixInstructions: Drop it. }] }`;

/** An MCP client of one call: `start`, or the notes that it hands in with the token that it was given last. */
const CLIENT = `import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const server = spawn('lockstep', ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const ask = async (id, method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n');
  for (;;) {
    const message = JSON.parse((await lines.next()).value);
    if (message.id === id) return message.result;
  }
};
const clientInfo = { name: 'client', version: '1' };
await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
const [said] = process.argv.slice(2);
const call =
  said === 'start'
    ? { name: 'start_workflow', arguments: { workflowId: 'led', workspacePath: process.cwd() } }
    : {
        name: 'continue_workflow',
        arguments: { continueToken: readFileSync('token', 'utf8'), output: { notesMarkdown: said } },
      };
const { structuredContent } = await ask(2, 'tools/call', call);
const { retryContinueToken, continueToken } = structuredContent;
if (retryContinueToken ?? continueToken) writeFileSync('token', retryContinueToken ?? continueToken);
server.stdin.end();
`;

/** An event of a live session in Claude Code, as its hook gets it: the fields beside its name and session. */
const EVENT = `import { spawnSync } from 'node:child_process';

const [name, more = '{}'] = process.argv.slice(2);
const cwd = process.cwd();
const payload = { session_id: 's1', cwd, hook_event_name: name, ...JSON.parse(more) };
const { status, stdout, stderr } = spawnSync('lockstep', ['hook', 'claude'], { input: JSON.stringify(payload), encoding: 'utf8' });
console.log(status, stdout, stderr);
`;

/** One call of a tool of the MCP server. */
const TOOL = `import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const server = spawn('lockstep', ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const ask = async (id, method, params) => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n');
  for (;;) {
    const message = JSON.parse((await lines.next()).value);
    if (message.id === id) return message.result;
  }
};
const clientInfo = { name: 'client', version: '1' };
await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
const [name, given] = process.argv.slice(2);
console.log(JSON.stringify((await ask(2, 'tools/call', { name, arguments: JSON.parse(given) })).structuredContent));
server.stdin.end();
`;

const bash = (id, command) =>
  `{"tool_name":"Bash","tool_use_id":"${id}","tool_input":{"command":"${command}"}}`;

export const stories = [
  {
    name: 'sequence',
    files: {
      'w.yaml': flow(
        'sequence',
        `  - { id: one, run: echo 1, enter: [{ set: { begun: true } }], exit: [{ run: 'false' }, { when: 'vars.begun == false', run: 'true' }] }
  - { id: never, if: 'false', run: echo never }
  - { id: looked, if: 'size(files("*.yaml")) == 1', run: echo looked }
  - { id: two, steps: [{ id: inner, run: 'echo {{ inputs.who }}' }] }
  - { id: note, call: write-file, with: { path: out/note.txt, content: noted } }
`,
        `inputs: { who: { type: string, default: ada } }
vars: { begun: false }
outputs: { one: '{{ steps.one.output }}', inner: '{{ steps.inner.output }}', begun: '{{ vars.begun }}' }
`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'parallel-stopped',
    files: {
      'w.yaml': flow(
        'fan',
        `  - id: both
    parallel: true
    concurrency: 1
    steps:
      - { id: good, run: echo good }
      - { id: bad, run: 'test -e mended' }
      - { id: later, run: echo later }
`,
        `outputs: { later: '{{ steps.both.output.later }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['touch mended', 'lockstep resume'],
  },
  {
    name: 'each',
    files: {
      'w.yaml': flow(
        'items',
        `  - id: people
    each: name in inputs.names
    concurrency: 2
    on_fail: continue
    steps:
      - { id: greet, run: 'echo {{ "hello " + name }}; test {{ name }} != bob' }
`,
        `inputs: { names: { type: list, default: [ada, bob, cyd] } }
outputs: { status: '{{ steps.people.output.map(p, p.status) }}' }
`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'loop',
    files: {
      'w.yaml': flow(
        'rounds',
        `  - id: rounds
    loop: { until: 'vars.round == 2', max: 4 }
    steps:
      - { id: turn, run: 'echo {{ pass.number }}', exit: [{ set: { round: '{{ vars.round + 1 }}' } }] }
`,
        `vars: { round: 0 }\noutputs: { round: '{{ vars.round }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'goto',
    files: {
      'w.yaml': flow(
        'jumps',
        `  - id: start
    run: echo start
    next: [{ when: 'steps.start.output == "start"', goto: last, do: [{ run: echo done }] }]
  - { id: over, run: echo over }
  - { id: last, run: echo last, next: [{ goto: end }] }
  - { id: after, run: echo after }
`,
        `limits: { visits: 3 }\noutputs: { last: '{{ steps.last.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'sub-workflow',
    files: {
      'w.yaml': flow(
        'outer',
        '  - { id: called, workflow: called.yaml, with: { who: ada } }\n',
        'outputs: { said: "{{ steps.called.output.said }}" }\n',
      ),
      'called.yaml': flow(
        'called',
        '  - { id: say, run: \'echo {{ "dear " + inputs.who }}\' }\n',
        'inputs: { who: { type: string } }\noutputs: { said: "{{ steps.say.output }}" }\n',
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'gates',
    files: {
      'w.yaml': flow(
        'checked',
        `  - { id: build, prompt: { text: Build it. } }
  - { id: reviews, gates: checks, output: review }
  - id: fix-loop
    loop: { while: review.hasActionableIssues, max: 2 }
    steps:
      - { id: fix-issues, prompt: { text: 'Fix {{ review.actionableIssues }}' } }
      - { id: re-reviews, gates: checks, output: review }
`,
        `outputs: { verdict: '{{ review.assessment }}' }\n`,
      ),
      'answers.yaml': `answers:
  build: { write: { a.txt: "eval\\n" } }
  security: [ { output: ${BAD} }, { output: ${GOOD} } ]
  fix-issues: { write: { a.txt: "safe\\n" } }
  "*": { output: ${GOOD} }
`,
      '.lockstep/gates/checks/security.md': 'Look for holes.',
      '.lockstep/gates/checks/deep.md': '---\nrun: manual\n---\nLook at everything.',
    },
    play: ['lockstep run w.yaml --script answers.yaml'],
  },
  {
    name: 'approval',
    files: {
      'w.yaml': flow(
        'release',
        `  - id: announce
    prompt: { text: Write the announcement. }
    done: { approve: { ask: Is it right? }, tries: 3 }
  - { id: send, run: 'echo {{ steps.announce.output }}' }
`,
        `outputs: { sent: '{{ steps.send.output }}' }\n`,
      ),
      'answers.yaml': 'answers: { announce: [{ text: Hello }, { text: Hello all }] }\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml', 'lockstep answer reject --note "Say it to all."'],
    goOn: ['lockstep answer approve'],
  },
  {
    name: 'approved',
    git: true,
    files: {
      'w.yaml': flow(
        'release',
        `  - id: announce
    prompt: { text: Write the announcement. }
    done: { approve: { ask: Is it right? } }
`,
      ),
      'answers.yaml': 'answers: { announce: { write: { a.txt: Hello }, text: Hello } }\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml', 'lockstep answer approve'],
  },
  {
    name: 'question',
    files: {
      'w.yaml': flow(
        'asks',
        `  - { id: channel, ask: Where does it go?, choices: [mail, web] }
  - { id: send, run: 'echo {{ steps.channel.output }}' }
`,
        `outputs: { sent: '{{ steps.send.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['lockstep answer web'],
  },
  {
    name: 'question-expired',
    files: {
      'w.yaml': flow(
        'asks',
        `  - id: both
    parallel: true
    steps:
      - { id: q, ask: Well?, choices: ['yes', 'no'], timeout: 100ms, on_fail: continue }
      - { id: r, run: sleep 0.4 }
`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'retry',
    files: {
      'w.yaml': flow(
        'flaky',
        `  - { id: flaky, run: 'test -f done || { touch done; exit 7; }', retry: { max: 2, delay: 5ms, on: [7] } }
  - { id: may-fail, run: exit 3, on_fail: continue }
`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'sent-back',
    files: {
      'w.yaml': flow(
        'plans',
        `  - id: plan
    prompt: { text: Plan. }
    output: plan
    done:
      schema: { type: object, required: [tasks], properties: { tasks: { type: array } } }
      that: ['size(output.tasks) == 2']
      run: 'true'
      tries: 3
`,
        `outputs: { tasks: '{{ plan.tasks }}' }\n`,
      ),
      'answers.yaml':
        'answers: { plan: [{ output: { tasks: [one] } }, { text: no json }, { output: { tasks: [one, two] } }] }\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml'],
  },
  {
    name: 'held',
    files: {
      'w.yaml': flow(
        'held',
        `  - { id: plan, prompt: { text: Plan. }, done: { that: 'output == "good"', tries: 1 } }
  - { id: next, run: echo next }
`,
        `outputs: { next: '{{ steps.next.output }}' }\n`,
      ),
      'answers.yaml': 'answers: { plan: { text: bad } }\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml'],
    goOn: ['lockstep answer accept'],
  },
  {
    name: 'blocker',
    files: {
      'w.yaml': flow(
        'blocked',
        '  - { id: ask, prompt: { text: Do it. } }\n',
        `outputs: { said: '{{ steps.ask.output }}' }\n`,
      ),
      'answers.yaml': 'answers: { ask: [{ output: { blocker: Which one? } }, { text: done }] }\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml'],
    goOn: ['lockstep answer "the first"'],
  },
  {
    name: 'crash',
    files: {
      'w.yaml': flow(
        'crashes',
        `  - { id: build, run: echo built }
  - { id: work, run: '${die}; echo worked' }
  - { id: last, run: 'echo {{ steps.build.output + " " + steps.work.output }}' }
`,
        `outputs: { last: '{{ steps.last.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['lockstep resume'],
  },
  {
    name: 'crash-and-probe',
    files: {
      'w.yaml': flow(
        'publish',
        `  - { id: publish, run: 'echo out >> out.txt; ${die}', recover: { probe: [grep, -q, out, out.txt] } }
  - { id: count, run: 'wc -l < out.txt' }
`,
        `outputs: { count: '{{ steps.count.output.trim() }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml', 'lockstep resume'],
  },
  {
    name: 'crash-in-parallel',
    files: {
      'w.yaml': flow(
        'crashes',
        `  - id: people
    each: name in ["a", "b", "c"]
    concurrency: 2
    steps:
      - { id: greet, run: '${die}; echo {{ name }}' }
`,
        `outputs: { people: '{{ steps.people.output.map(p, p.output) }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['lockstep resume'],
  },
  {
    name: 'signals',
    files: {
      'w.yaml': flow(
        'waits',
        `  - id: both
    parallel: true
    steps:
      - { id: wait, wait: { signal: go, timeout: 20s } }
      - { id: send, run: 'lockstep signal "$LOCKSTEP_RUN" go --data 7' }
  - { id: stop, run: '${die}' }
  - { id: again, wait: { signal: more, timeout: 20s } }
`,
        `outputs: { first: '{{ steps.both.output.wait }}', more: '{{ steps.again.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['lockstep signal latest more --data 8', 'lockstep resume'],
  },
  {
    name: 'waits',
    files: {
      'w.yaml': flow(
        'waits',
        `  - { id: files, wait: { files: ['*.yaml'], timeout: 10s, every: 10ms } }
  - { id: time, wait: { for: 20ms } }
`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'refused-message',
    files: {
      'w.yaml': flow(
        'refuses',
        `  - { id: forge, run: 'printf "%s" "{\\"kind\\":\\"cancel\\",\\"by\\":\\"eve\\"}" > "$LOCKSTEP_RUN_ROOT/inbox/x.json"; sleep 0.5' }
`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'time-out',
    files: {
      'w.yaml': flow(
        'slow',
        `  - id: block
    timeout: 200ms
    steps:
      - { id: slow, run: 'test -e quick || sleep 10' }
  - { id: last, run: echo last }
`,
        `outputs: { last: '{{ steps.last.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['touch quick', 'lockstep resume'],
  },
  {
    name: 'failed',
    files: {
      'w.yaml': flow(
        'fails',
        `  - { id: first, run: echo first }
  - id: block
    steps:
      - { id: bad, run: 'echo why >&2; test -e mended' }
  - { id: absent, run: 'echo {{ steps.first.output }}' }
`,
        `outputs: { absent: '{{ steps.absent.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['touch mended', 'lockstep resume'],
  },
  {
    name: 'limit',
    files: {
      'w.yaml': flow(
        'limited',
        `  - { id: one, run: echo one, next: [{ when: '!has_file', goto: one }] }
`.replace('!has_file', 'size(files("enough")) == 0'),
        'limits: { visits: 2 }\n',
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['touch enough', 'lockstep resume --limit visits=5'],
  },
  {
    name: 'cancelled',
    files: {
      'w.yaml': flow(
        'cancels',
        `  - { id: work, run: 'lockstep cancel "$LOCKSTEP_RUN" --why enough; sleep 10' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
  },
  {
    name: 'interrupted',
    files: {
      'w.yaml': flow(
        'interrupted',
        `  - { id: work, run: 'test -e once || { touch once; kill -INT $PPID; sleep 10; }; echo worked' }
`,
        `outputs: { work: '{{ steps.work.output }}' }\n`,
      ),
    },
    play: ['lockstep run w.yaml'],
    goOn: ['lockstep resume'],
  },
  {
    name: 'secret',
    files: {
      'w.yaml': flow(
        'masked',
        "  - { id: show, run: 'echo $TOKEN', secrets: [TOKEN] }\n",
        `outputs: { shown: '{{ steps.show.output }}' }\n`,
      ),
    },
    play: ['TOKEN=abc-123-secret lockstep run w.yaml'],
  },
  {
    name: 'denied-calls',
    files: {
      'w.yaml': flow(
        'guarded',
        `  - { id: work, prompt: { text: Work. }, tools: { deny: ['Bash(rm *)'] }, retry: { max: 1, delay: 5ms, on: [exit, error] } }
`,
      ),
      'answers.yaml': `answers:
  work: [{ read: [w.yaml], run: rm -r a }, { text: done }]
`,
    },
    play: ['lockstep run w.yaml --script answers.yaml'],
  },
  {
    // As the one above, since outcomes count calls.
    name: 'counted-calls',
    files: {
      'w.yaml': flow(
        'guarded',
        "  - { id: work, prompt: { text: Work. }, tools: { deny: ['Bash(rm *)'] }, on_fail: continue }\n",
      ),
      'answers.yaml': 'answers: { work: { read: [w.yaml], run: rm -r a } }\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml'],
  },
  {
    name: 'worktree',
    git: true,
    files: {
      'w.yaml': flow(
        'apart',
        `  - { id: write, run: 'echo x > a.txt; test -e ../../../mended' }
  - id: each
    each: name in ["a", "b"]
    workspace: worktree
    steps:
      - { id: own, run: 'echo {{ name }} > own.txt' }
`,
        'workspace: worktree\n',
      ),
    },
    play: [
      'git add . && git commit -qm definitions',
      'lockstep run w.yaml',
      'rm -r .worktrees; touch ../mended mended',
      'lockstep resume',
    ],
  },
  {
    name: 'orchestrate',
    files: {
      'w.yaml': `version: "1.3"
name: "queue"
context: { who: "ada" }
steps:
  - name: List
    command: ["echo", "a b"]
    output_capture: "lines"
  - name: Each
    for_each:
      items_from: "steps.List.lines"
      as: one
      steps:
        - { name: Say, command: ["echo", "\${one} \${context.who}"] }
  - name: Assert
    command: ["test", "-e", "mended"]
    on: { success: { goto: Accept } }
  - { name: Reject, command: ["echo", "no"] }
  - { name: Accept, command: ["echo", "yes"] }
`,
    },
    play: ['lockstep run w.yaml'],
    goOn: ['touch mended', 'lockstep resume'],
  },
  {
    name: 'wrangler',
    files: {
      'w.yaml': `name: quick
version: 1
phases:
  - name: implement
    agent: agents/implementer.md
    output: work
`,
      'agents/implementer.md':
        '---\nname: implementer\ndescription: Builds.\ntools: [Read]\n---\nYou build.\n',
      'answers.yaml': 'answers: { "*": { output: { done: true } } }\n',
      'SPEC.md': '# Say hello\n',
    },
    play: ['lockstep run w.yaml --script answers.yaml --input spec=SPEC.md'],
  },
  {
    name: 'step-alone',
    files: {
      'w.yaml': flow('whole', '  - { id: one, run: echo 1 }\n  - { id: two, run: echo 2 }\n'),
    },
    play: ['lockstep run-step two --workflow w.yaml'],
  },
  {
    name: 'guided',
    files: {
      '.lockstep/workflows/led.yaml': flow(
        'led',
        `  - { id: plan, prompt: { text: Plan it. }, done: { that: 'output != "no"', tries: 2 } }
  - { id: build, prompt: { text: 'Build: {{ steps.plan.output }}' } }
`,
        `providers: { echo: { command: [cat], input: stdin } }
defaults: { provider: echo }
outputs: { built: '{{ steps.build.output }}' }
`,
      ),
      'client.mjs': CLIENT,
    },
    // Sent back once; then it is handed over, and what the client hands in after that is refused.
    play: [
      'node client.mjs start',
      'node client.mjs no',
      'node client.mjs "a plan"',
      'lockstep handover --to run',
      'node client.mjs "built too late"',
    ],
    goOn: ['lockstep resume'],
  },
  {
    name: 'guarded',
    git: true,
    files: {
      '.lockstep/workflows/held.yaml': flow(
        'held',
        `  - id: look
    prompt: { text: Look around. }
    tools: { allow: [Read, Bash] }
    enter: [{ say: 'You are looking.' }]
    done: { that: [{ is: 'user_says("build it")', else: The person has not said to build it. }] }
  - id: build
    prompt: { text: Build it. }
    done: { run: test -e built, tries: 3 }
  - { id: last, prompt: { text: The end. } }
`,
      ),
      'event.mjs': EVENT,
      'tool.mjs': TOOL,
      'plan.md': 'a plan',
    },
    // Held in a step that may not write: denied, found out, undone; moved on by a person; sent back; ended.
    play: [
      'lockstep workflow set held',
      `node event.mjs SessionStart '{"source":"startup"}'`,
      `node event.mjs PreToolUse '{"tool_name":"Write","tool_use_id":"w","tool_input":{"file_path":"a.txt","content":"x"}}'`,
      `node event.mjs PreToolUse '${bash('one', 'make')}'`,
      'touch sneaked.txt',
      `node event.mjs PostToolUse '${bash('one', 'make')}'`,
      `node event.mjs PreToolUse '${bash('two', 'rm sneaked.txt')}'`,
      'rm sneaked.txt',
      `node event.mjs PostToolUse '${bash('two', 'rm sneaked.txt')}'`,
      `node event.mjs Stop '{"stop_hook_active":false,"last_assistant_message":"looked"}'`,
      `node tool.mjs mark_artifact_complete '{"artifact_type":"plan","file_path":"plan.md"}'`,
      'lockstep workflow disable --why lunch',
      'lockstep workflow enable',
      'lockstep workflow phase build --force --why "it is clear"',
      `node event.mjs Stop '{"stop_hook_active":false,"last_assistant_message":"built"}'`,
      `node event.mjs PostToolUse '${bash('three', 'touch built')}'`,
      'touch built',
      `node event.mjs Stop '{"stop_hook_active":true,"last_assistant_message":"built now"}'`,
      `node event.mjs SessionEnd '{"reason":"other"}'`,
      'lockstep daemon --stop',
    ],
  },
];

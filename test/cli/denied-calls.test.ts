// Tool calls that did not happen: in the audit and in the report, whoever was against them.

import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith } from './started.ts';

const FLOW = `lockstep: 1
name: flow
steps:
  - id: look
    prompt: { text: Look. }
    rules: [{ when: 'event.tool == "Write"', block: Nothing is written here }]
    on_fail: continue
`;

let project: Scratch;
afterEach(() => project.remove());

describe('a limit of cost', () => {
  it('UX-COST-LIMIT: is handed to a client that works, less what was used before, and ends the run', () => {
    project = projectWith({
      'flow.yaml': `lockstep: 1
name: flow
limits: { cost: 0.5 }
defaults: { provider: claude }
steps:
  - { id: one, prompt: { text: One. } }
  - { id: two, prompt: { text: Two. } }
  - { id: three, prompt: { text: Three. } }
`,
    });
    // Two answers of 30 cents: the second is past the limit.
    project.write(
      '../bin/claude',
      `#!/bin/sh
if [ "$1" = --version ]; then echo "2.1.0 (Claude Code)"; exit 0; fi
cat > /dev/null
printf '%s\\n' "$@" | grep -A1 -e max-budget >> "$HOME/budgets"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","num_turns":1,"total_cost_usd":0.3,"usage":{"input_tokens":1,"output_tokens":1}}'
`,
    );
    chmodSync(join(project.root, '../bin/claude'), 0o755);
    Object.assign(project.env, { LOCKSTEP_CLIENTS: 'claude', LOCKSTEP_CLAUDE: 'cli' });
    const { exitCode, stdout } = project.spawned('run', 'flow.yaml');
    expect(stdout).toContain('limits.cost is $0.5');
    expect(exitCode).toBe(1);
    const budgets = readFileSync(join(project.root, '../home/budgets'), 'utf8');
    expect([...budgets.matchAll(/0\.\d/g)].map(String)).toEqual(['0.5', '0.2']);
  });
});

describe('calls that were denied', () => {
  it('UX-DENIED: what a rule denied is in the audit and the report', () => {
    project = projectWith({
      'flow.yaml': FLOW,
      'answers.yaml': 'answers: { look: { write: { x.txt: y }, text: done } }',
    });
    project.lockstep('run', 'flow.yaml', '--script', 'answers.yaml');
    expect(project.lockstep('audit').stdout).toContain('denied: Write x.txt: Nothing is written here');
    expect(project.lockstep('report').stdout).toMatch(
      /## Denied calls\n[\s\S]*Write x\.txt.*the step.*Nothing is written here/,
    );
    expect(JSON.parse(project.lockstep('report', '--json').stdout)).toMatchObject({
      denied: [
        { path: 'look', tool: 'Write', about: 'x.txt', reason: 'Nothing is written here', by: 'step' },
      ],
      denied_count: 1,
    });
  });

  it('UX-DENIED: so is what the client refused by itself, from the record of calls', () => {
    project = projectWith({ 'flow.yaml': FLOW.replace('    rules:', '    provider: claude\n    rules:') });
    const lines = [
      { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [], mcp_servers: [] },
      {
        type: 'assistant',
        session_id: 's',
        message: {
          id: 'm1',
          content: [{ type: 'tool_use', id: 't1', name: 'Frobnicate', input: { what: 'it' } }],
        },
      },
      {
        type: 'user',
        session_id: 's',
        message: {
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              is_error: true,
              content: '<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>',
            },
          ],
        },
      },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'done',
        session_id: 's',
        num_turns: 1,
        total_cost_usd: 0.01,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    ];
    project.write(
      '../bin/claude',
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "2.1.0 (Claude Code)"; exit 0; fi\ncat > /dev/null\ncat <<'END'\n${lines.map((line) => JSON.stringify(line)).join('\n')}\nEND\n`,
    );
    chmodSync(join(project.root, '../bin/claude'), 0o755);
    Object.assign(project.env, { LOCKSTEP_CLIENTS: 'claude', LOCKSTEP_CLAUDE: 'cli' });
    const run = project.spawned('run', 'flow.yaml');
    const audit = project.lockstep('audit').stdout;
    expect([run.stdout, audit].join('')).toContain('No such tool available: Frobnicate');
    expect(audit).toContain('refused by the client: Frobnicate');
    expect(project.lockstep('report').stdout).toMatch(
      /## Denied calls\n[\s\S]*Frobnicate.*the client.*No such tool available/,
    );
  });
});

// An agent that Lockstep starts uses the tracker and looks at its own run, where its tools name that.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { callTool, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const step = (tools: string) =>
  `  - { id: ask, retry: { max: 0 }, tools: { allow: [Read, ${tools}] }, prompt: { text: Use the tracker } }\n`;
const make = callTool('lockstep', 'issues_create', { title: 'Found by the agent' });
const worktree = 'workspace: worktree';

scenario(
  'WR44-FR-008: issues and the session are there for an agent whose tools name them, judged and recorded',
  {
    model: {
      'Use the tracker': [
        make,
        callTool('lockstep', 'session_status', {}),
        callTool('lockstep', 'issues_delete', { id: 1 }),
        say('Filed.'),
      ],
    },
  },
  async (scene) => {
    const tools = 'mcp__wrangler__issues_create, session_status';
    const ended = await scene.run(flow(scene.client, step(tools), worktree));
    expect(ended.exitCode).toBe(0);
    const results = JSON.stringify(scene.requests.at(-1)?.messages.flatMap((message) => message.results));
    expect(results).toContain('0001-found-by-the-agent.md');
    // Some clients show their model the text of an answer, others the data.
    expect(results).toMatch(/Under way: ask|running\W+ask\W/);
    // In the project, and not in the worktree of the run; whole, although the agent asked for it to be deleted.
    const issue = scene.read('.lockstep/issues/0001-found-by-the-agent.md');
    expect(issue).toMatch(/status: open/);
    expect(scene.sh('git status --short .worktrees/*/.lockstep 2>/dev/null')).toBe('');
    const calls = scene.sh('cat .lockstep/runs/*/logs/ask.calls.jsonl').trim().split('\n');
    const verdicts = calls.map((line) => JSON.parse(line)).map(({ tool, verdict }) => `${tool} ${verdict}`);
    expect(verdicts.slice(0, 2)).toEqual([
      'mcp__lockstep__issues_create allowed',
      'mcp__lockstep__session_status allowed',
    ]);
  },
);

scenario(
  'WR44-FR-008: an agent whose tools do not name them has no such server',
  { model: { 'Use the tracker': [say('Nothing to use.')] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('Grep')));
    expect(ended.exitCode).toBe(0);
    const offered = scene.requests.flatMap(({ tools }) => tools);
    expect(offered.filter((name) => /issues_|session_(get|status)/.test(name))).toEqual([]);
  },
);

// The server that an agent of a run is given: a real run, whose agent starts the server as it was told to and calls it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_TOOLS } from '../../src/model/own-tools.ts';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';

const agent = join(projectRoot, 'test/support/mcp-agent.js');
const SECRET = 'hunter2-and-more';

interface Result {
  name: string;
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  value: any;
  text: string;
}

interface Told {
  server: { command: string; args: string[] } | null;
  offered: { name: string; takes: string[] }[];
  results: Result[];
}

interface Played {
  /** As the step says it; empty: nothing. */
  tools: string;
  calls?: [string, object][];
  /** Where the run works. */
  workspace?: 'worktree' | 'here';
}

const flow = ({ tools, calls = [], workspace = 'worktree' }: Played) => `lockstep: 1
name: flow
description: An agent with tools of ours.
workspace: ${workspace}
guard: { unenforceable: warn }
inputs:
  topic: { type: string, default: parsers }
providers:
  agent: { command: [${process.execPath}, ${agent}, '{{ mcp_servers }}'], input: stdin, defaults: { mcp_servers: '{}' } }
defaults: { provider: agent }
steps:
  - { id: look, run: 'echo seen: $TOKEN', secrets: [TOKEN] }
  - { id: left-out, if: 'false', run: 'true' }
  - id: ask
    save_to: told.json
    ${tools === '' ? '' : `tools: ${tools}`}
    prompt: { text: '${JSON.stringify({ calls })}' }
  - { id: later, if: '"yes" == "no"', prompt: { text: 'CANARY: the prompt of a later step' } }
`;

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
});
afterAll(() => project.remove());

function play(played: Played): Told & { run: string; worktree: string } {
  project.write('flow.yaml', flow(played));
  const env = project.env as Record<string, string>;
  env.TOKEN = SECRET;
  const ended = project.spawned('run', 'flow.yaml');
  expect(ended.stderr + ended.stdout).not.toContain(SECRET);
  expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
  const run = readdirSync(join(project.root, '.lockstep/runs'))
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1) as string;
  const journal = readFileSync(join(project.root, '.lockstep/runs', run, 'journal.jsonl'), 'utf8');
  const [, worktree = project.root] = /"worktree":\{"path":"([^"]+)"/.exec(journal) ?? [];
  return { ...(JSON.parse(readFileSync(join(worktree, 'told.json'), 'utf8')) as Told), run, worktree };
}

describe('WR44-FR-008: an agent that a run has started', () => {
  it('has the tools that its list names, in any spelling, and no others', () => {
    const { offered } = play({
      tools: '{ allow: [Read, mcp__lockstep__issues_get, mcp__wrangler__issues_update, session_*] }',
    });
    expect(offered.map(({ name }) => name).sort()).toEqual([
      'issues_get',
      'issues_update',
      'session_get',
      'session_status',
    ]);
    // There is one project and one run: nothing asks which.
    for (const { takes } of offered)
      expect(takes.filter((name) => name === 'workspacePath' || name === 'sessionId')).toEqual([]);
  });

  it('is not given what its list denies, or what no agent of a run is given', () => {
    const theirs = [
      'continue_workflow',
      'session_start',
      'session_checkpoint',
      'run_question',
      'run_workflow',
    ];
    const { offered, results } = play({
      tools: '{ allow: [mcp__lockstep__*], deny: [mcp__wrangler__issues_delete, issues_up*] }',
      calls: [...theirs, 'issues_delete'].map((name) => [name, {}]),
    });
    const names = offered.map(({ name }) => name);
    expect(names.sort()).toEqual(
      AGENT_TOOLS.filter((name) => name !== 'issues_delete' && name !== 'issues_update').sort(),
    );
    for (const { name, value } of results)
      expect(value.refused, name).toMatchObject({ code: 'tool-unknown' });
    expect(results).toHaveLength(theirs.length + 1);
  });

  it('makes issues in the project, not in its worktree, and they name the run', () => {
    const { results, run, worktree } = play({
      tools: '{ allow: [issues_create] }',
      calls: [
        ['issues_create', { title: 'The parser drops comments' }],
        ['issues_create', { title: 'Elsewhere', workspacePath: '/tmp' }],
      ],
    });
    const [made, elsewhere] = results as [Result, Result];
    expect(made.value.issue).toMatchObject({ title: 'The parser drops comments', run });
    expect(existsSync(join(project.root, made.value.issue.path))).toBe(true);
    expect(existsSync(join(worktree, '.lockstep/issues'))).toBe(false);
    expect(elsewhere.value.refused).toMatchObject({ code: 'arguments-invalid' });
    expect(elsewhere.value.refused.suggestedFix).toContain('/workspacePath');
  });

  it('may make issues where it works in the project itself and has no tool that writes', () => {
    const { results } = play({
      tools: '{ allow: [Read, issues_create] }',
      calls: [['issues_create', { title: 'Only looked at' }]],
      workspace: 'here',
    });
    expect(results).toMatchObject([{ isError: false }]);
  });

  it('is told of its own run: where it is, inputs, results, what was left out, its worktree; no secret and no prompt', () => {
    const { results, run, worktree } = play({
      tools: '{ allow: [session_get, session_status] }',
      calls: [
        ['session_status', {}],
        ['session_get', {}],
        ['session_get', { sessionId: 'latest' }],
      ],
    });
    const [status, got, other] = results as [Result, Result, Result];
    expect(status.value).toMatchObject({ runId: run, status: 'running', drive: 'run', running: ['ask'] });
    expect(got.value).toMatchObject({
      session: { sessionId: run },
      inputs: { topic: 'parsers' },
      checkpoints: [],
      skips: { checks: false, steps: [] },
      worktree: { path: worktree },
    });
    const steps = got.value.stepResults as { step: string; status: string; summary: string }[];
    expect(steps.map(({ step, status: how }) => `${step} ${how}`)).toEqual(['look done', 'left-out skipped']);
    expect(steps[0]?.summary).toBe('seen: ***');
    expect(other.value.refused).toMatchObject({ code: 'arguments-invalid' });
    expect(JSON.stringify(results)).not.toMatch(new RegExp(`CANARY|${SECRET}`));
  });

  it('pays nothing where its list names none of them: there is no server', () => {
    for (const tools of ['', '{ allow: [Read, Bash] }', '{ allow: ["*", mcp__wrangler__session_start] }'])
      expect(play({ tools }).server).toBeNull();
    const denied = play({ tools: '{ allow: [issues_get], deny: ["mcp__*"] }' });
    expect(denied.server).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

const prompt = (id: string, more = '') => `{ id: ${id}, prompt: { text: x }${more} }`;
const reader = (id: string) => prompt(id, ', tools: { allow: [Read, Grep] }');

/** What is said of `steps` side by side, up to the hint. */
const beside = (...steps: string[]) =>
  problemsOf(`steps:\n  - { id: p, parallel: true, steps: [${steps.join(', ')}] }\n`).map(
    (line) => line.split(' → ')[0],
  );

describe('rule 6: agents that may write share no workspace', () => {
  const writing: [string, string, string][] = [
    ['all tools', '', 'Write, Edit, NotebookEdit'],
    ['an allow list', ', tools: { allow: [Read, "Write(docs/**)"] }', 'Write'],
    ['a name with a star', ', tools: { allow: ["*"] }', 'Write, Edit, NotebookEdit'],
    ['what a deny list leaves', ', tools: { deny: [Edit, "Write(src/**)"] }', 'Write, NotebookEdit'],
    [
      'an MCP tool',
      ', tools: { allow: [mcp__github__create_issue, mcp__github__get_issue] }',
      'mcp__github__create_issue',
    ],
    [
      'an MCP tool that is about a list, or writes what it lists',
      ', tools: { allow: [mcp__x__create_list, mcp__x__dismiss_list, mcp__x__issues_update, mcp__x__issues_get_or_add] }',
      'mcp__x__create_list, mcp__x__dismiss_list, mcp__x__issues_update, mcp__x__issues_get_or_add',
    ],
    ['a whole MCP server', ', tools: { allow: ["mcp__github__*"] }', 'mcp__github__*'],
    [
      'a server it is given',
      ', tools: { deny: [Write, Edit, NotebookEdit] }, params: { mcp_servers: { db: {} } }',
      'mcp__db__*',
    ],
  ];
  it.each(writing)('%s', (_, more, tools) => {
    expect(beside(prompt('a', more), reader('b'))).toEqual([
      `4: shared-workspace: \`p/a\` runs beside others in \`p\`, in one workspace, and may use ${tools}`,
    ]);
  });

  const reading: [string, string][] = [
    ['an allow list without', ', tools: { allow: [Read, Bash] }'],
    ['no tools', ', tools: { allow: [] }'],
    ['a deny list', ', tools: { deny: [Write, Edit, NotebookEdit] }'],
    ['a deny list with a star', ', tools: { deny: ["*"] }'],
    [
      'MCP tools that read what they name first',
      ', tools: { allow: [mcp__wrangler__issues_get, mcp__wrangler__issues_list] }',
    ],
    [
      'MCP tools that read',
      ', tools: { allow: [mcp__github__get_issue, mcp__db__query, mcp__x__listFiles, mcp__x__ReadAll] }',
    ],
    ['MCP tools that are denied', ', tools: { allow: [Read, mcp__db__drop], deny: ["mcp__*"] }'],
    ['a worktree of its own', ', workspace: worktree'],
  ];
  it.each(reading)('is kept with %s', (_, more) => {
    expect(beside(prompt('a', more), reader('b'))).toEqual([]);
  });

  it('counts agents at any depth, in actions and in called workflows, but not those with a worktree each', () => {
    const files = { 'workflows/sub.yaml': `lockstep: 1\nname: sub\nsteps: [${prompt('deep')}]\n` };
    expect(
      problemsOf(
        `
steps:
  - id: e
    each: i in [1]
    concurrency: 2
    steps:
      - { id: s, steps: [${prompt('a')}, ${prompt('own', ', workspace: worktree')}] }
      - { id: t, run: x, exit: [{ prompt: { text: x } }] }
      - { id: w, workflow: sub }
`,
        files,
      ),
    ).toEqual([
      '4: shared-workspace: `e/s/a`, `e/t`, `e/w/deep` run beside others in `e`, in one workspace, and may use Write, Edit, NotebookEdit → Let them only read (`tools: { allow: [Read, Grep, Glob] }` or `deny: [Write, Edit, NotebookEdit]`), give every pass a worktree (`workspace: worktree`), or leave `concurrency` out.',
    ]);
  });

  it('is not asked of what runs one after the other', () => {
    expect(
      problemsOf(`
steps:
  - { id: e, each: 'i in [1]', steps: [${prompt('a')}, ${prompt('b')}] }
  - { id: f, each: 'i in [1]', concurrency: 4, workspace: worktree, steps: [${prompt('a')}] }
  - { id: p, parallel: true, concurrency: 1, steps: [${prompt('a')}, ${prompt('b')}] }
  - { id: q, parallel: true, steps: [${prompt('only')}] }
  - { id: l, loop: { until: 'true', max: 2 }, steps: [${prompt('a')}] }
`),
    ).toEqual([]);
  });
});

// The error table of SPEC-000044, row by row: what is done, and how one goes on. (Row 6, a crash, is in launch.test.ts.)

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { journal, runIds } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';
import {
  ANSWERS,
  document,
  oneTask,
  rejected,
  runSample,
  started,
  verification,
  wranglerProject,
} from './sample-project.ts';

let project: Scratch;
afterEach(() => project.remove());

const SHORT = { analyze: { output: oneTask } };
const WORKFLOW = 'workflows/spec-implementation.yaml';

it('WR44-ERR-1: an answer that does not fit its schema is sent back once with what is wrong; then the phase has failed', () => {
  project = wranglerProject();
  const { exitCode, stdout } = runSample(project, { analyze: { output: { tasks: [] } } }, '--debug');
  expect([exitCode, started(project)]).toEqual([1, ['analyze', 'analyze']]);
  expect(stdout).toMatch(/✗ analyze[\s\S]*constraints/);
  const sentBack = project.lockstep('logs', 'latest', 'analyze.try2', '--prompts').stdout;
  expect(sentBack).toMatch(/requirements[\s\S]*constraints/);
});

it('WR44-ERR-2: an agent that uses up its turns has failed by that limit, and the run is resumed from there', () => {
  project = wranglerProject();
  const text = readFileSync(join(project.root, WORKFLOW), 'utf8');
  project.write(
    WORKFLOW,
    text.replace('    output: verification\n', '    output: verification\n    maxTurns: 3\n'),
  );
  const output = verification(0);
  const verify: JsonObject[] = [
    { usage: { turns: 4 }, output },
    { usage: { turns: 3 }, output },
  ];
  const { exitCode, stdout } = runSample(project, { ...SHORT, verify });
  expect(exitCode).toBe(1);
  expect(stdout).toContain('✗ verify: it used up its 3 turns');
  expect(started(project).at(-1)).toBe('verify');
  expect(project.lockstep('run', '--resume', 'latest').exitCode).toBe(0);
  expect(started(project).slice(-3)).toEqual(['verify', 'verify', 'publish']);
});

it('WR44-ERR-3: critical issues enter the fix loop; where it is exhausted the run pauses and says what is open', () => {
  project = wranglerProject();
  const { exitCode, stdout } = runSample(project, {
    ...SHORT,
    'execute[0]/review/security-review': { output: rejected },
    'execute[0]/fix#1/re-review/security-review': { output: rejected },
    'execute[0]/fix#2/re-review/security-review': { output: rejected },
  });
  expect(exitCode).toBe(2);
  expect(stdout.slice(stdout.lastIndexOf('? execute[0]/fix'))).toContain('It greets twice');
  expect(project.lockstep('answer', 'latest', 'accept').exitCode).toBe(0);
  expect(started(project)).toContain('publish');
});

it('WR44-ERR-4: a test suite that fails in verification fails the run with what was said; a fix, and it is resumed', () => {
  project = wranglerProject();
  const verify = [{ output: verification(1) }, { output: verification(0) }];
  const { exitCode, stdout } = runSample(project, { ...SHORT, verify });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /✗ verify[\s\S]*testSuite\.exitCode[\s\S]*0 of 1 requirement met, not R1 \(says verify\)/,
  );
  expect(project.lockstep('report', 'latest').stdout).toMatch(/`verify` +\| 1 +\| 2 +\| 1 +\| 1 +\| 1 +\|/);
  expect(started(project)).not.toContain('publish');
  expect(project.lockstep('run', '--resume', 'latest').exitCode).toBe(0);
  expect(started(project).slice(-2)).toEqual(['verify', 'publish']);
  expect(document(project, 'state.json')).toMatchObject({ status: 'completed' });
});

it('WR44-FR-002: every task for an agent is a session of its own, which goes on from no other and is told of no other', () => {
  project = wranglerProject();
  const secret = { ...(ANSWERS.implement.output as JsonObject), note: 'only-the-implementer-knows' };
  const { exitCode, stdout } = runSample(project, {
    ...SHORT,
    implement: { ...ANSWERS.implement, output: secret },
  });
  expect(exitCode, stdout).toBe(0);
  const entries = journal(project);
  const tasks = entries.filter(({ kind, verb }) => kind === 'attempt-started' && verb === 'prompt');
  expect(tasks.length).toBeGreaterThan(5);
  expect(tasks.filter(({ session }) => session !== undefined)).toEqual([]);
  const sessions = entries.flatMap(({ kind, outcome }) =>
    kind === 'attempt-finished' ? ((outcome as JsonObject).session ?? []) : [],
  );
  expect(sessions).toHaveLength(tasks.length);
  expect(new Set(sessions).size).toBe(tasks.length);
  // What nobody hands on nobody else hears of.
  const told = project.sh(
    'cat .lockstep/runs/latest/logs/*.prompt.txt .lockstep/runs/latest/logs/*/*.prompt.txt',
  ).stdout;
  expect(told).toContain('Run everything and say what is met.');
  expect(told).not.toContain('only-the-implementer-knows');
});

it('WR44-ERR-5: an MCP server that cannot be reached is tried three times more, then the step fails: which, and what it said', () => {
  project = wranglerProject();
  const text = readFileSync(join(project.root, WORKFLOW), 'utf8');
  const server = '{ tracker: { command: sh, args: [-c, "echo x >> ../tried; echo no key >&2; exit 3"] } }';
  project.write(WORKFLOW, text.replace('defaults:', `defaults:\n  mcpServers: ${server}`));
  const { exitCode, stdout } = runSample(project);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/✗ analyze: the MCP server `tracker` cannot be reached[\s\S]*it said: no\s+key/);
  expect(project.sh('cat ../tried .worktrees/tried 2>/dev/null').stdout).toBe('x\n'.repeat(4));
});

it('WR44-ERR-7: requirements that are unclear come back as a blocker: the run pauses and hands it to a person', () => {
  project = wranglerProject();
  const blocked = { output: { blocker: 'Goodbye in which language?' } };
  const implement = [blocked, ANSWERS.implement];
  const { exitCode, stdout } = runSample(project, { ...SHORT, implement });
  expect(exitCode).toBe(2);
  expect(stdout).toContain('Goodbye in which language?');
  expect(started(project).at(-1)).toBe('execute[0]/implement');
  expect(project.lockstep('answer', 'latest', 'Latin').exitCode).toBe(0);
  expect(started(project)).toContain('publish');
});

const MISSPELT = `name: x
version: 1
phases:
  - { name: a, agent: agents/analyzer.md }
  - { name: b, agent: agents/analyzer.md, failWen: a.b }
`;

it.each<[string, string, string | undefined, RegExp]>([
  [
    'WR44-ERR-8: a workflow that is wrong',
    WORKFLOW,
    MISSPELT,
    /yaml:5:\d+[\s\S]*failWen[\s\S]*Did you mean "failWhen"/,
  ],
  ['WR44-ERR-9: an agent that is missing', 'workflows/agents/analyzer.md', undefined, /yaml:\d+:\d+/],
  [
    'WR44-ERR-9: an agent that is malformed',
    'workflows/agents/analyzer.md',
    '---\nname: [\n---\nx\n',
    /analyzer\.md:\d+:/,
  ],
])('%s is told at once with its file, and nothing is made', (_, path, text, told) => {
  project = wranglerProject();
  if (text === undefined) project.sh(`rm ${path}`);
  else project.write(path, text);
  const { exitCode, stderr } = runSample(project);
  expect([exitCode, runIds(project)], stderr).toEqual([2, []]);
  expect(stderr).toContain(path.replace('workflows/', ''));
  expect(stderr).toMatch(told);
  expect(existsSync(join(project.root, '.worktrees'))).toBe(false);
});

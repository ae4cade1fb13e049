// E4, G1 with the real process: `lockstep mcp` is killed at any moment while a client is led. The client starts it again and makes
// the call again that it had no answer to.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { bareClientOf } from '../support/bare-client.ts';
import { eventually } from '../support/stage.ts';
import { tries } from '../support/tries.ts';
import {
  addHanded,
  type Call,
  CLAIMS,
  claimsIn,
  entriesIn,
  FIRST,
  LOST,
  nextCall,
  OUTCOME,
  work,
} from './handed.ts';

const KILLS = tries(40, 5);
const SLOW = `lockstep: 1
name: slow
steps:
  - id: check
    prompt: { text: "Do it." }
    done: { run: 'echo ran >> ran.log; while [ ! -e go ]; do sleep 0.02; done' }
  - { id: after, prompt: { text: "Then this." } }
`;

let project: Scratch;
let client: Awaited<ReturnType<typeof bareClientOf>> | undefined;
beforeAll(() => {
  project = scratch({ git: true });
  addHanded(project);
  project.write('.lockstep/workflows/slow.yaml', SLOW);
});
afterAll(async () => {
  client?.process.kill('SIGKILL');
  project.remove();
});

const journalOf = (run: string) => join(project.root, '.lockstep/runs', run, 'journal.jsonl');
const sizeOf = (run: string | undefined) =>
  run === undefined ? 0 : (statSync(journalOf(run), { throwIfNoEntry: false })?.size ?? 0);
/** With a first entry: a run that was killed before that is none. */
const runs = (): string[] => {
  const folder = join(project.root, '.lockstep/runs');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /Z-\w+$/.test(name)) : [];
  return names.filter((name) => existsSync(journalOf(name)) && readFileSync(journalOf(name)).includes('\n'));
};

/** Numbers from 0 to 1: the same every time. */
let seed = 20261116;
const chance = (): number => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};

/** The answer; undefined where the server was killed before it came: a little after the journal grew, or at any moment. */
async function callAndKill({ tool, given }: Call, run: string | undefined): Promise<unknown> {
  client ??= await bareClientOf(project);
  const { process: server, call } = client;
  const before = sizeOf(run) + runs().length;
  let isOver = false;
  const answer = call(tool, given)
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  if (chance() < 0.5) return answer;
  const atOnce = chance() < 0.2;
  while (!atOnce && !isOver && sizeOf(run) + runs().length === before)
    await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, chance() * 40));
  const gone = new Promise((resolve) => server.once('close', resolve));
  server.kill('SIGKILL');
  await gone;
  client = undefined;
  return answer;
}

it('MCP-E2E-CRASH: killed with SIGKILL many times, every client is led to the same end, and each claim is journaled once', async () => {
  let kills = 0;
  for (let rounds = 0; kills < KILLS; rounds += 1) {
    const known = runs();
    const mine = () => runs().find((run) => !known.includes(run));
    rmSync(join(project.root, 'effects.log'), { force: true });
    for (let call: Call | undefined = FIRST; call; ) {
      work(project.root, call);
      const answer = await callAndKill(call, mine());
      if (client === undefined) kills += 1;
      // Killed before there was a run, it starts anew; after that, and without an answer, it has no token.
      if (answer !== undefined) call = nextCall(answer);
      else if (call === FIRST || call === LOST) call = mine() === undefined ? FIRST : LOST;
    }
    expectSound(mine() as string);
    expect(rounds).toBeLessThan(100);
  }
}, 300_000);

function expectSound(run: string): void {
  const audit = project.lockstep('audit', run, '--json');
  expect(audit.exitCode, audit.stderr).toBe(0);
  const entries = entriesIn(journalOf(run));
  expect(entries.at(-1)).toMatchObject({ kind: 'run-completed', outputs: OUTCOME });
  expect(claimsIn(entries)).toEqual(CLAIMS);
  const names = (kind: Entry['kind']) =>
    entries.flatMap((entry) =>
      entry.kind === kind && 'path' in entry
        ? [`${entry.path}.${'part' in entry ? (entry.part ?? '') : ''}`]
        : [],
    );
  const lines = readFileSync(join(project.root, 'effects.log'), 'utf8').trim().split('\n');
  for (const [name, line] of [
    ['prepare.', 'prepare'],
    ['parts[0]/note.', 'note a'],
    ['both/right.', 'right'],
    ['publish.', 'publish'],
  ] as const) {
    const count = (list: string[]) => list.filter((each) => each === name).length;
    expect(count(names('attempt-finished')), `${name} finished`).toBe(1);
    expect(count(names('attempt-started')), name).toBe(1 + count(names('attempt-in-doubt')));
    const happened = lines.filter((each) => each === line).length;
    expect(happened, name).toBeGreaterThanOrEqual(1);
    expect(happened, name).toBeLessThanOrEqual(count(names('attempt-started')));
  }
}

it('MCP-E2E-KILLED: killed while a check runs, the same call gives the next step: one claim, and the check ran again', async () => {
  const first = await bareClientOf(project);
  const begun = await first.call('start_workflow', { workflowId: 'slow' });
  const given = { continueToken: begun.continueToken, output: { notesMarkdown: 'done' } };
  const lost = first.call('continue_workflow', given).catch((error: Error) => error.message);
  const ran = () => {
    const path = join(project.root, 'ran.log');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
  };
  await eventually(() => ran() === 1);
  first.process.kill('SIGKILL');
  expect(await lost).toBe('the server is gone');
  const second = await bareClientOf(project);
  const answer = second.call('continue_workflow', given);
  await eventually(() => ran() === 2);
  writeFileSync(join(project.root, 'go'), '');
  expect(await answer).toMatchObject({ kind: 'ok', pending: { stepId: 'after' } });
  await second.end();
  const entries = entriesIn(journalOf(begun.runId));
  expect(claimsIn(entries)).toEqual(['check 1']);
  const doubted = entries.filter(({ kind }) => kind === 'attempt-in-doubt');
  expect(doubted).toMatchObject([{ path: 'check', part: 'done[0]', remedy: 'rerun' }]);
  expect(ran()).toBe(2);
});

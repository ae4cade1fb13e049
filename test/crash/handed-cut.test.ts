// E4, J4, G1 on disk: the finished journal of a run that a client was led through by `lockstep mcp`, cut after every entry and
// inside every line. The client makes the call again that it had no answer to, and is led on to the same end.

import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { bareClientHere } from '../support/bare-client.ts';
import { tries } from '../support/tries.ts';
import { effects, scratchFolder } from './every-verb.ts';
import { addHanded, type Call, CLAIMS, claimsIn, entriesIn, FIRST, LOST, lead, OUTCOME } from './handed.ts';

/** Where it is cut: at every line, or at one of so many. */
const EVERY = tries(1, 5);

let project: Scratch;
let place: { root: string; env: Record<string, string> };
let run: string;
let entries: Entry[];
let lines: string[];
/** Every call, and how long the journal was when it was answered. */
const calls: { call: Call; length: number }[] = [];

beforeAll(async () => {
  project = scratch({ git: true });
  addHanded(project);
  place = { root: project.root, env: { ...project.env, LOCKSTEP_HOME: join(project.root, '../lockstep') } };
  const client = await bareClientHere(place, []);
  const journal = () => join(project.root, '.lockstep/runs/latest/journal.jsonl');
  await lead(client, project.root, FIRST, (call) => {
    calls.push({ call, length: entriesIn(journal()).length });
  });
  await client.end();
  entries = entriesIn(journal());
  lines = readFileSync(journal(), 'utf8').trimEnd().split('\n');
  run = (entries[0] as Extract<Entry, { kind: 'run-started' }>).run.id;
});
afterAll(() => project.remove());

/** The call that was under way when the journal had this many entries. Before the first answer there was no token. */
function underWay(length: number): Call {
  const [started, ...later] = calls;
  if (length < (started?.length ?? 0)) return LOST;
  return later.find((each) => each.length > length)?.call as Call;
}

async function goOn(bytes: number, whole: number): Promise<{ after: Entry[]; done: string[] }> {
  const copy = scratchFolder('handed');
  try {
    const runs = join(copy.path, 'runs');
    mkdirSync(runs, { recursive: true });
    cpSync(join(project.root, '.lockstep/runs', run), join(runs, run), { recursive: true });
    truncateSync(join(runs, run, 'journal.jsonl'), bytes);
    // A crash never leaves a note that is ahead of the journal.
    rmSync(join(runs, run, 'journal.head'), { force: true });
    rmSync(join(project.root, 'effects.log'), { force: true });
    const client = await bareClientHere(place, ['--state-dir', runs]);
    await lead(client, project.root, underWay(whole));
    await client.end();
    return { after: entriesIn(join(runs, run, 'journal.jsonl')), done: effects(project.root) };
  } finally {
    copy.remove();
  }
}

/** Effects that leave a line each, by the attempt in the journal. */
const LINES: Record<string, string> = {
  'prepare.': 'prepare',
  'plan.exit[0]': 'plan.exit',
  'parts[0]/note.': 'note a',
  'parts[1]/note.': 'note b',
  'both/right.': 'right',
  'publish.': 'publish',
};

async function expectSameEnd(bytes: number, whole: number, where: string): Promise<void> {
  const { after, done } = await goOn(bytes, whole);
  expect(after.at(-1), where).toMatchObject({ kind: 'run-completed', outputs: OUTCOME });
  expect(claimsIn(after), where).toEqual(CLAIMS);
  expect(
    after.filter(({ kind }) => kind === 'claim-refused'),
    where,
  ).toEqual([]);
  const before = entries.slice(0, whole);
  const open = new Set<string>();
  for (const entry of before) {
    if (entry.kind !== 'attempt-started' && entry.kind !== 'attempt-finished') continue;
    const name = `${entry.path}.${entry.part ?? ''}`;
    if (entry.kind === 'attempt-started') open.add(name);
    else open.delete(name);
    const line = LINES[name];
    if (line !== undefined && entry.kind === 'attempt-finished')
      expect(done, `${where}: ${name} had finished`).not.toContain(line);
  }
  const doubted = after
    .slice(whole)
    .flatMap((entry) => (entry.kind === 'attempt-in-doubt' ? [`${entry.path}.${entry.part ?? ''}`] : []));
  for (const name of open)
    if (name in LINES || name === 'build.done[0]') expect(doubted, where).toContain(name);
  // Of the check of `build` the first try fails and the second holds: as many as were not finished are made.
  const checks = before.filter(
    (entry) => entry.kind === 'attempt-finished' && `${entry.path}.${entry.part}` === 'build.done[0]',
  );
  expect(done.filter((line) => line === 'build.check').length, where).toBe(2 - checks.length);
}

describe('a run that a client was led through', () => {
  it('MCP-E2E-CRASH: led to its end, with work that was sent back', () => {
    expect(entries.at(-1)).toMatchObject({ kind: 'run-completed', outputs: OUTCOME });
    expect(claimsIn(entries)).toEqual(CLAIMS);
    const rejected = entries.flatMap((entry) => (entry.kind === 'work-rejected' ? [entry.path] : []));
    expect(rejected).toEqual(['build', 'measure']);
  });

  it('MCP-E2E-CRASH: cut after every entry, the client goes on with the call it had no answer to, to the same end', async () => {
    let offset = 0;
    for (const [index, line] of lines.entries()) {
      offset += Buffer.byteLength(line) + 1;
      if (index === lines.length - 1 || index % EVERY !== 0) continue;
      await expectSameEnd(offset, index + 1, `after entry ${index + 1} (${entries[index]?.kind})`);
    }
  }, 180_000);

  it('MCP-E2E-CRASH: cut inside every line, the torn end is dropped, and it ends the same', async () => {
    let offset = 0;
    for (const [index, line] of lines.entries()) {
      const length = Buffer.byteLength(line);
      // Without the first line there is no run. At the end of a line, where only its newline is missing, it counts as torn too.
      const part = [1, Math.floor(length / 2), length][Math.floor(index / EVERY) % 3] as number;
      if (index > 0 && index % EVERY === 0)
        await expectSameEnd(offset + part, index, `inside line ${index + 1}, byte ${part}`);
      offset += length + 1;
    }
  }, 180_000);
});

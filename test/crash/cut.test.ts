// E4, J4 on disk: the finished journal of a run with every verb, cut after every entry and inside every line.

import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEnd } from '../../src/drivers/run/run.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Drive } from '../support/drive.ts';
import { tries } from '../support/tries.ts';
import { effects, everyVerb, finish, scratchFolder, stageWith } from './every-verb.ts';

/** CI tries every place. */
const EVERY = tries(1, 4);
const base = scratchFolder('cut');
const runs = join(base.path, 'runs');
let stage: Drive;
let whole: RunEnd;
let entries: Entry[];
let journal: Buffer;

beforeAll(async () => {
  stage = stageWith(runs);
  const { workflow, script } = everyVerb();
  whole = await finish(stage, () =>
    stage.start(workflow, {
      script,
      inputs: { names: ['ada', 'bob', 'cyd'] },
      onOpen: (run) => stage.store.post(run.id, { kind: 'signal', name: 'go', data: 'now', by: 'tester' }),
    }),
  );
  entries = stage.entries(whole.id);
  journal = readFileSync(join(runs, whole.id, 'journal.jsonl'));
});
afterAll(() => {
  stage.remove();
  base.remove();
});

/** What was finished in a journal: every attempt that ended well, by the name of its effect. */
const finishedIn = (list: Entry[]) =>
  list.flatMap((entry) =>
    entry.kind === 'attempt-finished' && entry.outcome.ok ? [`${entry.path}.${entry.part ?? ''}`] : [],
  );

/** A copy of the run with this much of its journal, resumed in a copy of the workspace as it was at the end. */
async function resumeCut(
  bytes: number,
): Promise<{ end: RunEnd; before: Entry[]; after: Entry[]; done: string[] }> {
  const copy = scratchFolder('copy');
  const other = stageWith(join(copy.path, 'runs'));
  try {
    mkdirSync(join(copy.path, 'runs'), { recursive: true });
    cpSync(join(runs, whole.id), join(copy.path, 'runs', whole.id), { recursive: true });
    rmSync(join(copy.path, 'runs', whole.id, 'inbox'), { recursive: true });
    mkdirSync(join(copy.path, 'runs', whole.id, 'inbox'));
    truncateSync(join(copy.path, 'runs', whole.id, 'journal.jsonl'), bytes);
    // A crash never leaves a note that is ahead of the journal: a cut with the note in place is no crash, and refused.
    rmSync(join(copy.path, 'runs', whole.id, 'journal.head'));
    const before = other.store.read(whole.id).journal().entries;
    // The workspace is the pinned one: what the run left there stays, but for the list of effects.
    rmSync(join(stage.root, 'effects.log'), { force: true });
    const has = (kind: string) => before.some((entry) => entry.kind === kind);
    if (!has('signal-received'))
      other.store.post(whole.id, { kind: 'signal', name: 'go', data: 'now', by: 'tester' });
    const end = await finish(other, () => other.resume(whole.id));
    return { end, before, after: other.entries(whole.id), done: effects(stage.root) };
  } finally {
    other.remove();
    copy.remove();
  }
}

/** Effects that leave a line each, by the effect's name in the journal. */
const LINES: Record<string, string> = {
  'prepare.': 'prepare',
  'prepare.enter[0]': 'prepare.enter',
  'prepare.exit[0]': 'prepare.exit',
  'people[0]/greet.': 'greet ada',
  'people[1]/greet.': 'greet bob',
  'people[2]/greet.': 'greet cyd',
  'reviews/two/two-a.': 'two-a',
  'reviews/two/two-b.': 'two-b',
  'rounds#1/turn.': 'turn 1',
  'rounds#2/turn.': 'turn 2',
  'called/say.': 'say ada',
  'back.': 'back',
  'verify.': 'verify',
  'publish.': 'publish',
};

describe('a finished journal with every verb', () => {
  it('ran every verb to its end', () => {
    expect(whole.state.status).toBe('completed');
    expect(whole.state.outputs).toEqual({
      names: ['hello ada', 'hello bob', 'hello cyd'],
      rounds: 2,
      called: 'dear ada',
      answer: 'yes please',
      signal: 'now',
      reviews: { one: 'fine', two: 'b' },
    });
    const verbs = new Set(entries.flatMap((entry) => (entry.kind === 'attempt-started' ? [entry.verb] : [])));
    expect([...verbs].sort()).toEqual(['call', 'check', 'prompt', 'run', 'wait']);
  });

  it('E4: cut after every entry, ends the same, and no finished effect happens twice', async () => {
    let offset = 0;
    for (const [index, line] of journal.toString('utf8').trimEnd().split('\n').entries()) {
      offset += Buffer.byteLength(line) + 1;
      const last = entries[index] as Entry;
      if (last.kind === 'run-completed' || index % EVERY !== 0) continue;
      await expectSameEnd(offset, `after entry ${last.n} (${last.kind})`);
    }
  }, 180_000);

  it('J4, E4: cut inside every line, the torn end is dropped, and the run ends the same', async () => {
    let offset = 0;
    const lines = journal.toString('utf8').trimEnd().split('\n');
    for (const [index, line] of lines.entries()) {
      const length = Buffer.byteLength(line);
      // The first line is the run itself: without it there is nothing to go on with.
      if (index > 0 && index % EVERY === 1 % EVERY) {
        for (const part of [1, Math.floor(length / 2), length]) {
          if (index % 4 === part % 4 || part === length)
            await expectSameEnd(offset + part, `inside line ${index + 1}, byte ${part}`);
        }
      }
      offset += length + 1;
    }
  }, 240_000);

  async function expectSameEnd(bytes: number, where: string): Promise<void> {
    const { end, before, after, done } = await resumeCut(bytes);
    expect(end.state.status, where).toBe('completed');
    expect(end.state.outputs, where).toEqual(whole.state.outputs);
    for (const name of finishedIn(before)) {
      const line = LINES[name];
      if (line !== undefined) expect(done, `${where}: ${name} had finished`).not.toContain(line);
    }
    const once = finishedIn(after).filter((name) => LINES[name] !== undefined);
    expect(new Set(once).size, where).toBe(once.length);
    expectDoubtTold(before, after, where);
  }

  /** Whatever was under way when the journal ends is on record as in doubt. */
  function expectDoubtTold(before: Entry[], after: Entry[], where: string): void {
    const open = new Map<string, string>();
    for (const entry of before) {
      if (entry.kind === 'attempt-started') open.set(`${entry.path}.${entry.part ?? ''}`, entry.path);
      if (entry.kind === 'attempt-finished') open.delete(`${entry.path}.${entry.part ?? ''}`);
    }
    const told = after
      .slice(before.length)
      .flatMap((entry) => (entry.kind === 'attempt-in-doubt' ? [`${entry.path}.${entry.part ?? ''}`] : []));
    for (const name of open.keys()) expect(told, where).toContain(name);
  }

  it('J4: a flipped byte anywhere in the journal is found', () => {
    const copy = scratchFolder('flip');
    const other = stageWith(join(copy.path, 'runs'));
    cpSync(join(runs, whole.id), join(copy.path, 'runs', whole.id), { recursive: true });
    const path = join(copy.path, 'runs', whole.id, 'journal.jsonl');
    // Every 7th byte: with lines of a few hundred bytes each is hit dozens of times.
    for (let at = 0; at < journal.length - 1; at += 7) {
      const flipped = Buffer.from(journal);
      flipped[at] = (flipped[at] as number) ^ 1;
      writeFileSync(path, flipped);
      expect(() => other.store.read(whole.id).journal(), `byte ${at}`).toThrow(
        expect.objectContaining({ code: 'journal-corrupt' }),
      );
    }
    other.remove();
    copy.remove();
  }, 120_000);
});

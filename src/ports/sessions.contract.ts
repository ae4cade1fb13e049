// sessions contract: what every Sessions is held to.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionKey } from '../model/live-session.ts';
import type { Handoff } from '../model/session-record.ts';
import type { KeepingParts } from './session-keeping.ts';
import type { Sessions } from './sessions.ts';

const ME: SessionKey = { client: 'claude', id: 'a1b2c3d4-0000-4000-8000-000000000001' };
const OTHER: SessionKey = { client: 'codex', id: 'a1b2c3d4-0000-4000-8000-000000000002' };
const THIRD: SessionKey = { client: 'gemini', id: 'a1b2c3d4-0000-4000-8000-000000000003' };
const START = Date.parse('2026-11-15T10:00:00Z');
const MINUTE = 60_000;

export const handoffOf = (from: SessionKey, more: Partial<Handoff> = {}): Handoff => ({
  ...{ project: '/p', workflow: 'plan-execute', from, phase: 'plan', artifacts: { plan: '1. do it' } },
  ...{ pending_tasks: ['test it'], pending_task_ids: [7], notes: 'n', created: '2026-11-15T10:00:00.000Z' },
  ...more,
});

/** `make` gives an empty place the first time, and after that the same one: with another clock, or on another machine. */
export function sessionsContract(empty: () => (parts: KeepingParts) => Sessions): void {
  function world() {
    const make = empty();
    let now = START;
    const mask = (text: string) => text.replaceAll('hunter2', '***');
    const on = (machine: string) => make({ now: () => now, machine, mask });
    return { sessions: on('here'), on, wait: (time: number) => (now += time) };
  }
  const ids = (records: SessionKey[]) => records.map(({ id }) => id.at(-1));

  describe('a record', () => {
    it('is made by the first word about a session, and read as it was written', () => {
      const { sessions } = world();
      expect(sessions.get(ME)).toBeUndefined();
      const made = sessions.seen(ME, { project: '/p' });
      expect(made).toEqual({
        ...{ ...ME, project: '/p', machine: 'here', status: 'active', title: '', summary: '' },
        ...{ started: '2026-11-15T10:00:00.000Z', last_seen: '2026-11-15T10:00:00.000Z' },
        ...{ runs: [], todos: [], context_restored: false },
      });
      const changed = sessions.update(ME, (record) => ({
        ...record,
        ...{ title: 'Dates', status: 'handoff_ready', summary: 's', parent: OTHER, context_restored: true },
        todos: [{ content: 'x', status: 'in_progress', id: '1' }],
        runs: [
          { run: 'r1', workflow: 'w' },
          { run: 'r2', workflow: 'l', lifecycle: true },
        ],
        handoff: handoffOf(ME),
      }));
      expect(sessions.get(ME)).toEqual(changed);
      expect(changed).toMatchObject({
        title: 'Dates',
        parent: OTHER,
        handoff: handoffOf(ME),
        started: made.started,
      });
    });

    it('says when it was last seen, to the minute', () => {
      const { sessions, wait } = world();
      const { last_seen } = sessions.seen(ME);
      wait(MINUTE / 2);
      expect(sessions.seen(ME).last_seen).toBe(last_seen);
      wait(MINUTE);
      expect(sessions.seen(ME).last_seen).toBe('2026-11-15T10:01:30.000Z');
      expect(sessions.seen(ME, { project: '/q' }).project).toBe('/q');
      expect(sessions.seen(ME, { transcript: '/t.jsonl' })).toMatchObject({
        project: '/q',
        transcript: '/t.jsonl',
      });
    });

    it('ends with its session, and goes on with it; what a workflow said of it stays', () => {
      const { sessions } = world();
      sessions.seen(ME);
      expect(sessions.seen(ME, { isOver: true }).status).toBe('ended');
      expect(sessions.seen(ME).status).toBe('active');
      sessions.update(ME, (record) => ({ ...record, status: 'handoff_ready' }));
      expect(sessions.seen(ME, { isOver: true }).status).toBe('handoff_ready');
      expect(sessions.seen(ME).status).toBe('handoff_ready');
    });

    it('belongs to one session of one client, whatever its id is', () => {
      const { sessions } = world();
      const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
      const hostile = fc.constantFrom(
        '..',
        '.',
        '/',
        '../../x',
        'a/b',
        'A1B2C3D4E5',
        'a1b2c3d4e5',
        'x-1',
        '\0',
        '-rf',
        'con',
        'é'.repeat(300),
      );
      const kept = new Map<string, string>();
      fc.assert(
        fc.property(
          fc.constantFrom('claude' as const, 'codex' as const),
          fc.oneof(id, hostile),
          (client, given) => {
            const title = `${client} ${kept.size}`;
            sessions.update({ client, id: given }, (record) => ({ ...record, title }));
            kept.set(JSON.stringify([client, given]), title);
          },
        ),
        { numRuns: 60 },
      );
      for (const [key, title] of kept) {
        const [client, given] = JSON.parse(key) as ['claude' | 'codex', string];
        expect(sessions.get({ client, id: given })).toMatchObject({ client, id: given, title });
      }
      expect(sessions.find({})).toHaveLength(kept.size);
    });

    it('stays that of its session whatever a change says, and a change that changes nothing writes nothing', () => {
      const { sessions } = world();
      sessions.update(ME, (record) => ({ ...record, ...OTHER, title: 't' }));
      expect(sessions.get(ME)).toMatchObject({ ...ME, title: 't' });
      expect(sessions.get(OTHER)).toBeUndefined();
      const before = sessions.get(ME);
      expect(sessions.update(ME, (record) => ({ ...record }))).toEqual(before);
    });

    it('is made on the newest one: a change is taken again where another was quicker', () => {
      const { sessions } = world();
      sessions.seen(ME);
      let calls = 0;
      sessions.update(ME, (record) => {
        calls += 1;
        if (calls === 1) sessions.update(ME, (other) => ({ ...other, summary: 'from the other' }));
        return { ...record, title: 'mine' };
      });
      expect(calls).toBe(2);
      expect(sessions.get(ME)).toMatchObject({ title: 'mine', summary: 'from the other' });
    });

    it('keeps within bounds, and masks before it cuts', () => {
      const { sessions } = world();
      const long = `${'x'.repeat(19_995)}hunter2${'y'.repeat(10_000)}`;
      const record = sessions.update(ME, (before) => ({
        ...before,
        ...{ title: 'hunter2', summary: long, status: 's'.repeat(100) },
        todos: Array.from({ length: 500 }, () => ({ content: 'hunter2', status: 'pending' as const })),
        runs: Array.from({ length: 99 }, (_, index) => ({ run: `r${index}`, workflow: 'w' })),
        handoff: handoffOf(ME, {
          notes: long,
          artifacts: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, long])),
          pending_tasks: ['hunter2'],
        }),
      }));
      const text = JSON.stringify(sessions.get(ME));
      expect(text).not.toContain('hunter');
      expect(text.length).toBeLessThan(600_000);
      expect(record.todos).toHaveLength(200);
      expect(record.runs.at(-1)).toEqual({ run: 'r98', workflow: 'w' });
      expect(record.summary).toHaveLength(20_000);
      expect(() => sessions.seen({ client: 'claude', id: '' })).toThrow();
      expect(() => sessions.seen({ client: 'claude', id: 'x'.repeat(1_001) })).toThrow();
    });
  });

  describe('finding', () => {
    it('the one seen last first; all that is given must hold', () => {
      const { sessions, on, wait } = world();
      sessions.seen(ME, { project: '/p' });
      wait(2 * MINUTE);
      on('there').seen(OTHER, { project: '/p' });
      wait(2 * MINUTE);
      sessions.seen(THIRD, { project: '/q' });
      sessions.update(OTHER, (record) => ({ ...record, status: 'handoff_ready', handoff: handoffOf(OTHER) }));
      expect(ids(sessions.find({}))).toEqual(['3', '2', '1']);
      expect(ids(sessions.find({ project: '/p' }))).toEqual(['2', '1']);
      expect(ids(sessions.find({ project: '/p', sameMachine: true }))).toEqual(['1']);
      expect(ids(on('there').find({ sameMachine: true }))).toEqual(['2']);
      expect(ids(sessions.find({ status: ['handoff_ready', 'ended'] }))).toEqual(['2']);
      expect(ids(sessions.find({ client: 'gemini' }))).toEqual(['3']);
      expect(ids(sessions.find({ handoff: 'waiting' }))).toEqual(['2']);
      expect(ids(sessions.find({ except: THIRD }))).toEqual(['2', '1']);
    });
  });

  describe('a handoff', () => {
    it('goes to the first that asks, and to no other; on record with who and when', () => {
      const { sessions, wait } = world();
      sessions.update(ME, (record) => ({ ...record, handoff: handoffOf(ME) }));
      expect(sessions.consume(ME, ME)).toBeUndefined();
      wait(MINUTE);
      const got = sessions.consume(ME, OTHER);
      expect(got).toEqual({ ...handoffOf(ME), consumed_at: '2026-11-15T10:01:00.000Z', consumed_by: OTHER });
      expect(sessions.consume(ME, THIRD)).toBeUndefined();
      wait(MINUTE);
      expect(sessions.consume(ME, OTHER)).toEqual(got); // after a crash it may ask again
      expect(sessions.get(ME)?.handoff).toEqual(got);
      expect(sessions.find({ handoff: 'waiting' })).toEqual([]);
    });

    it('is not there, and nothing is made of asking for it', () => {
      const { sessions } = world();
      expect(sessions.consume(ME, OTHER)).toBeUndefined();
      expect(sessions.find({})).toEqual([]);
    });
  });

  describe('retention', () => {
    it('removes what is older, and of the rest what is more; never what was seen within the hour', () => {
      const { sessions, wait } = world();
      for (const key of [ME, OTHER, THIRD]) {
        sessions.seen(key);
        wait(24 * 60 * MINUTE);
      }
      expect(sessions.retain({ most: 10, age: 10 * 24 * 60 * MINUTE })).toBe(0);
      expect(sessions.retain({ most: 10, age: 2.5 * 24 * 60 * MINUTE })).toBe(1);
      expect(ids(sessions.find({}))).toEqual(['3', '2']);
      expect(sessions.retain({ most: 1, age: 10 * 24 * 60 * MINUTE })).toBe(1);
      sessions.seen(ME);
      expect(sessions.retain({ most: 0, age: 0 })).toBe(1);
      expect(ids(sessions.find({}))).toEqual(['1']);
      expect(sessions.get(THIRD)).toBeUndefined();
      expect(sessions.seen(THIRD)).toMatchObject(THIRD);
    });
  });
}

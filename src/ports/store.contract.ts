// store contract: what every Store is held to.

import { hostname } from 'node:os';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Entry, Holder } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import { JOURNAL_VERSION } from '../model/journal-version.ts';
import type { Json } from '../model/json.ts';
import type { InboxMessage, OpenRun, ReceivedMessage, Store } from './store.ts';

const anna: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1.2.3' };
const elsewhere: Holder = { user: 'bert', host: 'another-host', pid: 4711, version: '1.2.3' };
const id = '20261115T101500Z-a3f8c2';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (chunk: Uint8Array | undefined): string | undefined =>
  chunk === undefined ? undefined : new TextDecoder().decode(chunk);
const entry = (n: number, data: Json = n): Entry => ({
  n,
  at: 1_700_000_000_000,
  kind: 'signal-received',
  name: 'go',
  data,
  by: 'anna',
});

/** What lies there and can be read. */
export function messagesIn(run: OpenRun): ReceivedMessage[] {
  return run.takeInbox().filter((one): one is ReceivedMessage => one.problem === undefined);
}

export function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** `make` gives an empty store each time. */
export function storeContract(make: () => Store): void {
  describe('runs', () => {
    it('an empty store lists nothing and has no latest', () => {
      const store = make();
      expect(store.list()).toEqual([]);
      expect(store.latest()).toBeUndefined();
    });

    it('what was created can be read, with its documents and an empty journal', () => {
      const store = make();
      const run = store.create(id, { 'workflow.json': '{"name":"ß"}', 'notes.txt': '' }, anna);
      for (const seen of [run, store.read(id)]) {
        expect(seen.id).toBe(id);
        expect(seen.location).toContain(id);
        expect(seen.document('workflow.json')).toBe('{"name":"ß"}');
        expect(seen.document('notes.txt')).toBe('');
        expect(seen.document('state.json')).toBeUndefined();
        expect(seen.journal()).toMatchObject({ entries: [], torn: 0 });
        expect(seen.logs()).toEqual([]);
      }
    });

    it('lists ids in order, oldest first, and names the one made last even if the clock jumped back', () => {
      const store = make();
      for (const name of ['20261115T101500Z-bbbbbb', '20261116T000000Z-aaaaaa', '20261114T235959Z-cccccc']) {
        store.create(name, {}, anna).close();
      }
      expect(store.list()).toEqual([
        '20261114T235959Z-cccccc',
        '20261115T101500Z-bbbbbb',
        '20261116T000000Z-aaaaaa',
      ]);
      expect(store.latest()).toBe('20261114T235959Z-cccccc');
    });

    it('J2: a run is made with its first entry, which knows where the run lies', () => {
      const store = make();
      const run = store.create(id, {}, anna, (location) => ({
        n: 1,
        at: 7,
        kind: 'run-interrupted',
        by: location,
      }));
      const first = { n: 1, at: 7, kind: 'run-interrupted', by: run.location };
      expect(run.journal().entries).toEqual([expect.objectContaining(first)]);
      run.append({ n: 2, at: 8, kind: 'run-interrupted', by: 'b' });
      run.close();
      expect(
        store
          .read(id)
          .journal()
          .entries.map(({ n }) => n),
      ).toEqual([1, 2]);
    });

    it('LS-JOURNAL-VERSION: a journal whose first entry names a version that is not known is neither read nor opened', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      run.append({ ...entry(1), journal_version: JOURNAL_VERSION + 1 } as Entry);
      run.close();
      expect(faultOf(() => store.read(id).journal())).toMatchObject({
        code: 'journal-newer',
        message: expect.stringContaining(`of version ${JOURNAL_VERSION + 1}`),
      });
      expect(faultOf(() => store.read(id).wholeEntries()).code).toBe('journal-newer');
      expect(faultOf(() => store.open(id, anna)).code).toBe('journal-newer');
    });

    it('a run that exists is not made again, and stays as it was', () => {
      const store = make();
      store.create(id, { 'a.txt': 'first' }, anna).close();
      expect(faultOf(() => store.create(id, { 'a.txt': 'second' }, anna)).code).toBe('run-exists');
      expect(store.read(id).document('a.txt')).toBe('first');
      store.open(id, anna).close();
    });

    it.each(['', '..', '.', '../x', 'a/b', '/etc', 'latest', 'nowhere', 'a\0b', '.hidden'])(
      'there is no run called %j, to read, open, remove or post to',
      (name) => {
        const store = make();
        store.create(id, {}, anna).close();
        for (const action of [
          () => store.read(name),
          () => store.open(name, anna),
          () => store.remove(name),
          () => store.post(name, { kind: 'cancel', by: 'anna' }),
        ]) {
          const fault = faultOf(action);
          expect(fault.code).toBe('run-unknown');
          expect(fault.message).toContain(name);
        }
        expect(store.list()).toEqual([id]);
      },
    );

    it.each(['', '..', 'a/b', '/x', 'latest', '.x', 'a\0'])(
      'no run can be made under the name %j',
      (name) => {
        expect(faultOf(() => make().create(name, {}, anna)).code).toBe('store-misuse');
      },
    );

    it('a removed run is gone, and latest is the newest of the rest', () => {
      const store = make();
      for (const name of ['r1', 'r2', 'r3']) store.create(name, {}, anna).close();
      store.remove('r2');
      expect(store.list()).toEqual(['r1', 'r3']);
      expect(store.latest()).toBe('r3');
      store.remove('r3');
      expect(store.latest()).toBe('r1');
      expect(faultOf(() => store.read('r3')).code).toBe('run-unknown');
      store.remove('r1');
      expect(store.latest()).toBeUndefined();
      store.create('r3', {}, anna).close();
      expect(store.list()).toEqual(['r3']);
    });
  });

  describe('journal', () => {
    it('J2: what was flushed is read by others, what was only appended is not', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      run.append(entry(1));
      expect(store.read(id).journal().entries).toEqual([]);
      run.flush();
      run.append(entry(2));
      run.append(entry(3));
      expect(store.read(id).journal().entries).toEqual([entry(1)]);
      run.flush();
      run.flush();
      expect(store.read(id).journal().entries).toEqual([entry(1), entry(2), entry(3)]);
      expect(run.journal().entries).toEqual([entry(1), entry(2), entry(3)]);
    });

    it('goes on where it ended when opened again, and close flushes', () => {
      const store = make();
      const first = store.create(id, {}, anna);
      first.append(entry(1));
      first.close();
      const second = store.open(id, anna);
      expect(second.journal()).toMatchObject({ entries: [entry(1)], torn: 0 });
      expect(second.journal()).toMatchObject({ entries: [entry(1)], torn: 0 });
      second.append(entry(2));
      second.close();
      const third = store.open(id, anna);
      third.append(entry(3));
      third.flush();
      expect(third.journal().entries).toEqual([entry(1), entry(2), entry(3)]);
    });

    it('takes what an entry is when appended: changing it later changes nothing', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const data = { deep: ['before'] };
      run.append(entry(1, data));
      data.deep[0] = 'after';
      run.flush();
      const read = store.read(id).journal().entries;
      expect(read).toEqual([entry(1, { deep: ['before'] })]);
      (read[0] as { by: string }).by = 'mallory';
      expect(store.read(id).journal().entries).toEqual([entry(1, { deep: ['before'] })]);
    });

    it('refuses a number that leaves a gap or comes twice, and goes on with the right one', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      for (const n of [0, 2, -1]) expect(faultOf(() => run.append(entry(n))).code).toBe('store-misuse');
      run.append(entry(1));
      expect(faultOf(() => run.append(entry(1))).code).toBe('store-misuse');
      expect(faultOf(() => run.append(entry(3))).code).toBe('store-misuse');
      run.append(entry(2));
      run.flush();
      expect(
        store
          .read(id)
          .journal()
          .entries.map(({ n }) => n),
      ).toEqual([1, 2]);
    });

    it('an entry that cannot be JSON is refused and leaves no trace', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      expect(() => run.append(entry(1, 1n as unknown as Json))).toThrow(TypeError);
      run.append(entry(1, 'fine'));
      run.flush();
      expect(store.read(id).journal().entries).toEqual([entry(1, 'fine')]);
    });

    it('gives back any JSON as it was, whatever its size, keys and characters', () => {
      const odd = fc.constantFrom('\n', '\r\n', '\u2028', '\ud800', '\0', '"h":"', '","h":"', '\ufffd', '😀');
      const value = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<Json>;
      const batches = fc.array(fc.array(fc.oneof(value, odd), { maxLength: 5 }), { maxLength: 5 });
      fc.assert(
        fc.property(batches, (flushes) => {
          const store = make();
          const run = store.create(id, {}, anna);
          const written: Entry[] = [];
          for (const flush of flushes) {
            for (const data of flush) {
              written.push(entry(written.length + 1, data));
              run.append(written.at(-1) as Entry);
            }
            run.flush();
          }
          run.close();
          // JSON has no -0 and no undefined.
          expect(store.read(id).journal().entries).toEqual(JSON.parse(JSON.stringify(written)));
        }),
        { numRuns: 40 },
      );
    });

    it('takes an entry of several megabytes, and small ones after it', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const large = 'ä€😀'.repeat(600_000);
      run.append(entry(1, 'small'));
      run.append(entry(2, large));
      run.flush();
      run.append(entry(3, 'small again'));
      run.close();
      const entries = store.read(id).journal().entries;
      expect(entries.length).toBe(3);
      expect((entries[1] as { data: string }).data === large).toBe(true);
      expect(entries[2]).toEqual(entry(3, 'small again'));
    });

    it('LS-HOSTING-WARM: a journal that ends where it was left is known again, and one that went on is not', () => {
      const store = make();
      const run = store.create(id, {}, anna, () => entry(1));
      run.append(entry(2));
      run.close();
      const known = run.end();
      const again = store.open(id, anna, { known });
      expect(again.isAsKnown).toBe(true);
      again.append(entry(3));
      expect(again.end()).toEqual(known);
      again.flush();
      expect(again.end()).not.toEqual(known);
      again.close();
      expect(again.end()).toMatchObject({ n: 3 });
      for (const options of [{ known }, {}]) {
        const late = store.open(id, anna, options);
        expect(late.isAsKnown).toBe(false);
        expect(late.journal().entries.map(({ n }) => n)).toEqual([1, 2, 3]);
        expect(late.end()).toEqual(again.end());
        late.close();
      }
    });

    it('LS-HOSTING-WARM: a known journal can be read all the same, and goes on with the next number', () => {
      const store = make();
      const run = store.create(id, {}, anna, () => entry(1));
      run.close();
      const again = store.open(id, anna, { known: run.end() });
      expect(again.journal()).toMatchObject({ entries: [{ n: 1 }], torn: 0 });
      expect(faultOf(() => again.append(entry(3))).code).toBe('store-misuse');
      again.append(entry(2));
      again.close();
      expect(
        store
          .read(id)
          .journal()
          .entries.map(({ n }) => n),
      ).toEqual([1, 2]);
    });

    it('a closed run takes nothing more, and closing twice does no harm', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      run.close();
      run.close();
      expect(faultOf(() => run.append(entry(1))).code).toBe('store-misuse');
      expect(faultOf(() => run.replaceDocument('state.json', '')).code).toBe('store-misuse');
      expect(faultOf(() => run.takeInbox()).code).toBe('store-misuse');
      expect(store.read(id).journal().entries).toEqual([]);
    });
  });

  describe('lease', () => {
    it('J3: a second writer is refused and told who holds the run', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const fault = faultOf(() => store.open(id, { ...anna, user: 'carla' }));
      expect(fault.code).toBe('run-locked');
      expect(fault.message).toContain(id);
      for (const part of ['anna', String(anna.pid), anna.host]) expect(fault.message).toContain(part);
      expect(faultOf(() => store.open(id, anna, { takeOver: true })).code).toBe('run-locked');
      expect(store.read(id).holder()).toEqual({ ...anna, alive: true });
      run.append(entry(1));
      run.close();
      expect(store.read(id).holder()).toBeUndefined();
      store.open(id, { ...anna, user: 'carla' }).close();
    });

    it('J3: a holder on another host is replaced only when told to take over', () => {
      const store = make();
      store.create(id, {}, elsewhere);
      const fault = faultOf(() => store.open(id, anna));
      expect(fault.code).toBe('run-held-elsewhere');
      for (const part of [id, 'bert', '4711', 'another-host']) expect(fault.message).toContain(part);
      const run = store.open(id, anna, { takeOver: true });
      expect(store.read(id).holder()).toEqual({ ...anna, alive: true });
      run.append(entry(1));
      run.close();
      expect(store.read(id).journal().entries).toEqual([entry(1)]);
    });

    it('J3: one that was taken over writes nothing more, and takes nothing from the new holder', () => {
      const store = make();
      const old = store.create(id, {}, elsewhere);
      old.append(entry(1, 'old'));
      old.flush();
      old.append(entry(2, 'too late'));
      const run = store.open(id, anna, { takeOver: true });
      expect(faultOf(() => old.flush()).code).toBe('lease-lost');
      run.append(entry(2, 'new'));
      run.flush();
      expect(faultOf(() => old.close()).code).toBe('lease-lost');
      expect(store.read(id).holder()).toEqual({ ...anna, alive: true });
      expect(faultOf(() => store.open(id, anna)).code).toBe('run-locked');
      run.close();
      expect(store.read(id).journal().entries).toEqual([entry(1, 'old'), entry(2, 'new')]);
    });

    it('a journal that verifies is not repaired, and one that somebody holds is not touched', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      run.append(entry(1));
      expect(faultOf(() => store.repair(id, anna)).code).toBe('run-locked');
      run.close();
      expect(store.repair(id, anna)).toBeUndefined();
      expect(store.read(id).wholeEntries()).toEqual([entry(1)]);
      expect(store.read(id).journal().entries).toEqual([entry(1)]);
    });

    it('a run that nobody disturbed has nothing rescued and nothing missing', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      run.append(entry(1));
      expect(faultOf(() => store.useRescued(id, anna)).code).toBe('run-locked');
      run.close();
      expect(store.read(id).hasRescued()).toBe(false);
      expect(store.read(id).journal().missing).toBeUndefined();
      expect(faultOf(() => store.read(id).rescued()).code).toBe('nothing-rescued');
      expect(faultOf(() => store.useRescued(id, anna)).code).toBe('nothing-rescued');
      expect(store.read(id).holder()).toBeUndefined();
      expect(store.read(id).journal().entries).toEqual([entry(1)]);
    });

    it('a held run is not removed', () => {
      const store = make();
      const run = store.create(id, { 'a.txt': 'kept' }, anna);
      expect(faultOf(() => store.remove(id)).code).toBe('run-locked');
      expect(run.document('a.txt')).toBe('kept');
      expect(store.list()).toEqual([id]);
      run.close();
      store.remove(id);
      expect(store.list()).toEqual([]);
    });
  });

  describe('documents', () => {
    it('are replaced and removed; removing one that is not there does no harm', () => {
      const store = make();
      const run = store.create(id, { 'state.json': 'one' }, anna);
      run.replaceDocument('state.json', 'two');
      run.replaceDocument('blocker.json', '{}');
      expect(store.read(id).document('state.json')).toBe('two');
      run.removeDocument('blocker.json');
      run.removeDocument('blocker.json');
      expect(store.read(id).document('blocker.json')).toBeUndefined();
    });

    it('are listed, the one written last first, and nothing else is', async () => {
      const store = make();
      const run = store.create(id, { 'b.txt': '', 'a.txt': '' }, anna);
      run.append(entry(1));
      run.flush();
      const later = () => new Promise((resolve) => setTimeout(resolve, 20)); // what a clock of files tells apart
      await later();
      run.replaceDocument('state.json', '');
      await later();
      run.replaceDocument('b.txt', 'again');
      expect(store.read(id).documents()).toEqual(['b.txt', 'state.json', 'a.txt']);
      expect(store.read(id).hasJournal()).toBe(true);
    });
  });

  describe('logs', () => {
    const names = [
      'orchestrator.log',
      'plan.stdout',
      'plan~2.stdout',
      'execute[2]/fix#1/reviews/security.stdout',
      'execute[2]/fix#1/reviews/security.stderr',
      'impl.done[1].stdout',
      'ünï cödé 😀.stdout',
    ];

    it('are there with their first write, under their names', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const sinks = names.map((name) => run.openLog(name));
      expect(store.read(id).logs()).toEqual([]);
      expect(store.read(id).readLog(names[1] as string, 0)).toBeUndefined();
      sinks.forEach((sink, index) => {
        sink.write(bytes(`${index} ä`));
        sink.end();
      });
      expect(store.read(id).logs().sort()).toEqual([...names].sort());
      names.forEach((name, index) => {
        expect(text(store.read(id).readLog(name, 0))).toBe(`${index} ä`);
      });
    });

    it('are appended to by later attempts and later holders', () => {
      const store = make();
      const first = store.create(id, {}, anna);
      for (const part of ['one ', 'two ']) {
        const sink = first.openLog('a/b.stdout');
        sink.write(bytes(part));
        sink.end();
      }
      first.close();
      const second = store.open(id, anna);
      const sink = second.openLog('a/b.stdout');
      sink.write(bytes('three'));
      sink.write(new Uint8Array());
      expect(text(store.read(id).readLog('a/b.stdout', 0))).toBe('one two three');
      sink.end();
      sink.end();
      expect(faultOf(() => sink.write(bytes('four'))).code).toBe('store-misuse');
    });

    it('are read from an offset, from the end, and past it', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const sink = run.openLog('x.stdout');
      sink.write(bytes('0123456789'));
      const read = (offset: number): string | undefined => text(store.read(id).readLog('x.stdout', offset));
      expect([read(0), read(7), read(10), read(99)]).toEqual(['0123456789', '789', '', '']);
      expect([read(-3), read(-10), read(-99)]).toEqual(['789', '0123456789', '0123456789']);
      sink.end();
    });

    it('S5: a long log is read in pieces of at most one MiB that give the whole', () => {
      const store = make();
      const sink = store.create(id, {}, anna).openLog('big.stdout');
      const whole = Uint8Array.from({ length: 2_500_000 }, (_, index) => index % 251);
      sink.write(whole);
      sink.end();
      const pieces: Uint8Array[] = [];
      let offset = 0;
      for (;;) {
        const chunk = store.read(id).readLog('big.stdout', offset) as Uint8Array;
        expect(chunk.length).toBeLessThanOrEqual(1 << 20);
        if (chunk.length === 0) break;
        pieces.push(chunk);
        offset += chunk.length;
      }
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
    });

    it('any name is a log of its own, however hostile, and can be read under it', () => {
      const hostile = [
        '../../outside.stdout',
        '/etc/passwd',
        '..',
        '.',
        '',
        'a/../b.stdout',
        'a//b.stdout',
        'a/./b.stdout',
        'nul\0.stdout',
        'nul\x01.stdout',
        'back\\slash.stdout',
        '.hidden',
        'a',
        'a/b',
        'a.stdout/b.stdout',
        'a.stdout',
        '\ud800.stdout',
        '\ud801.stdout',
        `${'x'.repeat(300)}.stdout`,
        `${'x'.repeat(301)}.stdout`,
        `${'ü'.repeat(200)}.stdout`,
        `${'deep/'.repeat(2_000)}x.stdout`,
        `${'deep/'.repeat(2_001)}x.stdout`,
      ];
      const store = make();
      const run = store.create(id, {}, anna);
      for (const name of hostile) {
        const sink = run.openLog(name);
        sink.write(bytes(`<${name.length}:${hostile.indexOf(name)}>`));
        sink.end();
      }
      for (const name of hostile) {
        expect(text(store.read(id).readLog(name, 0))).toBe(`<${name.length}:${hostile.indexOf(name)}>`);
      }
      const listed = store.read(id).logs();
      expect(listed.length).toBe(hostile.length);
      // A listed name reads as the log it stands for.
      expect(new Set(listed.map((name) => text(store.read(id).readLog(name, 0)))).size).toBe(hostile.length);
    });
  });

  describe('artifacts', () => {
    it.each(['../x', '/x', 'a/../../x', 'a//b', '', '.', '..', 'a/', 'a\0b', 'a\\b'])(
      'S4: the name %j is refused',
      (name) => {
        const run = make().create(id, {}, anna);
        expect(faultOf(() => run.openArtifact(name)).code).toBe('path-outside');
      },
    );
  });

  describe('inbox', () => {
    const messages: InboxMessage[] = [
      { kind: 'answer', path: 'plan', answer: 'approve', by: 'anna', note: 'fine' },
      { kind: 'signal', name: 'go', data: { deep: [1, null] }, by: 'bert' },
      { kind: 'cancel', by: 'anna', why: 'enough' },
    ];

    it('gives messages in order, and again until done, each under an id of its own that stays', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      expect(run.takeInbox()).toEqual([]);
      for (const message of messages) store.post(id, message);
      const first = messagesIn(run);
      expect(first.map(({ message }) => message)).toEqual(messages);
      expect(new Set(first.map((item) => item.id)).size).toBe(messages.length);
      first[0]?.done();
      first[0]?.done();
      run.close();
      const again = store.open(id, anna).takeInbox();
      expect(again.map((item) => item.id)).toEqual(first.slice(1).map((item) => item.id));
    });

    it('keeps the order over many messages, and never uses an id twice', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const ids = new Set<string>();
      for (let round = 0; round < 12; round += 1) {
        for (let index = 0; index < 12; index += 1) {
          store.post(id, { kind: 'signal', name: `${round}`, data: index, by: 'x' });
        }
        const taken = messagesIn(run);
        expect(taken.map(({ message }) => (message as { data: Json }).data)).toEqual(
          Array.from({ length: 12 }, (_, index) => index),
        );
        for (const item of taken) {
          ids.add(item.id);
          item.done();
        }
      }
      expect(ids.size).toBe(144);
      expect(run.takeInbox()).toEqual([]);
    });

    it('tells whether a message still lies there, and takes it back', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const taken = store.post(id, { kind: 'cancel', by: 'anna' });
      expect(taken.lies()).toBe(true);
      messagesIn(run)[0]?.done();
      expect(taken.lies()).toBe(false);
      const withdrawn = store.post(id, { kind: 'cancel', by: 'anna' });
      withdrawn.withdraw();
      withdrawn.withdraw();
      const refused = store.post(id, { kind: 'cancel', by: 'bert' });
      for (const one of run.takeInbox()) one.refuse();
      expect(refused.lies()).toBe(false);
      expect(run.takeInbox()).toEqual([]);
    });

    it('takes messages while nobody holds the run', () => {
      const store = make();
      store.create(id, {}, anna).close();
      store.post(id, { kind: 'cancel', by: 'anna' });
      expect(store.open(id, anna).takeInbox()).toMatchObject([{ message: { kind: 'cancel', by: 'anna' } }]);
    });

    it('a signal without data and an answer that is nothing hold null', () => {
      const store = make();
      const run = store.create(id, {}, anna);
      store.post(id, { kind: 'signal', name: 'go', data: undefined, by: 'x' });
      store.post(id, { kind: 'answer', answer: undefined, by: 'x' });
      expect(messagesIn(run).map(({ message }) => message)).toEqual([
        { kind: 'signal', name: 'go', data: null, by: 'x' },
        { kind: 'answer', answer: null, by: 'x' },
      ]);
    });
  });

  describe('watching', () => {
    it('tells of entries, documents, logs and messages until it is ended', async () => {
      const store = make();
      const run = store.create(id, {}, anna);
      let told = 0;
      const end = store.read(id).watch(() => {
        told += 1;
      });
      const next = async (change: () => void): Promise<void> => {
        const before = told;
        change();
        await vi.waitFor(() => expect(told).toBeGreaterThan(before), { timeout: 20_000, interval: 5 });
      };
      const log = run.openLog('each[3]/inner/step.stdout');
      let n = 0;
      await next(() => {
        n += 1;
        run.append(entry(n));
        run.flush();
      });
      await next(() => run.replaceDocument('state.json', '{}'));
      await next(() => log.write(bytes('first')));
      await next(() => log.write(bytes('second')));
      await next(() => store.post(id, { kind: 'cancel', by: 'x' }));
      end();
      end();
      const then = told;
      log.write(bytes('third'));
      run.append(entry(n + 1));
      run.flush();
      log.end();
      // Another watcher that was told of the same change shows that the ended one had its chance.
      const other = vi.fn();
      const endOther = store.read(id).watch(other);
      run.replaceDocument('state.json', '{"more":1}');
      await vi.waitFor(() => expect(other).toHaveBeenCalled(), { timeout: 20_000, interval: 5 });
      endOther();
      expect(told).toBe(then);
    });

    it('watchInbox tells of messages, and not of what the holder writes', async () => {
      const store = make();
      const run = store.create(id, {}, anna);
      const arrived = vi.fn();
      const all = vi.fn();
      const end = run.watchInbox(arrived);
      const endAll = run.watch(all);
      run.append(entry(1));
      run.flush();
      await vi.waitFor(() => expect(all).toHaveBeenCalled(), { timeout: 20_000, interval: 5 });
      expect(arrived).not.toHaveBeenCalled();
      store.post(id, { kind: 'cancel', by: 'x' });
      await vi.waitFor(() => expect(arrived).toHaveBeenCalled(), { timeout: 20_000, interval: 5 });
      end();
      endAll();
    });
  });
}

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import type { Entry, Holder } from '../../model/entry.ts';
import { faultOf } from '../../ports/store.contract.ts';
import type { Store } from '../../ports/store.ts';
import { fileStore } from './file-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-journal-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const id = '20261115T101500Z-a3f8c2';
const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const entry = (n: number, data = `${n}: ä € 😀 "h":"x"`): Entry => ({
  n,
  at: 1_700_000_000_000 + n,
  kind: 'signal-received',
  name: 'go',
  data,
  by: 'anna',
});

interface Journaled {
  store: Store;
  path: string;
  bytes: Buffer;
  entries: Entry[];
  /** Where each line begins, and the end. */
  offsets: number[];
}

function journaled(count: number, make = entry): Journaled {
  const directory = mkdtempSync(join(scratch, 'runs-'));
  const store = fileStore({ directory });
  const run = store.create(id, {}, holder);
  const entries = Array.from({ length: count }, (_, index) => make(index + 1));
  for (const one of entries) run.append(one);
  run.close();
  const path = join(directory, id, 'journal.jsonl');
  const bytes = readFileSync(path);
  const offsets = [0];
  bytes.forEach((byte, index) => {
    if (byte === 10) offsets.push(index + 1);
  });
  return { store, path, bytes, entries, offsets };
}

/** A line as the documentation describes it, made without the code under test. */
function sealed(previous: string, head: string): { line: string; hash: string } {
  const hash = createHash('sha256')
    .update(previous + head)
    .digest('hex')
    .slice(0, 32);
  return { line: `${head},"h":"${hash}"}\n`, hash };
}

describe('the journal', () => {
  it('J4: is one line of JSON per entry, chained from the run id', () => {
    const { bytes, entries, store } = journaled(3);
    let previous = id;
    let expected = '';
    for (const one of entries) {
      const { line, hash } = sealed(previous, JSON.stringify(one).slice(0, -1));
      expected += line;
      previous = hash;
    }
    expect(bytes.toString('utf8')).toBe(expected);
    expect(store.read(id).journal()).toEqual({ entries, torn: 0, head: previous });
    expect(store.open(id, holder).journal()).toEqual({ entries, torn: 0, head: previous });
  });

  it('LS-HOSTING-WARM: one that ends as it is known is not read: only its length and its last hash are looked at', () => {
    const { store, path, bytes } = journaled(50);
    const run = store.open(id, holder);
    run.close();
    const known = run.end();
    const open = () => {
      const opened = store.open(id, holder, { known });
      opened.close();
      return opened.isAsKnown;
    };
    expect(open()).toBe(true);
    // What a reader would stop at is not even seen.
    const changed = Buffer.from(bytes);
    changed[5] = 0x21;
    writeFileSync(path, changed);
    expect(open()).toBe(true);
    expect(faultOf(() => store.open(id, holder)).code).toBe('journal-corrupt');
    // A torn line after it is cut, as ever.
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('{"n":51,')]));
    expect(open()).toBe(false);
    expect(readFileSync(path)).toEqual(bytes);
    // Another journal of the same length is another journal.
    const { line } = sealed(id, JSON.stringify(entry(1)).slice(0, -1));
    writeFileSync(path, `${line}${' '.repeat(bytes.length - Buffer.byteLength(line) - 1)}\n`);
    expect(faultOf(open).code).toBe('journal-corrupt');
  });

  it('the head of an empty journal is the run id', () => {
    expect(journaled(0).store.read(id).journal()).toEqual({ entries: [], torn: 0, head: id });
  });

  it('J4: a flipped bit or a changed byte anywhere in whole lines is found, with line and offset', () => {
    const { store, path, bytes, offsets, entries } = journaled(3);
    const file = openSync(path, 'r+');
    for (let offset = 0; offset < bytes.length; offset += 1) {
      const was = bytes[offset] as number;
      const line = offsets.findLastIndex((start) => start <= offset) + 1;
      const others = [...Array.from({ length: 8 }, (_, bit) => was ^ (1 << bit)), 0x0a, 0x20, 0xf0, 0x00];
      for (const other of others.filter((value) => value !== was)) {
        writeSync(file, Uint8Array.of(other), 0, 1, offset);
        if (offset === bytes.length - 1) {
          // The last newline is what makes the last line whole.
          expect(store.read(id).journal()).toMatchObject({
            entries: entries.slice(0, -1),
            torn: bytes.length - (offsets.at(-2) as number),
          });
        } else {
          const fault = faultOf(() => store.read(id).journal());
          expect(fault.code).toBe('journal-corrupt');
          expect(fault.message).toContain(`line ${line}, at byte ${offsets[line - 1]}:`);
        }
      }
      writeSync(file, Uint8Array.of(was), 0, 1, offset);
    }
    closeSync(file);
    expect(store.read(id).journal().entries).toEqual(entries);
  });

  it('J4: any run of changed bytes in a larger journal is found', () => {
    const { store, path, bytes, offsets } = journaled(300);
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 2),
        fc.uint8Array({ minLength: 1, maxLength: 20 }),
        (offset, change) => {
          const changed = Buffer.from(bytes);
          changed.set(change.subarray(0, bytes.length - 1 - offset), offset);
          fc.pre(!changed.equals(bytes));
          writeFileSync(path, changed);
          const first = changed.findIndex((byte, index) => byte !== bytes[index]);
          const line = offsets.findLastIndex((start) => start <= first) + 1;
          const fault = faultOf(() => store.read(id).journal());
          expect(fault.code).toBe('journal-corrupt');
          expect(fault.message).toContain(`line ${line}, at byte ${offsets[line - 1]}:`);
        },
      ),
      { numRuns: tries(200, 100) },
    );
  });

  const line = (n: number) => (lines: string[]) => lines[n - 1] as string;
  it.each<[string, (lines: string[]) => string[], number]>([
    ['a line is taken out', (lines) => lines.toSpliced(1, 1), 2],
    ['a line is there twice', (lines) => lines.toSpliced(1, 0, line(2)(lines)), 3],
    ['two lines change places', (lines) => [line(2)(lines), line(1)(lines), ...lines.slice(2)], 1],
    ['the first line is taken out', (lines) => lines.slice(1), 1],
    ['an empty line is put in', (lines) => lines.toSpliced(2, 0, ''), 3],
    ['a line without a hash is put in', (lines) => lines.toSpliced(3, 0, '{"n":4,"at":0}'), 4],
    ['a field is put after the hash', (lines) => lines.with(1, line(2)(lines).replace(/}$/, ',"x":1}')), 2],
    ['the line ends are made CRLF', (lines) => lines.map((text) => `${text}\r`), 1],
    ['spaces are added', (lines) => lines.with(2, line(3)(lines).replace('{', '{ ')), 3],
  ])('J4: is found where %s', (_, change, at) => {
    const { store, path, bytes } = journaled(4);
    const lines = bytes.toString('utf8').split('\n').slice(0, -1);
    writeFileSync(path, `${change(lines).join('\n')}\n`);
    for (const action of [() => store.read(id).journal(), () => store.open(id, holder)]) {
      const fault = faultOf(action);
      expect(fault.code).toBe('journal-corrupt');
      expect(fault.message).toContain(`line ${at},`);
    }
  });

  it('J4: a line that was edited and hashed again is found in the line after it', () => {
    const { store, path, bytes } = journaled(3);
    const [first = '', second = '', third = ''] = bytes.toString('utf8').split('\n');
    const hash = /"h":"(.*)"}$/.exec(first)?.[1] as string;
    const forged = sealed(hash, second.replace('anna', 'emma').replace(/,"h":".*$/, ''));
    writeFileSync(path, `${first}\n${forged.line}${third}\n`);
    expect(faultOf(() => store.read(id).journal()).message).toContain('line 3,');
  });

  it('J4: the journal of one run does not pass for that of another', () => {
    const { path } = journaled(2);
    const directory = mkdtempSync(join(scratch, 'runs-'));
    const store = fileStore({ directory });
    store.create('another', {}, holder).close();
    cpSync(path, join(directory, 'another', 'journal.jsonl'));
    expect(faultOf(() => store.read('another').journal()).message).toContain('line 1, at byte 0:');
  });

  it.each([
    ['has the wrong number', '{"n":2,"at":0,"kind":"retry-due","path":"x"', 'its number is 2 where 1 is due'],
    ['is not JSON', '{"n":1,oops', 'it is not JSON'],
  ])('J4: a line is refused that is hashed well but %s', (_, head, why) => {
    const { store, path } = journaled(0);
    writeFileSync(path, sealed(id, head).line);
    expect(faultOf(() => store.read(id).journal()).message).toContain(why);
  });

  it('J4: a journal shortened by whole lines verifies, but its head is another', () => {
    const { store, path, offsets, entries } = journaled(3);
    const { head } = store.read(id).journal();
    truncateSync(path, offsets[2]);
    const shortened = store.read(id).journal();
    expect(shortened).toMatchObject({ entries: entries.slice(0, 2), torn: 0 });
    expect(shortened.head).not.toBe(head);
  });

  it('a corrupt journal says what to do, and the lease is given back', () => {
    const { store, path } = journaled(2);
    appendFileSync(path, 'garbage\n');
    const { size } = statSync(path);
    for (let round = 0; round < 2; round += 1) {
      const fault = faultOf(() => store.open(id, holder));
      expect(fault.code).toBe('journal-corrupt');
      expect(fault.hint).toContain(`lockstep resume ${id} --repair`);
    }
    expect(store.read(id).holder()).toBeUndefined();
    expect(statSync(path).size).toBe(size);
    truncateSync(path, size - 8);
    expect(store.open(id, holder).journal().entries.length).toBe(2);
  });

  it('J4: is repaired up to any line that does not verify: what is before it stays, what comes is kept aside', () => {
    const { path, bytes, offsets, entries, store } = journaled(4);
    for (let line = 1; line <= 4; line += 1) {
      const start = offsets[line - 1] as number;
      const changed = Buffer.from(bytes);
      changed[start + 3] = (changed[start + 3] as number) ^ 1;
      writeFileSync(path, Buffer.concat([changed, Buffer.from('torn')]));
      expect(store.read(id).wholeEntries()).toEqual(entries.slice(0, line - 1));
      const repair = store.repair(id, holder);
      if (repair?.kind !== 'cut') throw new Error('nothing was cut');
      expect(repair).toMatchObject({ line, entries: line - 1, cut: bytes.length + 4 - start });
      expect(repair.aside).toContain(`journal.damaged-${line}.jsonl`);
      expect(readFileSync(repair.aside, 'utf8')).toBe(`${changed.toString('utf8', start)}torn`);
      const run = store.open(id, holder);
      expect(run.journal()).toMatchObject({ entries: entries.slice(0, line - 1), torn: 0 });
      run.close();
      expect(store.repair(id, holder)).toBeUndefined();
    }
  });

  it('J4: cuts a torn last line and reports it, wherever it is torn, and goes on from there', () => {
    const { path, bytes, offsets, entries, store } = journaled(3);
    for (let length = 0; length <= bytes.length; length += 1) {
      if (length % 9 !== 0 && !offsets.some((offset) => Math.abs(offset - length) <= 1)) continue;
      writeFileSync(path, bytes.subarray(0, length));
      // As a crash leaves it: the note of how far the journal came is never ahead of it.
      rmSync(join(dirname(path), 'journal.head'), { force: true });
      const whole = offsets.filter((offset) => offset <= length).length - 1;
      const torn = length - (offsets[whole] as number);

      expect(store.read(id).journal()).toMatchObject({ entries: entries.slice(0, whole), torn });
      expect(statSync(path).size).toBe(length);

      const run = store.open(id, holder);
      expect(run.journal()).toMatchObject({ entries: entries.slice(0, whole), torn });
      expect(statSync(path).size).toBe(length - torn);
      run.append(entry(whole + 1, 'after the crash'));
      run.flush();
      expect(run.journal().torn).toBe(torn);
      run.close();
      expect(store.read(id).journal()).toMatchObject({
        entries: [...entries.slice(0, whole), entry(whole + 1, 'after the crash')],
        torn: 0,
      });
    }
  });

  it('J4: a tail of zeros, as some disks leave after a power cut, is torn too', () => {
    const { path, store, entries } = journaled(2);
    appendFileSync(path, Buffer.alloc(5_000));
    expect(store.open(id, holder).journal()).toMatchObject({ entries, torn: 5_000 });
  });

  it('reads lines of any length, wherever they fall in what is read at once', () => {
    const sizes = [1, 131_000, 40, 400_000, 3, 131_072, 7, 1_500_000, 2];
    const { store, entries } = journaled(sizes.length * 3, (n) =>
      entry(n, 'é'.repeat(sizes[n % sizes.length] as number)),
    );
    const read = store.read(id).journal();
    expect(read.torn).toBe(0);
    expect(JSON.stringify(read.entries) === JSON.stringify(entries)).toBe(true);
  });

  it('reads a torn line of any length', () => {
    const { store, path, entries } = journaled(2);
    appendFileSync(path, 'x'.repeat(700_000));
    expect(store.read(id).journal()).toMatchObject({ entries, torn: 700_000 });
  });
});

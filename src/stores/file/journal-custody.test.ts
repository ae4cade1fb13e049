import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Entry, Holder } from '../../model/entry.ts';
import { faultOf } from '../../ports/store.contract.ts';
import type { OpenRun, Store } from '../../ports/store.ts';
import { fileStore } from './file-store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-custody-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const id = '20261115T101500Z-a3f8c2';
const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const entry = (n: number, data = `${n}: ä €`): Entry => ({
  n,
  at: 1_700_000_000_000 + n,
  kind: 'signal-received',
  name: 'go',
  data,
  by: 'anna',
});

interface Opened {
  store: Store;
  run: OpenRun;
  folder: string;
  path: string;
  rescued: string;
  /** Appends the next entry. */
  next(size?: number): void;
  written: Entry[];
}

function opened(): Opened {
  const directory = mkdtempSync(join(scratch, 'runs-'));
  const store = fileStore({ directory });
  const run = store.create(id, { 'workflow.json': '{}' }, holder);
  const folder = join(directory, id);
  const written: Entry[] = [];
  return {
    store,
    run,
    folder,
    path: join(folder, 'journal.jsonl'),
    rescued: join(folder, 'journal.rescued.jsonl'),
    written,
    next(size) {
      written.push(entry(written.length + 1, size === undefined ? undefined : 'x'.repeat(size)));
      run.append(written.at(-1) as Entry);
    },
  };
}

/** The entries of a journal, verified without any of our code, as docs/runs-on-disk.md says. */
function verified(path: string): Entry[] {
  let previous = id;
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const [, head = '', hash] = /^(.*),"h":"([0-9a-f]{32})"}$/.exec(line) ?? [];
    previous = createHash('sha256')
      .update(previous + head)
      .digest('hex')
      .slice(0, 32);
    expect(hash).toBe(previous);
    return JSON.parse(`${head}}`) as Entry;
  });
}

/** Until the clock of the file system has moved on: within one tick a write with the same size leaves no trace in the times. */
function awaitTick(path: string): void {
  const probe = `${path}.probe`;
  do writeFileSync(probe, '');
  while (statSync(probe).mtimeMs <= statSync(path).mtimeMs);
  rmSync(probe);
}

describe('a run that is opened again where it was left', () => {
  it('J5: recalls what its earlier holders wrote, and rescues all of it', () => {
    const { store, run, next, path, rescued, written } = opened();
    next();
    next();
    run.close();
    for (const n of [3, 4]) {
      const again = store.open(id, holder, { known: n === 3 ? run.end() : undefined });
      expect(again.isAsKnown).toBe(n === 3);
      written.push(entry(n));
      again.append(written.at(-1) as Entry);
      again.flush();
      if (n === 3) again.close();
      else {
        awaitTick(path);
        writeFileSync(path, '');
        written.push(entry(5));
        again.append(written.at(-1) as Entry);
        expect(faultOf(() => again.flush()).code).toBe('journal-changed');
      }
    }
    expect(verified(rescued)).toEqual(written);
  });

  it('J5: reads nothing of the journal again, and knows it all the same', () => {
    const { store, run, next, path, rescued, written } = opened();
    for (let n = 0; n < 5; n += 1) next();
    run.close();
    const left = run.end();
    const middle = readFileSync(path, 'utf8').replace('"2: ', '"9: ');
    writeFileSync(path, middle);
    const again = store.open(id, holder, { known: left });
    expect(again.isAsKnown).toBe(true);
    awaitTick(path);
    truncateSync(path, 10);
    written.push(entry(6));
    again.append(entry(6));
    expect(faultOf(() => again.flush()).code).toBe('journal-changed');
    expect(verified(rescued)).toEqual(written);
  });
});

/** What somebody may do to a journal; `at` is a byte in it. */
const changes: Record<string, (path: string, at: number) => void> = {
  replaced: (path) => {
    cpSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
  cut: (path, at) => truncateSync(path, at),
  deleted: (path) => rmSync(path),
  renamed: (path) => renameSync(path, `${path}.old`),
  'made anew': (path) => {
    rmSync(path);
    writeFileSync(path, '');
  },
  overwritten: (path, at) => {
    const bytes = readFileSync(path);
    bytes[at] = (bytes[at] as number) ^ 1;
    awaitTick(path);
    writeFileSync(path, bytes);
  },
  'appended to': (path) => appendFileSync(path, '{"n":1}\n'),
  linked: (path) => linkSync(path, `${path}.second`),
  symlinked: (path) => {
    renameSync(path, `${path}.there`);
    symlinkSync(`${path}.there`, path);
  },
};

describe('a journal that something else changes', () => {
  it('J5: whatever is done to it and whenever, the next flush stops, and every entry is in the rescued journal', () => {
    const flushes = fc.array(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 6,
    });
    const property = fc.property(
      flushes,
      fc.constantFrom(...Object.keys(changes)),
      fc.nat(),
      fc.boolean(),
      (sizes, name, place, isReopened) => {
        const opening = opened();
        const { store, folder, path, rescued, written } = opening;
        for (const batch of sizes) {
          for (const size of batch) opening.next(size);
          opening.run.flush();
        }
        let { run } = opening;
        if (isReopened) {
          run.close();
          run = store.open(id, holder);
        }
        changes[name]?.(path, place % readFileSync(path).length);
        for (let more = 0; more < 2; more += 1) {
          written.push(entry(written.length + 1));
          run.append(written.at(-1) as Entry);
        }
        const fault = faultOf(() => run.flush());
        expect(fault.code, name).toBe('journal-changed');
        expect(fault.message).toContain(rescued);
        expect(fault.message).toContain(`All ${written.length} entries`);
        expect(verified(rescued)).toEqual(written);
        // Nothing more is written, and the same is said again.
        expect(faultOf(() => run.append(entry(written.length + 1)))).toBe(fault);
        expect(faultOf(() => run.close())).toBe(fault);
        expect(store.read(id).holder()).toBeUndefined();
        expect(faultOf(() => store.open(id, holder)).code).toBe('journal-rescued');
        expect(store.useRescued(id, holder).entries).toBe(written.length);
        const again = store.open(id, holder);
        expect(again.journal().entries).toEqual(written);
        again.append(entry(written.length + 1));
        again.close();
        expect(verified(path).length).toBe(written.length + 1);
        expect(existsSync(rescued)).toBe(false);
        rmSync(join(folder, '..'), { recursive: true });
      },
    );
    fc.assert(property, { numRuns: 80 });
  });

  it('J5: what leaves the bytes as they were stops nothing, however often it is done', () => {
    const { run, path, next, written, store } = opened();
    for (let round = 0; round < 40; round += 1) {
      next();
      run.flush();
      chmodSync(path, round % 2 ? 0o600 : 0o644);
      utimesSync(path, round, round);
      linkSync(path, `${path}.second`);
      rmSync(`${path}.second`);
    }
    run.close();
    expect(store.read(id).journal().entries).toEqual(written);
    expect(existsSync(join(path, '../journal.rescued.jsonl'))).toBe(false);
  });

  it('J5: a run that was taken over says so, and not that its journal was changed', () => {
    const directory = mkdtempSync(join(scratch, 'runs-'));
    const store = fileStore({ directory });
    const old = store.create(id, {}, { ...holder, host: 'elsewhere' });
    old.append(entry(1));
    old.flush();
    old.append(entry(2));
    const run = store.open(id, holder, { takeOver: true });
    run.append(entry(2, 'of the new holder'));
    run.flush();
    expect(faultOf(() => old.flush()).code).toBe('lease-lost');
    expect(existsSync(join(directory, id, 'journal.rescued.jsonl'))).toBe(false);
    run.close();
  });

  it('J5: a journal with two names when it is opened is no change', () => {
    const { run, path, next, store, written } = opened();
    next();
    run.close();
    linkSync(path, `${path}.backup`);
    const again = store.open(id, holder);
    again.append(entry(2));
    again.close();
    expect(verified(path)).toEqual([...written, entry(2)]);
  });

  it('J5: a deleted folder is made again for the rescued journal; it can be read and gone on with', () => {
    const { run, folder, rescued, next, written, store } = opened();
    next();
    run.flush();
    rmSync(join(folder, '..'), { recursive: true });
    next();
    expect(faultOf(() => run.flush()).message).toContain('was deleted');
    expect(verified(rescued)).toEqual(written);
    expect(faultOf(() => run.close()).code).toBe('journal-changed');
    expect(store.list()).toEqual([id]);
    expect(store.read(id).rescued().entries).toEqual(written);
    store.useRescued(id, holder);
    const again = store.open(id, holder);
    expect(again.takeInbox()).toEqual([]);
    again.close();
  });

  it('J5: where the folder cannot be made again, the rescued journal is in a temporary one, and the message says so', () => {
    const { run, folder, next, written } = opened();
    const temporary = mkdtempSync(join(scratch, 'tmp-'));
    vi.stubEnv('TMPDIR', temporary);
    next();
    run.flush();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file in its place');
    next();
    const fault = faultOf(() => run.flush());
    expect(fault.code).toBe('journal-changed');
    const [made = ''] = readdirSync(temporary);
    const path = join(temporary, made, id, 'journal.rescued.jsonl');
    expect(fault.hint).toContain(path);
    expect(verified(path)).toEqual(written);
  });

  it('J5: a moved folder keeps its journal, complete, and nothing is made where it was', () => {
    const { run, folder, next, written } = opened();
    next();
    run.flush();
    renameSync(folder, `${folder}-moved`);
    next();
    const fault = faultOf(() => run.flush());
    expect(fault.message).toContain('was moved or renamed');
    expect(verified(join(`${folder}-moved`, 'journal.jsonl'))).toEqual(written);
    expect(existsSync(folder)).toBe(false);
    expect(faultOf(() => run.close())).toBe(fault);
  });
});

describe('a journal too long to be kept in memory', () => {
  /** Some 3 MiB in 30 flushes. */
  function long(): Opened {
    const opening = opened();
    for (let n = 1; n <= 30; n += 1) {
      opening.next(100_000);
      opening.run.flush();
    }
    return opening;
  }

  it.each(['replaced', 'deleted', 'renamed', 'appended to', 'linked'])(
    'J5: %s: the open file has all of it, and nothing is lost',
    (name) => {
      const { run, path, rescued, next, written } = long();
      changes[name]?.(path, 0);
      next();
      expect(faultOf(() => run.flush()).message).toContain('All 31 entries');
      expect(verified(rescued)).toEqual(written);
    },
  );

  it('J5: cut near its end: memory has what is missing', () => {
    const { run, path, rescued, next, written } = long();
    truncateSync(path, readFileSync(path).length - 250_000);
    next();
    expect(faultOf(() => run.flush()).message).toContain('All 31 entries');
    expect(verified(rescued)).toEqual(written);
  });

  it.each([
    { what: 'cut near its beginning', change: (path: string) => truncateSync(path, 250_000) },
    {
      what: 'overwritten near its beginning',
      change: (path: string) => changes.overwritten?.(path, 250_000),
    },
  ])(
    'J5: $what: what is before the gap is rescued, what is after it is kept, and what is lost is said',
    ({ change }) => {
      const { run, path, rescued, folder, next, written, store } = long();
      change(path);
      next();
      const fault = faultOf(() => run.flush());
      expect(verified(rescued)).toEqual(written.slice(0, 2));
      const rest = readFileSync(join(folder, 'journal.rescued-rest.jsonl'), 'utf8').trimEnd().split('\n');
      const { n } = JSON.parse(rest[0] as string) as Entry;
      expect(rest.length).toBe(31 - n + 1);
      expect(fault.message).toContain(`Of its 31 entries the first 2 are in ${rescued}`);
      expect(fault.message).toContain(`entries 3 to ${n - 1} are lost`);
      expect(fault.hint).toContain('runs again what finished later');
      expect(faultOf(() => run.close())).toBe(fault);
      const refused = faultOf(() => store.open(id, holder));
      expect(refused.code).toBe('journal-rescued');
      expect(refused.message).toContain('journal.rescued-rest.jsonl');
      expect(store.useRescued(id, holder)).toMatchObject({
        entries: 2,
        aside: expect.stringContaining('damaged-1'),
      });
      store.open(id, holder).close();
    },
  );

  it('J5: written anew as a whole, with hashes that fit: none of its lines is trusted', () => {
    const { run, path, rescued, next } = long();
    let previous = id;
    const forged = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const head = line.slice(0, line.lastIndexOf(',"h":"')).replace('anna', 'evil');
        previous = createHash('sha256')
          .update(previous + head)
          .digest('hex')
          .slice(0, 32);
        return `${head},"h":"${previous}"}\n`;
      });
    writeFileSync(path, forged.join(''));
    next();
    expect(faultOf(() => run.flush()).message).toContain('journal.jsonl was overwritten');
    expect(readFileSync(rescued, 'utf8')).not.toContain('evil');
  });
});

describe('the note of how far a journal came', () => {
  it('J5: a journal that ends before it is refused; --repair takes it as it is', () => {
    const { run, path, next, written, store } = opened();
    for (let n = 0; n < 4; n += 1) next();
    run.close();
    const bytes = readFileSync(path);
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1);
    truncateSync(path, ends[1]);
    const fault = faultOf(() => store.open(id, holder));
    expect(fault.code).toBe('journal-not-whole');
    expect(fault.message).toContain(
      '4 entries were on the disk, and it ends after 2: the last 2 lines are missing',
    );
    expect(store.read(id).journal().missing).toContain('the last 2 lines are missing');
    expect(store.read(id).holder()).toBeUndefined();
    expect(store.repair(id, holder)).toMatchObject({ kind: 'ends-early', entries: 2 });
    const again = store.open(id, holder);
    expect(again.journal().entries).toEqual(written.slice(0, 2));
    again.close();
  });

  it.each(['', 'nonsense', '{"entries":"x"}', '{"entries":3}', 'null'])(
    'J5: one that says nothing (%j) stops nothing',
    (text) => {
      const { run, folder, next, written, store } = opened();
      next();
      run.close();
      writeFileSync(join(folder, 'journal.head'), text);
      store.open(id, holder).close();
      expect(store.read(id).journal()).toMatchObject({ entries: written });
    },
  );

  it('J5: a link or a folder in its place is not followed, and the run goes on without it', () => {
    for (const plant of [
      (path: string) => symlinkSync(join(scratch, 'victim'), path),
      (path: string) => mkdirSync(path),
    ]) {
      const { run, folder, next, store, written } = opened();
      plant(join(folder, 'journal.head'));
      next();
      run.close();
      expect(store.read(id).journal().entries).toEqual(written);
      expect(existsSync(join(scratch, 'victim'))).toBe(false);
    }
  });
});

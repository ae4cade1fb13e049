import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { storeProcesses } from '../../../test/support/store-process.ts';
import { watchFolders } from './watch.ts';

const processes = storeProcesses();
afterAll(() => processes.remove());
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** `next` does something and waits until it was told of. */
function watching(options: { notices?: number; lookEvery?: number }) {
  const top = mkdtempSync(join(tmpdir(), 'lockstep-watch-'));
  ends.push(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, 'tree'));
  let told = 0;
  const end = watchFolders(
    { folders: [top], trees: [join(top, 'tree')] },
    () => {
      told += 1;
    },
    options,
  );
  ends.push(end);
  const next = async (change: () => void): Promise<void> => {
    const before = told;
    change();
    await vi.waitFor(() => expect(told).toBeGreaterThan(before), { timeout: 20_000, interval: 2 });
  };
  return { top, next, end, told: () => told };
}

describe.each([
  ['notices alone', { lookEvery: 1 << 30 }],
  ['looks alone, as where no notices are to be had', { notices: 0, lookEvery: 5 }],
  ['notices for some folders and looks for the rest', { notices: 2, lookEvery: 5 }],
])('watching with %s', (_, options) => {
  it('tells of new, changed and removed files, in new folders too, whatever their depth', async () => {
    const { top, next } = watching(options);
    await next(() => writeFileSync(join(top, 'a.txt'), 'one'));
    await next(() => appendFileSync(join(top, 'a.txt'), ' two'));
    await next(() => rmSync(join(top, 'a.txt')));
    await next(() => mkdirSync(join(top, 'tree/x/y/z'), { recursive: true }));
    await next(() => writeFileSync(join(top, 'tree/x/y/z/deep.log'), '1'));
    await next(() => appendFileSync(join(top, 'tree/x/y/z/deep.log'), '2'));
    await next(() => rmSync(join(top, 'tree/x'), { recursive: true }));
    await next(() => mkdirSync(join(top, 'tree/x')));
    await next(() => writeFileSync(join(top, 'tree/x/again.log'), '1'));
  });

  it('tells when the watched folder itself is removed', async () => {
    const { top, next, end } = watching(options);
    await next(() => rmSync(top, { recursive: true }));
    end();
  });
});

describe('watching', () => {
  it('tells once of many changes at once', async () => {
    const { top, next, told } = watching({ lookEvery: 1 << 30 });
    await next(() => {
      for (let n = 0; n < 500; n += 1) writeFileSync(join(top, `f${n}`), 'x');
    });
    const then = told();
    expect(then).toBeLessThan(20);
  });

  it('keeps a process alive while it lasts, and lets it end when it has ended', async () => {
    const directory = processes.folder();
    const child = processes.start(
      directory,
      `
      const run = store.create('r', {}, holder);
      const end = run.watch(() => { say('told'); endInbox(); end(); run.close(); });
      const endInbox = run.watchInbox(() => {});
      say('ready');`,
    );
    await child.next();
    expect(child.child.exitCode).toBeNull();
    writeFileSync(join(directory, 'r/state.json'), '{}');
    expect(await child.done()).toEqual(['ready', 'told']);
  });
});

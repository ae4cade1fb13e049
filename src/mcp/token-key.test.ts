import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../model/fault.ts';
import { readOrMakeKey } from './token-key.ts';

let base: string;
let home: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'token-key-'));
  home = join(base, 'home');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const faultOf = (act: () => unknown): Fault => {
  try {
    act();
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error('no fault');
};

describe('the key of tokens', () => {
  it('is made once, for this user alone, and is the same ever after', () => {
    const key = readOrMakeKey(home);
    expect(key).toHaveLength(32);
    expect(readOrMakeKey(home)).toEqual(key);
    expect(statSync(join(home, 'token.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['token.key']);
  });

  it('MCP-TOKEN-KEY: processes that start at once agree on one', async () => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const program = `
      import { workerData, parentPort } from 'node:worker_threads';
      parentPort.postMessage('ready');
      Atomics.wait(workerData.gate, 0, 0);
      const { readOrMakeKey } = await import(workerData.module);
      parentPort.postMessage(readOrMakeKey(workerData.home).toString('hex'));`;
    const module = await bundled();
    const workers = Array.from(
      { length: 6 },
      () =>
        new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
          workerData: { gate, module, home },
        }),
    );
    const keys = workers.map(
      (worker) =>
        new Promise<string>((resolve, reject) => {
          worker.on('message', (message: string) => message !== 'ready' && resolve(message));
          worker.on('error', reject);
        }),
    );
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    expect(new Set(await Promise.all(keys)).size).toBe(1);
    expect(readdirSync(home)).toEqual(['token.key']);
  });

  async function bundled(): Promise<string> {
    const { build } = await import('esbuild');
    const outfile = join(base, 'token-key.mjs');
    const entry = join(import.meta.dirname, 'token-key.ts');
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    return pathToFileURL(outfile).href;
  }

  it('is not used where others may read it, where it is a link, or where it is no key', () => {
    readOrMakeKey(home);
    const path = join(home, 'token.key');
    chmodSync(path, 0o644);
    expect(faultOf(() => readOrMakeKey(home))).toMatchObject({
      code: 'token-key-unsafe',
      message: expect.stringContaining('others may'),
    });
    rmSync(path);
    writeFileSync(join(base, 'elsewhere'), Buffer.alloc(32), { mode: 0o600 });
    symlinkSync(join(base, 'elsewhere'), path);
    expect(faultOf(() => readOrMakeKey(home)).message).toContain('symbolic link');
    rmSync(path);
    writeFileSync(path, 'short', { mode: 0o600 });
    expect(faultOf(() => readOrMakeKey(home)).message).toContain('5 bytes');
    expect(existsSync(path)).toBe(true);
  });
});

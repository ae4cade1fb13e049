// store-process: programs of a few lines that use the real file store in a process of their own, to be killed.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

export interface StoreProcesses {
  /** A new empty folder that other users can reach. */
  folder(): string;
  /** Where everything lies. */
  readonly root: string;
  /** Ends what still runs, also after a test that failed half-way, and removes the rest. */
  remove(): Promise<void>;
  /** `program` sees `store`, `sessions` (both in `directory`), `holder`, `entry(n)`, `say(value)` (a line of JSON) and whatever `given` holds. */
  start(directory: string, program: string, options?: ProgramOptions): StoreProcess;
}

export interface ProgramOptions extends SpawnOptions {
  given?: Record<string, unknown>;
  /** Started as `sh -c 'before; exec node …'`. */
  before?: string;
}

export interface StoreProcess {
  readonly child: ChildProcess;
  /** Lines said so far, parsed. */
  readonly said: unknown[];
  /** The next line that nobody has taken yet. */
  next(): Promise<unknown>;
  /** All it said; fails where it ended with another code than 0. */
  done(): Promise<unknown[]>;
  kill(): Promise<void>;
}

export function storeProcesses(): StoreProcesses {
  const root = mkdtempSync(join(tmpdir(), 'lockstep-store-'));
  chmodSync(root, 0o755);
  const bundle = join(root, 'store.mjs');
  buildSync({
    stdin: {
      contents: `export * from './file-store.ts'; export * from './file-sessions.ts';`,
      resolveDir: 'src/stores/file',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: bundle,
    logLevel: 'error',
  });
  const started: StoreProcess[] = [];
  return {
    root,
    async remove() {
      await Promise.all(started.map((one) => one.kill()));
      rmSync(root, { recursive: true, force: true });
    },
    folder() {
      const folder = mkdtempSync(join(root, 'runs-'));
      chmodSync(folder, 0o755);
      return folder;
    },
    start(directory, program, { given = {}, before, ...options } = {}) {
      const text = `
        import { writeSync } from 'node:fs';
        import { fileSessions, fileStore } from ${JSON.stringify(bundle)};
        const given = ${JSON.stringify(given)};
        const store = fileStore({ directory: ${JSON.stringify(directory)} });
        const sessions = fileSessions({ folder: ${JSON.stringify(directory)}, now: Date.now, machine: 'm', mask: (text) => text });
        const holder = { user: 'child', host: ${JSON.stringify(hostname())}, pid: process.pid, version: '1' };
        const entry = (n, data = n) => ({ n, at: 0, kind: 'signal-received', name: 'go', data, by: 'child' });
        const say = (value) => writeSync(1, JSON.stringify(value) + '\\n');
        const faultOf = (action) => { try { action(); return null; } catch (e) { return { code: e.code, message: e.message, hint: e.hint }; } };
        ${program}`;
      const node = ['--input-type=module', '-e', text];
      const argv =
        before === undefined
          ? [process.execPath, ...node]
          : ['bash', '-c', `${before}; exec "$@"`, 'bash', process.execPath, ...node];
      started.push(
        watched(spawn(argv[0] as string, argv.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], ...options })),
      );
      return started.at(-1) as StoreProcess;
    },
  };
}

function watched(child: ChildProcess): StoreProcess {
  const said: unknown[] = [];
  let taken = 0;
  let rest = '';
  let errors = '';
  let wake = (): void => {};
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) said.push(JSON.parse(line));
    wake();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const closed = once(child, 'close').then(([code, signal]) => {
    wake();
    return { code: code as number | null, signal: signal as string | null };
  });
  let ended = false;
  void closed.then(() => {
    ended = true;
    wake();
  });
  return {
    child,
    said,
    async next() {
      while (taken >= said.length) {
        if (ended) throw new Error(`the process ended without saying more: ${errors}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (ended) resolve();
        });
      }
      taken += 1;
      return said[taken - 1];
    },
    async done() {
      const { code, signal } = await closed;
      if (code !== 0) throw new Error(`the process ended with ${code ?? signal}: ${errors}`);
      return said;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

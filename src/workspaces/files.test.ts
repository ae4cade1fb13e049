import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { Fault } from '../model/fault.ts';
import { openBoundary } from './boundary.ts';
import { workspaceFiles } from './files.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-files-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

function fresh() {
  count += 1;
  const root = join(base, `${count}`, 'work');
  const outside = join(base, `${count}`, 'outside');
  mkdirSync(root, { recursive: true });
  mkdirSync(outside);
  return { root, outside, files: workspaceFiles(openBoundary(root)) };
}

describe('S4: somebody swaps what is on the way while it is used', () => {
  /** Puts `turning` in place as a folder (or file) of ours, then as a symlink to the outside, for ever. */
  const swapper = `
    const { renameSync, symlinkSync, mkdirSync, writeFileSync } = require('node:fs');
    const [kind, turning, target] = process.argv.slice(1);
    const folder = () => {
      for (const version of ['.ours', '.link'])
        try {
          renameSync(turning + version, turning);
          renameSync(turning, turning + version);
        } catch {
          // Whoever writes makes the folder where it is missing: clear the way.
          try { renameSync(turning, turning + '.debris-' + process.hrtime.bigint()); } catch {}
        }
    };
    const file = () => {
      symlinkSync(target, turning + '.new');
      renameSync(turning + '.new', turning);
      writeFileSync(turning + '.new', 'inside');
      renameSync(turning + '.new', turning);
    };
    if (kind === 'folder') {
      mkdirSync(turning + '.ours');
      symlinkSync(target, turning + '.link');
    }
    process.stdout.write('ready');
    for (;;) (kind === 'folder' ? folder : file)();`;

  async function whileSwapping(
    kind: 'folder' | 'file',
    turning: string,
    target: string,
    work: () => void,
  ): Promise<void> {
    const child = spawn(process.execPath, ['-e', swapper, kind, turning, target], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const until = performance.now() + 1500;
    while (performance.now() < until) work();
    child.kill('SIGKILL');
    await ended;
  }

  const attempt = (action: () => unknown, seen: Map<string, number>) => {
    let outcome = 'done';
    try {
      action();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      outcome = error.code;
    }
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  };

  it('a folder that becomes a symlink: nothing is written outside', async () => {
    const { root, outside, files } = fresh();
    const seen = new Map<string, number>();
    await whileSwapping('folder', join(root, 'turning'), outside, () => {
      attempt(() => files.write('turning/written', 'x'), seen);
      attempt(() => files.sink('turning/sunk').end(), seen);
      attempt(() => files.write('turning/new/deep', 'x'), seen);
      files.write('source', 'x');
      attempt(() => files.move('source', 'turning/moved'), seen);
    });
    expect(readdirSync(outside)).toEqual([]);
    // Both were met, or the test shows nothing.
    expect(seen.get('done')).toBeGreaterThan(0);
    expect(seen.get('path-outside')).toBeGreaterThan(0);
  });

  it('a file that becomes a symlink: nothing outside is read, overwritten or truncated', async () => {
    const { root, outside, files } = fresh();
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'secret');
    const seen = new Map<string, number>();
    await whileSwapping('file', join(root, 'turning'), secret, () => {
      attempt(() => expect(Buffer.from(files.read('turning')).toString()).not.toBe('secret'), seen);
      attempt(() => {
        const sink = files.sink('turning');
        sink.write(Buffer.from('streamed'));
        sink.end();
      }, seen);
      attempt(() => {
        const file = files.open('turning');
        const piece = new Uint8Array(20);
        const text = Buffer.from(piece.subarray(0, file.read(piece, 0))).toString();
        file.close();
        expect(text).not.toBe('secret');
      }, seen);
      attempt(() => files.write('turning', 'written'), seen);
    });
    expect(readFileSync(secret, 'utf8')).toBe('secret');
    expect(seen.get('done')).toBeGreaterThan(0);
    expect(seen.get('path-outside')).toBeGreaterThan(0);
  });
});

describe('F2: only regular files are opened', () => {
  it('a pipe is refused at once, for reading and for writing', () => {
    const { root, files } = fresh();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(() => files.read('pipe')).toThrow(
      expect.objectContaining({
        code: 'file-failed',
        message: expect.stringContaining('not a regular file'),
      }),
    );
    expect(() => files.sink('pipe')).toThrow(expect.objectContaining({ code: 'file-failed' }));
    expect(lstatSync(join(root, 'pipe')).isFIFO()).toBe(true);
  });

  it('S5: a file too large to be held is named, not read', () => {
    const { root, files } = fresh();
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), 300 * 2 ** 20);
    expect(() => files.read('large')).toThrow(expect.objectContaining({ code: 'content-too-large' }));
  });
});

describe('what the disk refuses', () => {
  it('no room left is a fault that says so, and the old content stays', () => {
    const { files, root } = fresh();
    files.write('kept', 'old');
    // A limit on file sizes stands in for a full disk: the write fails half-way in the same place.
    const script = `
      import { openBoundary } from ${JSON.stringify(join(import.meta.dirname, 'boundary.ts'))};
      import { workspaceFiles } from ${JSON.stringify(join(import.meta.dirname, 'files.ts'))};
      process.on('SIGXFSZ', () => {});
      try { workspaceFiles(openBoundary(process.argv[1])).write('kept', 'x'.repeat(4_000_000)); }
      catch (error) { console.log(error.code + ': ' + error.message); }`;
    const bundled = join(base, 'limited.mjs');
    execFileSync(
      join(import.meta.dirname, '../../node_modules/.bin/esbuild'),
      ['--bundle', '--platform=node', '--format=esm', `--outfile=${bundled}`, '--log-level=error'],
      { input: script.replace('process.argv[1]', 'process.argv[2]') },
    );
    const said = execFileSync(
      'bash',
      ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, bundled, root],
      { encoding: 'utf8' },
    );
    expect(said).toMatch(/^disk-full: "kept" could not be written: there is no room left/);
    expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('old');
    expect(readdirSync(root)).toEqual(['kept']);
  });

  it('a folder that may not be written to is a fault that says so', ({ skip }) => {
    skip(process.getuid?.() === 0, 'the superuser may write everywhere');
    const { files, root } = fresh();
    mkdirSync(join(root, 'locked'));
    chmodSync(join(root, 'locked'), 0o555);
    expect(() => files.write('locked/x', '')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('permission denied') }),
    );
  });
});

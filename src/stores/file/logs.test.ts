import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import type { Holder } from '../../model/entry.ts';
import { faultOf } from '../../ports/store.contract.ts';
import type { OpenRun } from '../../ports/store.ts';
import { fileStore } from './file-store.ts';
import { logFile } from './logs.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-logs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const newRun = (): OpenRun =>
  fileStore({ directory: mkdtempSync(join(scratch, 'runs-')) }).create('r', {}, holder);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the file of a log', () => {
  it.each([
    'orchestrator.log',
    'execute[2]/fix#1/reviews/security.stdout',
    'plan~2.prompt.txt',
    'impl.done[1].stderr',
    'ü 😀.stdout',
    `${'x'.repeat(248)}.stdout`,
  ])('is called %j as the log is', (name) => {
    expect(logFile(name)).toBe(name);
  });

  it.each([
    ['../../etc/passwd', /^__@[0-9a-f]{16}\/__@[0-9a-f]{16}\/etc\/passwd@[0-9a-f]{16}\.log$/],
    ['/etc/x.stdout', /^@[0-9a-f]{16}\/etc\/x\.stdout$/],
    ['a.b/c.stdout', /^a_b@[0-9a-f]{16}\/c\.stdout$/],
    ['.stdout', /^_stdout@[0-9a-f]{16}\.log$/],
    [`${'x'.repeat(300)}.stdout`, /^x{100}@[0-9a-f]{16}\.stdout$/],
    [`${'deep/'.repeat(300)}x.stdout`, /^long@[0-9a-f]{16}\/x\.stdout$/],
  ])('of %j is spelt otherwise', (name, shape) => {
    expect(logFile(name)).toMatch(shape);
  });

  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('..', '.', '', 'a', 'b', 'a.b', 'x.stdout', '.x', 'A'),
    fc.string({ minLength: 230, maxLength: 300 }),
  );
  const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));

  it('S4: of any name lies below logs/, can be made, and stands for itself', () => {
    fc.assert(
      fc.property(name, (one) => {
        const path = logFile(one);
        const parts = path.split('/');
        expect(
          parts.every((each) => each !== '' && each !== '.' && each !== '..' && !each.includes('\0')),
        ).toBe(true);
        expect(parts.every((each) => Buffer.byteLength(each) <= 255)).toBe(true);
        expect(Buffer.byteLength(path)).toBeLessThanOrEqual(1_400);
        expect(logFile(path)).toBe(path);
      }),
      { numRuns: tries(2_000, 400) },
    );
  });

  it('is another one for another name, and none stands where another needs a folder', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 8 }), (names) => {
        const paths = names.map(logFile);
        // A name that another was shortened to is that other's file: both come from `logs()`.
        fc.pre(!names.some((one) => names.some((other) => other !== one && logFile(other) === one)));
        expect(new Set(paths).size).toBe(paths.length);
        for (const path of paths) expect(paths).not.toContain(dirname(path));
      }),
      { numRuns: tries(500, 100) },
    );
  });
});

describe('logs', () => {
  it('S4: a planted symlink is not followed, be it the file, a folder on the way or logs/ itself', () => {
    const outside = mkdtempSync(join(scratch, 'outside-'));
    writeFileSync(join(outside, 'theirs.stdout'), 'theirs');
    const run = newRun();
    const logs = join(run.location, 'logs');
    symlinkSync(join(outside, 'theirs.stdout'), join(logs, 'link.stdout'));
    symlinkSync(outside, join(logs, 'folder'));
    for (const name of [
      'link.stdout',
      'folder/new.stdout',
      'folder/deep/new.stdout',
      'folder/theirs.stdout',
    ]) {
      expect(faultOf(() => run.openLog(name).write(bytes('ours'))).code).toBe('path-outside');
    }
    expect(run.readLog('link.stdout', 0)).toBeUndefined();
    expect(faultOf(() => run.readLog('folder/theirs.stdout', 0)).code).toBe('path-outside');
    expect(run.logs()).toEqual([]);
    rmSync(logs, { recursive: true });
    symlinkSync(outside, logs);
    expect(faultOf(() => run.openLog('theirs.stdout').write(bytes('ours'))).code).toBe('path-outside');
    expect(readdirSync(outside)).toEqual(['theirs.stdout']);
    expect(readFileSync(join(outside, 'theirs.stdout'), 'utf8')).toBe('theirs');
  });

  it('a planted pipe neither blocks nor is read', () => {
    const run = newRun();
    execFileSync('mkfifo', [join(run.location, 'logs/pipe.stdout')]);
    expect(faultOf(() => run.openLog('pipe.stdout').write(bytes('x'))).code).toBe('store-failed');
    expect(run.readLog('pipe.stdout', 0)).toBeUndefined();
    expect(run.logs()).toEqual([]);
  });

  it('are written although somebody removed logs/', () => {
    const run = newRun();
    rmSync(join(run.location, 'logs'), { recursive: true });
    expect(run.logs()).toEqual([]);
    run.openLog('a/b.stdout').write(bytes('x'));
    expect(run.logs()).toEqual(['a/b.stdout']);
  });

  it('S5: 200 MB go through without being held in memory', () => {
    const run = newRun();
    const sink = run.openLog('big.stdout');
    const chunk = new Uint8Array(1 << 16).fill(120);
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 3_200; n += 1) sink.write(chunk);
    sink.end();
    expect(process.memoryUsage().rss - before).toBeLessThan(60 << 20);
    expect(run.readLog('big.stdout', 3_200 * chunk.length - 5)?.length).toBe(5);
  });
});

describe('artifacts', () => {
  it('begin anew each time, and are there even if nothing is written', () => {
    const run = newRun();
    for (const text of ['a long first version', 'second']) {
      const sink = run.openArtifact('reports/summary.md');
      sink.write(bytes(text));
      sink.end();
    }
    run.openArtifact('empty.txt').end();
    expect(readFileSync(join(run.location, 'artifacts/reports/summary.md'), 'utf8')).toBe('second');
    expect(readFileSync(join(run.location, 'artifacts/empty.txt'), 'utf8')).toBe('');
  });

  it('S4: a planted symlink is not followed', () => {
    const outside = mkdtempSync(join(scratch, 'outside-'));
    writeFileSync(join(outside, 'theirs.txt'), 'theirs');
    const run = newRun();
    symlinkSync(join(outside, 'theirs.txt'), join(run.location, 'artifacts/link.txt'));
    symlinkSync(outside, join(run.location, 'artifacts/folder'));
    expect(faultOf(() => run.openArtifact('link.txt')).code).toBe('path-outside');
    expect(faultOf(() => run.openArtifact('folder/theirs.txt')).code).toBe('path-outside');
    expect(readFileSync(join(outside, 'theirs.txt'), 'utf8')).toBe('theirs');
    mkdirSync(join(run.location, 'artifacts/taken'));
    expect(faultOf(() => run.openArtifact('taken')).code).toBe('store-failed');
    expect(existsSync(join(outside, 'new.txt'))).toBe(false);
  });
});

import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type ZipWriter, zipWriter } from './zip.ts';

const scratch = mkdtempSync(join(tmpdir(), 'lockstep-zip-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let made = 0;
async function zipped(fill: (zip: ZipWriter) => Promise<void> | void): Promise<string> {
  made += 1;
  const path = join(scratch, `${made}.zip`);
  const file = openSync(path, 'w');
  const zip = zipWriter(file);
  await fill(zip);
  zip.end();
  closeSync(file);
  return path;
}
const unzip = (...argv: string[]) => execFileSync('unzip', argv, { maxBuffer: 1 << 28 });
const modified = new Date(2026, 10, 15, 10, 15, 30);
const add = async (zip: ZipWriter, name: string, content: Uint8Array, mode = 0o644) => {
  const path = join(scratch, 'content');
  writeFileSync(path, content);
  const file = openSync(path, 'r');
  await zip.file(name, file, { size: content.length, mode, modified });
  closeSync(file);
};

describe('a zip archive', () => {
  it('is accepted by unzip and gives every content back, whatever its bytes and size', async () => {
    const content = fc.oneof(fc.uint8Array({ maxLength: 3000 }), fc.constant(new Uint8Array(0)));
    const large = Buffer.alloc(700_001, 'abc');
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 5 }), async (contents) => {
        const all = [...contents, large];
        const path = await zipped(async (zip) => {
          for (const [index, bytes] of all.entries()) await add(zip, `d/ä ${index}`, bytes);
        });
        unzip('-tqq', path);
        for (const [index, bytes] of all.entries())
          expect(unzip('-p', path, `d/ä ${index}`).equals(Buffer.from(bytes))).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it('keeps modes, times, folders and links, and packs what can be packed', async () => {
    const path = await zipped(async (zip) => {
      zip.folder('d', modified);
      await add(zip, 'd/run.sh', Buffer.from('x'.repeat(10_000)), 0o755);
      zip.link('d/link', 'run.sh', modified);
    });
    const out = join(scratch, 'out');
    unzip('-q', path, '-d', out);
    const listed = execFileSync('ls', ['-l', '--time-style=+%Y-%m-%dT%H:%M:%S', join(out, 'd')]).toString();
    expect(listed).toMatch(/^-rwxr-xr-x .* 2026-11-15T10:15:30 run\.sh$/m);
    expect(listed).toMatch(/link -> run\.sh$/m);
    expect(readFileSync(path).length).toBeLessThan(1000);
  });

  it('holds more entries than 16 bits can count', async () => {
    const path = await zipped((zip) => {
      for (let index = 0; index < 66_000; index += 1) zip.folder(`f${index}`, modified);
    });
    expect(unzip('-tqq', path).toString()).toBe('');
    expect(unzip('-Z1', path).toString().trimEnd().split('\n')).toHaveLength(66_000);
  });

  it('gives 64-bit fields to a file that may need them', async () => {
    // A file of 4 GiB takes a minute; one that was as large when it was looked at goes the same way.
    const path = await zipped(async (zip) => {
      writeFileSync(join(scratch, 'shrunk'), 'what is left');
      const file = openSync(join(scratch, 'shrunk'), 'r');
      await zip.file('large', file, { size: 2 ** 32 + 5, mode: 0o644, modified });
      closeSync(file);
      await add(zip, 'after', Buffer.from('after'));
    });
    expect(unzip('-tqq', path).toString()).toBe('');
    expect(unzip('-p', path, 'large').toString()).toBe('what is left');
    expect(unzip('-p', path, 'after').toString()).toBe('after');
  });
});

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultOf } from '../ports/store.contract.ts';
import { processedFolder } from './processed.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-processed-')));
  root = join(base, 'project');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text = path) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const open = (path = 'processed', kept: string[] = []) => processedFolder(root, path, kept);
const listing = (zip: string) => execFileSync('unzip', ['-Z1', zip]).toString().trimEnd().split('\n');
const accepted = (zip: string) => execFileSync('unzip', ['-tqq', zip]).toString() === '';

describe('P1: the folder', () => {
  it.each([
    ['.', 'the workspace itself'],
    ['./', 'the workspace itself'],
    ['..', '`..`'],
    ['../project', '`..`'],
    ['processed/../src', '`..`'],
    ['link', 'is a symlink'],
    ['link/inside', 'is a symlink'],
    ['near', 'is a symlink'],
    ['gone', 'is a symlink'],
    ['file', 'is not a folder'],
    ['file/inside', 'is not a folder'],
    ['.git', 'part of the git repository'],
    ['.git/hooks', 'part of the git repository'],
    ['.lockstep', '.lockstep is in it'],
    ['around', 'kept.yaml is in it'],
  ])('%s is refused: %s', (path, why) => {
    write('src/a');
    write('file');
    write('.git/HEAD');
    write('.lockstep/workflows/a.yaml');
    write('around/deep/kept.yaml');
    mkdirSync(join(base, 'elsewhere/inside'), { recursive: true });
    symlinkSync(join(base, 'elsewhere'), join(root, 'link'));
    symlinkSync('src', join(root, 'near'));
    symlinkSync('nowhere', join(root, 'gone'));
    const fault = faultOf(() => open(path, [join(root, 'around/deep/kept.yaml')]));
    expect(fault).toMatchObject({ code: 'processed-unsafe', exitCode: 2 });
    expect(fault.message).toContain(why);
    expect(readdirSync(root).sort()).toContain('src');
  });

  it.each(['/tmp', '/'])('%s is refused as every absolute path is', (path) => {
    expect(faultOf(() => open(path))).toMatchObject({ code: 'path-outside', exitCode: 2 });
  });

  it('is looked at again just before use', async () => {
    write('processed/a');
    write('src/precious');
    const folder = open();
    rmSync(join(root, 'processed'), { recursive: true });
    symlinkSync('src', join(root, 'processed'));
    expect(faultOf(() => folder.empty()).code).toBe('processed-unsafe');
    await expect(folder.archive(join(base, 'all.zip'))).rejects.toMatchObject({ code: 'processed-unsafe' });
    expect(existsSync(join(root, 'src/precious'))).toBe(true);
    expect(readdirSync(base)).toEqual(['project']);
  });

  it('may be deep, and a link that points at it from within a kept path is no reason', () => {
    write('work/done/a');
    expect(open('work/done', [join(root, 'other.yaml')]).empty()).toBe(1);
  });
});

describe('emptying', () => {
  it('removes everything in it and nothing else; the folder stays', () => {
    for (const path of ['processed/a', 'processed/.hidden', 'processed/deep/er/b', 'src/c']) write(path);
    expect(open().empty()).toBe(3);
    expect(readdirSync(join(root, 'processed'))).toEqual([]);
    expect(readFileSync(join(root, 'src/c'), 'utf8')).toBe('src/c');
  });

  it('P2: removes links, and leaves what they point at', () => {
    write('src/c');
    write('processed/a');
    writeFileSync(join(base, 'outside'), 'outside');
    symlinkSync('../src', join(root, 'processed/folder'));
    symlinkSync(join(base, 'outside'), join(root, 'processed/file'));
    open().empty();
    expect(readdirSync(join(root, 'processed'))).toEqual([]);
    expect(existsSync(join(root, 'src/c'))).toBe(true);
    expect(existsSync(join(base, 'outside'))).toBe(true);
  });

  it('finds nothing to do where there is no folder, and makes none', () => {
    expect(open().empty()).toBe(0);
    expect(existsSync(join(root, 'processed'))).toBe(false);
  });
});

describe('archiving', () => {
  it('gives a zip with the names of the workspace, in byte order', async () => {
    for (const path of ['processed/b', 'processed/B', 'processed/ä', 'processed/c/d']) write(path);
    const zip = join(base, 'made/here/all.zip');
    expect(await open().archive(zip)).toMatchObject({ files: 4, leftOut: [] });
    expect(accepted(zip)).toBe(true);
    expect(listing(zip)).toEqual([
      'processed/',
      'processed/B',
      'processed/b',
      'processed/c/',
      'processed/c/d',
      'processed/ä',
    ]);
    expect(execFileSync('unzip', ['-p', zip, 'processed/c/d']).toString()).toBe('processed/c/d');
    expect(readdirSync(dirname(zip))).toEqual(['all.zip']);
  });

  it('P2: keeps links as links: what they point at is not in it', async () => {
    write('processed/a');
    writeFileSync(join(base, 'secret'), 'very secret');
    mkdirSync(join(base, 'far'));
    writeFileSync(join(base, 'far/secret'), 'very secret');
    symlinkSync(join(base, 'secret'), join(root, 'processed/file'));
    symlinkSync(join(base, 'far'), join(root, 'processed/folder'));
    const zip = join(base, 'all.zip');
    await open().archive(zip);
    expect(listing(zip)).toEqual(['processed/', 'processed/a', 'processed/file', 'processed/folder']);
    expect(execFileSync('unzip', ['-p', zip]).toString()).not.toContain('very secret');
  });

  it.each([true, false])(
    'an empty folder is an archive with that folder (it is there: %s)',
    async (there) => {
      if (there) mkdirSync(join(root, 'processed'));
      const zip = join(base, 'all.zip');
      expect(await open().archive(zip)).toMatchObject({ files: 0 });
      expect(accepted(zip)).toBe(true);
      expect(listing(zip)).toEqual(['processed/']);
    },
  );

  it('names what is neither file nor folder, or cannot be opened, and goes on', async () => {
    write('processed/a');
    execFileSync('mkfifo', [join(root, 'processed/pipe')]);
    const zip = join(base, 'all.zip');
    expect(await open().archive(zip)).toMatchObject({ files: 1, leftOut: ['processed/pipe'] });
    expect(accepted(zip)).toBe(true);
  });

  it('P3: refuses a place inside the folder, also through a link', async () => {
    write('processed/a');
    symlinkSync('processed', join(root, 'alias'));
    symlinkSync('processed/a', join(root, 'all.zip'));
    for (const place of [
      'processed/all.zip',
      'processed/deep/all.zip',
      'alias/all.zip',
      'all.zip',
      'processed',
    ]) {
      const fault = faultOf(() => open().checkDestination(join(root, place)));
      expect(fault, place).toMatchObject({ code: 'archive-destination', exitCode: 2 });
      await expect(open().archive(join(root, place))).rejects.toMatchObject({ code: 'archive-destination' });
    }
    expect(readdirSync(join(root, 'processed'))).toEqual(['a']);
  });

  it('replaces an archive of before, and nothing else', async () => {
    write('processed/a');
    write('notes.txt', 'mine');
    mkdirSync(join(root, 'folder'));
    const zip = join(root, 'all.zip');
    await open().archive(zip);
    write('processed/b');
    await open().archive(zip);
    expect(listing(zip)).toContain('processed/b');
    for (const place of ['notes.txt', 'folder'])
      expect(faultOf(() => open().checkDestination(join(root, place))).code).toBe('archive-destination');
    expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

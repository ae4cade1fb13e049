// workspace contract: what every kind of workspace is held to: path safety (S4), files, globbing, being gone.

import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../model/fault.ts';
import type { Workspace, Workspaces } from './workspace.ts';

/** `prepare` makes an empty folder the kind that is tested. */
export function workspaceContract(workspaces: Workspaces, prepare: (root: string) => void): void {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-workspace-')));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  let root: string;
  let secret: string;
  let workspace: Workspace;
  let count = 0;

  beforeEach(() => {
    count += 1;
    root = join(base, `${count}`, 'work');
    secret = join(base, `${count}`, 'outside');
    mkdirSync(root, { recursive: true });
    mkdirSync(secret);
    writeFileSync(join(secret, 'secret.txt'), 'secret');
    prepare(root);
    workspace = workspaces.open(root);
  });

  const put = (path: string, content = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const link = (path: string, target: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  };
  const text = (path: string) => Buffer.from(workspace.read(path)).toString();

  /** Every operation that takes a path. */
  const operations: [string, (path: string) => unknown][] = [
    ['resolve', (path) => workspace.resolve(path)],
    ['exists', (path) => workspace.exists(path)],
    ['read', (path) => workspace.read(path)],
    ['open', (path) => workspace.open(path).close()],
    ['write', (path) => workspace.write(path, 'overwritten')],
    ['sink', (path) => workspace.sink(path).end()],
    ['move from', (path) => workspace.move(path, 'moved')],
    ['move to', (path) => workspace.move('movable', path)],
  ];

  describe.each(operations)('S4: %s', (_, operate) => {
    beforeEach(() => {
      put('movable', 'movable');
      put('folder/file', 'inside');
      link('to-file', join(secret, 'secret.txt'));
      link('to-folder', secret);
      link('relative', '../outside/secret.txt');
      link('dangling', join(secret, 'not-yet'));
      link('first', 'second');
      link('second', 'to-folder');
      link('folder/up', '../..');
      link('circle-a', 'circle-b');
      link('circle-b', 'circle-a');
    });

    it.each([
      '/etc/passwd',
      '/',
      '..',
      '../outside/secret.txt',
      'folder/../../outside/secret.txt',
      './../x',
      'a/b/../../../x',
      'folder/../x',
      'to-file',
      'to-folder/secret.txt',
      'to-folder/new/deep.txt',
      'relative',
      'dangling',
      'first/secret.txt',
      'folder/up/outside/secret.txt',
      'circle-a',
      'circle-a/x',
      'nul\0byte',
    ])('refuses %j, names it, and leaves everything as it was', (path) => {
      const fault = faultOf(() => operate(path));
      expect(fault.code).toBe('path-outside');
      expect(fault.message).toContain(JSON.stringify(path));
      expect(fault.message).toContain(root);
      expect(readdirSync(secret)).toEqual(['secret.txt']);
      expect(readFileSync(join(secret, 'secret.txt'), 'utf8')).toBe('secret');
      expect(existsSync(join(root, 'moved'))).toBe(false);
      expect(readFileSync(join(root, 'movable'), 'utf8')).toBe('movable');
    });

    it('refuses an absolute path even if it lies inside, and says how to write it', () => {
      const fault = faultOf(() => operate(join(root, 'folder/file')));
      expect(fault.code).toBe('path-outside');
      expect(fault.hint).toContain('"folder/file"');
    });

    it('says where a symlink leads', () => {
      expect(faultOf(() => operate('to-folder/secret.txt')).message).toContain(join(secret, 'secret.txt'));
    });

    it('a workspace that was deleted is gone, not empty', () => {
      rmSync(root, { recursive: true });
      const fault = faultOf(() => operate('folder/file'));
      expect(fault.code).toBe('workspace-gone');
      expect(fault.message).toContain(root);
    });
  });

  describe('files', () => {
    it('what is written is read, text and bytes, and folders are made on the way', () => {
      workspace.write('a/b/größe.txt', 'ß');
      workspace.write('a/bytes', new Uint8Array([0, 255, 10]));
      expect(text('a/b/größe.txt')).toBe('ß');
      expect([...workspace.read('a/bytes')]).toEqual([0, 255, 10]);
      expect(workspace.resolve('a/b/größe.txt')).toBe(join(root, 'a/b/größe.txt'));
    });

    it.each([
      'x',
      './x',
      'a//b',
      'with space',
      "quote'd",
      'new\nline',
      '..dots',
      'dots..',
      '...',
      '-dash',
      'back\\slash',
      '*',
      '~',
    ])('%j is a fine name', (path) => {
      workspace.write(path, 'content');
      expect(text(path)).toBe('content');
      expect(workspace.exists(path)).toBe(true);
    });

    it('F1: a file is replaced at once, keeps its mode and leaves nothing beside it', () => {
      put('script.sh', 'old');
      chmodSync(join(root, 'script.sh'), 0o751);
      const before = statSync(join(root, 'script.sh'));
      workspace.write('script.sh', 'new');
      const after = statSync(join(root, 'script.sh'));
      expect(after.mode).toBe(before.mode);
      expect(after.ino).not.toBe(before.ino);
      expect(readdirSync(root).filter((name) => name !== '.git')).toEqual(['script.sh']);
    });

    it('a write that fails says why and leaves nothing beside it', () => {
      put('folder/inside');
      put('file');
      expect(faultOf(() => workspace.write('folder', 'x'))).toMatchObject({
        code: 'file-failed',
        message: expect.stringContaining('it is a folder'),
      });
      expect(faultOf(() => workspace.write('file/below', 'x'))).toMatchObject({
        code: 'file-failed',
        message: expect.stringContaining('not a folder'),
      });
      expect(faultOf(() => workspace.write('.', 'x')).code).toBe('file-failed');
      expect(faultOf(() => workspace.write('n'.repeat(300), 'x')).message).toContain('too long');
      expect(
        readdirSync(root)
          .filter((name) => name !== '.git')
          .sort(),
      ).toEqual(['file', 'folder']);
    });

    it('what is not there is not found, and what is no file is not read', () => {
      put('folder/file');
      expect(workspace.exists('folder/nothing')).toBe(false);
      expect(workspace.exists('folder/file/below')).toBe(false);
      expect(workspace.exists('folder')).toBe(true);
      expect(workspace.exists('.')).toBe(true);
      expect(faultOf(() => workspace.read('folder/nothing')).code).toBe('file-not-found');
      expect(faultOf(() => workspace.read('folder')).message).toContain('it is a folder');
    });

    it('F3: moving again finishes a move that a crash cut short; onto itself it changes nothing', () => {
      put('a', 'content');
      linkSync(join(root, 'a'), join(root, 'b'));
      workspace.move('a', 'b');
      expect(workspace.exists('a')).toBe(false);
      workspace.move('b', './b');
      workspace.move('b', './/b');
      expect(text('b')).toBe('content');
    });

    it('symlinks that stay inside are followed, and stay what they are', () => {
      put('real/file', 'old');
      link('alias', 'real');
      link('absolute', join(root, 'real/file'));
      link('later', 'real/not-yet');
      workspace.write('alias/file', 'new');
      expect(text('absolute')).toBe('new');
      workspace.write('absolute', 'newer');
      workspace.write('later', 'there');
      expect(lstatSync(join(root, 'absolute')).isSymbolicLink()).toBe(true);
      expect(lstatSync(join(root, 'later')).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(root, 'real/file'), 'utf8')).toBe('newer');
      expect(readFileSync(join(root, 'real/not-yet'), 'utf8')).toBe('there');
    });

    it('a root that is itself reached through a symlink works', () => {
      symlinkSync(root, join(dirname(root), 'link-to-root'));
      const through = workspaces.open(join(dirname(root), 'link-to-root'));
      through.write('a', 'x');
      expect(through.glob('*')).toEqual(['a']);
      expect(text('a')).toBe('x');
    });

    it('a sink truncates, streams and may be ended twice', () => {
      put('out/log', 'something long that was there before');
      const sink = workspace.sink('out/log');
      for (const chunk of ['one ', 'two ', 'three']) sink.write(Buffer.from(chunk));
      expect(text('out/log')).toBe('one two three');
      sink.end();
      sink.end();
      workspace.sink('new/place').end();
      expect(text('new/place')).toBe('');
    });

    it('open reads part by part, tells a file from a folder, and may be closed twice', () => {
      put('folder/file', 'one two three');
      const file = workspace.open('folder/file');
      const piece = new Uint8Array(5);
      expect([file.kind, file.bytes]).toEqual(['file', 13]);
      expect([file.read(piece, 0), Buffer.from(piece).toString()]).toEqual([5, 'one t']);
      expect(file.read(piece, 10)).toBe(3);
      expect(file.read(piece, 13)).toBe(0);
      file.close();
      file.close();
      const folder = workspace.open('folder');
      expect([folder.kind, folder.bytes, folder.read(piece, 0)]).toEqual(['folder', 0, 0]);
      folder.close();
      expect(faultOf(() => workspace.open('folder/nothing')).code).toBe('file-not-found');
    });

    it('move renames, makes folders, and moves into a folder that ends in a slash', () => {
      put('a', '2');
      workspace.move('a', 'deep/er/a2');
      expect(text('deep/er/a2')).toBe('2');
      workspace.move('deep/er/a2', 'done/2026/');
      expect(text('done/2026/a2')).toBe('2');
      workspace.move('done', 'archive');
      expect(workspace.glob('**')).toEqual(['archive', 'archive/2026', 'archive/2026/a2', 'deep', 'deep/er']);
    });

    it('move says what it cannot do', () => {
      put('a');
      put('folder/x');
      expect(faultOf(() => workspace.move('nothing', 'b')).code).toBe('file-not-found');
      put('b', 'mine');
      put('a', 'other');
      const over = faultOf(() => workspace.move('a', 'b'));
      expect(over).toMatchObject({ code: 'file-exists', message: expect.stringContaining('"b" is there') });
      expect([text('a'), text('b')]).toEqual(['other', 'mine']);
      link('nowhere', 'not-yet');
      expect(faultOf(() => workspace.move('a', 'nowhere')).code).toBe('file-exists');
      const onto = faultOf(() => workspace.move('a', 'folder'));
      expect(onto.message).toContain('"folder" is a folder');
      expect(onto.hint).toContain('"folder/"');
      expect(faultOf(() => workspace.move('folder', 'folder/inner')).message).toContain('into itself');
      expect(existsSync(join(root, 'a'))).toBe(true);
    });
  });

  describe('locate', () => {
    it('says how any path is spelt and where it leads, there or not', () => {
      put('folder/file');
      link('alias', 'folder');
      link('away', '/usr');
      const both = (path: string) => {
        const { spelt, real } = workspace.locate(path);
        return [spelt, real];
      };
      expect(both('folder/file')).toEqual(['folder/file', 'folder/file']);
      expect(both('./folder/../x//y')).toEqual(['x/y', 'x/y']);
      expect(both(join(root, 'folder/file'))).toEqual(['folder/file', 'folder/file']);
      expect(both('alias/new')).toEqual(['alias/new', 'folder/new']);
      expect(both('alias/../x')).toEqual(['x', 'x']);
      expect(both('away/../x')).toEqual(['x', '/x']);
      expect(both('away/x')).toEqual(['away/x', '/usr/x']);
      expect(both('/nowhere/./x')).toEqual(['/nowhere/x', '/nowhere/x']);
      expect(both('')).toEqual(['.', '.']);
    });
  });

  describe('being gone', () => {
    it('a root that is not there, or is a file, cannot be opened', () => {
      put('file');
      expect(faultOf(() => workspaces.open(join(root, 'nothing'))).code).toBe('workspace-gone');
      expect(faultOf(() => workspaces.open(join(root, 'file'))).code).toBe('workspace-gone');
      expect(faultOf(() => workspaces.mark(join(root, 'nothing'))).code).toBe('workspace-gone');
    });

    it('glob on a deleted workspace says so', () => {
      renameSync(root, `${root}-elsewhere`);
      expect(faultOf(() => workspace.glob('**')).code).toBe('workspace-gone');
    });
  });

  describe('glob', () => {
    it('lists files and folders, relative, in byte order', () => {
      for (const path of ['b', 'a/z', 'B', 'é', '\u{1f600}', '\uffee', 'a.b', 'a-b']) put(path);
      const found = workspace.glob('**');
      expect(found).toEqual([...found].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y))));
      expect(new Set(found)).toEqual(
        new Set(['b', 'a', 'a/z', 'B', 'é', '\u{1f600}', '\uffee', 'a.b', 'a-b']),
      );
    });

    it.each(['/etc/*', '../*', 'a/../../*', 'nul\0'])('S4: posix: refuses the pattern %j', (pattern) => {
      expect(faultOf(() => workspace.glob(pattern, 'posix')).code).toBe('path-outside');
    });

    it.each(['/etc/*', '../*', 'a/../../*', '{a,..}/*', '{/etc,a}/*', 'nul\0'])(
      'S4: refuses the pattern %j',
      (pattern) => {
        expect(faultOf(() => workspace.glob(pattern)).code).toBe('path-outside');
      },
    );

    it('S4: a symlink that is spelt out and leads outside is refused, one met by a wildcard is not entered', () => {
      link('out', secret);
      put('in/file');
      link('alias', 'in');
      expect(faultOf(() => workspace.glob('out/*')).code).toBe('path-outside');
      expect(workspace.glob('*/*')).toEqual(['alias/file', 'in/file']);
      expect(workspace.glob('**/secret.txt')).toEqual([]);
    });

    it('S4: G7: posix: a symlink that leads outside is refused wherever the pattern meets it', () => {
      put('in/file.txt');
      link('alias', 'in');
      link('in/again.txt', 'file.txt');
      expect(workspace.glob('*/*.txt', 'posix')).toEqual([
        'alias/again.txt',
        'alias/file.txt',
        'in/again.txt',
        'in/file.txt',
      ]);
      link('in/out.txt', join(secret, 'secret.txt'));
      const fault = faultOf(() => workspace.glob('in/*.txt', 'posix'));
      expect(fault).toMatchObject({
        code: 'path-outside',
        message: expect.stringContaining('"in/out.txt"'),
      });
      expect(faultOf(() => workspace.glob('in/out.txt', 'posix')).code).toBe('path-outside');
      expect(workspace.glob('in/f*.txt', 'posix')).toEqual(['in/file.txt']);
      link('folder', secret);
      expect(faultOf(() => workspace.glob('*/secret.txt', 'posix')).code).toBe('path-outside');
      expect(workspace.glob('i*/f*', 'posix')).toEqual(['in/file.txt']);
    });
  });
}

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

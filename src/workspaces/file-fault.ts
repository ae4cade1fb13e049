// file-fault: what the file system refused, in words.

import { Fault } from '../model/fault.ts';
import { quote } from './boundary.ts';

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'something on the way is a file, not a folder',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is not a regular file',
  ENOTEMPTY: 'there is a folder that is not empty',
  EINVAL: 'a folder cannot be moved into itself',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
};

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** `action`: read, written, moved. */
export function fileFault(error: unknown, path: string, action: 'read' | 'written' | 'moved'): Fault {
  if (error instanceof Fault) return error;
  const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException;
  const what = `${quote(path)} could not be ${action}`;
  if (code === 'ENOENT' && action !== 'written')
    return new Fault('file-not-found', `${what}: there is no such file in the workspace`, { cause: error });
  if (full.has(code))
    return new Fault('disk-full', `${what}: there is no room left (${code})`, {
      cause: error,
      retry: true,
      hint: 'Make room, then resume the run.',
    });
  return new Fault('file-failed', `${what}: ${reasons[code] ?? message} (${code})`, { cause: error });
}

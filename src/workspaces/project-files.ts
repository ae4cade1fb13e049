// project-files: files of the project's own folder, as texts, for whoever wants to know what they say about it. What
// leads outside, is no file or is too large to be meant is not there.

import type { Workspace } from '../ports/workspace.ts';

const MOST_BYTES = 4 * 1024 * 1024;

export function projectFiles(workspace: Pick<Workspace, 'open' | 'read'>) {
  const sizeOf = (name: string): number | undefined => {
    try {
      const file = workspace.open(name);
      try {
        return file.kind === 'file' ? file.bytes : undefined;
      } finally {
        file.close();
      }
    } catch {
      return undefined; // missing, unreadable, outside: whatever it is, it says nothing
    }
  };
  return {
    has: (name: string): boolean => sizeOf(name) !== undefined,
    text(name: string): string | undefined {
      const bytes = sizeOf(name);
      if (bytes === undefined || bytes > MOST_BYTES) return undefined;
      return Buffer.from(workspace.read(name))
        .toString('utf8')
        .replace(/^\uFEFF/, '');
    },
  };
}

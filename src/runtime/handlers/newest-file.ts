// newest-file: of the files that match, the one that was changed last. A plan is written again under another name; what
// counts is the one that was worked on last. Of two with the same time, the one that comes later by name.

import type { GlobSyntax, Workspace } from '../../ports/workspace.ts';
import { Breakdown, listed, UNPERFORMABLE } from '../perform/outcome.ts';

/** Paths and patterns → paths that are there, in order. */
export function matchingPaths(
  patterns: readonly string[],
  { workspace, globs }: { workspace: Workspace; globs?: GlobSyntax },
): string[] {
  const matches = patterns.flatMap((pattern) =>
    workspace.exists(pattern) ? [pattern] : workspace.glob(pattern, globs),
  );
  return [...new Set(matches)].sort();
}

/** Undefined: none of them is a file. */
export function newestFile(paths: readonly string[], workspace: Workspace): string | undefined {
  let newest: { path: string; modified: number } | undefined;
  for (const path of paths) {
    const file = workspace.open(path);
    try {
      const { kind, modified } = file;
      if (kind === 'file' && (newest === undefined || modified >= newest.modified))
        newest = { path, modified };
    } finally {
      file.close();
    }
  }
  return newest?.path;
}

export function nothingMatches(patterns: string[]): Breakdown {
  return new Breakdown(
    {
      class: 'missing-files',
      message: `no file matches ${listed(patterns.map((pattern) => JSON.stringify(pattern)))}`,
      details: { missing_files: patterns },
    },
    UNPERFORMABLE,
  );
}

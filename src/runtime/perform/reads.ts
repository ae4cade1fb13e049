// reads: the files a step says it reads, looked up just before it starts.

import type { ResolvedReads } from '../../model/command.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { Breakdown, listed, UNPERFORMABLE } from './outcome.ts';

export interface FoundFiles {
  /** Relative to the workspace, byte order, each once. */
  required: string[];
  optional: string[];
}

/** A name or a glob that must match and does not: all of them are named at once. */
export function findReads(reads: ResolvedReads, workspace: Workspace): FoundFiles {
  const missing: string[] = [];
  const required = new Set<string>();
  for (const pattern of reads.files) {
    const matches = matching(workspace, pattern);
    if (matches.length === 0) missing.push(pattern);
    for (const match of matches) required.add(match);
  }
  if (missing.length > 0) {
    throw new Breakdown(
      {
        class: 'missing-files',
        message: `no file matches ${listed(missing.map((pattern) => JSON.stringify(pattern)))}`,
        hint: 'The step reads what is not there; files that may be absent belong under `reads.optional`.',
        details: { missing_files: missing },
      },
      UNPERFORMABLE,
    );
  }
  const optional = new Set<string>();
  for (const pattern of reads.optional) {
    for (const match of matching(workspace, pattern)) if (!required.has(match)) optional.add(match);
  }
  return { required: inByteOrder(required), optional: inByteOrder(optional) };
}

/** A name that exists is that file, whatever characters it has; everything else is a glob. */
function matching(workspace: Workspace, pattern: string): string[] {
  return workspace.exists(pattern) ? [pattern.replace(/^(\.\/)+/, '')] : workspace.glob(pattern);
}

function inByteOrder(names: Set<string>): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

// reads: the files a step says it reads, looked up just before it starts.

import { posix } from 'node:path';
import type { Place, ResolvedReads } from '../../model/command.ts';
import type { PerformContext } from './context.ts';
import type { FileMeter } from './file-meter.ts';
import { Breakdown, listed, UNPERFORMABLE } from './outcome.ts';

export interface FoundFiles {
  /** Relative to the workspace, byte order, each once. */
  required: string[];
  optional: string[];
}

interface Reading extends Place {
  reads?: ResolvedReads;
}

const MOST_SHOWN = 100;

/** A name or a glob that must match and does not: all of them are named at once. */
export function findReads(command: Reading, context: PerformContext, meter: FileMeter): FoundFiles {
  const { files = [], optional: perhaps = [] } = command.reads ?? {};
  const missing: string[] = [];
  const required = new Set<string>();
  const look = (pattern: string, kind: string): string[] => {
    const matches = meter.count(() => matching(context, pattern));
    context.debug?.(command, 'dependencies', `${kind} ${JSON.stringify(pattern)}: ${namedBriefly(matches)}`);
    return matches;
  };
  for (const pattern of files) {
    const matches = look(pattern, 'required');
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
  for (const pattern of perhaps) {
    for (const match of look(pattern, 'optional')) if (!required.has(match)) optional.add(match);
  }
  return { required: inByteOrder(required), optional: inByteOrder(optional) };
}

/** A name that exists is that file, whatever characters it has; everything else is a glob. None may lead outside (S4). */
function matching({ workspace, globs }: PerformContext, pattern: string): string[] {
  const isName = globs !== 'posix' && workspace.exists(pattern);
  const matches = isName ? [posix.normalize(pattern).replace(/\/$/, '')] : workspace.glob(pattern, globs);
  for (const match of matches) workspace.resolve(match);
  return matches;
}

export function namedBriefly(matches: string[]): string {
  if (matches.length === 0) return 'nothing matches';
  const left = matches.length - MOST_SHOWN;
  return `${matches.slice(0, MOST_SHOWN).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

export function inByteOrder(names: Iterable<string>): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

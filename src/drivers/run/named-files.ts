// named-files: the files that a workflow names by themselves, without an expression: what it reads, and what it writes.

import type { Step, Workflow } from '../../model/workflow.ts';

export interface NamedFiles {
  /** Paths, relative to the workspace. */
  read: string[];
  /** Patterns of `reads`; a path is one too. */
  patterns: string[];
  written: string[];
}

export function namedFiles(workflow: Workflow): NamedFiles {
  const read = new Set<string>();
  const patterns = new Set<string>();
  const written = new Set<string>();
  const add = (to: Set<string>, path: string | undefined) => {
    if (path !== undefined && path !== '' && !/\{[{%#]/.test(path)) to.add(path);
  };
  const visit = (steps: Step[]) => {
    for (const { work, reads, saveTo, done } of steps) {
      if (work.kind === 'prompt' && work.prompt.kind === 'file') add(read, work.prompt.path);
      if (work.kind === 'run') add(read, work.stdin);
      for (const pattern of [...(reads?.files ?? []), ...(reads?.optional ?? [])]) add(patterns, pattern);
      for (const check of done?.checks ?? []) if (check.kind === 'schema-file') add(read, check.path);
      add(written, saveTo);
      if ('steps' in work) visit(work.steps);
    }
  };
  visit(workflow.steps);
  for (const called of Object.values(workflow.workflows)) visit(called.steps);
  return { read: [...read], patterns: [...patterns], written: [...written] };
}

// needed-files: what `reads` of a wait or a block asks for is looked at before it begins. Where work is dispatched, who
// performs it looks, just before the start.

import type { Command } from '../model/command.ts';
import type { Decision } from './decision.ts';
import { isBlock } from './opening.ts';

/** As where a dispatch cannot be performed. */
const UNPERFORMABLE = 2;

/** undefined: everything is there. */
export function withoutNeededFiles({ open, read }: Decision): Command | undefined {
  const { step, path } = open;
  const isPass = open.scope !== open.list.scope;
  if (step.reads === undefined || isPass || !(isBlock(step) || step.work.kind === 'wait')) return undefined;
  const patterns = step.reads.files.map((pattern) => read.text(pattern));
  const found = read.value(`[${patterns.map((pattern) => `files(${JSON.stringify(pattern)})`).join(', ')}]`);
  const missing = patterns.filter((_, index) => ((found as unknown[][])[index] ?? []).length === 0);
  if (missing.length === 0) return undefined;
  return {
    entry: {
      kind: 'step-failed',
      path,
      error: {
        class: 'missing-files',
        message: `no file matches ${missing.map((pattern) => JSON.stringify(pattern)).join(', ')}`,
        hint: 'The step reads what is not there; files that may be absent belong under `reads.optional`.',
        details: { missing_files: missing },
      },
      exit_code: UNPERFORMABLE,
    },
  };
}

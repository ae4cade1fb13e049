// read-file: { path }. Gives the content as the step's `capture` says, within its limit; a text keeps its last newline.

import { closeSync, openSync, readSync } from 'node:fs';
import { startCapture } from '../capture.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import { textArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';

const PIECE = 256 * 1024;

export function readFile({ command, with: given, context }: HandlerCall): Handled {
  const path = textArgument(given, 'path');
  if (!context.workspace.exists(path)) {
    throw new Breakdown(
      {
        class: 'missing-files',
        message: `there is no file ${JSON.stringify(path)}`,
        details: { missing_files: [path] },
      },
      UNPERFORMABLE,
    );
  }
  const capturing = startCapture(command.capture, context.mask, `all of it is in ${path}`, 'exact');
  const masking = context.mask.stream();
  const file = openSync(context.workspace.resolve(path), 'r');
  try {
    const piece = new Uint8Array(PIECE);
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      const chunk = piece.subarray(0, length);
      capturing.write(chunk, masking.write(chunk));
    }
  } finally {
    closeSync(file);
  }
  capturing.write(new Uint8Array(0), masking.end());
  const { output, truncated, failure } = capturing.finish();
  if (failure !== undefined) throw new Breakdown(failure, UNPERFORMABLE);
  return { output, ...(truncated !== undefined && { truncated }) };
}

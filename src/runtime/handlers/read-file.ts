// read-file: { path } or { pattern }. Gives the content as the step's `capture` says, within its limit; a text keeps its last newline.

import { Fault } from '../../model/fault.ts';
import { startCapture } from '../capture.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import { textArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { matchingPaths, newestFile, nothingMatches } from './newest-file.ts';

const PIECE = 256 * 1024;

export function readFile(call: HandlerCall): Handled {
  const { command, with: given, context } = call;
  const path = given.pattern === undefined ? textArgument(given, 'path') : matched(call);
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
  const capturing = startCapture(command.capture, context.mask, `all of it is in ${path}`, 'file');
  const masking = context.mask.stream();
  const file = context.workspace.open(path);
  try {
    if (file.kind === 'folder') throw new Fault('file-failed', `${JSON.stringify(path)} is a folder`);
    const piece = new Uint8Array(PIECE);
    let position = 0;
    for (let length = file.read(piece, 0); length > 0; length = file.read(piece, position)) {
      const chunk = piece.subarray(0, length);
      capturing.write(chunk, masking.write(chunk));
      position += length;
    }
  } finally {
    file.close();
  }
  context.debug?.(command, 'files', `read ${path} (${file.bytes} bytes)`);
  capturing.write(new Uint8Array(0), masking.end());
  const { output, truncated, failure, masked } = capturing.finish();
  const isMasked = masked || (command.capture.as !== 'json' && masking.masked());
  if (failure !== undefined) throw new Breakdown(failure, UNPERFORMABLE);
  return { output, ...(truncated !== undefined && { truncated }), ...(isMasked && { masked: true }) };
}

function matched({ with: given, context }: HandlerCall): string {
  const pattern = textArgument(given, 'pattern');
  const path = newestFile(matchingPaths([pattern], context), context.workspace);
  if (path === undefined) throw nothingMatches([pattern]);
  return path;
}

// capture-artifact: { files }. Copies what matches from the workspace into the run's artifacts/, masked like all we
// write, so that it outlives the workspace. Gives the list of paths; nothing that matches is a failure.

import type { OpenFile } from '../../ports/workspace.ts';
import { Breakdown, listed, UNPERFORMABLE } from '../perform/outcome.ts';
import { listArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';

const PIECE = 256 * 1024;

export async function captureArtifact(call: HandlerCall): Promise<Handled> {
  const patterns = listArgument(call.with, 'files');
  const { workspace, globs } = call.context;
  const matches = new Set(
    patterns.flatMap((pattern) => (workspace.exists(pattern) ? [pattern] : workspace.glob(pattern, globs))),
  );
  const captured: string[] = [];
  for (const path of [...matches].sort()) if (await copied(path, call)) captured.push(path);
  if (captured.length === 0) {
    throw new Breakdown(
      {
        class: 'missing-files',
        message: `no file matches ${listed(patterns.map((pattern) => JSON.stringify(pattern)))}`,
        details: { missing_files: patterns },
      },
      UNPERFORMABLE,
    );
  }
  return { output: captured };
}

/** False for a folder. */
async function copied(path: string, { command, context, signal }: HandlerCall): Promise<boolean> {
  const file = context.workspace.open(path);
  try {
    if (file.kind === 'folder') return false;
    const sink = context.run.openArtifact(path);
    const masking = context.mask.stream();
    try {
      for await (const chunk of pieces(file, signal)) sink.write(masking.write(chunk));
      sink.write(masking.end());
    } finally {
      sink.end();
    }
    context.debug?.(command, 'files', `copied ${path} (${file.bytes} bytes)`);
    return true;
  } finally {
    file.close();
  }
}

async function* pieces(file: OpenFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    // A new piece each time: masking may hand the very bytes on.
    const piece = new Uint8Array(PIECE);
    const length = file.read(piece, position);
    if (length === 0) return;
    position += length;
    yield piece.subarray(0, length);
    // Others get their turn, and a signal may come.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

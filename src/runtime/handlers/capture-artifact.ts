// capture-artifact: { files }. Copies what matches from the workspace into the run's artifacts/, masked like all we
// write, so that it outlives the workspace. Gives the list of paths; nothing that matches is a failure.

import { type FileHandle, open } from 'node:fs/promises';
import { Breakdown, listed, UNPERFORMABLE } from '../perform/outcome.ts';
import { listArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';

const PIECE = 256 * 1024;

export async function captureArtifact(call: HandlerCall): Promise<Handled> {
  const patterns = listArgument(call.with, 'files');
  const { workspace } = call.context;
  const matches = new Set(
    patterns.flatMap((pattern) => (workspace.exists(pattern) ? [pattern] : workspace.glob(pattern))),
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
async function copied(path: string, { context, signal }: HandlerCall): Promise<boolean> {
  const file = await open(context.workspace.resolve(path), 'r');
  try {
    if (!(await file.stat()).isFile()) return false;
    const sink = context.run.openArtifact(path);
    const masking = context.mask.stream();
    try {
      for await (const chunk of pieces(file, signal)) sink.write(masking.write(chunk));
      sink.write(masking.end());
    } finally {
      sink.end();
    }
    return true;
  } finally {
    await file.close();
  }
}

async function* pieces(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  while (true) {
    signal.throwIfAborted();
    // A new piece each time: masking may hand the very bytes on.
    const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

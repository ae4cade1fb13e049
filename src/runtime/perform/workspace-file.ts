// workspace-file: a file of the workspace that a step names, whole. Looked at and read in one go, so that nothing can be
// put in its place between the two (S4).

import { Buffer } from 'node:buffer';
import { Fault } from '../../model/fault.ts';
import type { OpenFile } from '../../ports/workspace.ts';
import type { PerformContext } from './context.ts';
import { Breakdown, UNPERFORMABLE } from './outcome.ts';

/** Larger is a mistake. */
const MOST_BYTES = 10 * 1024 * 1024;

/** `what`: the prompt file, the schema. */
export function readNamed(what: string, path: string, context: PerformContext): Buffer {
  const file = openNamed(what, path, context);
  try {
    if (file.bytes > MOST_BYTES) {
      throw broken(
        `${what} ${JSON.stringify(path)} has ${file.bytes} bytes, more than the ${MOST_BYTES} it may have`,
      );
    }
    const content = Buffer.alloc(file.bytes);
    let length = 0;
    for (let read = -1; read !== 0 && length < content.length; length += read)
      read = file.read(content.subarray(length), length);
    return content.subarray(0, length);
  } finally {
    file.close();
  }
}

/** A regular file. What is not there is named as every missing file is. */
export function openNamed(what: string, path: string, { workspace }: PerformContext): OpenFile {
  let file: OpenFile;
  try {
    file = workspace.open(path);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'file-not-found') throw error;
    throw new Breakdown(
      {
        class: 'missing-files',
        message: `${what} ${JSON.stringify(path)} is not there`,
        details: { missing_files: [path] },
      },
      UNPERFORMABLE,
    );
  }
  if (file.kind === 'file') return file;
  file.close();
  throw broken(`${what} ${JSON.stringify(path)} is a folder`);
}

function broken(message: string): Breakdown {
  return new Breakdown({ class: 'error', message }, UNPERFORMABLE);
}

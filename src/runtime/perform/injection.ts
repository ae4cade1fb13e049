// injection: the files of `reads`, looked at for the prompt.

import { Buffer } from 'node:buffer';
import type { ResolvedReads } from '../../model/command.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { wholeStart } from '../extract.ts';
import {
  INJECTED_BYTES,
  type InjectedFile,
  type InjectedText,
  injectedContents,
  injectedList,
} from '../injected-text.ts';
import type { FileMeter } from './file-meter.ts';
import { type FoundFiles, inByteOrder } from './reads.ts';

export interface Injection extends InjectedText {
  position: 'prepend' | 'append';
  /** What was left out, one sentence. */
  warning?: string;
}

/** Nothing where there is nothing to name. */
export function injectionOf(
  reads: ResolvedReads,
  found: FoundFiles,
  workspace: Workspace,
  meter: FileMeter,
): Injection | undefined {
  const names = [
    ...found.required.map((path) => ({ path, optional: false })),
    ...found.optional.map((path) => ({ path, optional: true })),
  ];
  if (reads.inject === 'none' || names.length === 0) return undefined;
  const injected =
    reads.inject === 'list'
      ? injectedList(names, reads.instruction)
      : injectedContents(inByteOrder(names.map(({ path }) => path)), reads.instruction, (path, most) =>
          meter.count(() => beginning(workspace, path, most)),
        );
  const { truncation } = injected;
  return {
    ...injected,
    position: reads.position,
    ...(truncation && {
      warning:
        `${truncation.files_truncated + truncation.files_omitted} of ${names.length} files are not in the prompt ` +
        `in full: ${truncation.shown_size} of ${truncation.total_size} bytes are, and ${INJECTED_BYTES} is the most`,
    }),
  };
}

function beginning(workspace: Workspace, path: string, most: number): InjectedFile {
  const file = workspace.open(path);
  try {
    const { bytes } = file;
    if (file.kind === 'folder') return { path, bytes: 0, content: { kind: 'folder' } };
    const buffer = Buffer.alloc(Math.min(bytes, most));
    const read = buffer.subarray(0, file.read(buffer, 0));
    if (read.includes(0)) return { path, bytes, content: { kind: 'binary' } };
    const shown = read.length < bytes ? wholeStart(read) : read;
    return { path, bytes, content: { kind: 'text', text: shown.toString('utf8'), shown: shown.length } };
  } finally {
    file.close();
  }
}

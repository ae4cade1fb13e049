// injection: the files of `reads`, as text for the prompt. Bounded: what does not fit is named and counted.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ResolvedReads } from '../../model/command.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { fileContents, fileList, type InjectedFile } from '../prompt-text.ts';
import type { FoundFiles } from './reads.ts';

/** Of all files together; a prompt that is larger drowns its task. */
const MOST_BYTES = 256 * 1024;
const MOST_NAMES = 5000;

export interface Injection {
  text: string;
  position: 'prepend' | 'append';
  /** What was left out, one sentence. */
  warning?: string;
}

export function injectionOf(
  reads: ResolvedReads,
  found: FoundFiles,
  workspace: Workspace,
): Injection | undefined {
  const names = [
    ...found.required.map((path) => ({ path, optional: false })),
    ...found.optional.map((path) => ({ path, optional: true })),
  ];
  if (reads.inject === 'none' || names.length === 0) return undefined;
  return reads.inject === 'list' ? injectNames(reads, names) : injectContents(reads, names, workspace);
}

type Name = Pick<InjectedFile, 'path' | 'optional'>;

function injectNames(reads: ResolvedReads, names: Name[]): Injection {
  const shown = names.slice(0, MOST_NAMES).map((name) => ({ ...name, bytes: 0, shown: 0 }));
  const text = fileList(shown, reads.instruction);
  if (names.length === shown.length) return { text, position: reads.position };
  const warning = `${names.length - shown.length} of ${names.length} files are not named in the prompt`;
  return { text: `${text}\n[… ${warning} …]`, position: reads.position, warning };
}

function injectContents(reads: ResolvedReads, names: Name[], workspace: Workspace): Injection {
  let room = MOST_BYTES;
  const files = names.map((name) => {
    const file = { ...name, ...beginning(workspace.resolve(name.path), room) };
    room -= file.shown;
    return file;
  });
  const cut = files.filter((file) => file.content !== undefined && file.shown < file.bytes);
  return {
    text: fileContents(files, reads.instruction),
    position: reads.position,
    ...(cut.length > 0 && {
      warning: `${cut.length} of ${files.length} files are not in the prompt in full: ${cut
        .slice(0, 10)
        .map((file) => `${file.path} (${file.shown}/${file.bytes} bytes)`)
        .join(', ')}`,
    }),
  };
}

function beginning(path: string, room: number): Pick<InjectedFile, 'bytes' | 'content' | 'shown'> {
  const file = openSync(path, 'r');
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { bytes: 0, shown: 0 };
    const buffer = Buffer.alloc(Math.min(stats.size, room));
    const read = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
    if (read.includes(0)) return { bytes: stats.size, shown: 0 };
    // A character that was cut in two is left out.
    const content = new TextDecoder().decode(read, { stream: read.length < stats.size });
    return {
      bytes: stats.size,
      content,
      shown: read.length === stats.size ? read.length : Buffer.byteLength(content),
    };
  } finally {
    closeSync(file);
  }
}

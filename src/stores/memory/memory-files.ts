// memory-files: named bytes, written and read as logs are.

import { Fault } from '../../model/fault.ts';
import type { LogSink } from '../../ports/store.ts';

/** What one reading answers with at most. */
const piece = 1 << 20;

interface MemoryFiles {
  /** There with the first write. */
  append(name: string, changed: () => void): LogSink;
  /** There, and empty, at once. */
  replace(name: string, changed: () => void): LogSink;
  read(name: string, offset: number): Uint8Array | undefined;
}

export function memoryFiles(files: Map<string, Uint8Array>): MemoryFiles {
  const append = (name: string, changed: () => void): LogSink => {
    let ended = false;
    return {
      write(chunk) {
        if (ended) throw new Fault('store-misuse', `${name} was ended: nothing can be written to it`);
        const before = files.get(name) ?? new Uint8Array();
        const after = new Uint8Array(before.length + chunk.length);
        after.set(before);
        after.set(chunk, before.length);
        files.set(name, after);
        changed();
      },
      end() {
        ended = true;
      },
    };
  };
  return {
    append,
    replace(name, changed) {
      files.set(name, new Uint8Array());
      return append(name, changed);
    },
    read(name, offset) {
      const bytes = files.get(name);
      if (bytes === undefined) return undefined;
      const start = Math.min(bytes.length, offset < 0 ? Math.max(0, bytes.length + offset) : offset);
      return bytes.slice(start, start + piece);
    },
  };
}

// journal-writer: appends entries. An entry is a line in memory at once; `flush` is one write and one fdatasync. A
// note of how far the journal has come follows when there is time: nothing waits for it.
// W1. What was flushed is never touched again.
// W2. A flush that fails leaves the file as it was before (cut back to the last durable byte) and keeps what it was
//     to write, so the next flush writes the same bytes at the same place: nothing lost, nothing twice.
// W3. After a failed fdatasync the pages may count as written although they are not: W2 writes them again.
// W4. A flush returns only if the name of the journal still leads to the file it wrote, and nobody else wrote to that file.
//     Else what was recorded is rescued, and the writer writes nothing more.

import { closeSync, fdatasyncSync, ftruncateSync } from 'node:fs';
import type { Entry } from '../../model/entry.ts';
import type { Fault } from '../../model/fault.ts';
import { diskFault, misuse } from './disk-fault.ts';
import { type ChainLink, seal } from './journal-chain.ts';
import type { JournalCustody } from './journal-custody.ts';
import { writeAll } from './whole-file.ts';

export interface JournalWriter {
  append(entry: Entry): void;
  flush(): void;
  /** How far it is durable; also when it is closed. */
  end(): ChainLink;
  /** Without a flush. */
  close(): void;
}

const usualSize = 1 << 16;
/** UTF-8 needs at most so many bytes for one UTF-16 unit. */
const widest = 3;

export function journalWriter(
  file: number,
  tail: ChainLink,
  id: string,
  custody: JournalCustody,
): JournalWriter {
  let { n, hash } = tail;
  let end = tail;
  let durable = tail.bytes;
  let buffer = Buffer.allocUnsafe(usualSize);
  let used = 0;
  let open = true;
  /** Why nothing more is written. */
  let stopped: Fault | undefined;

  const refuseWhenClosed = (): void => {
    if (!open) throw misuse(`run ${id} is closed: nothing can be written to it`);
    if (stopped) throw stopped;
  };
  const stopWhere = (fault: Fault | undefined): void => {
    if (fault === undefined) return;
    stopped = fault;
    throw fault;
  };
  const unflushed = () => ({ bytes: buffer.subarray(0, used), n });

  return {
    append(entry) {
      refuseWhenClosed();
      if (entry.n !== n + 1) {
        throw misuse(`entry ${entry.n} cannot follow entry ${n} of run ${id}`);
      }
      const { line, hash: next } = seal(hash, entry);
      const room = used + line.length * widest;
      if (room > buffer.length)
        buffer = Buffer.concat([buffer.subarray(0, used)], Math.max(room, buffer.length * 2));
      used += buffer.write(line, used);
      n += 1;
      hash = next;
    },

    flush() {
      if (used === 0) return;
      refuseWhenClosed();
      stopWhere(custody.beforeWrite(durable, unflushed));
      try {
        writeAll(file, buffer, used, durable);
        fdatasyncSync(file);
      } catch (error) {
        cutBack(file, durable);
        throw diskFault(error, `write the journal of run ${id}`);
      }
      stopWhere(custody.afterWrite(durable + used, unflushed));
      durable += used;
      end = { n, hash, bytes: durable };
      custody.written(buffer, used, end);
      used = 0;
      if (buffer.length > usualSize * 16) buffer = Buffer.allocUnsafe(usualSize);
    },

    end: () => end,

    close() {
      if (!open) return;
      open = false;
      custody.close();
      closeSync(file);
    },
  };
}

/** Where even this fails, what is left is a beginning of lines that verify, and the next flush writes over it. */
function cutBack(file: number, length: number): void {
  try {
    ftruncateSync(file, length);
  } catch {
    // The fault that brought us here says what is wrong.
  }
}

// follow-journal: the lines of a journal from a byte offset, to one page, as they are written. They are sent as they lie there: the
// page verifies the chain itself.

import type { StoredRun } from '../ports/store.ts';
import type { EventStream } from './event-stream.ts';

/** The parser of a browser takes an event whole: large journals come in pieces of this size. */
const PIECE = 1 << 18;
const NEWLINE = 0x0a;

/** `from`: where the page already is. Ends with the stream. */
export function followJournal(run: StoredRun, stream: EventStream, from: number): void {
  let offset = from;
  let isWaiting = false;
  const send = (): void => {
    isWaiting = false;
    for (;;) {
      const wait = (): void => {
        if (isWaiting) send();
      };
      if (stream.isFull(wait)) {
        isWaiting = true;
        return;
      }
      const read = wholeLines(run, offset);
      if (read === 'shorter') {
        // It was repaired: what the page has is no longer true.
        offset = 0;
        stream.send('again', '');
        continue;
      }
      if (read === undefined || read.length === 0) break;
      offset += read.length;
      stream.send('lines', read.toString('utf8').slice(0, -1), String(offset));
    }
    stream.send('now', JSON.stringify({ held: isHeld(run), logs: run.logs() }));
  };
  const stop = run.watch(() => {
    if (!isWaiting) send();
  });
  stream.onClose(stop);
  send();
}

export function isHeld(run: StoredRun): boolean {
  const holder = run.holder();
  return holder !== undefined && holder.alive !== false;
}

/** Undefined: there is none. */
function wholeLines(run: StoredRun, offset: number): Buffer | 'shorter' | undefined {
  const first = run.journalText(offset);
  if (first === undefined) return undefined;
  let text = Buffer.from(first);
  if (text.length === 0) return offset > 0 && endsEarlier(run, offset) ? 'shorter' : text;
  // A line may be longer than one reading.
  while (text.indexOf(NEWLINE) < 0) {
    const more = run.journalText(offset + text.length);
    if (more === undefined || more.length === 0) return Buffer.alloc(0);
    text = Buffer.concat([text, more]);
  }
  const piece = text.subarray(0, Math.max(PIECE, text.indexOf(NEWLINE) + 1));
  return piece.subarray(0, piece.lastIndexOf(NEWLINE) + 1);
}

function endsEarlier(run: StoredRun, offset: number): boolean {
  const last = run.journalText(offset - 1);
  return last !== undefined && (last.length === 0 || last[0] !== NEWLINE);
}

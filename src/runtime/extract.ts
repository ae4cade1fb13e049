// extract: the part of a long text that is kept. The beginning and the end, or the end alone, the cut marked; or the
// beginning alone, as it came.

import { Buffer } from 'node:buffer';

export interface Extract {
  write(chunk: Uint8Array): void;
  /** The beginning, the mark, the end; or all of it. */
  text(): string;
  cut(): boolean;
  /** Bytes of the original. */
  total(): number;
  /** Bytes of the original that `text` shows. */
  kept(): number;
}

/** Half the limit from the beginning, half from the end. `whole` says where everything is. */
export function startExtract(limit: number, whole: string): Extract {
  const half = Math.ceil(limit / 2);
  const head = growingBytes(half);
  const tail = lastBytes(limit - half);
  let total = 0;
  const cut = () => total > limit;
  return {
    write(chunk) {
      total += chunk.length;
      const room = half - head.length();
      if (room > 0) head.write(chunk.subarray(0, room));
      if (room < chunk.length) tail.write(room > 0 ? chunk.subarray(room) : chunk);
    },
    cut,
    total: () => total,
    kept: () => (cut() ? wholeStart(head.bytes()).length + wholeEnd(tail.bytes()).length : total),
    text() {
      if (!cut()) return Buffer.concat([head.bytes(), tail.bytes()]).toString('utf8');
      const first = wholeStart(head.bytes());
      const last = wholeEnd(tail.bytes());
      const left = total - first.length - last.length;
      return `${first.toString('utf8')}\n[… ${left} bytes left out; ${whole} …]\n${last.toString('utf8')}`;
    },
  };
}

/** The beginning, to the byte: no mark. */
export function startHead(limit: number): Extract {
  const head = growingBytes(limit);
  let total = 0;
  const cut = () => total > limit;
  const shown = () => (cut() ? wholeStart(head.bytes()) : head.bytes());
  return {
    write(chunk) {
      total += chunk.length;
      head.write(chunk);
    },
    cut,
    total: () => total,
    kept: () => shown().length,
    text: () => shown().toString('utf8'),
  };
}

/** The last part only, for error output. */
export function startTail(limit: number, whole: string): Extract {
  const tail = lastBytes(limit);
  let total = 0;
  const cut = () => total > limit;
  return {
    write(chunk) {
      total += chunk.length;
      tail.write(chunk);
    },
    cut,
    total: () => total,
    kept: () => (cut() ? wholeEnd(tail.bytes()).length : total),
    text() {
      const bytes = tail.bytes();
      if (!cut()) return bytes.toString('utf8');
      const last = wholeEnd(bytes);
      return `[… ${total - last.length} bytes left out; ${whole} …]\n${last.toString('utf8')}`;
    },
  };
}

/** Without a character that was cut at the end (C3 in capture.ts). */
export function wholeStart(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

/** Without a character that was cut at the beginning (C3 in capture.ts). */
function wholeEnd(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] as number) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}

/** Grows as it is needed: most outputs are a line. */
export function growingBytes(limit: number) {
  let store = Buffer.alloc(0);
  let length = 0;
  return {
    length: () => length,
    write(chunk: Uint8Array) {
      const fits = Math.min(chunk.length, limit - length);
      if (length + fits > store.length) {
        const larger = Buffer.alloc(Math.min(limit, Math.max(length + fits, store.length * 2, 1024)));
        store.copy(larger, 0, 0, length);
        store = larger;
      }
      store.set(fits === chunk.length ? chunk : chunk.subarray(0, fits), length);
      length += fits;
    },
    clear() {
      length = 0;
    },
    bytes: () => store.subarray(0, length),
  };
}

/** A ring once it is full. */
function lastBytes(limit: number) {
  const filling = growingBytes(limit);
  let ring: Buffer | undefined;
  let next = 0;
  return {
    write(chunk: Uint8Array) {
      let rest = chunk;
      if (ring === undefined) {
        const room = limit - filling.length();
        filling.write(rest.subarray(0, room));
        if (rest.length <= room) return;
        rest = rest.subarray(room);
        ring = filling.bytes();
      }
      if (rest.length > limit) rest = rest.subarray(rest.length - limit);
      if (limit === 0) return;
      const untilEnd = Math.min(rest.length, limit - next);
      ring.set(rest.subarray(0, untilEnd), next);
      ring.set(rest.subarray(untilEnd), 0);
      next = (next + rest.length) % limit;
    },
    bytes(): Buffer {
      if (ring === undefined) return filling.bytes();
      return Buffer.concat([ring.subarray(next), ring.subarray(0, next)]);
    },
  };
}

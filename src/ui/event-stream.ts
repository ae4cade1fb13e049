// event-stream: server-sent events to one page. What the page cannot take in time waits for it and not in our memory.

import type { ServerResponse } from 'node:http';

export interface EventStream {
  /** `id` is where to go on from after a dropped connection. */
  send(event: string, data: string, id?: string): void;
  /** The page has not taken what it was sent: more would pile up. `then` is called when it has. */
  isFull(then: () => void): boolean;
  onClose(closed: () => void): void;
}

/** Proxies and sleeping laptops: a connection that is gone is noticed by writing. */
const BEAT_MS = 15_000;

export function eventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): EventStream {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 500\n\n');
  const beat = setInterval(() => response.write(': still here\n\n'), BEAT_MS);
  response.on('close', () => clearInterval(beat));
  return {
    send(event, data, id) {
      const lines = data.split('\n').map((line) => `data: ${line}\n`);
      response.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`);
    },
    isFull(then) {
      if (!response.writableNeedDrain) return false;
      response.once('drain', then);
      return true;
    },
    onClose: (closed) => void response.on('close', closed),
  };
}

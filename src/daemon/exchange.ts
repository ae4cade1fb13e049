// exchange: one question to a socket, and its answer.

import { connect } from 'node:net';

export type Exchanged =
  | { kind: 'answer'; text: string }
  /** Nobody is there: nothing of the question was heard. */
  | { kind: 'absent' }
  /** It was there and hung up: it may have heard the question. */
  | { kind: 'lost' }
  | { kind: 'late' };

export function exchange(path: string, question: Buffer, patienceMs: number): Promise<Exchanged> {
  return new Promise((resolve) => {
    const answer: Buffer[] = [];
    let isThere = false;
    const socket = connect(path);
    const end = (exchanged: Exchanged) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(exchanged);
    };
    const timer = setTimeout(() => end({ kind: 'late' }), patienceMs);
    socket.on('connect', () => {
      isThere = true;
      socket.end(question);
    });
    socket.on('data', (chunk) => answer.push(chunk));
    socket.on('end', () => {
      if (answer.length > 0) end({ kind: 'answer', text: Buffer.concat(answer).toString('utf8') });
    });
    socket.on('error', () => end({ kind: isThere ? 'lost' : 'absent' }));
    socket.on('close', () => end({ kind: isThere ? 'lost' : 'absent' }));
  });
}

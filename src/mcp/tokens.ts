// tokens: what a client hands back to say where it is. `ct_` goes on with a step, `st_` only looks, `ck_` names a checkpoint.
// T1. A token says which run, which step (with its visit and pass, which are in the path), which try and handing; nothing is kept
//     for it anywhere, so it is good in every process and after any crash.
// T2. It is signed: HMAC-SHA256 over its kind and content, cut to 16 bytes. What was not signed here is not believed.
// T3. It begins with a mark of the key, so that a lost key is told from a changed token.
// T4. It is bound to the try, not to a process or session.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type TokenKind = 'ct' | 'st' | 'ck';

export interface Place {
  run: string;
  /** Empty: the run as a whole. */
  path: string;
  /** From 1; 0 where no step is named. */
  try: number;
  /** The number of the entry that handed it out; 0 where no step is named. */
  n: number;
}

/** `other-key`: signed with a key that is gone. `tampered`: changed or cut. `unreadable`: no token at all. */
export type ReadToken = { kind: TokenKind; place: Place; problem?: undefined } | { problem: TokenProblem };

export type TokenProblem = 'unreadable' | 'tampered' | 'other-key';

export interface Tokens {
  make(kind: TokenKind, place: Place): string;
  read(token: string): ReadToken;
  /** Of other content: what a client is given to hand back unchanged. */
  seal(purpose: string, content: string): string;
  /** undefined: it was not sealed here for this purpose. */
  open(purpose: string, sealed: string): string | undefined;
}

const SIGNATURE = 16;
const MARK = 4;
const HEAD = MARK + SIGNATURE;
/** Longer ones were not made here. */
const LONGEST = 8192;

export function signedTokens(key: Buffer): Tokens {
  const mark = createHash('sha256').update('lockstep token key\n').update(key).digest().subarray(0, MARK);
  const sign = (purpose: string, content: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose}\n`).update(content).digest().subarray(0, SIGNATURE);

  const seal = (purpose: string, content: string): string => {
    const bytes = Buffer.from(content);
    return Buffer.concat([mark, sign(purpose, bytes), bytes]).toString('base64url');
  };

  const opened = (purpose: string, sealed: string): { content: string } | { problem: TokenProblem } => {
    const bytes = Buffer.from(sealed, 'base64url');
    // Bits that nothing reads may have been changed: then it decodes to the same bytes, and is another token.
    if (bytes.length <= HEAD || bytes.toString('base64url') !== sealed) return { problem: 'tampered' };
    if (!bytes.subarray(0, MARK).equals(mark)) return { problem: 'other-key' };
    const content = bytes.subarray(HEAD);
    const isOurs = timingSafeEqual(bytes.subarray(MARK, HEAD), sign(purpose, content));
    return isOurs ? { content: content.toString('utf8') } : { problem: 'tampered' };
  };

  return {
    make: (kind, { run, path, try: number, n }) =>
      `${kind}_${seal(kind, `${run}\n${number}\n${n}\n${path}`)}`,
    read(token) {
      const found = token.length > LONGEST ? null : /^(ct|st|ck)_([\w-]+)$/.exec(token);
      if (!found) return { problem: 'unreadable' };
      const [, kind, sealed = ''] = found as unknown as [string, TokenKind, string];
      const read = opened(kind, sealed);
      if ('problem' in read) return read;
      const [run = '', number = '0', n = '0', ...path] = read.content.split('\n');
      return { kind, place: { run, path: path.join('\n'), try: Number(number), n: Number(n) } };
    },
    seal,
    open(purpose, sealed) {
      const read = opened(purpose, sealed);
      return 'content' in read ? read.content : undefined;
    },
  };
}

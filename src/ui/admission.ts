// admission: which requests are answered. A server on loopback can be reached by every page that the user's browser shows, so being
// on loopback allows nothing by itself.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Refusal {
  status: number;
  why: string;
}

export interface Admission {
  /** 256 bits, good for this server only. It stands in the fragment of the address, which browsers send to nobody. */
  token: string;
  /** The host, the method, where the request comes from, what it carries. Undefined: it may be answered. */
  refusal(request: IncomingMessage): Refusal | undefined;
  /** Reading needs the cookie, too: journals hold code. */
  isKnown(request: IncomingMessage): boolean;
  /** The cookie for who has the token; undefined: they do not. */
  cookieFor(token: unknown): string | undefined;
}

export function admission(port: () => number, token = randomBytes(32).toString('base64url')): Admission {
  // Not the token itself: who sees a cookie cannot make the address of it.
  const secret = randomBytes(32).toString('base64url');
  // Cookies know no ports, so two servers of ours would take each other's.
  const name = () => `lockstep-${port()}`;
  const hosts = () => [`127.0.0.1:${port()}`, `localhost:${port()}`];

  return {
    token,
    refusal({ method = '', headers }) {
      const { host, origin } = headers;
      // A name on the internet that resolves to this machine (DNS rebinding) arrives with that name.
      if (host === undefined || !hosts().includes(host))
        return { status: 403, why: 'the Host is not this server' };
      const own = `http://${host}`;
      const isWrite = method !== 'GET' && method !== 'HEAD';
      if (isWrite && method !== 'POST') return { status: 405, why: 'there is nothing but GET and POST' };
      if (origin !== undefined && origin !== own) return { status: 403, why: 'the Origin is another page' };
      if (isWrite && origin !== own) return { status: 403, why: 'the Origin is missing' };
      const site = headers['sec-fetch-site'];
      // `none`: typed, or opened by another program. Browsers that say nothing are refused where it matters, by the cookie.
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        return { status: 403, why: 'the request comes from another page' };
      // A form cannot say this, and a script of another page cannot say it unasked.
      if (isWrite && headers['content-type'] !== 'application/json')
        return { status: 415, why: 'a write is application/json' };
      return undefined;
    },
    isKnown({ headers }) {
      const own = `${name()}=`;
      return (headers.cookie ?? '')
        .split(';')
        .map((one) => one.trim())
        .some((one) => one.startsWith(own) && isSame(one.slice(own.length), secret));
    },
    cookieFor(given) {
      if (typeof given !== 'string' || !isSame(given, token)) return undefined;
      return `${name()}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
    },
  };
}

/** In the same time, however much of it is right. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** What every answer carries: no script but ours runs, nothing is framed, and no text becomes markup (Trusted Types). */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
};

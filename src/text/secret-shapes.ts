// secret-shapes: what looks like a key, a token or a password, whoever wrote it, becomes `***`. For texts of people and
// agents that no workflow has declared a secret in: prompts, summaries, notes. Declared secrets are runtime/mask.ts.
//
// K1. A text without such a shape comes back as the very same text.
// K2. Masking twice is masking once.
// K3. Linear in the text: every pattern is a fixed beginning and a run of characters of one class.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { MASK } from '../model/mask-mark.ts';

/** Each is a whole secret. `\b` would let `x_ghp_…` through. */
const WHOLE: readonly RegExp[] = [
  // PEM, to its end or to the end of the text; the line breaks may be written as \n.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$(?![\s\S]))/g,
  /sk-[A-Za-z0-9_-]{16,}/g, // OpenAI, Anthropic
  /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/g, // Stripe
  /gh[pousr]_[A-Za-z0-9]{20,}/g, // GitHub
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /glpat-[A-Za-z0-9_-]{16,}/g, // GitLab
  /xox[a-z]-[A-Za-z0-9-]{10,}/g, // Slack
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/g, // AWS
  /AIza[A-Za-z0-9_-]{30,}/g, // Google
  /npm_[A-Za-z0-9]{30,}/g,
  /hf_[A-Za-z0-9]{20,}/g, // Hugging Face
  /pypi-[A-Za-z0-9_-]{20,}/g,
];

/** A JWT has three parts. The first alone is read over as a whole, or a long run of `eyJ` would be read again and again (K3). */
const JWT = /eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)?/g;

/** A name that a value is given to, wherever in a longer name it stands: `DB_PASSWORD`, `apiKey`, `client-secret`. */
const NAME =
  '(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?access)?(?:[_-]?key)?|token|(?:api|access|private|auth)[_-]?key|credentials?)';
/** What follows a name before its value; a quote that closes the name in JSON is part of it. */
const GIVEN = `(${NAME}(?:[_-][A-Za-z0-9_-]{0,40}|[0-9]{1,4})?\\\\?["'\`]?[ \\t]{0,8}`;

/** The first group stays, the second goes. */
const VALUES: readonly RegExp[] = [
  // password=value, and password = "a value". What stands for a value (`$X`, `{{ x }}`, `<x>`, `***`) is none.
  new RegExp(`${GIVEN}=[ \\t]{0,8})("[^"\\n]+"|'[^'\\n]+'|[^\\s"'\`,;&$<{(*=>][^\\s"'\`,;&]*)`, 'gi'),
  // "token": "value". Without quotes a sentence may go on after the colon: only what has a digit in it counts.
  new RegExp(`${GIVEN}:[ \\t]{0,8})("[^"\\n$<{*][^"\\n]{3,}"|'[^'\\n$<{*][^'\\n]{3,}')`, 'gi'),
  new RegExp(`${GIVEN}:[ \\t]{0,8})((?=[^\\s"'\`,;]{0,40}[0-9])[^\\s"'\`,;$<{*][^\\s"'\`,;]{7,})`, 'gi'),
  /(\b(?:bearer|basic)[ \t]{1,4})([A-Za-z0-9._~+/=-]{12,})/gi,
  // https://name:password@host
  /(:\/\/[^\s:@/]{0,100}:)([^\s@/]{1,200})(?=@)/g,
];

export function maskSecretShapes(text: string): string {
  let masked = text;
  for (const shape of WHOLE) masked = masked.replace(shape, MASK);
  masked = masked.replace(JWT, (found, more?: string) => (more === undefined ? found : MASK));
  for (const shape of VALUES) {
    masked = masked.replace(shape, (_, before: string, value: string) => {
      const quote = /^["']/.exec(value)?.[0] ?? '';
      return `${before}${quote}${MASK}${quote}`;
    });
  }
  return masked;
}

/** Every text and key in a value; the same value back where there is nothing to mask. */
export function maskShapesIn<T extends Json>(value: T): T {
  return maskIn(value) as T;
}

function maskIn(value: Json): Json {
  if (typeof value === 'string') return maskSecretShapes(value);
  if (Array.isArray(value)) {
    const items = value.map(maskIn);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isObject(value) ? maskMap(value) : value;
}

function maskMap(value: JsonObject): JsonObject {
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const maskedKey = maskSecretShapes(key);
    // `{ "password": "x" }` is a value that is given to a name, too.
    const maskedItem = typeof item === 'string' && isName(key) && item !== '' ? MASK : maskIn(item);
    if (maskedKey !== key || maskedItem !== item) changed = true;
    return [maskedKey, maskedItem];
  });
  return changed ? Object.fromEntries(entries) : value;
}

const WHOLE_NAME = new RegExp(`^[A-Za-z0-9_-]{0,40}${NAME}$`, 'i');

function isName(key: string): boolean {
  return WHOLE_NAME.test(key);
}

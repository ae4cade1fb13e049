import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

describe('sha256 in the browser', () => {
  it('UI-CHAIN: says of any text what Node says of it', () => {
    const node = (text: string) => createHash('sha256').update(text).digest('hex');
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 4_000])
      expect(sha256('a'.repeat(length))).toBe(node('a'.repeat(length)));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha256(text) === node(text)),
    );
  });
});

import { constants } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

describe('JSON in pieces', () => {
  it('is what JSON.stringify gives, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([...jsonPieces(value)].join('')).toBe(`${JSON.stringify(value, undefined, 2)}\n`);
      }),
    );
  });

  it('leaves out members that are not there, as JSON.stringify does', () => {
    const value = { a: undefined, b: [undefined, 1], c: {} };
    expect([...jsonPieces(value)].join('')).toBe(`${JSON.stringify(value, undefined, 2)}\n`);
  });

  it('LS-GROW-JSON: is longer in all than one text can be', () => {
    const long = 'x'.repeat(2 ** 20);
    const list = Array.from({ length: 600 }, () => long);
    let length = 0;
    for (const piece of jsonPieces(list)) length += piece.length;
    expect(length).toBeGreaterThan(constants.MAX_STRING_LENGTH);
  });
});

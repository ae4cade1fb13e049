import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedTokens, type TokenKind } from './tokens.ts';

const tokens = signedTokens(randomBytes(32));
const kinds = fc.constantFrom<TokenKind>('ct', 'st', 'ck');
const places = fc.record({
  run: fc.stringMatching(/^[0-9TZ-]{1,30}$/),
  path: fc.string({ unit: 'grapheme' }).filter((path) => !path.includes('\n')),
  try: fc.integer({ min: 0, max: 1000 }),
  n: fc.integer({ min: 0, max: 1000 }),
});

describe('tokens', () => {
  it('T1: give back what they were made of', () => {
    fc.assert(
      fc.property(kinds, places, (kind, place) => {
        expect(tokens.read(tokens.make(kind, place))).toEqual({ kind, place });
      }),
    );
  });

  it('T2: MCP-TOKEN-TAMPERED: no token that differs from one of ours in a character is believed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    fc.assert(
      fc.property(kinds, places, fc.nat(), fc.nat(63), (kind, place, at, by) => {
        const token = tokens.make(kind, place);
        const index = 3 + (at % (token.length - 3));
        const changed = token.slice(0, index) + alphabet[by] + token.slice(index + 1);
        if (changed === token) return;
        expect(['tampered', 'other-key']).toContain(tokens.read(changed).problem);
      }),
    );
  });

  it('T2: a token of one kind is none of another, nor is a part of one', () => {
    const token = tokens.make('st', { run: 'r', path: 'p', try: 1, n: 3 });
    expect(tokens.read(`ct_${token.slice(3)}`)).toEqual({ problem: 'tampered' });
    expect(tokens.read(token.slice(0, -1)).problem).toBe('tampered');
    expect(tokens.read('hello')).toEqual({ problem: 'unreadable' });
    expect(tokens.read('')).toEqual({ problem: 'unreadable' });
  });

  it('T3: MCP-TOKEN-KEY-LOST: a token of another key is told from one that was changed', () => {
    const others = signedTokens(randomBytes(32));
    const token = others.make('ct', { run: 'r', path: 'p', try: 1, n: 3 });
    expect(tokens.read(token)).toEqual({ problem: 'other-key' });
  });

  it('what is sealed for one purpose is not opened for another', () => {
    const sealed = tokens.seal('answer', '{"a":1}');
    expect(tokens.open('answer', sealed)).toBe('{"a":1}');
    expect(tokens.open('ct', sealed)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { lookOf } from './look.ts';
import type { Services } from './services.ts';

const look = (environment: Record<string, string>, stream: { isTTY?: boolean; columns?: number } = {}) =>
  lookOf({ environment } as unknown as Services, stream as NodeJS.WriteStream);

describe('colours', () => {
  it.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['a dumb terminal', { TERM: 'dumb' }, true, false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR, which says nothing', { NO_COLOR: '' }, true, true],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
    ['NO_COLOR against FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ])('%s', (_, environment, isTTY, expected) => {
    expect(look(environment as Record<string, string>, { isTTY }).color).toBe(expected);
  });
});

it('is as wide as the terminal, and at least 100 where there is none', () => {
  expect(look({}, { isTTY: true, columns: 61 }).width).toBe(61);
  // A terminal that was made without a size says 0.
  expect(look({}, { isTTY: true, columns: 0 }).width).toBe(80);
  expect(look({ COLUMNS: '61' }).width).toBe(100);
  expect(look({ COLUMNS: '140' }).width).toBe(140);
});

it('draws with letters where the locale has no other signs', () => {
  expect(look({ LANG: 'C.UTF-8' }).unicode).toBe(true);
  expect(look({ LANG: 'en_US.ISO-8859-1' }).unicode).toBe(false);
  expect(look({ LC_ALL: 'POSIX', LANG: 'C.UTF-8' }).unicode).toBe(false);
});

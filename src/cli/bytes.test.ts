import { expect, it } from 'vitest';
import { bytes } from './bytes.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
  [2048 * 1024 ** 4, '2048.0 TiB'],
])('%d is %s', (amount, expected) => {
  expect(bytes(amount)).toBe(expected);
});

// foreign: the values that cel-js has and JSON has not, seen from outside.

import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import type { Json } from '../model/json.ts';
import { Trouble } from './trouble.ts';

export function foreignKind(value: unknown): 'timestamp' | 'duration' | 'uint' | 'bytes' | 'type' {
  if (value instanceof Date) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof UnsignedInt) return 'uint';
  return value instanceof Uint8Array ? 'bytes' : 'type';
}

/** As Protocol Buffers write them in JSON: RFC 3339, seconds with an `s`, base64. A type is its name. */
export function foreignToJson(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Duration) return value.toString();
  if (value instanceof UnsignedInt) return exact(value.valueOf());
  if (value instanceof Uint8Array) {
    let binary = '';
    for (const byte of value) binary += String.fromCharCode(byte);
    return btoa(binary);
  }
  return (value as { name: string }).name;
}

/** A BigInt as the number it is, or no number at all. */
export function exact(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new Trouble(`${value} is beyond ±${Number.MAX_SAFE_INTEGER}, where JSON numbers are no longer exact`);
}

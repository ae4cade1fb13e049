// conversion: texts and bytes → the numbers and JSON that they say, exactly or not at all.

import { inexactNumber } from '../text/exact-number.ts';
import { readJson } from '../text/read-json.ts';
import { type Run, spendText } from './code.ts';
import { standardCall } from './standard.ts';
import { Trouble } from './trouble.ts';
import { described, double, Foreign, isNumber, numberOf, textOf, type Value } from './value.ts';

/** A text that says a number is one, and so is a boolean; anything else has none, as if it were not there. */
export function numberIn(value: Value, run: Run): Value {
  if (isNumber(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') spendText(run, value);
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (typeof value === 'string' && !Number.isNaN(found)) refuseInexact('number()', value, found);
  if (Number.isFinite(found)) return Number.isSafeInteger(found) ? found : double(found);
  throw new Trouble(`number() finds no number in ${described(value)}`, 'number()');
}

export function parseJson(source: string, name: string): Value {
  const read = readJson(source);
  if ('value' in read) return read.value;
  const { why, message } = read.problem;
  if (why !== 'syntax') throw new Trouble(`${name}: ${message}`);
  // Not the parser's own words: they differ between versions of Node, and this may be journaled.
  throw new Trouble(
    `${name}: this is not JSON: ${JSON.stringify(source.length > 60 ? `${source.slice(0, 60)}…` : source)}`,
  );
}

/** CEL's own reads with JSON.parse, which rounds. */
export function bytesAsJson(value: Value, run: Run): Value {
  if (!(value instanceof Foreign && value.value instanceof Uint8Array)) {
    throw new Trouble(`json() needs bytes, and this is ${described(value)}`);
  }
  const source = textOf(standardBytesString([value]));
  spendText(run, source);
  return parseJson(source, 'json()');
}

const standardBytesString = standardCall(true, 'string', 1);
const standardDouble = standardCall(false, 'double', 1);

/** A text that says a number becomes that very number, or none. */
export function doubleOf(value: Value, run: Run): Value {
  if (typeof value !== 'string') return standardDouble([value]);
  spendText(run, value);
  const result = standardDouble([value]);
  if (isNumber(result)) refuseInexact('double()', value, numberOf(result));
  return result;
}

/** Words (`Infinity`, `NaN`) are what they say. */
function refuseInexact(name: string, written: string, value: number): void {
  const said = written.trim();
  const inexact = /^[+-]?[\d.]/.test(said) ? inexactNumber(said, value) : undefined;
  if (inexact !== undefined) throw new Trouble(`${name}: ${inexact}`);
}

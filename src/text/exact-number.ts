// exact-number: whether the number that a program works with is the number that was written.
// A double holds whole numbers exactly up to 2^53 − 1. Beyond that two different numbers become one, and a condition
// would pass on either, so such a number is refused where it comes in and never rounded.

export const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;

/** Integers as JSON, YAML (`0x…`, `0o…`, `+1`) and CEL write them. */
const INTEGER = /^[+-]?(?:\d+|0x[\da-f]+|0o[0-7]+|0b[01]+)$/i;
const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const LONGEST_SHOWN = 40;

/** What to do about it, for every place that takes numbers. */
export const WRITE_AS_TEXT = 'Write it as text, in quotes, if it must be kept as it is.';

/**
 * Why `value` is not the number that `written` says; undefined where it is. An integer beyond ±(2^53 − 1) is refused
 * even where its own double is exact, because its neighbour's double is the same. A number with a fraction or an
 * exponent is a double: beyond the edge it is taken only if the double is that number, or is written like it.
 */
export function inexactNumber(written: string, value: number): string | undefined {
  const shown = shorten(written);
  if (Number.isNaN(value)) return `${shown} is not a number that JSON can hold`;
  if (!Number.isFinite(value)) return `${shown} is larger than any number that can be kept`;
  if (value === 0) {
    return isZero(written) ? undefined : `${shown} is so close to zero that 0 would be kept`;
  }
  if (Math.abs(value) <= LARGEST_EXACT) return undefined;
  if (INTEGER.test(written))
    return `${shown} is beyond ±${LARGEST_EXACT}, where whole numbers are no longer exact`;
  const said = decimalOf(written);
  if (said === decimalOf(String(value)) || said === decimalOf(String(BigInt(value)))) return undefined;
  return `${shown} would be kept as ${value}, which is another number`;
}

/** A number that another program parsed: nobody knows any more what was written. */
export function mayBeRounded(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) > LARGEST_EXACT);
}

function isZero(written: string): boolean {
  const mantissa = /^[+-]?0[xob]/i.test(written) ? written : (written.split(/e/i, 1)[0] ?? '');
  return !/[1-9]/.test(mantissa);
}

/** One spelling for each decimal value: its digits without zeros at either end, and where the point is. */
function decimalOf(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(written) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${written.startsWith('-') ? '-' : ''}${digits.slice(0, end)}e${power}`;
}

function shorten(written: string): string {
  return written.length > LONGEST_SHOWN ? `${written.slice(0, LONGEST_SHOWN)}…` : written;
}

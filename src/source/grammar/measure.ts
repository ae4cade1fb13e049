// measure: durations and sizes as people write them.

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** A hundred years: beyond it, numbers stop being exact milliseconds anywhere near. */
const LONGEST = 100 * 365 * 86_400_000;

export const DURATIONS = '`200ms`, `1.5s`, `10m`, `1h30m` or `2d`';
export const SIZES = 'a number of bytes, or `512B`, `8KiB`, `1MiB`, `2GiB`';

/** Milliseconds; undefined: not a duration. Units go from large to small, each once. */
export function parseDuration(given: string): number | undefined {
  if (given.length > 40 || !DURATION.test(given)) return undefined;
  let [total, before] = [0, Number.POSITIVE_INFINITY];
  for (const [, amount = '', unit = ''] of given.matchAll(PART)) {
    const size = UNITS[unit] ?? 0;
    if (size >= before) return undefined;
    before = size;
    total += Number(amount) * size;
  }
  return total > LONGEST ? undefined : Math.round(total);
}

const SIZE = /^(\d+(?:\.\d+)?) ?(B|KiB|MiB|GiB)$/;
const BYTES: Record<string, number> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** Bytes; undefined: not a size, or more than a whole number of bytes can be told exactly. */
export function parseSize(given: string): number | undefined {
  const [, amount = '', unit = ''] = SIZE.exec(given) ?? [];
  const bytes = Number(amount) * (BYTES[unit] ?? Number.NaN);
  return bytes <= Number.MAX_SAFE_INTEGER && amount !== '' ? Math.round(bytes) : undefined;
}

// words: figures as people read them. One wording for every display.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

/** `12 ms`, `3.2 s`, `1 m 04 s`, `2 h 05 m`, `3 d 04 h`. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (!Number.isFinite(ms)) return 'unknown time';
  if (ms < 100) return `${ms} ms`;
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`;
  const whole = Math.round(ms / SECOND) * SECOND;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} m ${two((whole % MINUTE) / SECOND)} s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${two(Math.floor((whole % HOUR) / MINUTE))} m`;
  return `${Math.floor(whole / DAY)} d ${two(Math.floor((whole % DAY) / HOUR))} h`;
}

/** For figures that tick: whole seconds below a minute, so that they do not jitter. */
export function elapsed(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  return ms < MINUTE ? `${Math.floor(ms / SECOND)} s` : duration(Math.floor(ms / SECOND) * SECOND);
}

/** What agents used. A price nobody knows is never counted as zero: it is counted as unknown. */
export interface Spending {
  input_tokens: number;
  output_tokens: number;
  turns: number;
  /** Sum of the known prices, in US dollars. */
  cost: number;
  /** Answers with a known price, and without. */
  priced: number;
  unpriced: number;
}

export function noSpending(): Spending {
  return { input_tokens: 0, output_tokens: 0, turns: 0, cost: 0, priced: 0, unpriced: 0 };
}

/** For machines: sums of prices without the noise of binary fractions. */
export function roundedCost(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return '<$0.0001';
  if (amount > 0 && amount < 0.01) return `$${Number(amount.toPrecision(2))}`;
  return `$${thousands(amount.toFixed(2))}`;
}

/**
 * `$0.42`; `at least $0.42` where some answers had no price; `cost unknown`; undefined where nothing was used: no agent
 * answered, or only scripted ones that claim nothing.
 */
export function cost(spending: Spending): string | undefined {
  const used = spending.input_tokens + spending.output_tokens + spending.cost + spending.unpriced;
  if (used === 0) return undefined;
  if (spending.priced === 0 && spending.unpriced === 0) return undefined;
  // "At least nothing" says nothing.
  if (spending.unpriced > 0 && spending.cost === 0) return 'cost unknown';
  return spending.unpriced === 0 ? dollars(spending.cost) : `at least ${dollars(spending.cost)}`;
}

/** `12,000 tokens in, 3,000 out`; undefined where none are known. */
export function tokens({ input_tokens, output_tokens }: Spending): string | undefined {
  if (input_tokens + output_tokens === 0) return undefined;
  return `${thousands(input_tokens)} tokens in, ${thousands(output_tokens)} out`;
}

/** For a column: `950`, `1.5k`, `2.0M`. */
export function compact(value: number): string {
  if (value < 1000) return String(value);
  return value < 999_950 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1e6).toFixed(1)}M`;
}

/** What is said of somebody who has too much to do; undefined: it is told in its own words. */
export function crowded(failure: string | undefined): string | undefined {
  if (failure === 'rate-limit') return 'rate limited';
  return failure === 'overloaded' ? 'overloaded' : undefined;
}

export function thousands(value: number | string): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}

/** `1 step`, `2 steps`, `1,000 steps`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${thousands(value)} ${value === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`, `a, b and 7 more`. */
export function list(names: string[], most = Number.POSITIVE_INFINITY): string {
  if (names.length <= most) return joinedBy('and', names);
  return `${names.slice(0, most).join(', ')} and ${thousands(names.length - most)} more`;
}

/** `a, b or c`. */
export function either(names: string[]): string {
  return joinedBy('or', names);
}

function joinedBy(word: string, names: string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${word} ${names[names.length - 1]}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** ISO 8601 to the second, as state.json has it; a time no calendar knows gives the epoch rather than an error. */
export function isoTime(at: number): string {
  const second = Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? Math.floor(at / SECOND) : 0;
  // Times come in order and many to the second: thousands of steps are told in a few conversions.
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * SECOND).toISOString().slice(0, -5)}Z`;
  }
  return lastText;
}
let lastSecond = 0;
let lastText = '1970-01-01T00:00:00Z';

/** A value in a sentence: texts as they are, the rest as JSON, shortened. */
export function valueText(value: unknown, most = 200): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

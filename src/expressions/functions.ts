// functions: what expressions can call beside what cel-js does, and how each call is carried out.

import type { Need } from '../model/entry.ts';
import { circleOf } from './circle.ts';
import { type Code, evaluateAll, LONGEST_TEXT, type Run, spend, spendText, valueOrAbsent } from './code.ts';
import { bytesAsJson, doubleOf, numberIn, parseJson } from './conversion.ts';
import { same } from './equality.ts';
import { contained } from './operators.ts';
import { linearPattern } from './pattern.ts';
import { runsCommand, saysPhrase } from './phrases.ts';
import { gatheredReviews } from './reviews.ts';
import { isStandard, standardCall } from './standard.ts';
import { Missing, Trouble } from './trouble.ts';
import { Double, described, Foreign, Items, isMap, keysOf, member, textOf, type Value } from './value.ts';

/** Arguments that may be absent: they are handed over unevaluated. */
type Total = (run: Run, codes: readonly Code[]) => Value;
type Strict = (run: Run, values: readonly Value[]) => Value;

const totals: Record<string, Total> = {
  'default/2': (run, [wanted, otherwise]) => {
    const value = wanted ? valueOrAbsent(run, wanted) : undefined;
    return value ?? otherwise?.(run) ?? null;
  },
  'truthy/1': (run, [code]) => truthy(code && valueOrAbsent(run, code)),
  'entries/1': (run, [code]) => entries(code && valueOrAbsent(run, code), run),
  'called/2': (run, [code, name]) => {
    const value = code && valueOrAbsent(run, code);
    if (value !== undefined) return value;
    throw notThere(text('called', name?.(run) ?? null));
  },
  'same/2': (run, codes) => {
    const [a, b] = valuesOrAbsent(run, codes);
    return same(a, b, run);
  },
  'mentions/2': (run, codes) => {
    const [text, word] = valuesOrAbsent(run, codes);
    return mentions(text ?? null, word ?? null, run);
  },
};

const stricts: Record<string, Strict> = {
  'files/1': (run, [pattern]) => look(run, 'files', pattern),
  'changed/1': (run, [pattern]) => look(run, 'changed', pattern),
  'uncommitted/1': (run, [pattern]) => look(run, 'uncommitted', pattern),
  'includes/2': (run, [container = null, item = null]) => {
    if (typeof container !== 'string') return contained(item, container, run);
    spendText(run, container);
    return container.includes(text('includes', item));
  },
  'circle/1': (run, [list = null]) => circleOf(list, run),
  'reviews/1': (run, [value = null]) => gatheredReviews(value, run),
  'parse_json/1': (run, [source = null]) => {
    spendText(run, text('parse_json', source));
    return parseJson(text('parse_json', source), 'parse_json()');
  },
  'text/1': (run, [value = null]) => {
    const rendered = textOf(value);
    spendText(run, rendered);
    return rendered;
  },
  '.json/1': (run, [value = null]) => bytesAsJson(value, run),
  'double/1': (run, [value = null]) => doubleOf(value, run),
  'number/1': (run, [value = null]) => numberIn(value, run),
  'absent/1': (_run, [name = null]) => {
    throw notThere(text('absent', name));
  },
  'user_says/1': (run, [phrase = null]) => {
    const said = fromRoot(run, 'session', 'prompt');
    spendText(run, said ?? '');
    return saysPhrase(said ?? '', text('user_says', phrase));
  },
  'command_runs/1': (run, [words = null]) => {
    const line = fromRoot(run, 'event', 'command');
    spendText(run, line ?? '');
    return runsCommand(line ?? '', text('command_runs', words));
  },
  'size/1': (run, [value = null]) => size(value, run),
  '.size/1': (run, [value = null]) => size(value, run),
  'dyn/1': (_run, [value = null]) => value,
  'timestamp/1': (_run, [value = null]) => timestamp(value),
  '.contains/2': (run, [whole, part]) => {
    const [a, b] = twoTexts('contains', whole, part, run);
    return a.includes(b);
  },
  '.startsWith/2': (run, [whole, part]) => {
    const [a, b] = twoTexts('startsWith', whole, part, run);
    return a.startsWith(b);
  },
  '.endsWith/2': (run, [whole, part]) => {
    const [a, b] = twoTexts('endsWith', whole, part, run);
    return a.endsWith(b);
  },
  '.matches/2': (run, [whole, source]) => {
    const [subject, pattern] = twoTexts('matches', whole, source, run);
    spend(run, subject.length >> 4);
    const compiled = linearPattern(pattern);
    if (compiled.kind === 'error') throw new Trouble(compiled.message);
    return compiled.test(subject);
  },
  '.join/1': (run, [list = null]) => join(list, '', run),
  '.join/2': (run, [list = null, separator = null]) => join(list, text('join', separator), run),
};

/** How a call is carried out, or undefined: there is no such function with that many arguments. */
export function callOf(method: boolean, name: string, codes: readonly Code[]): Code | undefined {
  const key = `${method ? '.' : ''}${name}/${codes.length}`;
  const total = Object.hasOwn(totals, key) ? totals[key] : undefined;
  if (total) return (run) => total(run, codes);
  const strict = Object.hasOwn(stricts, key) ? stricts[key] : undefined;
  if (strict) return (run) => strict(run, evaluateAll(run, codes));
  if (!isStandard(method, name, codes.length - (method ? 1 : 0))) return undefined;
  const call = standardCall(method, name, codes.length);
  return (run) => {
    const values = evaluateAll(run, codes);
    for (const value of values) if (typeof value === 'string') spendText(run, value);
    return call(values);
  };
}

function notThere(name: string): Trouble {
  return new Trouble(`\`${name}\` is not there`, name);
}

function valuesOrAbsent(run: Run, codes: readonly Code[]): (Value | undefined)[] {
  const found: (Value | undefined)[] = [];
  // Through evaluateAll, so that all missing facts come at once.
  evaluateAll(
    run,
    codes.map((code, index) => (each) => {
      found[index] = valueOrAbsent(each, code);
      return null;
    }),
  );
  return found;
}

function truthy(value: Value | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (value instanceof Double) return value.value !== 0;
  return typeof value === 'object' || Boolean(value);
}

/** What is neither a list nor a map has none. */
function entries(value: Value | undefined, run: Run): Value {
  const made = new Items();
  if (value === undefined) return made;
  const keys = Array.isArray(value) ? [...value.keys()] : isMap(value) ? keysOf(value) : [];
  spend(run, keys.length);
  for (const [index, key] of keys.entries()) {
    const fields: [string, Value][] = [
      ['key', key],
      ['value', member(value, key) ?? null],
      ['index', index],
      ['first', index === 0],
      ['last', index === keys.length - 1],
    ];
    made.push(new Map<Value, Value>(fields));
  }
  return made;
}

function mentions(whole: Value, word: Value, run: Run): boolean {
  if (whole === null || word === null) return false;
  if (Array.isArray(whole)) {
    for (const each of whole) {
      spend(run, 1);
      if (same(each, word, run)) return true;
    }
    return false;
  }
  if (isMap(whole) || isMap(word) || Array.isArray(word)) return false;
  const wanted = textOf(word).trim().toLowerCase();
  const subject = textOf(whole);
  spendText(run, subject);
  return wanted !== '' && subject.toLowerCase().includes(wanted);
}

function look(run: Run, kind: Need['kind'], pattern: Value | undefined): Value {
  const need: Need = { kind, pattern: text(kind, pattern ?? null) };
  const found = run.bindings.fact(need);
  if (found === undefined) throw new Missing([need]);
  return found;
}

/** Outside of a live session nothing was said and nothing is about to run. */
function fromRoot(run: Run, root: 'event' | 'session', field: string): string | undefined {
  const whole = run.bindings.lookup(root);
  const found = whole === undefined ? undefined : member(whole, field);
  return typeof found === 'string' ? found : undefined;
}

function text(name: string, value: Value): string {
  if (typeof value === 'string') return value;
  throw new Trouble(`${name}() needs a string, and this is ${described(value)}`);
}

function twoTexts(name: string, a: Value | undefined, b: Value | undefined, run: Run): [string, string] {
  const whole = text(name, a ?? null);
  spendText(run, whole);
  return [whole, text(name, b ?? null)];
}

function size(value: Value, run: Run): Value {
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) {
    const { length } = keysOf(value);
    spend(run, length);
    return length;
  }
  if (value instanceof Foreign && value.value instanceof Uint8Array) return value.value.length;
  if (typeof value !== 'string')
    throw new Trouble(`size() needs a string, list or map, and this is ${described(value)}`);
  spendText(run, value);
  let characters = 0;
  for (const _ of value) characters++;
  return characters;
}

function join(list: Value, separator: string, run: Run): Value {
  if (!Array.isArray(list)) throw new Trouble(`join() needs a list, and this is ${described(list)}`);
  spend(run, list.length);
  let length = separator.length * list.length;
  for (const item of list) {
    if (typeof item !== 'string')
      throw new Trouble(`join() needs a list of strings, and this one holds ${described(item)}`);
    length += item.length;
  }
  if (length > LONGEST_TEXT) throw new Trouble('the text would be longer than 64 MiB');
  return list.join(separator);
}

/** Without its zone a time would depend on the machine it is read on. */
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const standardTimestamp = standardCall(false, 'timestamp', 1);

function timestamp(value: Value): Value {
  if (typeof value === 'string' && !RFC3339.test(value)) {
    throw new Trouble('timestamp() needs a time with its zone, such as "2026-11-15T10:15:00Z"');
  }
  return standardTimestamp([value]);
}

// functions: the helpers, methods and filters that gobby's texts use, in CEL.

import { member } from '../native-text.ts';
import type { Translator } from './expression.ts';
import type { Expression } from './expression-syntax.ts';
import { ExpressionProblem } from './expression-token.ts';
import { at, literal, OR, POSTFIX, RELATION, TERNARY, truth, type Value, value } from './value.ts';

type Call = Expression & { kind: 'call' };
type Method = Expression & { kind: 'method' };
type Filter = Expression & { kind: 'filter' };

type Function = (given: readonly Value[], translator: Translator, call: Call) => Value;

/** A line that is one command: nothing chained, nothing redirected, nothing put in. */
const ONE_COMMAND = '!event.command.matches(r"[;&|<>$(\\x60\\n]")';

const FUNCTIONS: Readonly<Record<string, Function>> = {
  user_says: (phrases) => any(phrases.map(({ cel }) => value(`user_says(${cel})`, 'bool'))),
  command_contains: (parts, { scope }) =>
    any(
      parts.flatMap((part) => {
        const contains = value(`event.command.contains(${part.cel})`, 'bool');
        // A rule must not be passed by another spelling of the same command.
        return scope.isRule ? [contains, value(`command_runs(${part.cel})`, 'bool')] : [contains];
      }),
    ),
  command_in: (lists) => {
    const [first] = lists;
    const list =
      lists.length === 1 && first?.kind !== 'text'
        ? first
        : value(`[${lists.map(({ cel }) => cel).join(', ')}]`, 'list');
    const one = `${at(POSTFIX, list ?? value('[]'))}.exists(c, (event.command + " ").startsWith(c + " "))`;
    return value(`${one} && ${ONE_COMMAND}`, 'bool', 2);
  },
  len: ([list], translator) => size(list, translator),
  str: ([given]) => value(`text(${cel(given)})`, 'text'),
  int: ([given]) => value(`int(${cel(given)})`, 'number'),
  float: ([given]) => value(`double(${cel(given)})`, 'number'),
  bool: ([given]) => truth(given ?? literal(null)),
  has_artifact: ([name]) => value(`${cel(name)} in session.artifacts`, 'bool', RELATION),
  artifact_exists: ([pattern]) => value(`size(files(${cel(pattern)})) > 0`, 'bool', RELATION),
  file_exists: ([pattern]) => value(`size(files(${cel(pattern)})) > 0`, 'bool', RELATION),
};

function any(values: readonly Value[]): Value {
  if (values.length === 1) return values[0] as Value;
  return value(values.map((each) => at(OR, each)).join(' || '), 'bool', OR);
}

function cel(given: Value | undefined): string {
  return given?.cel ?? 'null';
}

/** In a text the length of what is not there is 0; in a condition it is not there either. */
function size(given: Value | undefined, { scope }: Translator): Value {
  const isSure = given !== undefined && !given.absent && !given.nullable;
  return value(
    isSure || !scope.isText ? `size(${cel(given)})` : `size(default(${cel(given)}, []))`,
    'number',
  );
}

/** Throws ExpressionProblem. */
export function callFunction(call: Call, translator: Translator): Value {
  const known = Object.hasOwn(FUNCTIONS, call.name) ? FUNCTIONS[call.name] : undefined;
  if (known === undefined)
    throw new ExpressionProblem(
      `there is no function \`${call.name}\` here`,
      call,
      `There are ${listed(FUNCTIONS)}.`,
    );
  if (call.arguments.length === 0)
    throw new ExpressionProblem(`\`${call.name}()\` needs something in its brackets`, call);
  return known(
    call.arguments.map((each) => translator.value(each)),
    translator,
    call,
  );
}

type Part = (of: Value, given: readonly Value[], translator: Translator) => Value;

const METHODS: Readonly<Record<string, Part>> = {
  strip: (of) => value(`${text(of)}.trim()`, 'text'),
  lower: (of) => value(`${text(of)}.lowerAscii()`, 'text'),
  upper: (of) => value(`${text(of)}.upperAscii()`, 'text'),
  startswith: (of, [part]) => value(`${text(of)}.startsWith(${cel(part)})`, 'bool'),
  endswith: (of, [part]) => value(`${text(of)}.endsWith(${cel(part)})`, 'bool'),
  replace: (of, [from, to]) => value(`${text(of)}.split(${cel(from)}).join(${cel(to)})`, 'text'),
  split: (of, [separator]) => value(`${text(of)}.split(${separator?.cel ?? '" "'})`, 'list'),
  join: (of, [list]) => value(`${texts(list)}.join(${of.cel})`, 'text'),
  keys: (of) => value(`${at(POSTFIX, of)}.map(key, key)`, 'list'),
  get: (of, [key, otherwise]) => {
    const found = `${at(POSTFIX, of)}[${cel(key)}]`;
    if (otherwise === undefined) return { ...value(found), absent: true };
    return value(`default(${found}, ${otherwise.cel})`, otherwise.kind);
  },
};

/** A text to be asked something: one that is not there has nothing in it. */
function text(of: Value): string {
  if (of.absent || of.nullable) return `default(${of.cel}, "")`;
  return at(POSTFIX, of);
}

/** A list whose items are texts. */
function texts(list: Value | undefined): string {
  const of = list ?? value('[]', 'list');
  if (/^session\.(?:step\.)?files_\w+$/.test(of.cel)) return of.cel;
  return `${of.absent || of.nullable ? `default(${of.cel}, [])` : at(POSTFIX, of)}.map(item, text(item))`;
}

/** Throws ExpressionProblem. */
export function callMethod(call: Method, translator: Translator): Value {
  const known = Object.hasOwn(METHODS, call.name) ? METHODS[call.name] : undefined;
  if (known === undefined)
    throw new ExpressionProblem(
      `there is no method \`.${call.name}()\` here`,
      call,
      `There are ${listed(METHODS, '.')}.`,
    );
  return known(
    translator.value(call.of),
    call.arguments.map((each) => translator.value(each)),
    translator,
  );
}

const same: Part = (of) => of;
const length: Part = (of, _given, translator) => size(of, translator);
const fallback: Part = (of, [otherwise = literal(''), isAny]) => {
  if (isAny?.cel === 'true')
    return value(`${at(OR, truth(of))} ? ${at(OR, of)} : ${at(TERNARY, otherwise)}`, otherwise.kind, TERNARY);
  if (!of.absent && !of.nullable) return of;
  return value(`default(${of.cel}, ${otherwise.cel})`, of.kind === 'any' ? otherwise.kind : of.kind);
};

const FILTERS: Readonly<Record<string, Part>> = {
  length,
  count: length,
  default: fallback,
  d: fallback,
  join: (of, [separator]) => value(`${texts(of)}.join(${separator?.cel ?? '""'})`, 'text'),
  tojson: (of) => {
    if (of.kind === 'list' || of.kind === 'map') return value(`text(${of.cel})`, 'text');
    // Only what is no text renders as JSON by itself.
    return value(`cel.bind(json, text([${of.cel}]), json.substring(1, size(json) - 1))`, 'text');
  },
  upper: (of) => value(`${text(of)}.upperAscii()`, 'text'),
  lower: (of) => value(`${text(of)}.lowerAscii()`, 'text'),
  trim: (of) => value(`${text(of)}.trim()`, 'text'),
  replace: (of, [from, to]) => value(`${text(of)}.split(${cel(from)}).join(${cel(to)})`, 'text'),
  first: (of) => ({ ...value(`${at(POSTFIX, of)}[0]`), absent: true }),
  last: (of) => ({ ...value(`${at(POSTFIX, of)}[size(${of.cel}) - 1]`), absent: true }),
  string: (of) => value(`text(${of.cel})`, 'text'),
  int: (of) => value(`int(${of.cel})`, 'number'),
  float: (of) => value(`double(${of.cel})`, 'number'),
  list: same,
  safe: same,
  escape: same,
  e: same,
};

/** Throws ExpressionProblem. */
export function applyFilter(filter: Filter, translator: Translator): Value {
  const of = translator.value(filter.of);
  const attribute = filter.named.get('attribute');
  if (
    attribute?.kind === 'literal' &&
    typeof attribute.value === 'string' &&
    (filter.name === 'map' || filter.name === 'join')
  ) {
    const all = value(
      `${at(POSTFIX, listOrNone(of, translator))}.map(item, ${member('item', attribute.value)})`,
      'list',
    );
    if (filter.name === 'map') return all;
    return (FILTERS.join as Part)(
      all,
      filter.arguments.map((each) => translator.value(each)),
      translator,
    );
  }
  const known = Object.hasOwn(FILTERS, filter.name) ? FILTERS[filter.name] : undefined;
  if (known === undefined)
    throw new ExpressionProblem(
      `there is no filter \`${filter.name}\` here`,
      filter,
      `There are ${listed(FILTERS)}, and \`map(attribute=…)\`.`,
    );
  const given = filter.arguments.map((each) => translator.value(each));
  const separator = filter.named.get('d') ?? filter.named.get('separator');
  return known(of, separator ? [translator.value(separator), ...given] : given, translator);
}

export function listOrNone(of: Value, { scope }: Translator): Value {
  return scope.isText && (of.absent || of.nullable) ? value(`default(${of.cel}, [])`, 'list') : of;
}

function listed(table: Readonly<Record<string, unknown>>, before = ''): string {
  return Object.keys(table)
    .map((name) => `\`${before}${name}\``)
    .join(', ');
}

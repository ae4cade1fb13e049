import { describe, expect, it } from 'vitest';
import type { Json } from '../model/json.ts';
import { evaluate } from './expressions.ts';

function answer(cel: string, roots: Record<string, Json> = {}) {
  return evaluate(cel, { lookup: (root) => roots[root], fact: () => undefined });
}

function holds(cases: [string, Json][], roots: Record<string, Json> = {}): void {
  it.each(cases)('%s is %j', (cel, expected) => {
    expect(answer(cel, roots)).toEqual({ kind: 'value', value: expected });
  });
}

function fails(cases: [string, string][], roots: Record<string, Json> = {}): void {
  it.each(cases)('%s fails: %s', (cel, message) => {
    expect(answer(cel, roots)).toMatchObject({ kind: 'error', message: expect.stringContaining(message) });
  });
}

describe('default', () => {
  holds([
    ['default(x, 1)', 1],
    ['default(x.y.z, "none")', 'none'],
    ['default(1, x)', 1],
    ['default(null, 2)', 2],
    ['default("", 2)', ''],
    ['default(0, 2)', 0],
    ['default(false, true)', false],
    ['default([], [1])', []],
    ['default(x, null)', null],
    ['default(default(x, y), 3)', 3],
  ]);
  fails([
    ['default(x, y)', '`y` is not there'],
    ['default(1 / 0, 2)', 'division by zero'],
    ['default(1)', 'no function default() with 1 arguments'],
  ]);
});

describe('entries', () => {
  holds(
    [
      ['entries(x.y)', []],
      ['entries(null)', []],
      ['entries("text")', []],
      ['entries([])', []],
      ['entries({})', []],
      ['entries(list).map(e, e.index)', [0, 1, 2]],
      ['entries(list).map(e, e.key)', [0, 1, 2]],
      ['entries(list).filter(e, e.first || e.last).map(e, e.value)', ['a', null]],
      ['entries(map).map(e, e.key)', ['constructor', '__proto__']],
      ['entries(map)[1].value.k', 1],
      ['size(entries([1, 2.0, "x"]))', 3],
      ['entries([[1, 2]])[0].value[1]', 2],
    ],
    { list: ['a', { b: 1 }, null], map: JSON.parse('{"constructor": 0, "__proto__": {"k": 1}}') },
  );
  fails([['entries()', 'no function entries() with 0 arguments']]);
});

describe('truthy', () => {
  holds([
    ['truthy(x)', false],
    ['truthy(null)', false],
    ['truthy(false)', false],
    ['truthy(0)', false],
    ['truthy(0.0)', false],
    ['truthy("")', false],
    ['truthy(true)', true],
    ['truthy(1)', true],
    ['truthy(2.0)', true],
    ['truthy(-0.5)', true],
    ['truthy("false")', true],
    // As in JavaScript: there, even if empty.
    ['truthy([])', true],
    ['truthy({})', true],
    ['truthy(duration("0s"))', true],
  ]);
});

describe('same', () => {
  holds([
    ['same("Small", " small ")', true],
    ['same("3", 3)', true],
    ['same(3, " 3.0 ")', true],
    ['same("true", true)', true],
    ['same(false, "FALSE")', true],
    ['same(3, 3.0)', true],
    ['same(null, x)', true],
    ['same(x, y)', true],
    ['same(x, "")', false],
    ['same(0, "")', false],
    ['same(0, " ")', false],
    ['same(1, true)', false],
    ['same(0, null)', false],
    ['same("null", null)', false],
    ['same("a", "b")', false],
    ['same(["A", 1], ["a", "1"])', true],
    ['same({"k": "A"}, {"k": "a"})', true],
    ['same({"k": "A"}, {"K": "a"})', false],
    ['same([1], 1)', false],
    ['same({}, [])', false],
  ]);
});

describe('mentions', () => {
  holds([
    ['mentions("All Tests passed", "tests")', true],
    ['mentions("abc", "d")', false],
    ['mentions("version 42", 42)', true],
    ['mentions(42, "4")', true],
    ['mentions(["Bug", "Feature"], " bug ")', true],
    ['mentions([1, 2], "2")', true],
    ['mentions(["bugs"], "bug")', false],
    ['mentions(x, "bug")', false],
    ['mentions("bug", x)', false],
    ['mentions([null], x)', false],
    ['mentions(null, "n")', false],
    ['mentions({"bug": 1}, "bug")', false],
    // An empty word is mentioned nowhere: it must not make a check hold.
    ['mentions("anything", "")', false],
    ['mentions("anything", "  ")', false],
  ]);
});

describe('includes', () => {
  holds([
    ['includes([1, 2], 2)', true],
    ['includes([1, 2], "2")', false],
    ['includes(["a"], "A")', false],
    ['includes("haystack", "stack")', true],
    ['includes("haystack", "STACK")', false],
    ['includes({"a": 1}, "a")', true],
    ['includes({"a": 1}, "b")', false],
  ]);
  fails([
    ['includes(x, 1)', '`x` is not there'],
    ['includes(1, 1)', 'needs a list or a map'],
    ['includes("a", 1)', 'includes() needs a string'],
  ]);
});

describe('parse_json', () => {
  holds([
    [`parse_json('{"a": [1, 2.5, null]}')`, { a: [1, 2.5, null] }],
    [`parse_json('{"n": 5}').n / 2`, 2],
    [`parse_json('"text"')`, 'text'],
    [`parse_json('{"__proto__": 1, "constructor": 2}').constructor`, 2],
  ]);
  fails([
    ['parse_json("{a}")', 'this is not JSON: "{a}"'],
    ['parse_json(1)', 'needs a string'],
  ]);
});

describe('user_says and command_runs', () => {
  const session = { prompt: 'Yes,  GO ahead.' };
  const event = { prompt: 'no', command: 'cd app && npm test' };
  describe('in a live session', () => {
    holds(
      [
        ['user_says("go ahead")', true],
        ['user_says("go a")', false],
        ['command_runs("npm test")', true],
        ['command_runs("npm")', true],
        ['command_runs("pm test")', false],
      ],
      { event, session },
    );
  });
  describe('elsewhere', () => {
    holds([
      ['user_says("go ahead")', false],
      ['command_runs("npm test")', false],
    ]);
    holds(
      [
        ['user_says("x")', false],
        ['command_runs("x")', false],
      ],
      { event: {}, session: {} },
    );
    holds(
      [
        ['user_says("x")', false],
        ['command_runs("x")', false],
      ],
      { event: null, session: null },
    );
  });
  fails([
    ['user_says(1)', 'user_says() needs a string'],
    ['command_runs(1)', 'command_runs() needs a string'],
  ]);
});

describe('matches', () => {
  holds(
    [
      ['"foobar".matches("o+b")', true],
      ['"foobar".matches("^o")', false],
      ['"Foo".matches("(?i)^foo$")', true],
      [String.raw`"a1".matches(r"\d$")`, true],
      ['"abc".matches(p)', true],
    ],
    { p: 'b' },
  );
  fails([
    ['"a".matches("(")', 'not a pattern: missing closing )'],
    [String.raw`"aa".matches(r"(a)\1")`, 'not a pattern'],
    ['"a".matches(1)', 'matches() needs a string'],
  ]);
});

describe("CEL's own", () => {
  holds([
    ['"abc".contains("b") && "abc".startsWith("a") && "abc".endsWith("c")', true],
    ['" x ".trim()', 'x'],
    ['"Ab".lowerAscii() + "Ab".upperAscii()', 'abAB'],
    ['"a,b".split(",")', ['a', 'b']],
    ['"a,b,c".split(",", 2)', ['a', 'b,c']],
    ['["a", "b"].join("-")', 'a-b'],
    ['["a", "b"].join()', 'ab'],
    ['"hello".substring(1, 3)', 'el'],
    ['"hello".indexOf("l") + "hello".lastIndexOf("l")', 5],
    ['int("42") + int(3.9)', 45],
    ['double("1.5") + double(1)', 2.5],
    ['string(1) + string(1.5) + string(true)', '11.5true'],
    ['bool("true")', true],
    ['size("abc") + "abc".size() + [1].size() + {"a": 1}.size()', 8],
    ['size(b"abc")', 3],
    ['dyn(1)', 1],
    ['timestamp("2026-11-15T10:15:00Z").getFullYear()', 2026],
    ['duration("1h30m").getMinutes()', 90],
    ['timestamp(0) + duration("1h")', '1970-01-01T01:00:00.000Z'],
    ['bytes("ab").base64()', 'YWI='],
  ]);
  fails([
    ['size(1)', 'size() needs a string, list or map, and this is an int'],
    ['[1].join(",")', 'holds an int'],
    ['"a".join(",")', 'join() needs a list'],
    ['1.contains("a")', 'contains() needs a string, and this is an int'],
    ['"abc".substring(9)', 'out of range'],
    ['[1].trim()', '`list.trim()` does not exist'],
    ['{"a": 1}.trim()', '`map.trim()` does not exist'],
    ['timestamp("Nov 15 2026")', 'with its zone'],
    ['timestamp("2026-11-15T10:15:00Z").getHours("Europe/Paris")', 'no method .getHours() with 1 arguments'],
    ['timestamp("2026-11-15T10:15:00Z") + 1', '`timestamp + int` does not exist'],
  ]);
});

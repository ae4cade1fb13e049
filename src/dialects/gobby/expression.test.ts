import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../expressions/expressions.ts';
import type { Json } from '../../model/json.ts';
import { NO_EVENT, NO_SESSION } from '../../model/session-view.ts';
import { Translator } from './expression.ts';
import { type Expression, parseExpression } from './expression-syntax.ts';
import { Names } from './names.ts';

const VARIABLES: Record<string, Json> = {
  n: 3,
  zero: 0,
  word: ' Plan ',
  empty: '',
  yes: true,
  no: false,
  list: ['a', 'b'],
  none_of_it: [],
  map: { k: 1 },
  nothing: null,
};

function translated(text: string, isTest: boolean): string {
  const names = new Names({
    workflow: 'w',
    variables: new Map(Object.entries(VARIABLES)),
    settings: new Map(),
    assigned: new Set(),
    counted: new Set(),
  });
  const translator = new Translator({ names, locals: new Map() }, () => {});
  const tree = parseExpression(text);
  return (isTest ? translator.truth(tree) : translator.value(tree)).cel;
}

const roots: Record<string, Json> = {
  vars: VARIABLES,
  session: {
    ...NO_SESSION,
    prompt: 'please CONTINUE',
    handoff: { notes: 'n' },
    observations: [{ tool: 'Read', text: 'x' }],
    step: { ...NO_SESSION.step, tests: 'passed', actions: 4 },
  },
  event: { ...NO_EVENT, tool: 'Bash', command: 'npm test', file: 'a.ts', error: 'boom' },
};

function result(cel: string): Json | string {
  const found = evaluate(cel, { lookup: (root) => roots[root], fact: () => undefined });
  return found.kind === 'value' ? (found.value as Json) : `error`;
}

describe('GOB-EXPRESSIONS: what an expression means', () => {
  const table: [theirs: string, ours: string, value: Json][] = [
    [
      "tool == 'Edit' and file not in session.files_read",
      'event.tool == "Edit" && !(event.file in session.files_read)',
      false,
    ],
    ['n < list | length - 1', 'vars.n < size(vars.list) - 1', false],
    ['list | length - 1', 'size(vars.list) - 1 != 0', true],
    [
      "prompt.strip().lower() == 'please continue'",
      'session.prompt.trim().lowerAscii() == "please continue"',
      true,
    ],
    ["user_says('continue') or user_says('proceed')", 'user_says("continue") || user_says("proceed")', true],
    ['tool_result.is_error', 'event.error != ""', true],
    ['not verification_passed', '!(session.step.tests == "passed")', false],
    ['phase_action_count >= n', 'session.step.actions >= vars.n', true],
    ['has_handoff', 'session.handoff != {}', true],
    ['session.title == null', 'session.title == ""', true],
    [
      'has_previous_session or parent_session_found',
      'session.previous_summary != "" || session.parent != ""',
      false,
    ],
    ["map.get('k') == 1", 'default(vars.map.k, null) == 1', true],
    ["map.get('z', 0) + 1 == 1", 'default(vars.map.z, 0) + 1 == 1', true],
    [
      '(nothing or 0) < 1',
      '(truthy(vars.nothing) && !(vars.nothing in [[], {}]) ? vars.nothing : 0) < 1',
      true,
    ],
    ['none_of_it', 'vars.none_of_it != []', false],
    ['not empty and yes', '!(vars.empty != "") && vars.yes', true],
    ["'lan' in word", 'vars.word.contains("lan")', true],
    ["'k' in map", '"k" in vars.map', true],
    ['len(list) == 2', 'size(vars.list) == 2', true],
    ["event.data.get('source') == 'clear'", 'event.source == "clear"', false],
    ['nothing is none', 'vars.nothing == null', true],
    ['handoff.notes is defined', 'default(session.handoff.notes, null) != null', true],
    [
      "command_in(['npm', 'make'])",
      '["npm", "make"].exists(c, (event.command + " ").startsWith(c + " ")) && !event.command.matches(r"[;&|<>$(\\x60\\n]")',
      true,
    ],
    ["command_contains('npm test')", 'event.command.contains("npm test")', true],
    ["'yes' if n > 2 else 'no'", '(vars.n > 2 ? "yes" : "no") != ""', true],
    ["list[-1] == 'b'", 'default(vars.list[size(vars.list) - 1], null) == "b"', true],
    ["list | join(',') == 'a,b'", 'vars.list.map(item, text(item)).join(",") == "a,b"', true],
    [
      'observations[0].text',
      'truthy(session.observations[0].text) && !(session.observations[0].text in [[], {}])',
      true,
    ],
  ];
  it.each(table)('%s', (theirs, ours, value) => {
    expect(translated(theirs, true)).toBe(ours);
    expect(result(ours)).toBe(value);
  });

  it.each([
    ['a = b', '`==`'],
    ['a < b < c', 'chained'],
    ['frobnicate(a)', 'no function'],
    ['word.wish()', 'no method'],
    ['word | wish', 'no filter'],
    ['a and', 'a value'],
    ['a &', 'means nothing'],
    ['"open', 'means nothing'],
    [`${'('.repeat(200)}a`, 'nested too deep'],
  ])('%s is an error that says where', (text, words) => {
    expect(() => translated(text, true)).toThrow();
    try {
      translated(text, true);
    } catch (problem) {
      const { message, hint = '', start } = problem as { message: string; hint?: string; start: number };
      expect(`${message} ${hint}`).toContain(words);
      expect(start).toBeLessThanOrEqual(text.length);
    }
  });

  it('GB1: no text makes it throw anything else', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            ...'ab1.|()[]{}+-*/<>=!,: \'"~%',
            'and ',
            'or ',
            'not ',
            'in ',
            'is ',
            'if ',
            'else ',
          ),
        }),
        (text) => {
          try {
            translated(text, true);
          } catch (problem) {
            expect((problem as Error).constructor.name).toBe('ExpressionProblem');
          }
        },
      ),
    );
  });
});

// ── An evaluator of its own: Python's meaning, said once more ──────────────────────────────────

function isTrue(value: Json): boolean {
  if (value === null || value === false || value === 0 || value === '') return false;
  return (
    typeof value !== 'object' || (Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0)
  );
}

class Wrong extends Error {}

function python(of: Expression): Json {
  switch (of.kind) {
    case 'literal':
      return of.value;
    case 'name':
      return VARIABLES[of.name] as Json;
    case 'not':
      return !isTrue(python(of.of));
    case 'and': {
      const left = python(of.left);
      return isTrue(left) ? python(of.right) : left;
    }
    case 'or': {
      const left = python(of.left);
      return isTrue(left) ? left : python(of.right);
    }
    case 'if':
      return isTrue(python(of.test)) ? python(of.then) : of.otherwise ? python(of.otherwise) : '';
    case 'filter': {
      const held = python(of.of);
      if (typeof held === 'string') return [...held].length;
      if (typeof held !== 'object' || held === null) throw new Wrong();
      return Array.isArray(held) ? held.length : Object.keys(held).length;
    }
    case 'calculate': {
      const [left, right] = [python(of.left), python(of.right)];
      if (typeof left !== 'number' || typeof right !== 'number') throw new Wrong();
      return of.operator === '+' ? left + right : left - right;
    }
    case 'compare': {
      const [left, right] = [python(of.left), python(of.right)];
      if (of.operator === '==') return JSON.stringify(left) === JSON.stringify(right);
      if (of.operator === '!=') return JSON.stringify(left) !== JSON.stringify(right);
      if (of.operator === 'in' || of.operator === 'not in') {
        const held = Array.isArray(right)
          ? right.some((each) => JSON.stringify(each) === JSON.stringify(left))
          : typeof right === 'string' && typeof left === 'string'
            ? right.includes(left)
            : undefined;
        if (held === undefined) throw new Wrong();
        return held === (of.operator === 'in');
      }
      if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string'))
        throw new Wrong();
      const order = left < (right as typeof left) ? -1 : left > (right as typeof left) ? 1 : 0;
      return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[of.operator];
    }
    default:
      throw new Wrong();
  }
}

const { tests } = fc.letrec<{ tests: string; values: string; numbers: string }>((tie) => ({
  numbers: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('n', 'zero', '1', '2'),
    fc
      .tuple(tie('numbers'), fc.constantFrom('+', '-'), tie('numbers'))
      .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc.constantFrom('list', 'none_of_it', 'map', 'word', 'empty').map((name) => `${name} | length`),
  ),
  values: fc.oneof(
    { maxDepth: 3 },
    tie('numbers'),
    fc.constantFrom('word', 'empty', "'a'", "'Plan'", 'yes', 'no', 'list', 'none_of_it', 'nothing', 'map'),
    fc
      .tuple(tie('values'), fc.constantFrom('or', 'and'), tie('values'))
      .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc.tuple(tie('values'), tie('tests'), tie('values')).map(([a, test, b]) => `(${a} if ${test} else ${b})`),
  ),
  tests: fc.oneof(
    { maxDepth: 4 },
    tie('values'),
    fc
      .tuple(tie('numbers'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('numbers'))
      .map(([a, sign, b]) => `${a} ${sign} ${b}`),
    fc
      .tuple(
        tie('values'),
        fc.constantFrom('==', '!='),
        fc.constantFrom('word', "'a'", 'yes', 'n', 'nothing', 'list'),
      )
      .map(([a, sign, b]) => `${a} ${sign} ${b}`),
    fc
      .tuple(
        fc.constantFrom("'a'", 'word', "'lan'"),
        fc.constantFrom('in', 'not in'),
        fc.constantFrom('list', 'none_of_it', 'word'),
      )
      .map(([a, sign, b]) => `${a} ${sign} ${b}`),
    fc
      .tuple(tie('tests'), fc.constantFrom('and', 'or'), tie('tests'))
      .map(([a, sign, b]) => `(${a}) ${sign} (${b})`),
    tie('tests').map((test) => `not (${test})`),
  ),
}));

it.each([
  ['state.workflow_name', '"w"'],
  ['state.phase_action_count', 'session.step.actions'],
  ['state.total_action_count', 'session.tool_calls'],
  ['state.files_modified_this_task', 'size(session.step.files_modified)'],
  ['state.observations', 'session.observations'],
  ['state.context_injected', 'session.context_restored'],
  ['state.reflection_pending', 'false'],
  ['state.task_list', 'vars.task_list'],
  ['state.current_task_index', 'vars.current_task_index'],
  ['state.variables.n', 'vars.n'],
  ['state.artifacts.plan', 'session.artifacts.plan'],
])('GOB-SEED-STATE-FIELDS: %s is %s', (theirs, ours) => {
  expect(translated(theirs, false)).toContain(ours);
});

it('GOB-EXPRESSIONS-AGREE: a test in ours holds where it holds in theirs, by an evaluator of its own', () => {
  let compared = 0;
  fc.assert(
    fc.property(tests, (text) => {
      const tree = parseExpression(text);
      let theirs: boolean;
      try {
        theirs = isTrue(python(tree));
      } catch (problem) {
        if (problem instanceof Wrong) return;
        throw problem;
      }
      compared++;
      expect([text, translated(text, true), result(translated(text, true))]).toEqual([
        text,
        expect.any(String),
        theirs,
      ]);
    }),
    { numRuns: 2000 },
  );
  expect(compared).toBeGreaterThan(500);
});

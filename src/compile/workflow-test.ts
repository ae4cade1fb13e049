// workflow-test: a `*.test.yaml`, read and checked like any definition: all its problems at once, each at its place.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { JsonObject } from '../model/json.ts';
import type {
  Expectation,
  FaultKind,
  PlannedFault,
  Reply,
  StandIn,
  StepExpectation,
  TestCase,
  TextExpectation,
  WorkflowTests,
} from '../model/workflow-test.ts';
import { report } from '../source/diagnostics.ts';
import { type Checked, type Conforming, conform, conforming } from '../source/grammar/conform.ts';
import { testShape } from '../source/grammar/test-shape.ts';
import { headSpan, type Node, nodeSpan, setKey, stringOf, toJson } from '../source/read/node.ts';
import { sourceText } from '../source/read/source.ts';
import { readYaml } from '../source/read/yaml.ts';
import { booleanOf, choiceOf, durationOf, itemsOf, numberOf, present, writtenOf } from './lower/values.ts';
import { lowerAnswers } from './script.ts';

/** `asRead`: what could be read all the same, so that whoever knows the workflow finds what else is wrong. Not to be played. */
export type WorkflowTestResult =
  | { tests: WorkflowTests }
  | { diagnostics: Diagnostic[]; asRead?: WorkflowTests };

/** Milliseconds; a play takes far less than a second, unless it runs commands that take long. */
const LONGEST = 60_000;
/** What a malformed answer looks like unless the test says so. */
const BROKEN_OFF = '{"status": "don';

/** In a path: any number of steps. (No pattern: the build keeps such letters in texts alone.) */
const ANYTHING = ['…', '...'];

export function compileWorkflowTest(file: { path: string; text: string }): WorkflowTestResult {
  const problems = report();
  const to = conforming(problems);
  const node = readYaml(sourceText(file.path, file.text), problems);
  if (node !== undefined && conform(node, testShape, 'the test', to)) {
    const workflow = to.get(node, 'workflow');
    const cases = itemsOf(to.get(node, 'cases')).map((item) => caseOf(item, node, to));
    refuseSameNames(cases, to);
    if (workflow !== undefined) {
      const tests = { workflow: stringOf(workflow) ?? '', at: nodeSpan(workflow), cases };
      return problems.hasErrors() ? { diagnostics: problems.diagnostics(), asRead: tests } : { tests };
    }
  }
  return { diagnostics: problems.diagnostics() };
}

function refuseSameNames(cases: TestCase[], to: Conforming): void {
  const seen = new Set<string>();
  for (const { name, at } of cases) {
    if (seen.has(name))
      to.report.error(
        'duplicate-id',
        at,
        `there is another case called "${name}"`,
        'Give it a name of its own.',
      );
    seen.add(name);
  }
}

function caseOf(node: Node, file: Node, to: Conforming): TestCase {
  const named: TestCase['named'] = [];
  const own = (key: string) => to.get(node, key) ?? to.get(file, key);
  const both = (key: string) => [to.get(file, key), to.get(node, key)];
  const merged = (key: string): JsonObject => Object.assign({}, ...both(key).map(mapOf));
  const expected = to.get(node, 'expect');
  const texts = (key: string) => itemsOf(own(key)).flatMap((item) => stringOf(item) ?? []);
  for (const key of ['answers', 'commands']) for (const map of both(key)) nameKeys(map, named);
  for (const item of itemsOf(own('skip_steps'))) nameStep(item, named);
  return present<TestCase>({
    name: stringOf(to.get(node, 'name')) ?? '',
    at: headSpan(to.get(node, 'name') ?? node),
    inputs: merged('inputs'),
    vars: merged('vars'),
    files: merged('files') as Record<string, string>,
    fixture: stringOf(own('fixture')),
    git: booleanOf(own('git')) ?? true,
    env: Object.assign({}, ...both('env').map((map) => envOf(map))),
    answers: Object.assign({}, ...both('answers').map((map) => lowerAnswers(map, to))),
    commands: Object.assign({}, ...both('commands').map((map) => commandsOf(map, to))),
    replies: itemsOf(own('replies')).map((item) => replyOf(item, named, to)),
    signals: itemsOf(own('signals')).map((item) => ({
      name: stringOf(to.get(item, 'name')) ?? '',
      data: jsonOf(to.get(item, 'data')) ?? null,
    })),
    skipSteps: texts('skip_steps'),
    skipChecks: booleanOf(own('skip_checks')) ?? false,
    dryRun: booleanOf(own('dry_run')) ?? false,
    gates: texts('gates'),
    faults: itemsOf(own('faults')).map((item) => faultOf(item, named, to)),
    timeout: durationOf(own('timeout')) ?? LONGEST,
    crash: choiceOf<'everywhere'>(own('crash')),
    expect: expectationOf(expected, named, to),
    named,
  });
}

// ── what goes in ──

function commandsOf(node: Node | undefined, to: Checked): Record<string, StandIn[]> {
  return mapped(node, (value) =>
    (value.kind === 'list' ? value.items : [value]).map((item) => ({
      exit: numberOf(to.get(item, 'exit')) ?? 0,
      stdout: stringOf(to.get(item, 'stdout')) ?? '',
      stderr: stringOf(to.get(item, 'stderr')) ?? '',
      write: mapOf(to.get(item, 'write')) as Record<string, string>,
    })),
  );
}

function replyOf(node: Node, named: TestCase['named'], to: Checked): Reply {
  nameStep(to.get(node, 'step'), named);
  return present<Reply>({
    step: stringOf(to.get(node, 'step')),
    answer: jsonOf(to.get(node, 'answer')) ?? null,
    note: stringOf(to.get(node, 'note')),
  });
}

function faultOf(node: Node, named: TestCase['named'], to: Conforming): PlannedFault {
  const at = to.get(node, 'at');
  nameStep(at, named);
  const keys = ['crash', 'timeout', 'malformed', 'error'].filter((key) => to.entry(node, key) !== undefined);
  const kinds = keys.flatMap((key) => {
    const value = to.get(node, key);
    return value === undefined || booleanOf(value) === false ? [] : [faultKind(key, value)];
  });
  const [fault] = kinds;
  const hint = 'Give it one of `crash`, `timeout`, `malformed` and `error`.';
  if (keys.length === 0)
    to.report.error('missing-field', headSpan(node), 'a fault has to say what goes wrong', hint);
  if (keys.length > 1)
    to.report.error('field-not-here', headSpan(node), 'a fault is one thing, and this one is several', hint);
  return {
    at: stringOf(at) ?? '',
    fault: fault ?? { kind: 'timeout' },
    times: numberOf(to.get(node, 'times')) ?? 1,
    from: numberOf(to.get(node, 'from')) ?? 1,
  };
}

function faultKind(key: string, value: Node): FaultKind {
  switch (key) {
    case 'crash':
      return { kind: 'crash', when: stringOf(value) === 'announced' ? 'announced' : 'done' };
    case 'malformed':
      return { kind: 'malformed', text: stringOf(value) ?? BROKEN_OFF };
    case 'error': {
      const exit = numberOf(value);
      const kind = choiceOf<'exit' | 'error' | 'rate-limit' | 'overloaded'>(value);
      return { kind: 'error', class: kind ?? 'exit', exit: exit ?? 1 };
    }
    default:
      return { kind: 'timeout' };
  }
}

// ── what must come of it ──

function expectationOf(node: Node | undefined, named: TestCase['named'], to: Checked): Expectation {
  const get = (key: string) => to.get(node, key);
  const [path, outputs, vars] = [get('path'), get('outputs'), get('vars')];
  const [skipped, asked, commits] = [get('skipped'), get('asked'), get('commits')];
  for (const item of itemsOf(path)) if (!ANYTHING.includes(stringOf(item) ?? '')) nameStep(item, named);
  for (const map of [get('steps'), skipped, get('prompts')]) nameKeys(map, named);
  for (const item of itemsOf(asked)) nameStep(to.get(item, 'step'), named);
  return present<Expectation>({
    status: choiceOf<NonNullable<Expectation['status']>>(get('status')),
    exit: numberOf(get('exit')),
    path:
      path &&
      itemsOf(path).map((item) => (ANYTHING.includes(stringOf(item) ?? '') ? '…' : (stringOf(item) ?? ''))),
    steps: mapped(get('steps'), (value) => stepExpectationOf(value, to)),
    outputs: outputs && mapOf(outputs),
    vars: vars && mapOf(vars),
    files: mapped(get('files'), (value) =>
      booleanOf(to.get(value, 'absent')) === true ? { absent: true as const } : textExpectationOf(value, to),
    ),
    skipped: skipped && (mapOf(skipped) as Record<string, string>),
    asked:
      asked &&
      itemsOf(asked).map((item) =>
        present({ step: stringOf(to.get(item, 'step')) ?? '', text: stringOf(to.get(item, 'text')) }),
      ),
    // A text alone is what must be in a prompt, for nobody writes down the whole of one.
    prompts: mapped(get('prompts'), (value) =>
      value.kind === 'scalar'
        ? { contains: [stringOf(value) ?? ''], lacks: [] }
        : textExpectationOf(value, to),
    ),
    commits: commits && itemsOf(commits).flatMap((item) => stringOf(item) ?? []),
    error: stringOf(get('error')),
  });
}

function stepExpectationOf(node: Node, to: Checked): StepExpectation {
  return present<StepExpectation>({
    status: choiceOf<NonNullable<StepExpectation['status']>>(to.get(node, 'status')),
    output: jsonOf(to.get(node, 'output')),
    tries: numberOf(to.get(node, 'tries')),
    exitCode: numberOf(to.get(node, 'exit_code')),
    error: stringOf(to.get(node, 'error')),
  });
}

function textExpectationOf(node: Node, to: Checked): TextExpectation {
  const some = (key: string): string[] => {
    const value = to.get(node, key);
    return (value?.kind === 'list' ? value.items : [value]).flatMap((item) => stringOf(item) ?? []);
  };
  return node.kind === 'scalar'
    ? { equals: stringOf(node) ?? '', contains: [], lacks: [] }
    : { contains: some('contains'), lacks: some('lacks') };
}

// ── nodes ──

function jsonOf(node: Node | undefined) {
  return node === undefined ? undefined : toJson(node);
}

function mapOf(node: Node | undefined): JsonObject {
  return node?.kind === 'map' ? (toJson(node) as JsonObject) : {};
}

function envOf(node: Node | undefined): Record<string, string> {
  return mapped(node, (value) => writtenOf(value) ?? '');
}

function mapped<T>(node: Node | undefined, each: (value: Node) => T): Record<string, T> {
  const made: Record<string, T> = {};
  if (node?.kind === 'map')
    for (const { key, value } of node.entries.values()) setKey(made, key, each(value));
  return made;
}

function nameStep(node: Node | undefined, named: TestCase['named']): void {
  const step = stringOf(node);
  if (node !== undefined && step !== undefined) named.push({ step, at: nodeSpan(node) });
}

function nameKeys(node: Node | undefined, named: TestCase['named']): void {
  if (node?.kind !== 'map') return;
  for (const { key, keyNode } of node.entries.values()) {
    if (key !== '*') named.push({ step: key, at: nodeSpan(keyNode) });
  }
}

import { describe, expect, it } from 'vitest';
import { compileWorkflowTest } from './workflow-test.ts';

const read = (text: string) => compileWorkflowTest({ path: 'ship.test.yaml', text });
const problems = (text: string) => {
  const result = read(text);
  return 'diagnostics' in result
    ? result.diagnostics.map(
        ({ span, code, message, hint }) =>
          `${span?.line}:${span?.column} ${code}: ${message}${hint ? ` | ${hint}` : ''}`,
      )
    : [];
};
const tests = (text: string) => {
  const result = read(text);
  if (!('tests' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.tests;
};

describe('a test file', () => {
  it('LS-TEST-FORMAT: tells all its problems at once, each at its place', () => {
    expect(
      problems(`lockstep_test: 2
workflow: ship
answer: { implement: { text: hi } }
cases:
  - name: one
    git: maybe
    faults: [{ at: plan }, { at: plan, crash: true, timeout: true }, { at: plan, error: tired }]
    expect: { status: finished, exit: 300, steps: { plan: { tries: 0, outptu: 1 } } }
  - name: one
    expect: {}
  - expect: { skipped: [plan] }
`),
    ).toMatchInlineSnapshot(`
      [
        "1:16 out-of-range: \`lockstep_test\` must be a whole number from 1 to 1, not 2",
        "3:1 unknown-field: a test has no field \`answer\` | Did you mean "answers"?",
        "6:10 wrong-type: \`git\` must be true or false, and \`maybe\` is a text",
        "7:16 missing-field: a fault has to say what goes wrong | Give it one of \`crash\`, \`timeout\`, \`malformed\` and \`error\`.",
        "7:30 field-not-here: a fault is one thing, and this one is several | Give it one of \`crash\`, \`timeout\`, \`malformed\` and \`error\`.",
        "7:89 bad-choice: \`error\` must be \`exit\`, \`error\`, \`rate-limit\` or \`overloaded\`, not "tired"",
        "8:23 bad-choice: \`status\` must be \`completed\`, \`failed\`, \`paused\`, \`cancelled\` or \`refused\`, not "finished"",
        "8:39 out-of-range: \`exit\` must be a whole number from 0 to 255, not 300",
        "8:68 out-of-range: \`tries\` must be a whole number of at least 1, not 0",
        "8:71 unknown-field: \`plan\` has no field \`outptu\` | Did you mean "output"?",
        "9:11 duplicate-id: there is another case called "one" | Give it a name of its own.",
        "11:5 missing-field: a case needs \`name\` | A sentence that the case proves.",
        "11:25 wrong-type: \`skipped\` must be a map, and this is a list",
      ]
    `);
  });

  it('merges what its cases share into each of them; a list of the case takes the place of the shared one', () => {
    const [one, two] = tests(`lockstep_test: 1
workflow: ./ship.yaml
inputs: { a: 1, b: 1 }
files: { x: shared, y: shared }
answers: { plan: { text: shared }, fix: { text: shared } }
replies: [{ answer: shared }]
env: { LEVEL: 1 }
skip_checks: true
cases:
  - name: one
    inputs: { b: 2 }
    files: { y: own }
    answers: { plan: [{ text: own }, { text: own again }] }
    replies: []
    skip_checks: false
    expect: {}
  - name: two
    expect: {}
`).cases;
    expect(one).toMatchObject({
      inputs: { a: 1, b: 2 },
      files: { x: 'shared', y: 'own' },
      answers: { plan: [{ text: 'own' }, { text: 'own again' }], fix: [{ text: 'shared' }] },
      replies: [],
      env: { LEVEL: '1' },
      skipChecks: false,
    });
    expect(two).toMatchObject({ inputs: { a: 1, b: 1 }, replies: [{ answer: 'shared' }], skipChecks: true });
  });

  it('reads every kind of fault', () => {
    const [one] = tests(`lockstep_test: 1
workflow: ship
cases:
  - name: one
    faults:
      - { at: a, crash: true }
      - { at: a, crash: announced, from: 2 }
      - { at: a, timeout: true, times: 3 }
      - { at: a, malformed: true }
      - { at: a, malformed: nonsense }
      - { at: 'a.done[0]', error: 7 }
      - { at: a, error: rate-limit }
    expect: {}
`).cases;
    expect(one?.faults).toEqual([
      { at: 'a', fault: { kind: 'crash', when: 'done' }, times: 1, from: 1 },
      { at: 'a', fault: { kind: 'crash', when: 'announced' }, times: 1, from: 2 },
      { at: 'a', fault: { kind: 'timeout' }, times: 3, from: 1 },
      { at: 'a', fault: { kind: 'malformed', text: expect.stringContaining('{') }, times: 1, from: 1 },
      { at: 'a', fault: { kind: 'malformed', text: 'nonsense' }, times: 1, from: 1 },
      { at: 'a.done[0]', fault: { kind: 'error', class: 'exit', exit: 7 }, times: 1, from: 1 },
      { at: 'a', fault: { kind: 'error', class: 'rate-limit', exit: 1 }, times: 1, from: 1 },
    ]);
  });

  it('knows every step that it names, and where; not `*` and `…`', () => {
    const [one] = tests(`lockstep_test: 1
workflow: ship
answers: { "*": { text: ok }, plan: { text: ok } }
cases:
  - name: one
    commands: { 'verify.done[0]': {} }
    replies: [{ step: ask, answer: 1 }]
    skip_steps: [check]
    faults: [{ at: fix, crash: true }]
    expect:
      path: [plan, ..., build, …]
      steps: { a/b: {} }
      skipped: { check: skip-step }
      asked: [{ step: ask }]
      prompts: { plan: x }
`).cases;
    expect(one?.named.map(({ step, at }) => `${step}:${at.line}`)).toEqual([
      'plan:3',
      'verify.done[0]:6',
      'check:8',
      'ask:7',
      'fix:9',
      'plan:11',
      'build:11',
      'a/b:12',
      'check:13',
      'plan:15',
      'ask:14',
    ]);
  });
});

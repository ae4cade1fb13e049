import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed, rehearse } from '../../test/support/rehearsal.ts';
import { gate, gates, workflow } from '../../test/support/workflow.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { issueText, openIssues, unclear } from './review.ts';

interface Issue {
  severity: string;
  description: string;
  file?: string;
  line?: number;
  fixInstructions?: string;
}

const issue = (fields: Partial<Issue> = {}): JsonObject => ({
  severity: 'important',
  description: 'x is unused',
  file: 'a.js',
  line: 3,
  fixInstructions: 'Remove it.',
  ...fields,
});
const says = (issues: JsonObject[], more: JsonObject = {}): JsonObject => ({
  assessment: issues.length > 0 ? 'needs_revision' : 'approved',
  issues,
  strengths: [],
  hasActionableIssues: issues.length > 0,
  ...more,
});

/** What gates that say these things say as one. */
function together(said: Record<string, Json>): JsonObject {
  const flow = workflow([
    gates(
      'reviews',
      Object.keys(said).map((name) => gate(name)),
    ),
  ]);
  const replies = Object.fromEntries(
    Object.entries(said).map(([name, output]) => [`reviews/${name}`, { outcome: { output } }]),
  );
  const gathered = rehearse(flow, { replies }).entries.find((entry) => entry.kind === 'reviews-gathered');
  return gathered?.kind === 'reviews-gathered' ? gathered.output : {};
}

describe('V1: what is one issue', () => {
  it('LS-GATE-ONE-ISSUE: same file, line and description, whatever the letters and punctuation: both gates are named, the worst severity holds, both instructions are kept', () => {
    const review = together({
      security: says([issue({ severity: 'minor', description: 'X  is unused!' })]),
      style: says([issue({ severity: 'critical', file: './a.js', fixInstructions: 'Use it.' })]),
    });
    expect(review.issues).toEqual([
      {
        ...issue({
          severity: 'critical',
          description: 'X  is unused!',
          fixInstructions: 'Remove it.\nUse it.',
        }),
        foundBy: 'security, style',
      },
    ]);
  });

  it.each([
    ['another file', { file: 'b.js' }],
    ['another line', { line: 4 }],
    ['no line', { line: undefined }],
    ['another description', { description: 'y is unused' }],
  ])('%s is another issue', (_, other) => {
    const second = Object.fromEntries(
      Object.entries({ ...issue(), ...other }).filter(([, value]) => value !== undefined),
    );
    expect(together({ a: says([issue()]), b: says([second]) }).issues).toHaveLength(2);
  });

  it('what differs in its operators is not one', () => {
    const [one, other] = ['Use == here, not !=!', 'Use != here, not ==!'].map((description) =>
      issue({ description }),
    );
    expect(together({ a: says([one ?? {}]), b: says([other ?? {}]) }).issues).toHaveLength(2);
  });

  it('two issues that say nothing are not one', () => {
    const nothing = issue({ description: '' });
    expect(together({ a: says([nothing, nothing]) }).issues).toHaveLength(2);
  });

  it('instructions that say the same are kept once', () => {
    const review = together({
      a: says([issue()]),
      b: says([issue({ fixInstructions: 'remove it' })]),
      c: says([issue({ fixInstructions: '' })]),
    });
    expect(review.issues).toMatchObject([{ fixInstructions: 'Remove it.', foundBy: 'a, b, c' }]);
  });
});

describe('LS-GATE-COMPUTED: the verdict', () => {
  it('is made of the issues, never the word of an agent', () => {
    const lies = { assessment: 'approved', hasActionableIssues: false };
    expect(together({ a: { ...says([issue({ severity: 'critical' })]), ...lies } })).toMatchObject({
      assessment: 'needs_revision',
      hasActionableIssues: true,
      gates: [{ gate: 'a', status: 'done', assessment: 'needs_revision', issues: 1 }],
    });
    const fusses = { assessment: 'needs_revision', hasActionableIssues: true };
    expect(together({ a: { ...says([issue({ severity: 'minor' })]), ...fusses } })).toMatchObject({
      assessment: 'approved',
      hasActionableIssues: false,
      actionableIssues: [],
    });
  });

  it('of a gate that objects to nothing in particular and was accepted by a person says so', () => {
    expect(together({ a: says([], { assessment: 'needs_revision' }) })).toMatchObject({
      gates: [{ gate: 'a', why: 'it objects and names nothing to mend; a person took it as it is' }],
    });
    expect(together({ a: says([]) }).gates).toEqual([
      { gate: 'a', status: 'done', assessment: 'approved', issues: 0 },
    ]);
  });

  it('V2: a severity that nobody knows counts as important', () => {
    expect(together({ a: says([issue({ severity: 'nitpick' })]) })).toMatchObject({
      assessment: 'needs_revision',
      actionableIssues: [{ severity: 'important' }],
    });
  });

  it('V2: a gate that could not look is an issue of its own', () => {
    const steps = [gates('reviews', [gate('a', {}, { onFail: 'continue' }), gate('b')])];
    const played = rehearse(workflow(steps, { outputs: { review: '{{ steps.reviews.output }}' } }), {
      replies: { 'reviews/a': failed(1, 'it broke'), 'reviews/b': { outcome: { output: says([]) } } },
    });
    expect(played.state.outputs.review).toMatchObject({
      assessment: 'needs_revision',
      actionableIssues: [{ severity: 'important', foundBy: 'a' }],
      gates: [
        { gate: 'a', status: 'failed', issues: 0, why: 'it broke' },
        { gate: 'b', status: 'done' },
      ],
    });
  });

  it('holds whatever the gates say: actionable are exactly the critical and important, worst first, nothing is lost', () => {
    const severity = fc.constantFrom('critical', 'important', 'minor');
    const text = fc.constantFrom('One.', 'one', 'TWO', 'two!', 'three');
    const any = fc.record({ severity, description: text, file: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(fc.array(any, { maxLength: 4 }), { minLength: 1, maxLength: 3 }), (lists) => {
        const said = Object.fromEntries(lists.map((issues, index) => [`g${index}`, says(issues)]));
        const review = together(said) as unknown as {
          issues: Issue[];
          actionableIssues: Issue[];
          assessment: string;
        };
        const key = ({ file, description }: Issue) =>
          `${file} ${description.toLowerCase().replace(/\W/g, '')}`;
        const keys = lists.flat().map(key);
        expect(new Set(review.issues.map(key))).toEqual(new Set(keys));
        expect(review.issues).toHaveLength(new Set(keys).size);
        expect(review.actionableIssues).toEqual(review.issues.filter((one) => one.severity !== 'minor'));
        expect(review.assessment).toBe(review.actionableIssues.length > 0 ? 'needs_revision' : 'approved');
        const ranks = review.issues.map((one) => ['critical', 'important', 'minor'].indexOf(one.severity));
        expect(ranks).toEqual([...ranks].sort());
      }),
    );
  });
});

it('strengths and test coverage are gathered: adequate only if all say so', () => {
  const review = together({
    a: says([], { strengths: ['Short.'], testCoverage: { adequate: true, notes: 'All of it.' } }),
    b: says([], { strengths: ['Short.', 'Clear.'], testCoverage: { adequate: false } }),
  });
  expect(review).toMatchObject({
    strengths: ['Short.', 'Clear.'],
    testCoverage: { adequate: false, notes: 'All of it.' },
  });
});

it.each<{ output: Json }>(
  [
    null,
    'text',
    [],
    { approved: true },
    { issues: 'none' },
    { issues: ['critical: injection'] },
    { issues: [1, null] },
  ].map((output) => ({ output: output as Json })),
)('V2: what is no review ($output) never approves, whoever let it pass', ({ output }) => {
  expect(together({ a: output, b: says([]) })).toMatchObject({
    assessment: 'needs_revision',
    hasActionableIssues: true,
    actionableIssues: [
      {
        severity: 'important',
        foundBy: 'a',
        description: expect.stringContaining('its answer is no review'),
      },
    ],
    gates: [
      { gate: 'a', assessment: 'needs_revision', issues: 0, why: 'its answer is no review' },
      { gate: 'b', assessment: 'approved' },
    ],
  });
  expect(unclear(output)).toContain('`issues` must be a list of objects');
});

it('V2: what a gate names as actionable counts, also where its issues leave it out', () => {
  const both = says([issue(), issue({ severity: 'minor', line: 9 })], {
    actionableIssues: [issue(), issue({ severity: 'critical', line: 9 }), issue({ line: 7 })],
  });
  expect(together({ a: both })).toMatchObject({
    actionableIssues: [
      { line: 9, severity: 'critical', foundBy: 'a' },
      { line: 3, severity: 'important' },
      { line: 7, severity: 'important' },
    ],
  });
});

it.each<[string, JsonObject, string | undefined]>([
  ['needs_revision', { assessment: 'needs_revision' }, 'You say needs_revision'],
  ['something actionable', { hasActionableIssues: true }, 'You say hasActionableIssues'],
  ['an actionable list of words', { actionableIssues: ['injection'] }, 'You say actionableIssues'],
  ['thin tests', { testCoverage: { adequate: false } }, 'the test coverage is not adequate'],
  ['nothing', { testCoverage: { adequate: true }, actionableIssues: [] }, undefined],
])('LS-GATE-SENT-BACK: an objection without an issue is asked about: %s', (_, fields, words) => {
  const said = unclear(says([], fields));
  if (words === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(words);
  expect(unclear({ ...says([], fields), issues: [issue()] })).toBeUndefined();
});

it('V4: what nobody looked at is not approved', () => {
  const steps = [gates('reviews', [gate('deep', { run: 'manual' }), gate('sql', { run: 'changed-files' })])];
  const flow = workflow(steps, { outputs: { review: '{{ steps.reviews.output }}' } });
  expect(rehearse(flow).state.outputs.review).toMatchObject({
    assessment: 'not_reviewed',
    hasActionableIssues: false,
    issues: [],
  });
});

it('what is open is read off reviews of any kind', () => {
  expect(openIssues({ actionableIssues: [issue()] })).toEqual([issue()]);
  expect(openIssues({ issues: [issue(), issue({ severity: 'minor' })] })).toEqual([issue()]);
  for (const value of [undefined, null, 'x', {}]) expect(openIssues(value)).toBeUndefined();
  expect(issueText({ ...issue(), foundBy: 'style' })).toBe('important a.js:3: x is unused (style)');
  expect(issueText({ message: 'm' })).toBe('issue: m');
});

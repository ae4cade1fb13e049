import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { nativeOf, said, stepsOf, translated } from './fixtures/sample-translation.ts';
import { documentShape, STEPS } from './grammar.ts';

const flow = (steps: string, head = '') => `id: w\n${head}steps:\n${steps}`;

describe('RAIL-FIELDS: the fields of a file', () => {
  it('an unknown one is an error, at its place, with what was meant; all of them are told at once', () => {
    const text = flow(
      [
        '  - { id: a, promt: x }',
        '  - { id: b, prompt: x, runConditon: { var: x } }',
        '  - { id: c, type: loop, loop: { type: while, maxIteration: 2, condition: { var: x } }, body: [{ id: d, prompt: x, when: y }] }',
        '  - { id: e, type: lop, prompt: x }',
        '  - { id: f, prompt: x, promptBlocks: { goal: y } }',
        '  - { id: g, prompt: x, outputContract: { contract: y } }',
      ].join('\n'),
      'metaGuidence: [x]\n',
    );
    expect(said(text).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'unknown-field 2:1',
      'unknown-field 4:14',
      'unknown-field 5:25',
      'unknown-field 6:47',
      'unknown-field 6:116',
      'bad-choice 7:20',
      'two-verbs 8:7',
      'unknown-field 9:43',
      'missing-field 9:43',
    ]);
  });

  it('one that is known and means nothing here is a warning, and the file loads', () => {
    const ignored =
      'tags tips autoRecognitionPatterns about examples metricsProfile modelTier validatedAgainstSpecVersion extensionPoints';
    for (const field of ignored.split(' '))
      expect(said(flow('  - { id: a, prompt: x }', `${field}: [x]\n`))).toEqual([
        expect.stringMatching(new RegExp(`^warning field-ignored 2:1 \`${field}\` has no effect here: `)),
      ]);
    for (const field of ['modelTier', 'hasValidation', 'audit', 'functionCalls'])
      expect(said(flow(`  - { id: a, prompt: x, ${field}: x }`))[0]).toMatch(/^warning field-ignored 3:25/);
  });

  it('what nobody reads on a loop or a call is told of; what would check something there is an error', () => {
    const loop = (field: string) =>
      said(
        flow(
          `  - { id: l, type: loop, ${field}, loop: { type: for, count: 1 }, body: [{ id: a, prompt: x }] }`,
        ),
      );
    expect(loop('prompt: x')[0]).toMatch(/^warning field-ignored .*only the steps inside/);
    expect(loop('guidance: [x]')[0]).toMatch(/^warning field-ignored /);
    expect(loop('validationCriteria: [{ type: contains, value: x }]')[0]).toMatch(/^unknown-field /);
    expect(loop('verification: { command: x }')[0]).toMatch(/^unknown-field /);
  });

  it('every one of them is in the table, and no other', () => {
    const names = (shape: unknown) =>
      Object.keys((shape as { fields: object }).fields)
        .sort()
        .join(' ');
    expect(names(documentShape)).toBe(
      'about assessments autoRecognitionPatterns clarificationPrompts description examples extensionPoints features functionDefinitions id metaGuidance metricsProfile modelTier name preconditions recommendedPreferences references steps tags tips validatedAgainstSpecVersion version',
    );
    expect(names(STEPS.prompt)).toBe(
      'agentRole askForFiles assessmentConsequences assessmentRefs audit expectedOutput functionCalls functionDefinitions functionReferences guidance hasValidation id modelTier notesOptional outputContract prompt promptBlocks promptFragments requireConfirmation runCondition title type validationCriteria validationPrompt verification',
    );
    expect(names(STEPS.loop)).toBe(
      'agentRole askForFiles audit body functionDefinitions functionReferences guidance hasValidation id loop modelTier prompt requireConfirmation runCondition title type',
    );
  });

  it('names that nothing has are told: phrases, features, assessments, steps, contracts', () => {
    const text = flow(
      [
        '  - { id: a, promptBlocks: { goal: [{ kind: ref, refId: wr.refs.nothing }] } }',
        '  - { id: b, prompt: x, assessmentRefs: [ready] }',
        '  - { id: c, type: loop, loop: { type: for, count: 1 }, body: aa }',
        '  - { id: d, prompt: x, outputContract: { contractRef: wr.contracts.nothing } }',
      ].join('\n'),
      'features: [wr.features.nothing]\n',
    );
    expect(
      said(text)
        .map((line) => line.replace(/ \d.*/, ''))
        .sort(),
    ).toEqual([
      'unknown-name',
      'unknown-step',
      'warning contract-unknown',
      'warning unresolved-phrase',
      'warning unresolved-phrase',
    ]);
  });

  it('a loop says what ends it', () => {
    const loop = (fields: string) =>
      said(flow(`  - { id: l, type: loop, loop: { ${fields} }, body: [{ id: a, prompt: x }] }`));
    expect(loop('type: while, maxIterations: 2')[0]).toMatch(/^missing-field .*no `condition` that ends it/);
    expect(loop('type: for')[0]).toMatch(/^missing-field .*needs `count`/);
    expect(loop('type: forEach')[0]).toMatch(/^missing-field .*needs `items`/);
    expect(loop('type: while, conditionSource: { kind: artifact_contract }')[0]).toMatch(/^loop-decision /);
    expect(loop('type: sometimes')[0]).toMatch(/^bad-choice /);
  });

  it('templates are workrail workflows that are there, and call each other in no circle', () => {
    const call = (name: string) => `{ id: c, templateCall: { templateId: wr.templates.${name} } }`;
    const files = {
      native: 'lockstep: 1\nname: native\nsteps: [{ id: a, run: x }]',
      a: flow(`  - ${call('b')}`),
      b: flow(`  - ${call('a')}`),
    };
    expect(said(flow(`  - ${call('native')}`), files)[0]).toMatch(/^template-unreadable 3:/);
    expect(said(flow(`  - ${call('a')}`), files)[0]).toMatch(/^workflow-circle .*circle: a → b → a/);
  });
});

describe('RAIL-DETECT: a workrail file', () => {
  it('keeps its ids where ours may have them, and as a label where they differ', () => {
    const [step, other] = stepsOf('  - { id: wr.step.one, prompt: x }\n  - { id: wr-step-one, prompt: x }');
    expect([step?.id, step?.labels]).toEqual(['wr-step-one', { id: 'wr.step.one' }]);
    expect([other?.id, other?.labels]).toEqual(['wr-step-one_2', { id: 'wr-step-one' }]);
  });

  it('is called by its id, and described by its name and description', () => {
    expect(
      nativeOf(
        'id: wr.coding\nname: Coding\ndescription: Codes.\nversion: 1.0.0\nsteps: [{ id: a, prompt: x }]',
      ),
    ).toMatchObject({
      lockstep: 1,
      name: 'wr-coding',
      description: 'Coding: Codes.',
    });
  });

  it('RAIL-PREFERENCES: has the preferences of a run as inputs, with what the file recommends', () => {
    const head =
      'recommendedPreferences: { recommendedAutonomy: full_auto_never_stop, recommendedRiskPolicy: aggressive }\n';
    const { inputs } = nativeOf(flow('  - { id: a, prompt: x }', head)) as {
      inputs: Record<string, JsonObject>;
    };
    expect([inputs.autonomy?.default, inputs.risk?.default]).toEqual(['full_auto_never_stop', 'aggressive']);
    const plain = nativeOf(flow('  - { id: a, prompt: x }')) as { inputs: Record<string, JsonObject> };
    expect([plain.inputs.autonomy?.default, plain.inputs.risk?.default]).toEqual(['guided', 'conservative']);
  });

  it('RAIL-CONTEXT: declares every name that it reads, and no other', () => {
    const text = flow(
      [
        "  - { id: a, prompt: '{{one.deep}} {{goal}} {{wr.x}} {{item}}', requireConfirmation: { var: two, equals: 1 } }",
        '  - { id: l, type: loop, loop: { type: forEach, items: three, itemVar: item }, body: [{ id: b, prompt: "{{item}}", runCondition: { var: a.b } }] }',
        '  - { id: f, type: loop, loop: { type: for, count: four }, body: [{ id: c, prompt: "{{currentIteration}}" }] }',
      ].join('\n'),
      "metaGuidance: ['{{five}}']\n",
    );
    expect(Object.keys(nativeOf(text).vars as JsonObject).sort()).toEqual([
      'five',
      'four',
      'item',
      'one',
      'three',
      'two',
    ]);
  });
});

describe('RL1: whatever stands there', () => {
  const word = fc.constantFrom(
    '',
    'a',
    'x y',
    '{{a.b}}',
    '{{',
    '{%',
    '{arg}',
    'wr.contracts.loop_control',
    '__proto__',
    'constructor',
    '🙂',
    '\ud800',
  );
  const leaf: fc.Arbitrary<Json> = fc.oneof(
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const fields = [
    ...new Set(
      [documentShape, ...Object.values(STEPS)].flatMap((shape) =>
        Object.keys((shape as { fields: object }).fields),
      ),
    ),
    ...'type items count condition var equals in and or not when text kind refId contractRef templateId args workflowId goal dimensions levels'.split(
      ' ',
    ),
  ];
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 5 }),
    ),
  })).value;

  it('it is translated or told, and nothing throws; the same text gives the same', () => {
    const document = fc.record({
      id: word,
      metaGuidance: json,
      references: json,
      recommendedPreferences: json,
      steps: fc.array(
        fc.oneof(
          json,
          fc
            .dictionary(fc.constantFrom(...fields), json, { maxKeys: 6 })
            .map((step) => ({ id: 's', prompt: 'x', ...step })),
          fc.record({ id: word, type: fc.constant('loop'), loop: json, body: json }),
        ),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(document, (one) => {
        const text = JSON.stringify(one);
        const first = translated(text);
        expect(JSON.stringify(translated(text).problems)).toBe(JSON.stringify(first.problems));
      }),
      { numRuns: tries(300, 100) },
    );
  });
});

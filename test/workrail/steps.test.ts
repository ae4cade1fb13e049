// What a workrail step means, seen from outside: claims, texts, confirmations, contracts, criteria, commands.

import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { claim, type Walk, type WalkOptions, walk } from './walk.ts';

const open: Walk[] = [];
function walked(steps: string, options: WalkOptions = {}, head = ''): Walk {
  const one = walk(`id: w\n${head}steps:\n${steps}\n`, options);
  open.push(one);
  return one;
}
afterEach(() => {
  for (const { project } of open.splice(0)) project.remove();
});
const reasons = (one: Walk) => one.entries('work-rejected').flatMap((entry) => entry.reasons as string[]);

describe('RAIL-CLAIM: a claim', () => {
  it('without notes is sent back, and so is one that is only a text, unless the notes are optional', () => {
    const one = walked(
      `
  - { id: a, prompt: Do it. }
  - { id: b.tick, prompt: Tick it., notesOptional: true }`,
      {
        answers: {
          a: [{ output: { context: {} } }, { output: { notesMarkdown: '  \n' } }, { text: 'Done!' }, claim()],
          'b-tick': { output: {} },
        },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.entries('work-rejected').map(({ path }) => path)).toEqual(['a', 'a', 'a']);
    expect(one.entries('work-accepted').map(({ path }) => path)).toEqual(['a', 'b-tick']);
  });

  it('RAIL-CONTEXT: changes the context when it is accepted, and not when it is sent back', () => {
    const one = walked(
      `
  - { id: a, prompt: Do it., validationCriteria: [{ type: contains, value: DONE }] }
  - { id: b, prompt: 'size {{size}}, other {{other}}, {{__proto__}} {{constructor}}' }
  - { id: c, prompt: Only if large., runCondition: { var: size, equals: Large } }`,
      {
        answers: {
          a: [
            claim({ size: 'Large', other: 1 }),
            {
              output: {
                notesMarkdown: 'DONE',
                context: JSON.parse('{"size":"Small","unread":{"deep":[1]},"__proto__":{"polluted":true}}'),
              },
            },
          ],
        },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompt('b')).toBe('size Small, other [unset: other], {"polluted":true} [unset: constructor]');
    expect(one.prompted()).toEqual(['a', 'b']);
    expect(one.vars()).toMatchObject({ size: 'Small', unread: { deep: [1] } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('RAIL-TRIES: goes back twenty times, and then a person is asked', () => {
    const one = walked('  - { id: a, prompt: Do it. }', {
      answers: { a: { output: { notesMarkdown: '' } } },
    });
    expect(one.ended.exitCode).toBe(3);
    expect(one.entries('work-rejected')).toHaveLength(20);
    expect(one.asked()).toEqual(['a']);
  });
});

describe('RAIL-TEXT: the text of a prompt', () => {
  it('has what is set, `[unset: …]` for what is not, the length of a list, and leaves other braces alone', () => {
    const one = walked(
      `
  - { id: a, prompt: x }
  - id: b
    prompt: |-
      {{ plan.title }} {{plan.owner.name}} {{slices.length}} {{gone.length}} {{goal}}
      {{wr.bindings.x}} {{#each y}} {{ 1 + 1 }} {% raw %} {single} {{{plan.title}}}`,
      {
        answers: { a: claim({ plan: { title: 'T {{goal}} {% if %}' }, slices: [1, 2, 3] }) },
        options: ['--input', 'goal=Go on'],
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompt('b')).toBe(
      'T {{goal}} {% if %} [unset: plan.owner.name] 3 [unset: gone.length] Go on\n' +
        '{{wr.bindings.x}} {{#each y}} {{ 1 + 1 }} {% raw %} {single} {T {{goal}} {% if %}}',
    );
  });

  it('RAIL-FRAGMENTS: has the fragments whose condition holds, in their order', () => {
    const one = walked(
      `
  - { id: a, prompt: x }
  - id: b
    prompt: Base.
    promptFragments:
      - { id: one, when: { var: mode, equals: QUICK }, text: Quick. }
      - { id: two, when: { var: mode, in: [STANDARD, THOROUGH] }, text: 'Not quick: {{mode}}.' }
      - { id: three, text: Always. }`,
      { answers: { a: claim({ mode: 'thorough' }) } },
    );
    const lines = one
      .prompt('b')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toEqual(['Base.', 'Not quick: thorough.', 'Always.']);
  });

  it('RAIL-BLOCKS: is made of blocks, with the texts that they name', () => {
    const one = walked(
      `
  - id: b
    agentRole: A reader.
    guidance: [Take your time.]
    promptBlocks:
      goal: [{ kind: text, text: Find it. }]
      constraints: [Change nothing., [{ kind: ref, refId: wr.refs.notes_first_durability }]]
      procedure: [Look., Look again.]
      outputRequired: { findings: what you found, places: [{ kind: text, text: where }] }
      verify: Read it once more.
    validationPrompt: Is it true?
    expectedOutput: A list.
    askForFiles: true
    functionReferences: [look()]`,
      {},
      'functionDefinitions: [{ name: look, definition: open the file }]\npreconditions: [A repository.]\nclarificationPrompts: [For whom?]\n',
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    const text = one.prompt('b');
    expect(text).toContain('Your role: A reader.\n\nThis workflow counts on:\n- A repository.\n\n');
    expect(text).toContain(
      'ask only for the rest:\n- For whom?\n\n## Goal\nFind it.\n\n## Constraints\n- Change nothing.\n- Put what matters into your notes',
    );
    expect(text).toContain(
      '## Procedure\n1. Look.\n2. Look again.\n\n## What to hand in\n- `findings`: what you found\n- `places`: where\n\n## Before you hand it in\nRead it once more.',
    );
    expect(text).toContain(
      'Guidance:\n- Take your time.\n\nWhat these words mean:\n- look: open the file\n\n',
    );
    expect(text).toContain('What is wanted: A list.\n\nIf files');
    expect(text).toContain('Before you hand it in: Is it true?');
  });
});

describe('RAIL-CONFIRM: a confirmation', () => {
  const STEPS = `
  - { id: a, title: One, prompt: x, requireConfirmation: { var: size, equals: Large } }
  - { id: b, title: Two, prompt: x, requireConfirmation: true }
  - { id: c, title: Three, prompt: x, requireConfirmation: { kind: human_approval, condition: { var: risk, equals: High } } }
  - { id: d, title: Four, prompt: x, requireConfirmation: { kind: coordinator_eval } }
  - { id: e, title: Five, prompt: x, requireConfirmation: { var: size, equals: Small } }`;
  const answers = {
    a: claim({ size: 'large', autonomy: 'full_auto_never_stop', inputs: {} }),
    c: claim({ risk: 'High' }),
  };
  const agreedTo = (one: Walk) =>
    one
      .entries('attempt-finished')
      .filter(({ part }) => String(part).startsWith('exit'))
      .map(({ outcome }) => (outcome as JsonObject).output);

  it('guided: all whose condition holds are asked for, after the work, with what the step itself set', () => {
    const one = walked(STEPS, { answers });
    expect(one.ended.exitCode).toBe(3);
    expect(one.ended.stdout).toContain('Is "One" right, and may it go on?');
    expect(one.agree()).toBe(4);
    expect(one.asked()).toEqual(['a', 'b', 'c', 'd']);
    expect(agreedTo(one)).toEqual([]);
  });

  it('full_auto_stop_on_user_deps: only those that a person must decide; the others are on record', () => {
    const one = walked(STEPS, { answers, options: ['--input', 'autonomy=full_auto_stop_on_user_deps'] });
    one.agree();
    expect(one.asked()).toEqual(['c']);
    expect(agreedTo(one)).toEqual(
      ['One', 'Two', 'Four'].map((title) => `Agreed by preference (full_auto_stop_on_user_deps): ${title}`),
    );
  });

  it('full_auto_never_stop: none, and each is on record; the preference may be the file’s, and never the agent’s', () => {
    const head = 'recommendedPreferences: { recommendedAutonomy: full_auto_never_stop }\n';
    const one = walked(STEPS, { answers }, head);
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.asked()).toEqual([]);
    expect(agreedTo(one)).toHaveLength(4);
    const asked = walked(STEPS, { answers, options: ['--input', 'autonomy=guided'] }, head);
    expect(asked.asked()).toEqual(['a']);
    expect(walked(STEPS, { options: ['--input', 'autonomy=never'] }).ended.exitCode).toBe(2);
  });

  it('that is refused sends the work back with what the person said', () => {
    const one = walked('  - { id: a, prompt: x, requireConfirmation: true }');
    one.project.lockstep('answer', 'latest', 'reject', '--note', 'Too long.');
    expect(reasons(one).join()).toContain('Too long.');
    expect(one.asked()).toEqual(['a', 'a']);
  });
});

describe('RAIL-CONTRACTS: an output contract', () => {
  it('asks for an artifact of its kind, and says which where it is missing', () => {
    const one = walked(
      `
  - { id: a, prompt: Review it., outputContract: { contractRef: wr.contracts.review_verdict } }
  - { id: b, prompt: Review it., outputContract: { contractRef: wr.contracts.gate_verdict, required: false } }
  - { id: c, prompt: Review it., outputContract: { contractRef: wr.contracts.my_own } }`,
      {
        answers: {
          a: [
            claim({}, ['text', null, { kind: 'wr.other' }]),
            claim({}, [{ kind: 'wr.review_verdict', verdict: 'clean' }]),
          ],
          c: claim({}, [{ kind: 'wr.my_own' }]),
        },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.ended.stderr).toContain('warning[contract-unknown]');
    expect(reasons(one)).toEqual(['Hand in an artifact of the kind "wr.review_verdict".']);
    expect(one.prompt('a')).toContain('Hand in an artifact of the kind `wr.review_verdict`.');
  });
});

describe('RAIL-CRITERIA: validation criteria', () => {
  it('say what the notes must contain, match, and be long; joined by and, or, not, and only under a condition', () => {
    const notes = (text: string, context: JsonObject = {}) => ({ output: { notesMarkdown: text, context } });
    const one = walked(
      `
  - id: a
    prompt: x
    validationCriteria:
      - { type: contains, value: DONE, message: Say DONE. }
      - { type: regex, pattern: '^ok', flags: im }
      - { type: length, min: 8, max: 40 }
      - { or: [{ type: contains, value: red }, { not: { type: contains, value: blue } }], message: 'Red, or not blue.' }
      - { type: contains, value: tested, condition: { var: size, equals: Large } }
  - id: b
    prompt: x
    validationCriteria: { and: [{ type: contains, value: '1' }, { type: contains, value: '2' }] }`,
      {
        answers: {
          a: [
            notes('blue'),
            notes('DONE\nOK, blue and red', { size: 'large' }),
            notes('DONE\nOK, tested, blue and red', { size: 'large' }),
          ],
          b: [notes('1'), notes('1 2')],
        },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(reasons(one)).toEqual([
      'Say DONE.',
      'The notes must match ^ok.',
      'The notes must have 8 characters or more, and 40 at most.',
      'Red, or not blue.',
      'The notes must contain "tested".',
      'The notes must contain "1". The notes must contain "2".',
    ]);
  });

  it('say what the notes are as JSON', () => {
    const schema = {
      type: 'object',
      required: ['items'],
      properties: {
        items: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'integer' }, level: { enum: ['a', 'b'] } },
          },
        },
      },
    };
    const notes = (value: unknown) => ({
      output: { notesMarkdown: typeof value === 'string' ? value : JSON.stringify(value) },
    });
    const one = walked(
      `  - { id: a, prompt: x, validationCriteria: [{ type: schema, schema: ${JSON.stringify(schema)} }] }`,
      {
        answers: {
          a: [
            'no JSON',
            {},
            { items: [] },
            { items: [{ id: 'x' }] },
            { items: [{ id: 1, level: 'c' }] },
            { items: [{ id: 1, level: 'b' }, { id: 2 }] },
          ].map(notes),
        },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.entries('work-rejected')).toHaveLength(5);
  });
});

describe('RAIL-ASSESSMENTS: assessments', () => {
  it('are handed in with a level for every dimension, and a bad one asks for more work', () => {
    const assessment = (dimensions: JsonObject) =>
      claim({}, [{ kind: 'wr.assessment', assessmentId: 'ready', dimensions }]);
    const one = walked(
      `
  - id: a
    prompt: x
    assessmentRefs: [ready]
    assessmentConsequences: [{ when: { anyEqualsLevel: low }, effect: { kind: require_followup, guidance: Look again. } }]`,
      {
        answers: {
          a: [
            claim(),
            assessment({ scope: 'high' }),
            assessment({ scope: 'high', risk: 'huge' }),
            assessment({ scope: 'Low', risk: 'high' }),
            assessment({ scope: 'high', risk: { level: 'high', why: 'small' } }),
          ],
        },
      },
      'assessments: [{ id: ready, dimensions: [{ id: scope, levels: [low, high] }, { id: risk, levels: [low, high] }] }]\n',
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(reasons(one).map((reason) => reason.slice(0, 11))).toEqual([
      'Hand in an ',
      'Hand in an ',
      'Hand in an ',
      'Look again.',
    ]);
  });
});

describe('RAIL-VERIFY: verification.command', () => {
  it('is run by the engine, and the work goes back until it ends with 0', () => {
    const one = walked(
      "  - { id: a, prompt: Write it., verification: { command: 'grep -q done result.txt' } }",
      {
        answers: { a: [claim(), { ...claim(), write: { 'result.txt': 'done' } }] },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(reasons(one).join()).toContain('`grep -q done result.txt` ended with exit code 2');
  });
});

describe('RAIL-DELEGATE: parallel delegations', () => {
  it('are workflows that run one by one, and their notes reach the step that brings them together', () => {
    const one = walked(
      `
  - { id: a, prompt: x }
  - id: research
    title: Research
    parallelDelegations:
      - { workflowId: routine-context-gathering, goal: 'Find {{topic}}', args: { focus: DEPTH }, contextMapping: { files: candidateFiles } }
      - { workflowId: routine-plan-analysis, runCondition: { var: topic, equals: plans } }
    synthesis: Put it together.
  - { id: c, prompt: 'Found {{found}}' }`,
      {
        answers: {
          a: claim({ topic: 'parsers', candidateFiles: ['a.ts'] }),
          report: { output: { notesMarkdown: 'The parser is in a.ts.' } },
          synthesis: claim({ found: 'it' }),
        },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual([
      'a',
      'research/delegations/routine-context-gathering/gather',
      'research/delegations/routine-context-gathering/report',
      'research/synthesis',
      'c',
    ]);
    expect(one.prompt('research/synthesis')).toMatch(
      /^Put it together\.\n\nWhat came back:\n.*The parser is in a\.ts\./,
    );
    expect(one.prompt('c')).toBe('Found it');
    const called = one.entries('workflow-called')[0] as { inputs: JsonObject };
    expect(called.inputs.goal).toBe('Find parsers\n\nGiven:\n- files: ["a.ts"]\n- focus: DEPTH');
  });
});

describe('RAIL-TEMPLATE: a call of a template', () => {
  const template =
    'id: routine-look\nmetaGuidance: [Look twice.]\nsteps:\n  - { id: look, prompt: "Look at {thing} of {{owner}} {other}", requireConfirmation: { var: odd, equals: true } }\n';
  it('has the steps of the template in its place, with its words filled in', () => {
    const one = walked(
      `
  - { id: a, prompt: x }
  - { id: b, title: Mine, templateCall: { templateId: wr.templates.routine.look, args: { thing: 'the {{part}}' } }, runCondition: { var: part, not_equals: none } }
  - { id: c, templateCall: { templateId: wr.templates.routine.look }, runCondition: { var: part, equals: none } }`,
      {
        answers: { a: claim({ part: 'top', owner: 'Ada' }) },
        files: { '.lockstep/workflows/routine-look.yaml': template },
      },
    );
    expect(one.ended.exitCode, one.ended.stderr).toBe(0);
    expect(one.prompted()).toEqual(['a', 'b']);
    expect(one.prompt('b')).toBe('Look at the top of Ada {other}');
    expect(one.project.lockstep('convert', 'w.yaml').stdout).toContain('- Look twice.');
  });
});

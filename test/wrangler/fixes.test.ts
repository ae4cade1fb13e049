// What the original is known to have got wrong, each by its name, from outside.

import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { journal } from '../cli/started.ts';
import { type Small, type SmallOptions, small } from './small-project.ts';

let made: Small[] = [];
const play = (phases: string, options?: SmallOptions) => {
  const one = small(phases, options);
  made.push(one);
  return one;
};
afterEach(() => {
  for (const { project } of made) project.remove();
  made = [];
});

const said = ({ ended }: Small) => ended.stdout + ended.stderr;
const skipped = ({ project }: Small) =>
  journal(project).flatMap(({ kind, path }) => (kind === 'step-skipped' ? String(path) : []));

describe('failWhen', () => {
  const phases = `
  - { name: verify, agent: looker, prompt: look, output: verification, failWhen: verification.testSuite.exitCode != 0 }
  - { name: publish, prompt: do }
`;
  it('LS-WRFIX-FAILWHEN: is obeyed in version 2 too: nothing is published over failing tests', () => {
    const failing = play(phases, { answers: { verify: { output: { testSuite: { exitCode: 1 } } } } });
    expect(failing.ended.exitCode, said(failing)).toBe(1);
    expect(failing.started).toEqual(['verify']);
    expect(said(failing)).toContain('failWhen: verification.testSuite.exitCode != 0');
    const passing = play(phases, { answers: { verify: { output: { testSuite: { exitCode: 0 } } } } });
    expect([passing.ended.exitCode, passing.started]).toEqual([0, ['verify', 'publish']]);
  });

  it('LS-WRFIX-FAILWHEN-KIND: data of another kind than it asks about fails it too', () => {
    const step = (failWhen: string) =>
      `  - { name: verify, agent: looker, prompt: look, output: v, failWhen: '${failWhen}' }\n  - { name: publish, prompt: do }\n`;
    const cases: [string, Json, string][] = [
      ['v.log.includes("FAIL")', { log: { lines: ['FAIL'] } }, '`v.log as a text or a list` is not there'],
      ['v.code == 1', { code: '1' }, 'failWhen: v.code == 1'],
    ];
    for (const [failWhen, output, told] of cases) {
      const one = play(step(failWhen), { answers: { verify: { output } } });
      expect([one.ended.exitCode, one.started]).toEqual([1, ['verify']]);
      expect(said(one)).toContain(told);
    }
  });

  it('LS-WRFIX-FAILWHEN-ABSENT: data that is not there fails it, whatever else the answer claims', () => {
    const answers: Json[] = [
      { output: { allPassed: true } },
      { text: 'All tests pass!' },
      { output: { testSuite: { exitCode: null } } },
    ];
    for (const answer of answers) {
      const { ended, started } = play(phases, { answers: { verify: answer } });
      expect(ended.exitCode).toBe(1);
      expect(started).toEqual(['verify']);
      expect(ended.stdout + ended.stderr).toContain('`verification.testSuite.exitCode` is not there');
    }
  });
});

describe('condition', () => {
  it('WR47-FR-3.1, LS-WRFIX-CONDITION: is evaluated on every kind of step, not on loops alone', () => {
    const step = (name: string, more: string) => `  - { name: ${name}, condition: first.go, ${more} }\n`;
    const phases = `
  - { name: first, prompt: do, output: first }
${step('a-prompt', 'prompt: do')}${step('some-code', 'type: code, handler: save-checkpoint')}${step(
  'a-group',
  'type: parallel, steps: [ { name: in-group, agent: looker, prompt: look } ]',
)}${step('tasks', 'type: per-task, source: first.tasks, steps: [ { name: in-task, prompt: do } ]')}${step(
  'a-loop',
  'type: loop, maxRetries: 1, onExhausted: warn, steps: [ { name: in-loop, prompt: do } ]',
)}  - { name: last, prompt: do, condition: '!first.go && first.tasks.length == 1' }
`;
    const tasks = [{ id: 't' }];
    const no = play(phases, { answers: { first: { output: { go: false, tasks } } } });
    expect(no.ended.exitCode, said(no)).toBe(0);
    expect(no.started).toEqual(['first', 'last']);
    expect(skipped(no)).toEqual(['a-prompt', 'some-code', 'a-group', 'tasks']);
    const yes = play(phases, { answers: { first: { output: { go: true, tasks } } } });
    expect(yes.started).toEqual([
      ...['first', 'a-prompt', 'some-code', 'a-group/in-group', 'tasks[0]/in-task', 'a-loop#1/in-loop'],
    ]);
  });
});

describe('output', () => {
  it('LS-WRFIX-PARALLEL-OUTPUT: that of a parallel group is there afterwards, by the names of its steps', () => {
    const one = play(
      `
  - name: reviews
    type: parallel
    output: reviews
    steps:
      - { name: quality, agent: looker, prompt: look }
      - { name: security-look, agent: looker, prompt: look }
  - { name: fix, prompt: tell, condition: 'reviews.quality.bad && !reviews["security-look"].bad' }
`,
      {
        files: { '.wrangler/prompts/tell.md': 'Of quality: {{reviews.quality.why}}.\n' },
        answers: {
          quality: { output: { bad: true, why: 'too long' } },
          'security-look': { output: { bad: false } },
        },
      },
    );
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.prompt('fix')).toContain('Of quality: too long.');
  });

  it('LS-WRFIX-TASK-OUTPUTS: what steps put out for a task is there after the tasks, and all of it is on record', () => {
    const one = play(
      `
  - { name: plan, prompt: do, output: plan }
  - name: execute
    type: per-task
    source: plan.tasks
    output: results
    steps:
      - { name: build, prompt: do, output: built }
      - { name: look, agent: looker, prompt: look, output: review }
  - { name: verify, prompt: tell, condition: review.fine && results.length == 2 }
`,
      {
        files: {
          '.wrangler/prompts/tell.md':
            'Last: {{built.file}}; {{#each results}}{{item.id}}={{output.fine}} {{/each}}\n',
        },
        answers: {
          plan: { output: { tasks: [{ id: 'b', dependencies: ['a'] }, { id: 'a' }] } },
          'execute[0]/build': { output: { file: 'a.js' } },
          'execute[1]/build': { output: { file: 'b.js' } },
          look: { output: { fine: true } },
        },
      },
    );
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.prompt('verify')).toContain('Last: b.js; a=true b=true');
    expect(one.state()).toMatchObject({
      steps: { execute: [{ build: { json: { file: 'a.js' } } }, { build: { json: { file: 'b.js' } } }] },
    });
  });
});

describe('--skip-step', () => {
  it('LS-CLI5-SKIP-WRITTEN: takes the name that a step has in its file, whatever its id is here', () => {
    const phases = `
  - { name: 'Fix: issues!', prompt: do }
  - { name: end, prompt: do }
  - { name: last, prompt: do }
`;
    const one = play(phases, { options: ['--skip-step', 'Fix: issues!', '--skip-step=end'] });
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.started).toEqual(['last']);
    expect(one.state()).toMatchObject({
      lockstep: {
        stepSummary: {
          skippedSteps: [
            { name: 'Fix: issues!', reason: '--skip-step=Fix: issues!' },
            { name: 'end', reason: '--skip-step=end' },
          ],
        },
      },
    });
  });
});

describe('a name that is put out twice', () => {
  it('LS-WRFIX-LATEST: after the tasks it is what they put out, not what was there before', () => {
    const one = play(
      `
  - { name: plan, prompt: do, output: plan }
  - { name: base, agent: looker, prompt: look, output: review }
  - { name: execute, type: per-task, source: plan.tasks, steps: [ { name: look, agent: looker, prompt: look, output: review } ] }
  - { name: once-more, type: per-task, source: plan.tasks, steps: [ { name: look-again, agent: looker, prompt: look, output: review } ] }
  - { name: publish, prompt: do, condition: '!review.bad' }
`,
      {
        answers: {
          plan: { output: { tasks: [{ id: 'a' }] } },
          base: { output: { bad: false } },
          look: { output: { bad: false } },
          'look-again': { output: { bad: true } },
        },
      },
    );
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.started).toEqual(['plan', 'base', 'execute[0]/look', 'once-more[0]/look-again']);
    expect(skipped(one)).toEqual(['publish']);
    const converted = one.run('convert', 'small.yaml', '-o', 'ours.yaml');
    expect(converted.exitCode, converted.stderr).toBe(0);
    const again = one.run('run', 'SPEC.md', '-w', './ours.yaml', '--script', '../answers.json');
    expect(again.exitCode, again.stdout + again.stderr).toBe(0);
    expect(skipped(one)).toEqual(['publish']);
  });
});

describe('safety', () => {
  const workflow = (safety: string, phases: string) =>
    `name: safe\nversion: 2\ndefaults: { agent: worker }\nsafety: { ${safety} }\nphases:\n${phases}`;

  it('WR47-FR-5.1, LS-WRFIX-SAFETY-STEP: a step that takes longer than maxStepTimeoutMs has failed', () => {
    const text = workflow(
      'maxStepTimeoutMs: 200',
      '  - { name: slow, prompt: do }\n  - { name: after, prompt: do }\n',
    );
    const { ended, started, state } = play('', { workflow: text, answers: { slow: { hang: true } } });
    expect(ended.exitCode).toBe(1);
    expect(started).toEqual(['slow']);
    expect(state()).toMatchObject({ steps: { slow: { status: 'failed', exit_code: 124 } } });
  });

  it('WR47-FR-5.1, LS-WRFIX-SAFETY-RUN: a run that takes longer than maxWorkflowDurationMs ends', () => {
    const text = workflow(
      'maxWorkflowDurationMs: 300',
      '  - { name: slow, prompt: do }\n  - { name: after, prompt: do }\n',
    );
    const { ended, started } = play('', { workflow: text, answers: { slow: { hang: true } } });
    expect(ended.exitCode).not.toBe(0);
    expect(started).toEqual(['slow']);
    expect(ended.stdout + ended.stderr).toMatch(/duration/);
  });

  const loop = (more: string) => `
  - { name: review, agent: looker, prompt: look, output: review }
  - name: fix
    type: loop
    condition: review.bad
    maxRetries: 9
    ${more}
    steps:
      - { name: mend, prompt: do }
      - { name: again, agent: looker, prompt: look, output: review }
  - { name: publish, prompt: do }
`;
  const bad = { output: { bad: true } };

  it('WR47-FR-3.3, WR47-FR-5.1, LS-WRFIX-SAFETY-LOOP: no loop makes more passes than maxLoopRetries', () => {
    const one = play('', {
      workflow: workflow('maxLoopRetries: 2', loop('onExhausted: warn')),
      answers: { review: bad, again: bad },
    });
    expect(one.ended.exitCode, said(one)).toBe(0);
    expect(one.started.filter((path) => path.endsWith('mend'))).toEqual(['fix#1/mend', 'fix#2/mend']);
    expect(said(one)).toMatch(/limit-lower/);
  });

  it('WR47-FR-5.1, WR47-NFR-3, LS-WRFIX-SAFETY-ERRORS: failOnStepError decides: by default a step that fails ends the run, else it goes on and says so', () => {
    const phases = '  - { name: breaks, prompt: do }\n  - { name: after, prompt: do }\n';
    const answers = { breaks: { exit: 7, stderr: 'broken' } };
    const stops = play(phases, { answers });
    expect([stops.ended.exitCode, stops.started.includes('after')]).toEqual([1, false]);
    const goes = play('', { workflow: workflow('failOnStepError: false', phases), answers });
    expect([goes.ended.exitCode, goes.started.at(-1)]).toEqual([0, 'after']);
    expect(said(goes)).toMatch(/breaks.*fail/s);
  });
});

describe('a loop', () => {
  const phases = `
  - { name: review, agent: looker, prompt: look, output: review }
  - name: fix
    type: loop
    condition: review.bad
    maxRetries: 2
    steps:
      - { name: mend, prompt: do }
      - { name: again, agent: looker, prompt: look, output: review }
  - { name: verify, agent: looker, prompt: look }
  - { name: publish, prompt: do }
`;
  it('WR47-FR-3.2, WR47-SC-8, LS-WRFIX-LOOP-FALSE: does not run its steps where its condition is false to begin with', () => {
    const { ended, started } = play(phases, { answers: { review: { output: { bad: false } } } });
    expect([ended.exitCode, started]).toEqual([0, ['review', 'verify', 'publish']]);
  });

  it('WR47-FR-3.3, LS-WRFIX-ESCALATE: that is exhausted stops everything after it, and escalates to a person', () => {
    const answers = { review: { output: { bad: true } }, again: { output: { bad: true } } };
    const one = play(phases, { answers });
    expect([one.ended.exitCode, one.state().status]).toEqual([2, 'paused']);
    const passes = ['fix#1/mend', 'fix#1/again', 'fix#2/mend', 'fix#2/again'];
    expect(one.started).toEqual(['review', ...passes]);
    expect(said(one)).toMatch(/fix.*2 passes were not enough/s);
    // Only a person gets it past that, and it is on record who.
    expect(one.run('answer', 'latest', 'accept').exitCode).toBe(0);
    expect(one.started.slice(5)).toEqual(['verify', 'publish']);
  });
});

describe('unknown fields', () => {
  it('LS-WRFIX-UNKNOWN-FIELD: are errors with what was probably meant, all of them at once, and nothing runs', () => {
    const one = play(`
  - { name: verify, agent: looker, prompt: look, output: v, failwhen: v.bad }
  - { name: fix, type: loop, condition: v.bad, maxRetrys: 2, steps: [ { name: mend, prompt: do, retries: 3 } ] }
`);
    expect(one.ended.exitCode).toBe(2);
    expect(said(one)).toContain('has no field `failwhen`');
    expect(said(one)).toContain('Did you mean "failWhen"?');
    expect(said(one)).toContain('Did you mean "maxRetries"?');
    expect(said(one)).toContain('has no field `retries`');
    expect(one.project.sh('ls .lockstep/runs .worktrees').exitCode).not.toBe(0);
  });
});

// Fields that exist, and mean nothing where they stand: dropped in silence they would deceive. And one that means
// something else there.

import { expect, it } from 'vitest';
import { ran, scene } from './support.ts';

const WAIT = { wait_for: { glob: 'x' } };
const LOOP = { for_each: { items: [1], steps: [{ name: 'Inner', command: ['true'] }] } };
const COMMAND = { command: ['true'] };

const MISPLACED: [field: string, step: object][] = [
  ['retries', { ...WAIT, retries: { max: 1 } }],
  ['output_file', { ...WAIT, output_file: 'x' }],
  ['env', { ...WAIT, env: { A: 'b' } }],
  ['retries', { ...LOOP, retries: { max: 1 } }],
  ['secrets', { ...LOOP, secrets: ['TOKEN'] }],
  ['provider_params', { ...COMMAND, provider_params: { model: 'x' } }],
  ['allow_parse_error', { ...COMMAND, allow_parse_error: true }],
  ['allow_parse_error', { ...COMMAND, output_capture: 'lines', allow_parse_error: true }],
];

it('a field that means nothing where it stands is an error there, with all the others', () => {
  const steps = MISPLACED.map(([, step], index) => ({ name: `S${index}`, ...step }));
  const lines = steps.map((step) => `  - ${JSON.stringify(step)}\n`);
  const errors = scene({ workflow: `version: "1.3"\nsteps:\n${lines.join('')}` })
    .refused()
    .filter(({ severity }) => severity === 'error');
  const told = MISPLACED.map(([field], index) => {
    const here = errors.filter(({ span }) => span?.line === index + 3);
    return { step: index, told: here.some(({ message }) => message.includes(field)) };
  });
  expect(told).toEqual(MISPLACED.map((_, step) => ({ step, told: true })));
  expect(errors).toHaveLength(MISPLACED.length);
});

it('inject on a command is a warning: there is no prompt to put it into', () => {
  const s = scene({
    files: { x: '' },
    workflow: {
      version: '1.1.1',
      name: 'w',
      steps: [{ name: 'A', ...COMMAND, depends_on: { required: ['x'], inject: true } }],
    },
  });
  const { exitCode, stdout } = s.lockstep(['validate', 'workflow.yaml', '--json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'inject-unused', severity: 'warning' }]);
});

it('input_file of a command is its standard input, to the byte; without one there is none', () => {
  const text = 'as it is: ${context.x} {{ y }}, no newline at the end';
  const s = scene({
    files: { 'in.txt': text },
    workflow: {
      version: '1.1',
      name: 'w',
      steps: [
        { name: 'Given', command: ['cat'], input_file: 'in.txt' },
        { name: 'None', command: ['cat'] },
      ],
    },
  });
  ran(s.run());
  expect([s.step('Given').output, s.step('None').output]).toEqual([text, '']);
});

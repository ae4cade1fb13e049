import { expect, it } from 'vitest';
import type { Step, Workflow } from '../model/workflow.ts';
import { maskFor } from './secrets.ts';

const step = (more: Partial<Step>) =>
  ({ secrets: [], env: {}, work: { kind: 'run' }, ...more }) as unknown as Step;
const workflow = (steps: Step[], called: Step[] = []) =>
  ({ steps, workflows: { called: { steps: called } } }) as unknown as Workflow;

it('S3: hides the secrets of every step, inside blocks and called workflows too', () => {
  const block = step({ work: { kind: 'sequence', steps: [step({ secrets: ['INNER'] })] } as Step['work'] });
  const mask = maskFor(workflow([block], [step({ secrets: ['CALLED', 'UNSET'] })]), {
    INNER: 'inner value',
    CALLED: 'called value',
    OTHER: 'other value',
  });
  expect(mask.text('inner value, called value, other value')).toBe('***, ***, other value');
  expect([...mask.names].sort()).toEqual(['CALLED', 'INNER', 'UNSET']);
});

it('AG-KEYS, S3: hides the keys of clients, declared or not, and keeps nobody from having them', () => {
  const key = 'sk-test-0123456789';
  const mask = maskFor(workflow([step({})]), {
    ANTHROPIC_API_KEY: key,
    OPENAI_API_KEY: 'dummy',
    OTHER_KEY: key,
  });
  expect(mask.text(`${key} and dummy`)).toBe('*** and dummy');
  expect([...mask.names]).toEqual([]);
  expect(mask.warnings).toEqual([]);
});

it('S3: a secret that `env` gives another value has both hidden', () => {
  const both = step({ secrets: ['TOKEN'], env: { TOKEN: 'from env', PLAIN: 'plain text' } });
  expect(maskFor(workflow([both]), { TOKEN: 'from ours' }).text('from env, from ours, plain text')).toBe(
    '***, ***, plain text',
  );
  expect(maskFor(workflow([both]), {}).text('from env')).toBe('***');
});

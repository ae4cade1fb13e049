// The vendor's API answers with an error: the person gets its words, and the step is tried again where that may help.

import { expect } from 'vitest';
import type { ApiError } from '../model-server/turn.ts';
import { flow } from '../support/flow.ts';
import { type Part, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const failing = (error: ApiError): Record<string, Part> => ({ 'Do it': [{ error }] });
const step = (retry: string) => `  - { id: work, retry: ${retry}, prompt: { text: Do it } }\n`;

scenario(
  'an API error fails the step, with its own words',
  { model: failing({ status: 400, message: 'the model is on holiday' }) },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('{ max: 0 }')));
    expect(ended.exitCode).toBe(1);
    expect(ended.outcome('work')).toMatchObject({ ok: false });
    expect(ended.outcome('work').error?.message).toContain('the model is on holiday');
    expect(ended.stdout + ended.stderr).toContain('the model is on holiday');
  },
);

scenario(
  'a wrong key fails the step and says so',
  { model: failing({ status: 401, message: 'this key opens nothing' }) },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('{ max: 0 }')));
    expect(ended.exitCode).toBe(1);
    const { error } = ended.outcome('work');
    expect(`${error?.message} ${error?.hint ?? ''}`).toMatch(/key|log ?in|auth/i);
  },
);

scenario(
  'a step whose API call failed is dispatched again',
  { model: { 'Do it': { openings: [[{ error: { status: 500 } }], [say('Done.')]] } } },
  async (scene) => {
    const ended = await scene.run(
      flow(scene.client, step('{ max: 1, delay: 10ms, on: [error, exit, overloaded] }')),
    );
    expect(ended.exitCode).toBe(0);
    expect(ended.entries('retry-scheduled')).toHaveLength(1);
    expect(ended.outcome('work').output).toBe('Done.');
  },
);

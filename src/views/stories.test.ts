import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold, initialState } from '../engine/engine.ts';
import {
  delivered as playDelivered,
  failed as playFailed,
  many as playMany,
  shipped as playShipped,
  waiting as playWaiting,
} from './fixtures/play-stories.ts';
import { delivered, failed, many, recordingOf, shipped, waiting } from './fixtures/stories.ts';

if (process.env.RECORD_STORIES) {
  const played = {
    shipped: playShipped,
    failed: playFailed,
    waiting: playWaiting,
    many: playMany,
    delivered: playDelivered,
  };
  const wanted = process.env.RECORD_STORIES;
  for (const [name, play] of Object.entries(played)) {
    if (wanted !== '1' && wanted !== name) continue;
    const { workflow, entries } = play();
    const lines = [workflow, ...entries].map((one) => JSON.stringify(one));
    mkdirSync(dirname(recordingOf(name)), { recursive: true });
    writeFileSync(recordingOf(name), `${lines.join('\n')}\n`);
  }
}

describe('recorded journals', () => {
  it.each([
    ['shipped', shipped, 'completed'],
    ['failed', failed, 'failed'],
    ['waiting', waiting, 'paused'],
    ['many', many, 'completed'],
    ['delivered', delivered, 'completed'],
  ] as const)('J1: %s is still read by the engine as it was written', (_name, story, status) => {
    const { workflow, entries } = story();
    let state = initialState(workflow);
    for (const entry of entries) state = fold(workflow, state, entry);
    expect(state.status).toBe(status);
  });
});

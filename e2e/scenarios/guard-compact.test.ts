// A session is compacted and gone on with in the middle of a step: it is held as before, and told the step again.

import { expect } from 'vitest';
import { read, say, write } from '../support/model.ts';
import { heldScenario, type Unsupported } from '../support/scenario.ts';
import type { Scene } from '../support/scene.ts';

const ASKED = 'Please paint the door';
const ON = 'Please go on';
const SUMMARY = 'Your task is to create a detailed summary';
const STEP = 'You are planning.';
const model = {
  [SUMMARY]: [say('<summary>The door is to be painted.</summary>')],
  [ON]: [write('early.txt', 'x\n'), say('I am still planning.')],
  [ASKED]: [read('door.txt'), say('I have looked.')],
};

async function begun(scene: Scene): Promise<void> {
  await scene.lockstep('init', '--client', scene.client.provider, '--no-handoff', '--yes');
  await scene.lockstep('workflow', 'set', 'plan-execute', '--input', 'test=true');
  expect((await scene.held(ASKED)).exitCode).toBe(0);
}

async function goneOn(scene: Scene): Promise<void> {
  expect((await scene.held(ON, true)).exitCode).toBe(0);
  expect(scene.exists('early.txt')).toBe(false);
  const runs = scene.runs('plan-execute');
  expect(runs).toHaveLength(1);
  expect(runs[0]?.entries('session-bound').map(({ source }) => source)).toContain('resume');
  expect(runs[0]?.entries('call-judged').at(-1)).toMatchObject({ verdict: 'denied', path: 'plan' });
}

/** Only the way back into the session is shown. */
const onlyResumed = (why: string): Unsupported => ({
  why,
  async instead(scene) {
    await begun(scene);
    await goneOn(scene);
  },
});

heldScenario(
  'a session that was compacted and gone on with is held as before, and told the step again',
  { files: { 'door.txt': 'red\n' }, model },
  async (scene) => {
    await begun(scene);
    const compacted = await scene.held('/compact', true);
    expect(compacted.exitCode).toBe(0);
    await goneOn(scene);
    const [run] = scene.runs('plan-execute');
    const bound = run?.journal.find((entry) => entry.kind === 'session-bound' && entry.source === 'compact');
    expect(bound).toBeDefined();
    const again = run?.entries('said').find(({ n }) => n > (bound?.n ?? Number.POSITIVE_INFINITY));
    expect(again?.with).toBe('session_start');
    const last = JSON.stringify(scene.requests.at(-1)?.body);
    expect(last).toContain('The door is to be painted.');
    expect(last).toContain(STEP);
  },
  {
    codex: onlyResumed(
      '`codex exec` takes no word for it; that it does so by itself, by size, is not played here',
    ),
    gemini: onlyResumed('it tells of no compaction but one that is typed in its terminal'),
  },
);

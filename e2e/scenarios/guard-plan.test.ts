// A person works in a real client as always, and its hooks hold the session to `plan-execute`: nothing but the plan is written until
// they agree to it, and the turn does not end while the tests fail.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ModelRequest } from '../model-server/turn.ts';
import { edit, read, say, write } from '../support/model.ts';
import { heldScenario } from '../support/scenario.ts';

const ASKED = 'Please paint the door';
const AGREED = 'yes';
/** What the model is asked beside the session: a title for it, and what it leaves to the next one. */
const BESIDE = 'What follows is a record of the session';

/** Where it is not told which model to use, Gemini first asks a small one which it should be. */
const beside = ({ model }: ModelRequest) =>
  say(model.includes('flash') ? '{"reasoning":"short","model_choice":"flash"}' : 'Painting the door');
const isBeside = ({ body }: ModelRequest) => JSON.stringify(body).includes(BESIDE);

heldScenario(
  'a session plans, is denied what comes too early, gets approval, is sent back when it stops early, and finishes',
  {
    files: {
      'check.sh': 'echo checked >> ../checks.log; test "$(cat door.txt)" = green\n',
      'door.txt': 'red\n',
    },
    model: {
      [BESIDE]: [beside],
      [ASKED]: [
        write('early.txt', 'too early\n'),
        read('door.txt'),
        write('door.plan.md', '# Plan\nPaint door.txt green.\n'),
        say('The plan is written.'),
      ],
      [AGREED]: [
        read('door.txt'),
        say('Done, all tests pass.'),
        edit('door.txt', 'red', 'green'),
        say('The door is painted.'),
      ],
    },
  },
  async (scene) => {
    const { provider } = scene.client;
    expect((await scene.lockstep('init', '--client', provider, '--yes')).exitCode).toBe(0);
    const set = await scene.lockstep('workflow', 'set', 'plan-execute', '--input', 'test=sh check.sh');
    expect(set.exitCode).toBe(0);

    const planned = await scene.held(ASKED);
    expect(planned.exitCode).toBe(0);
    expect(planned.stdout).toContain('The plan is written.');
    expect(scene.exists('early.txt')).toBe(false);
    expect(scene.exists('door.plan.md')).toBe(true);
    const told = JSON.stringify(scene.requests.findLast((asked) => !isBeside(asked))?.body);
    expect(told).toContain('You are planning.');
    expect(told).toContain('Write(early.txt) is not among what is allowed in this step');
    const waiting = await scene.lockstep('workflow', 'status');
    expect(waiting.stdout).toContain('waits for you at plan: Is this the plan?');
    expect(existsSync(join(scene.root, '../checks.log'))).toBe(false);

    const ended = await scene.held(AGREED, true);
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain('The door is painted.');
    expect(scene.read('door.txt')).toBe('green\n');
    expect(scene.exists('early.txt')).toBe(false);

    const runs = scene.runs('plan-execute');
    expect(runs).toHaveLength(1);
    const [run] = runs as [(typeof runs)[number]];
    expect(run.entries('question-answered')).toMatchObject([{ path: 'plan', answer: 'approve' }]);
    expect(run.entries('stop-answered').map(({ held }) => held)).toEqual([false, true, false]);
    expect(run.entries('work-rejected')).toMatchObject([
      { path: 'execute', reasons: [expect.stringContaining('sh check.sh')] },
    ]);
    expect(run.entries('run-completed')).toHaveLength(1);
    const denied = run.entries('call-judged').filter(({ verdict }) => verdict === 'denied');
    expect(denied.map(({ path, call }) => `${path} ${call.tool} ${call.file}`)).toEqual([
      'plan Write early.txt',
    ]);
    expect(scene.read('../checks.log')).toBe('checked\nchecked\n');
  },
);

// wait_for: blocks until enough files are there, or its time is up.

import { describe, expect, it } from 'vitest';
import { until } from '../cli/started.ts';
import { ran, scene } from './support.ts';

describe('wait_for', () => {
  it('ORC-17, ORC-19: blocks until enough matching files are there, and records what it saw', async () => {
    const made = scene({
      files: { 'replies/a.task': '', 'replies/.hidden.task': '', 'replies/b.txt': '' },
      workflow: `version: "1.1"
name: wait
steps:
  - name: Wait
    wait_for: { glob: "replies/*.task", timeout_sec: 40, poll_ms: 30, min_count: 2 }
  - { name: After, command: [ls, replies] }
`,
    });
    const running = made.start();
    await until(() => made.runs().length > 0 && made.exists('.lockstep/runs/latest/state.json'));
    await until(() => made.step('Wait').status === 'running');
    expect(made.step('After').status).toBe('pending');
    made.write('replies/Z.task', '');
    expect((await running.ended).exitCode).toBe(0);
    const step = made.step('Wait');
    expect(step).toMatchObject({
      status: 'completed',
      exit_code: 0,
      files: ['replies/Z.task', 'replies/a.task'],
      timed_out: false,
    });
    expect(step.poll_count).toBeGreaterThanOrEqual(1);
    expect(step.wait_duration_ms).toEqual(expect.any(Number));
  });

  it('ORC-18, ORC-19: ends with 124 and timed_out when its time is up; on.failure applies', () => {
    const made = scene({
      files: { 'one/x.task': '', 'there/b': '', 'there/a': '', 'folders/f/': '' },
      workflow: `version: "1.1"
name: wait
strict_flow: false
steps:
  - { name: None, wait_for: { glob: "nothing/*.task", timeout_sec: 0.4, poll_ms: 100 } }
  - { name: Too-few, wait_for: { glob: "one/*", timeout_sec: 0.2, poll_ms: 50, min_count: 2 } }
  - { name: At-once, wait_for: { glob: "there/*", timeout_sec: 20 } }
  - { name: Folders, wait_for: { glob: "folders/*", timeout_sec: 20 } }
  - { name: Caught, wait_for: { glob: "nothing", timeout_sec: 0.1, poll_ms: 20 }, on: { failure: { goto: Handler } } }
  - { name: Between, command: [echo] }
  - { name: Handler, command: [echo, "\${steps.None.exit_code}"] }
`,
    });
    ran(made.run());
    const none = made.step('None');
    expect(none).toMatchObject({ status: 'failed', exit_code: 124, timed_out: true, files: [] });
    expect(none.error).toMatchObject({ exit_code: 124, context: { timeout: { timeout_sec: 0.4 } } });
    expect(none.wait_duration_ms).toBeGreaterThanOrEqual(400);
    expect(none.wait_duration_ms).toBeLessThan(5000);
    expect(none.poll_count).toBeGreaterThanOrEqual(2);
    expect(none.poll_count).toBeLessThanOrEqual(6);
    expect(made.step('Too-few')).toMatchObject({ exit_code: 124, timed_out: true });
    expect(made.step('At-once')).toMatchObject({
      status: 'completed',
      files: ['there/a', 'there/b'],
      poll_count: 1,
      timed_out: false,
    });
    expect(made.step('Folders').files).toEqual(['folders/f']);
    expect(made.step('Between').status).toBe('pending');
    expect(made.step('Handler').output).toBe('124\n');
  });

  it('ORC-18: strict_flow ends the run when a wait timed out', () => {
    const made = scene({
      workflow: `version: "1.1"
name: wait
steps:
  - { name: None, wait_for: { glob: "nothing", timeout_sec: 0.1, poll_ms: 20 } }
  - { name: After, command: [echo] }
`,
    });
    ran(made.run(), 1);
    expect(made.state()).toMatchObject({ status: 'failed', steps: { After: { status: 'pending' } } });
  });
});

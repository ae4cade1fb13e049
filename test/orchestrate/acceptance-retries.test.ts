// Time-outs and retries: what is tried again by default, what only when it is asked for, and what never.

import { describe, expect, it } from 'vitest';
import { ran, scene } from './support.ts';

const COUNT = (exit: string) => `echo x >> $0.count; [ $(wc -l < $0.count) -ge 3 ] || exit ${exit}`;
/** A command that fails twice with this code and then succeeds; how often it ran is in <name>.count. */
const third = (name: string, exit: number, more: object = {}) => ({
  name,
  command: ['sh', '-c', COUNT(String(exit)), name],
  ...more,
});

describe('time-outs', () => {
  it('ORC-20: ends a command or an agent after timeout_sec with 124, gently first, then for good', () => {
    const made = scene({
      files: { 'p.md': 'p' },
      agents: { claude: { sleep: 60 } },
      workflow: {
        version: '1.1',
        name: 'late',
        strict_flow: false,
        steps: [
          {
            name: 'Gentle',
            timeout_sec: 1,
            command: ['sh', '-c', 'trap "echo asked > asked.txt; exit 0" TERM; echo begun; sleep 60 & wait'],
          },
          {
            name: 'Deaf',
            timeout_sec: 1,
            command: ['sh', '-c', 'trap "" TERM; echo $$$$ > pid.txt; while :; do sleep 0.1; done'],
          },
          { name: 'Agent', timeout_sec: 1, provider: 'claude', input_file: 'p.md' },
          { name: 'In-time', timeout_sec: 30, command: ['echo', 'fine'] },
          { name: 'Code', command: ['echo', '${steps.Gentle.exit_code}'] },
        ],
      },
    });
    ran(made.run());
    for (const name of ['Gentle', 'Deaf', 'Agent']) {
      expect(made.step(name), name).toMatchObject({
        status: 'failed',
        exit_code: 124,
        error: { exit_code: 124, context: { timeout: { timeout_sec: 1 } } },
      });
      expect(made.step(name).duration_ms).toBeLessThan(15_000);
    }
    expect(made.step('Gentle')).toMatchObject({ output: 'begun\n', error: { stdout_tail: ['begun'] } });
    expect(made.read('asked.txt')).toBe('asked\n');
    expect(made.sh(`kill -0 $(cat pid.txt)`).exitCode).not.toBe(0);
    expect(made.step('In-time')).toMatchObject({ status: 'completed', output: 'fine\n' });
    expect(made.step('Code').output).toBe('124\n');
  });
});

describe('retries', () => {
  it('ORC-21: a provider is tried again on 1 and 124, after delay_ms, and not on other codes', () => {
    const stamp = 'date +%s%N >> stamps.txt';
    const made = scene({
      files: { 'p.md': 'p' },
      agents: {
        claude: [
          { exit: 1, sh: stamp },
          { exit: 124, sh: stamp },
          { sh: stamp, stdout: 'third time' },
        ],
        gemini: { exit: 3 },
        codex: { exit: 1 },
      },
      workflow: `version: "1.1"
name: again
strict_flow: false
steps:
  - { name: Third, provider: claude, input_file: p.md, retries: { max: 2, delay_ms: 250 } }
  - { name: Other-code, provider: gemini, input_file: p.md, retries: { max: 2 } }
  - { name: Used-up, provider: codex, input_file: p.md, retries: { max: 1 } }
  - { name: Default, provider: codex, input_file: p.md }
  - { name: No-file, provider: claude, input_file: p.md, retries: { max: 3 }, depends_on: { required: [gone.txt] } }
`,
    });
    ran(made.run());
    expect(made.step('Third')).toMatchObject({ status: 'completed', exit_code: 0, output: 'third time' });
    const stamps = made
      .read('stamps.txt')
      .trim()
      .split('\n')
      .map((line) => Number(BigInt(line) / 1_000_000n));
    expect(stamps).toHaveLength(3);
    expect((stamps[1] as number) - (stamps[0] as number)).toBeGreaterThanOrEqual(250);
    expect((stamps[2] as number) - (stamps[1] as number)).toBeGreaterThanOrEqual(250);
    expect(made.step('Other-code')).toMatchObject({ status: 'failed', exit_code: 3 });
    expect(made.agentCalls('gemini')).toHaveLength(1);
    expect(made.step('Used-up')).toMatchObject({ status: 'failed', exit_code: 1 });
    expect(made.step('Default')).toMatchObject({ status: 'failed', exit_code: 1 });
    expect(made.agentCalls('codex')).toHaveLength(2 + 1);
    expect(made.step('No-file')).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(made.agentCalls('claude')).toHaveLength(3);
  });

  it('ORC-21: a provider that timed out is tried again', () => {
    const made = scene({
      files: { 'p.md': 'p' },
      agents: { claude: [{ sleep: 60 }, { stdout: 'in time' }] },
      workflow: `version: "1.1"
name: again
steps:
  - { name: Slow, provider: claude, input_file: p.md, timeout_sec: 2, retries: { max: 1 } }
`,
    });
    ran(made.run());
    expect(made.step('Slow')).toMatchObject({ status: 'completed', output: 'in time' });
    expect(made.agentCalls('claude')).toHaveLength(2);
  });

  it('ORC-21: a command is tried again only where its own step says so, whatever the command line says', () => {
    const made = scene({
      files: { 'p.md': 'p' },
      agents: { claude: [{ exit: 1 }, { exit: 1 }, { exit: 0 }], gemini: { exit: 1 }, codex: { exit: 1 } },
      workflow: {
        version: '1.1',
        name: 'again',
        strict_flow: false,
        steps: [
          third('asked', 5, { retries: { max: 2, delay_ms: 10 } }),
          third('not-asked', 1),
          third('slow', 1, { retries: { max: 1 } }),
          { name: 'missing', command: ['echo'], retries: { max: 2 }, depends_on: { required: ['gone'] } },
          { name: 'by-flag', provider: 'claude', input_file: 'p.md' },
          { name: 'own-zero', provider: 'gemini', input_file: 'p.md', retries: { max: 0 } },
          { name: 'own-one', provider: 'codex', input_file: 'p.md', retries: { max: 1, delay_ms: 0 } },
        ],
      },
    });
    ran(made.run(['--max-retries', '2', '--retry-delay', '20']));
    const count = (name: string) => made.read(`${name}.count`).length / 2;
    expect([made.step('asked').status, count('asked')]).toEqual(['completed', 3]);
    expect([made.step('not-asked').exit_code, count('not-asked')]).toEqual([1, 1]);
    expect([made.step('slow').exit_code, count('slow')]).toEqual([1, 2]);
    expect(made.step('missing').exit_code).toBe(2);
    expect(made.step('by-flag').status).toBe('completed');
    expect(made.agentCalls('claude')).toHaveLength(3);
    expect(made.agentCalls('gemini')).toHaveLength(1);
    expect(made.agentCalls('codex')).toHaveLength(2);
  });
});

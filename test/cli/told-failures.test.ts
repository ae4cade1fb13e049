// What failed, on the screen: without opening a log.

import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith } from './started.ts';

const CHECK = `for i in 1 2 3 4 5 6 7 8 9; do echo "ok $i - fine"; done
echo "not ok 10 - takes away"
for i in 1 2 3 4 5 6 7 8 9; do echo "    at frame $i"; done
echo "complaint" >&2
exit 1
`;
const FLOW = `lockstep: 1
name: flow
steps:
  - id: fix
    prompt: { text: Fix it. }
    done: { run: sh check.sh, tries: 2 }
    on_fail: continue
  - { id: test, run: sh check.sh }
`;

let project: Scratch;
afterEach(() => project.remove());

describe('what failed is on the screen', () => {
  it('UX-FAILED-LINES: a command with the line that tells most, and the last lines of stdout and stderr', () => {
    project = projectWith({
      'flow.yaml': FLOW,
      'check.sh': CHECK,
      'answers.yaml': 'answers: { fix: { text: done } }',
    });
    const { exitCode, stdout } = project.lockstep('run', 'flow.yaml', '--script', 'answers.yaml');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ test: the command ended with exit code 1: not ok 10 - takes away');
    const summary = stdout.slice(stdout.indexOf('✗ test: '));
    expect(summary).toMatch(
      /at frame 5\n.*at frame 6\n.*at frame 7\n.*at frame 8\n.*at frame 9\n.*complaint\n/,
    );
    expect(summary).not.toContain('at frame 4');
  });

  it('UX-TELLING: what is sent back, and what the run went past, with the test that failed', () => {
    project = projectWith({
      'flow.yaml': FLOW,
      'check.sh': CHECK,
      'answers.yaml': 'answers: { fix: { text: done } }',
    });
    const { stdout } = project.lockstep('run', 'flow.yaml', '--script', 'answers.yaml');
    const line = '`sh check.sh` ended with exit code 1: not ok 10 - takes away';
    expect(stdout).toContain(`↺ fix  sent back after try 1 of 2: ${line}\n`);
    expect(stdout).toContain(`✗ fix  failed after`);
    expect(stdout).toContain(`, 2 tries: ${line}\n`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Went on past fix: ${line} `);
    expect(stdout).not.toContain('more lines');
  });
});

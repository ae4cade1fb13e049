// What a hostile agent, command or definition writes never reaches a terminal as anything but text: no escape sequence,
// no control character, no change of direction. The terminal is a real one, made by script(1).

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { endStarted, projectWith, startOnTerminal, TERMINAL_MAKER } from './started.ts';

const hasScript = spawnSync(TERMINAL_MAKER, ['--version']).status === 0;

/** Retitles, fills the clipboard, links, clears, moves, conceals, overwrites, turns round; in 7 and in 8 bits. */
const HOSTILE =
  'A\x1b]0;owned\x07B\x1b]52;c;b3duZWQ=\x07C\x1b]8;;http://evil.example\x1b\\D\x1b]8;;\x1b\\E\x1b[2J\x1b[1;1HF\x1b[8mG\u009b31mH\u009d0;owned\u009cI\u202eJ\u2066K\rL\x07M\x08N\x1bcO\x1b[?1049hP\x00Q';

const FLOW = `lockstep: 1
name: flow
description: "about \\e[2J"
steps:
  - id: say
    title: "title \\e]0;owned\\a"
    run: cat hostile.txt; cat hostile.txt >&2; printf '\\033]0;unfinished\\nnext line\\n'
    on_fail: continue
  - id: fail
    run: cat hostile.txt >&2; exit 3
    on_fail: continue
  - id: agent
    prompt: { text: "{{ steps.say.output }}" }
  - id: ask
    ask: "Is this right? {{ steps.say.output }}"
    choices: ["yes \\e]0;owned\\a", no]
`;

let project: Scratch;
beforeAll(() => {
  project = projectWith({ 'flow.yaml': FLOW, 'answers.yaml': '' });
  writeFileSync(join(project.root, 'hostile.txt'), `${HOSTILE}\n`);
  writeFileSync(
    join(project.root, 'answers.yaml'),
    `answers:\n  agent:\n    - text: ${JSON.stringify(HOSTILE).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
  );
  project.sh('printf x > "$(printf \'file\\033]0;owned\\007\')"');
  const ended = project.lockstep('run', 'flow.yaml', '--script', 'answers.yaml');
  expect([ended.exitCode, ended.stderr]).toEqual([3, '']);
  expect(project.lockstep('issues', 'create', `title ${HOSTILE.replaceAll('\x00', '')}`).exitCode).toBe(0);
});
afterAll(() => {
  endStarted();
  project.remove();
});

/** What is left of our own: colours, and what the live tree moves with. */
const OURS = /\x1b\[[0-9;]*[mAGJK]|\x1b\[\?(?:25|2026|2004|7)[hl]|\r\n|\r(?=\x1b)/g;

function forbidden(output: string): string[] {
  return output.replace(OURS, '').match(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g) ?? [];
}

describe.skipIf(!hasScript)(
  `SEC-SCREEN: on a terminal${hasScript ? '' : ' [skip: script(1) is not installed]'}, no control sequence of others comes out of`,
  () => {
    it.each([
      'logs',
      'logs latest say',
      'logs --list',
      'logs --follow',
      'status',
      'status --json',
      'report',
      'report --json',
      'audit',
      'audit --json',
      'runs',
      'list',
      'show flow.yaml',
      'show flow.yaml --source',
      'graph flow.yaml',
      'validate flow.yaml',
      'issues list',
      'issues show 1',
      'issues ready',
      'worktree list',
      'record',
      'answer latest ask nonsense',
      'run flow.yaml --dry-run',
      'run flow.yaml --script answers.yaml --quiet',
    ])('lockstep %s', async (line) => {
      const started = startOnTerminal(project, `lockstep ${line} </dev/null`);
      const { output } = await started.ended;
      expect(output.length).toBeGreaterThan(0);
      expect([output, forbidden(output)]).toEqual([output, []]);
      expect(output).not.toContain('\x1b]');
    });

    it('lockstep logs: the text is all there, line by line', async () => {
      const { output } = await startOnTerminal(project, 'lockstep logs latest say').ended;
      expect(output).toContain('ABCDEFGHIJK\r\nLMNOPQ');
      expect(output).toContain('next line');
    });

    it('lockstep logs --raw: the very sequences, and into a pipe the very bytes', async () => {
      const { output } = await startOnTerminal(project, 'lockstep logs latest say --raw').ended;
      expect(output).toContain('\x1b]0;owned\x07');
      expect(project.lockstep('logs', 'latest', 'say').stdout).toContain(HOSTILE);
    });
  },
);

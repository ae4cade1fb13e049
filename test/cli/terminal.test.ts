// On a terminal: the live tree, questions in place, Ctrl-C. The terminal is a real one, made by script(1).

import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import {
  endStarted,
  journal,
  projectWith,
  runIds,
  startOnTerminal,
  TERMINAL_MAKER,
  until,
} from './started.ts';

const FLOW = `lockstep: 1
name: flow
steps:
  - { id: first, run: 'until test -f go; do sleep 0.05; done' }
  - { id: color, ask: Which color?, choices: [red, green] }
  - { id: show, run: [echo, '{{ steps.color.output }}'] }
`;
const hasScript = spawnSync(TERMINAL_MAKER, ['--version']).status === 0;

let project: Scratch;
beforeEach(() => {
  project = projectWith({ 'flow.yaml': FLOW });
});
afterEach(() => {
  endStarted();
  project.remove();
});

/** What is left on the screen is not reckoned out here: only that nothing but text and known movements was sent. */
const text = (output: string) => output.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');

describe.skipIf(!hasScript)(`on a terminal${hasScript ? '' : ' [skip: script(1) is not installed]'}`, () => {
  it('LS-TTY-QUESTIONS: a question is asked in place, a wrong answer is told, a right one goes on', async () => {
    project.write('go', '');
    const run = startOnTerminal(project, 'lockstep run flow.yaml');
    await run.shows(/Which color\?[\s\S]*> /);
    run.type('blue\r');
    await run.shows(/"blue" is not an answer/);
    run.type('2\r');
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(0);
    expect(text(output)).toContain('flow completed');
    expect(text(output)).not.toContain('goes on');
    expect(journal(project)).toContainEqual(
      expect.objectContaining({ kind: 'question-answered', path: 'color', answer: 'green' }),
    );
  });

  it('LS-CLI5-FIND-ASKED: what a project does not say is asked before anything is made, and whose word it is, is on record', async () => {
    project.write(
      'tested.yaml',
      `lockstep: 1
name: tested
inputs: { test: { type: string, find: test-command, description: the command that runs the tests } }
steps: [{ id: test, run: '{{ inputs.test }}' }]
`,
    );
    const left = startOnTerminal(project, 'lockstep run tested.yaml');
    await left.shows(/tested asks for the command that runs the tests[\s\S]*> /);
    left.type('\x03');
    expect((await left.ended).exitCode).toBe(130);
    expect(runIds(project)).toEqual([]);
    const run = startOnTerminal(project, 'lockstep run tested.yaml');
    await run.shows(/nothing in the project says how[\s\S]*> /i);
    run.type('test 1 = 1\r');
    expect((await run.ended).exitCode).toBe(0);
    expect(journal(project)[0]).toMatchObject({
      inputs: { test: 'test 1 = 1' },
      found: { test: { by: expect.any(String) } },
    });
  });

  it('LS-TTY-TREE: what runs, and what is still to come, is shown while it runs', async () => {
    const run = startOnTerminal(project, 'lockstep run flow.yaml');
    await run.shows(/first[\s\S]*color, show/);
    expect(run.output()).toContain('\x1b[');
    project.write('go', '');
    await run.shows(/Which color\?[\s\S]*> /);
    run.type('\x04');
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(3);
    expect(text(output)).toContain(`lockstep answer ${runIds(project)[0]} red`);
  });

  it('Ctrl-C while a step runs pauses the run, and the cursor is visible again', async () => {
    const run = startOnTerminal(project, 'lockstep run flow.yaml');
    await until(
      () => runIds(project).length > 0 && journal(project).some(({ kind }) => kind === 'attempt-started'),
    );
    run.type('\x03');
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(130);
    expect(text(output)).toContain(`lockstep resume ${runIds(project)[0]}`);
    expect(output.lastIndexOf('\x1b[?25h')).toBeGreaterThanOrEqual(output.lastIndexOf('\x1b[?25l'));
  });

  it('Ctrl-C at a question leaves it open', async () => {
    project.write('go', '');
    const run = startOnTerminal(project, 'lockstep run flow.yaml');
    await run.shows(/Which color\?[\s\S]*> /);
    run.type('\x03');
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(130);
    expect(text(output)).toContain(`lockstep answer ${runIds(project)[0]} green`);
    expect(project.lockstep('answer', 'green').exitCode).toBe(0);
  });

  it('an answer from another process withdraws the question', async () => {
    project.write('go', '');
    const run = startOnTerminal(project, 'lockstep run flow.yaml');
    await run.shows(/Which color\?[\s\S]*> /);
    expect(project.lockstep('answer', 'red').exitCode).toBe(0);
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(0);
    expect(text(output)).toContain('flow completed');
  });

  it('LS-TTY-WIDTH: at 80 and at 40 columns no line is wider than the terminal', async () => {
    project.write('go', '');
    for (const columns of [80, 40]) {
      const run = startOnTerminal(project, 'lockstep run flow.yaml', columns);
      await run.shows(/Which color\?[\s\S]*> /);
      run.type('1\r');
      const { output } = await run.ended;
      const lines = text(output)
        .split(/[\r\n]+/)
        .filter((line) => !line.includes('/'));
      expect(lines.length).toBeGreaterThan(5);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('LS-NO-COLOR: with NO_COLOR the tree has no colours; without there are some', async () => {
    project.write('go', '');
    const colored = /\x1b\[[0-9;]*[0-9]m/;
    const seen: boolean[] = [];
    for (const plain of [true, false]) {
      if (!plain) delete project.env.NO_COLOR;
      const run = startOnTerminal(project, 'lockstep run flow.yaml');
      await run.shows(/Which color\?[\s\S]*> /);
      run.type('1\r');
      seen.push(colored.test((await run.ended).output));
    }
    expect(seen).toEqual([false, true]);
  });

  it('LS-PLAIN-LINES: TERM=dumb means plain lines, and nothing is asked in place', async () => {
    project.write('go', '');
    const run = startOnTerminal(project, 'env TERM=dumb lockstep run flow.yaml');
    const { exitCode, output } = await run.ended;
    expect(exitCode).toBe(3);
    expect(output).not.toContain('\x1b');
    expect(output).toMatch(/^\d\d:\d\d:\d\d /m);
  });
});

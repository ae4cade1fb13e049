// What a file may not say: all of it is told at once, with exit code 2, and nothing is made.

import { describe, expect, it } from 'vitest';
import { type Problem, scene } from './support.ts';

/** The messages of what starts at this line and goes on to the next step. */
const about = (problems: Problem[], from: number, to: number) =>
  problems
    .filter(({ span, severity }) => severity === 'error' && span && span.line >= from && span.line < to)
    .map(({ message, hint }) => `${message} ${hint ?? ''}`);

/** One problem at least for each step of the workflow, at its own lines. */
function everyStepRefused(head: string, steps: string[], says: RegExp): Problem[] {
  const workflow = `${head}steps:\n${steps.join('')}`;
  const refused = scene({ workflow, files: { 'x.md': 'x' } }).refused();
  let line = head.split('\n').length + 1;
  for (const step of steps) {
    const next = line + step.split('\n').length - 1;
    const said = about(refused, line, next);
    expect(said.join('\n'), `nothing fitting is said about\n${step}`).toMatch(says);
    line = next;
  }
  return refused;
}

const HEAD = 'version: "1.1"\nname: refused\n';

describe('refused before anything is made', () => {
  it('ORC-7: ${env.*} wherever variables are filled in; in env, which is literal, it is no reference', () => {
    everyStepRefused(
      `${HEAD}providers:\n  mine: { command: [claude, "\${PROMPT}", "\${model}"] }\n`,
      [
        '  - { name: A, command: [echo, "${env.HOME}"] }\n',
        '  - { name: B, provider: mine, input_file: "${env.X}.md", provider_params: { model: a } }\n',
        '  - { name: C, provider: mine, input_file: x.md, provider_params: { model: { deep: ["${env.X}"] } } }\n',
        '  - { name: D, command: [echo], output_file: "${env.X}" }\n',
        '  - { name: E, command: [echo], when: { equals: { left: "${env.X}", right: a } } }\n',
        '  - { name: F, command: [echo], depends_on: { required: ["${env.X}"] } }\n',
        '  - { name: G, wait_for: { glob: "${env.X}" } }\n',
      ],
      /env/,
    );
    const template = scene({
      workflow: `${HEAD}providers:\n  mine: { command: [claude, "\${env.TOKEN}"] }\nsteps:\n  - { name: A, provider: mine }\n`,
    }).refused();
    expect(JSON.stringify(template)).toMatch(/env/);
    const literal = scene({
      workflow: `${HEAD}steps:\n  - { name: A, env: { X: "\${env.HOME}" }, command: [sh, -c, 'printf %s "$X"'] }\n`,
    });
    expect(literal.run().exitCode).toBe(0);
    expect(literal.step('A').output).toBe('${env.HOME}');
  });

  it('ORC-10: a provider beside a command', () => {
    everyStepRefused(
      HEAD,
      [
        '  - { name: A, provider: claude, command: [echo] }\n',
        '  - { name: B, command: [echo], provider: claude, input_file: x.md }\n',
      ],
      /provider|command/,
    );
  });

  it('ORC-36: wait_for beside command, provider or for_each, and for_each beside another', () => {
    const wait = 'wait_for: { glob: "*" }';
    const loop = 'for_each: { items: [1], steps: [ { name: Inner, command: [echo] } ] }';
    everyStepRefused(
      HEAD,
      [
        `  - { name: A, ${wait}, command: [echo] }\n`,
        `  - { name: B, ${wait}, provider: claude }\n`,
        `  - { name: C, ${wait}, ${loop} }\n`,
        `  - { name: D, ${loop}, command: [echo] }\n`,
        `  - { name: E, ${loop}, provider: claude }\n`,
        '  - { name: F }\n',
      ],
      /wait_for|for_each|command|provider/,
    );
  });

  it('ORC-40: command_override, with what to use instead', () => {
    everyStepRefused(
      HEAD,
      ['  - { name: A, provider: claude, command_override: [claude, x] }\n'],
      /command_override[\s\S]*`?command`?/,
    );
  });

  it('ORC-49: ${PROMPT} in a provider that reads stdin, with invalid_prompt_placeholder', () => {
    const refused = scene({
      workflow: `${HEAD}providers:
  mine: { command: [claude, "\${PROMPT}"], input_mode: stdin }
steps:
  - { name: A, provider: mine }
`,
    }).refused();
    const found = refused.find(({ context }) => context?.invalid_prompt_placeholder !== undefined);
    expect(found).toMatchObject({ severity: 'error', span: { line: 4 } });
  });

  it('everything that is wrong is told at once, each at its place', () => {
    const steps = [
      '  - { name: A, command: [echo], on: { success: { goto: Nowhere } } }\n',
      '  - { name: A, command: [echo] }\n',
      '  - { name: B, command: [echo], colour: red }\n',
      '  - { name: C, command: "echo hi" }\n',
      '  - { name: D, provider: nobody, input_file: x.md }\n',
      '  - { name: E, command: [echo], output_capture: xml }\n',
      '  - { name: F, command: [cat], input_file: /etc/passwd }\n',
      '  - { name: G, command: [echo], depends_on: { required: ["src/**/*.ts"] } }\n',
      '  - { name: H, wait_for: { timeout_sec: 3 } }\n',
      '  - { name: I, for_each: { items_from: "steps.A.output", steps: [ { name: X, command: [echo] } ] } }\n',
      '  - { name: J, for_each: { items: [1], items_from: "steps.A.lines", steps: [ { name: X, command: [echo] } ] } }\n',
      '  - { name: K, for_each: { items: [1], steps: [] } }\n',
      '  - { name: L, command: [echo], timeout_sec: -1 }\n',
      '  - { name: M, command: [echo], on: { failure: { goto: X } } }\n',
      '  - { command: [echo] }\n',
      '  - { name: N, command: [echo], when: { equals: { left: a } } }\n',
      '  - { name: O, command: [echo], retries: { max: -1 } }\n',
    ];
    everyStepRefused(`${HEAD}flavour: sweet\n`, steps, /./);
  });

  it('an unknown provider is told with those there are', () => {
    const [problem] = scene({
      workflow: `${HEAD}steps:\n  - { name: A, provider: claud }\n`,
    }).refused();
    const said = JSON.stringify(problem);
    for (const name of ['claud', 'claude', 'gemini', 'codex']) expect(said).toContain(name);
  });

  it('a goto into a loop from outside is refused, out of one is not', () => {
    everyStepRefused(
      HEAD,
      ['  - { name: A, command: [echo], on: { success: { goto: Inner } } }\n'].concat(
        '  - { name: Loop, for_each: { items: [1], steps: [ { name: Inner, command: [echo], on: { success: { goto: Unknown } } } ] } }\n',
      ),
      /Inner|Unknown/,
    );
  });
});

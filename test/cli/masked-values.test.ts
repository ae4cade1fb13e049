// A value in which a secret was masked never becomes part of a command, a path or a name: the step fails and says why.
// The same stars, written by somebody, are a text like any other.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

const TOKEN = 'kingfisher-4711';
let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
  project.env.TOKEN = TOKEN;
});
afterEach(() => project.remove());

const NAME = `
  - id: name
    run: echo "dir-$TOKEN"
    secrets: [TOKEN]`;

function run(steps: string, head = '') {
  project.write('flow.yaml', `lockstep: 1\nname: flow\n${head}steps:${steps}\n`);
  return project.lockstep('run', 'flow.yaml');
}

function entries(): Record<string, unknown>[] {
  const text = readFileSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((line) => line.entry ?? line);
}

const failureOf = (path: string) =>
  entries().find((entry) => entry.kind === 'step-failed' && entry.path === path)?.error as
    | { message: string; hint: string; class: string }
    | undefined;

/** Everything under the workspace that is not a record of ours. */
function made(): string[] {
  return readdirSync(project.root, { recursive: true })
    .map(String)
    .filter((path) => !/^(\.git|\.lockstep)(\/|$)/.test(path) && path !== 'flow.yaml')
    .sort();
}

describe('SEC-MASK-VALUE: a masked value fails the step that would use it in', () => {
  it.each([
    ['a shell line', 'run: mkdir {{ steps.name.output }}'],
    ['a part of a word of a shell line', 'run: mkdir "x-{{ steps.name.output.split(\'-\')[1] }}"'],
    ['a list of words', 'run: [mkdir, "{{ steps.name.output }}"]'],
    ['`save_to`', 'run: echo hello\n    save_to: "{{ steps.name.output }}.txt"'],
    ['`stdin`', 'run: cat\n    stdin: { file: "{{ steps.name.output }}" }'],
    ['`reads`', 'run: echo hello\n    reads: { optional: ["{{ steps.name.output }}"] }'],
    [
      'the path that a handler writes',
      'call: write-file\n    with: { path: "{{ steps.name.output }}", content: x }',
    ],
    ['the path that a handler reads', 'call: read-file\n    with: { path: "{{ steps.name.output }}" }'],
    ['a move', 'call: move\n    with: { from: flow.yaml, to: "{{ steps.name.output }}" }'],
    ['an artifact', 'call: capture-artifact\n    with: { files: ["{{ steps.name.output }}"] }'],
    ['a pattern of files', 'run: touch ran\n    if: size(files(steps.name.output)) == 0'],
    ['files to wait for', 'wait: { files: "{{ steps.name.output }}", timeout: 1s }'],
    ['a signal', 'wait: { signal: "{{ steps.name.output }}", timeout: 1s }'],
    [
      'an MCP tool',
      'call: call-mcp-tool\n    with: { server: { command: touch, args: [ran] }, tool: t, arguments: { a: "{{ steps.name.output }}" } }',
    ],
    ['a check', 'run: echo hello\n    done: { run: "touch {{ steps.name.output }}" }'],
  ])('%s', (_, step) => {
    const ended = run(`${NAME}\n  - id: use\n    ${step}`);
    expect(ended.exitCode).not.toBe(0);
    const failure = failureOf('use');
    expect(failure?.message).toContain('would hold a secret that was masked');
    expect(failure?.message).toContain('steps.name.output');
    expect(failure?.hint).toContain('`secrets`');
    expect(ended.stdout + ended.stderr).toContain('was masked');
    expect(made()).toEqual([]);
  });

  it('any step that it reaches by way of variables, items, called workflows and JSON', () => {
    const ended = run(
      `
  - id: name
    run: printf '{"deep":[{"name":"dir-%s"}]}' "$TOKEN"
    capture: json
    secrets: [TOKEN]
  - id: items
    each: thing in steps.name.output.deep
    on_fail: continue
    steps:
      - id: inside
        run: mkdir {{ thing.name }}
  - id: keep
    run: 'true'
    exit: [{ set: { kept: "{{ steps.name.output.deep[0].name }}" } }]
  - id: use
    run: mkdir {{ vars.kept }}
`,
      'vars: { kept: "" }\n',
    );
    expect(ended.exitCode).not.toBe(0);
    expect(failureOf('use')?.message).toContain('vars.kept');
    expect(failureOf('items[0]/inside')?.message).toContain('masked');
    expect(made()).toEqual([]);
  });

  it('an input: what was given on the command line is not on record either', () => {
    project.write(
      'flow.yaml',
      'lockstep: 1\nname: flow\ninputs: { name: { type: string } }\nsteps:\n  - id: use\n    run: mkdir {{ inputs.name }}\n    secrets: [TOKEN]\n',
    );
    expect(project.lockstep('run', 'flow.yaml', '-i', `name=dir-${TOKEN}`).exitCode).not.toBe(0);
    expect(failureOf('use')?.message).toContain('inputs.name');
    expect(made()).toEqual([]);
  });

  it('an action, which is passed over with the reason', () => {
    run(`${NAME}\n  - id: use\n    run: 'true'\n    exit: [{ run: "mkdir {{ steps.name.output }}" }]`);
    const passed = entries().find((entry) => entry.kind === 'action-passed');
    expect(passed?.why).toContain('was masked');
    expect(made()).toEqual([]);
  });

  it('a run that was resumed', () => {
    mkdirSync(join(project.root, 'gate'));
    const ended = run(
      `${NAME}\n  - id: wait\n    run: test ! -d gate\n  - id: use\n    run: mkdir {{ steps.name.output }}`,
    );
    expect(ended.exitCode).not.toBe(0);
    project.sh('rmdir gate');
    expect(project.lockstep('resume').exitCode).not.toBe(0);
    expect(failureOf('use')?.message).toContain('masked');
    expect(made()).toEqual([]);
  });
});

describe('SEC-MASK-STARS: stars that are no mask', () => {
  it('are used as they are, in commands and paths, also in a run that masks something else', () => {
    const ended = run(`${NAME}
  - id: bold
    run: echo 'read ***this***'
  - id: use
    run: echo {{ steps.bold.output }} > {{ "a***b" }}
  - id: words
    run: [touch, "{{ steps.bold.output }}"]`);
    expect(ended.stderr + ended.stdout).not.toContain('masked');
    expect(ended.exitCode).toBe(0);
    expect(readFileSync(join(project.root, 'a***b'), 'utf8')).toBe('read ***this***\n');
    expect(existsSync(join(project.root, 'read ***this***'))).toBe(true);
  });

  it('a prompt, a title, a question, an issue and the content of a file may hold a mask, which is three stars there', () => {
    project.write('script.yaml', 'answers: { tell: [{ text: "fine" }] }\n');
    project.write(
      'flow.yaml',
      `lockstep: 1\nname: flow\noutputs: { name: "{{ steps.name.output }}" }\nsteps:${NAME}
  - id: tell
    title: About {{ steps.name.output }}
    prompt: { text: "Look at {{ steps.name.output }}" }
  - id: write
    call: write-file
    with: { path: kept.txt, content: "it is {{ steps.name.output }}" }
`,
    );
    const ended = project.lockstep('run', 'flow.yaml', '--script', 'script.yaml');
    expect(ended.stderr).not.toContain('masked');
    expect(ended.exitCode).toBe(0);
    expect(readFileSync(join(project.root, 'kept.txt'), 'utf8')).toBe('it is dir-***');
    const runFolder = join(project.root, '.lockstep/runs/latest');
    const all = readdirSync(runFolder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
      .join('\n');
    expect(all).toContain('Look at dir-***');
    expect(all).toContain('About dir-***');
    // The mark that a running workflow knows a mask by is in no file and on no screen.
    expect(all + ended.stdout).not.toMatch(/\ufdd0|fdd0/i);
  });
});

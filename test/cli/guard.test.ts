// What binds an agent's hands, from the outside: the real command and the scripted agent.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry, Outcome } from '../../src/model/entry.ts';
import { type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
});
afterEach(() => project.remove());

const latest = (name: string) => readFileSync(join(project.root, '.lockstep/runs/latest', name), 'utf8');
const journal = () =>
  latest('journal.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
const outcomes = (): Outcome[] =>
  journal().flatMap((entry) => (entry.kind === 'attempt-finished' ? [entry.outcome] : []));
const read = (path: string) => readFileSync(join(project.root, path), 'utf8');

/** A workflow of one prompt, `a`, with these lines, and the answer to it. */
function run(lines: string, answer: string, before = '') {
  project.write(
    'w.yaml',
    `lockstep: 1\nname: w\n${before}steps:\n  - id: a\n    prompt: { text: Work }\n${lines.replace(/^/gm, '    ')}\n`,
  );
  project.write('answers.yaml', `answers:\n  a:\n    ${answer}\n`);
  return project.lockstep('run', 'w.yaml', '--script', 'answers.yaml', '--json');
}

it('LS-CALLS-RECORD: the calls of a step are in its log, their number in the journal and in the audit', () => {
  project.write('a.txt', 'old');
  const block = `rules:\n  - { when: 'event.command == "ls"', block: 'no ls' }`;
  run(block, '{ read: [a.txt], write: { b.txt: x }, run: ls }');
  const lines = latest('logs/a.calls.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ tool, about, verdict, rule }) => [tool, about, verdict, rule])).toEqual([
    ['Read', 'a.txt', 'allowed', undefined],
    ['Write', 'b.txt', 'allowed', undefined],
    ['Bash', 'ls', 'denied', 'event.command == "ls"'],
  ]);
  expect(outcomes()[0]?.calls).toEqual({ allowed: 2, denied: 1 });
  expect(project.lockstep('audit').stdout).toContain('tool calls: 2 allowed, 1 denied');
  expect(project.lockstep('logs', 'latest', 'a').stdout).not.toContain('verdict');
  expect(project.lockstep('logs', 'latest', 'a.calls.jsonl').stdout).toContain('"verdict":"denied"');
});

describe('AG-GUARD-RUN: rules in a run', () => {
  const readFirst = `rules:
  - { when: 'event.tool == "Write" && !(event.file in session.files_read)', block: 'Read {{ event.file }} first' }`;

  it('a block rule stops the call, with its words, and the denial is in the journal and the events', () => {
    project.write('a.txt', 'old');
    const { exitCode, stdout } = run(readFirst, '{ write: { a.txt: new } }');
    expect(exitCode).toBe(1);
    expect(read('a.txt')).toBe('old');
    const [outcome] = outcomes();
    expect(outcome?.error?.message).toBe('not allowed to Write a.txt: Read a.txt first');
    expect(outcome?.denials).toEqual({
      count: 1,
      calls: [{ tool: 'Write', about: 'a.txt', reason: 'Read a.txt first' }],
    });
    expect(stdout).toContain('"denied":"Read a.txt first"');
  });

  it('the session remembers what was read, however the path is spelt', () => {
    project.write('a.txt', 'old');
    const { exitCode } = run(readFirst, '{ read: [./a.txt], write: { a.txt: new } }');
    expect(exitCode).toBe(0);
    expect(read('a.txt')).toBe('new');
    expect(outcomes()[0]?.denials).toBeUndefined();
  });

  it('a try that goes on in its session goes on with what was read; a fresh one does not', () => {
    project.write('a.txt', 'old');
    const answers = '[{ read: [a.txt], text: read }, { write: { a.txt: new } }]';
    const lines = `${readFirst}\ndone: { run: 'grep -q new a.txt', tries: 2 }`;
    expect(run(lines, answers).exitCode).toBe(0);
    const two = `lockstep: 1
name: w
${readFirst}
steps:
  - { id: a, prompt: { text: Read } }
  - { id: b, prompt: { text: Write } }
`;
    project.write('two.yaml', two);
    project.write('answers.yaml', 'answers:\n  a: { read: [a.txt] }\n  b: { write: { a.txt: newer } }\n');
    expect(project.lockstep('run', 'two.yaml', '--script', 'answers.yaml').exitCode).toBe(1);
    expect(read('a.txt')).toBe('new');
  });

  it('rules of the workflow bind every step, and see inputs', () => {
    const before = `inputs: { frozen: { type: list, default: [lib] } }
rules:
  - { when: 'inputs.frozen.exists(one, event.file.startsWith(one + "/"))', block: '{{ event.file }} is frozen' }
`;
    expect(run('', '{ write: { lib/a: x } }', before).exitCode).toBe(1);
    expect(run('', '{ write: { src/a: x } }', before).exitCode).toBe(0);
  });

  it('a rewrite rule changes the call, and what it makes of it is held to the lists', () => {
    const rewrite = (command: string) =>
      `tools: { deny: ['Bash(rm *)'] }\nrules:\n  - { when: 'event.tool == "Bash"', rewrite: { command: '${command}' } }`;
    expect(run(rewrite('echo rewritten > out.txt'), '{ run: [touch, x] }').exitCode).toBe(0);
    expect(read('out.txt')).toBe('rewritten\n');
    expect(existsSync(join(project.root, 'x'))).toBe(false);
    expect(run(rewrite('rm out.txt'), '{ run: [touch, x] }').exitCode).toBe(1);
    expect(existsSync(join(project.root, 'out.txt'))).toBe(true);
  });

  it('a warn rule lets it pass, and is on record once', () => {
    const lines = `rules:\n  - { when: 'event.tool == "Write"', warn: 'mind {{ event.file }}' }`;
    expect(run(lines, '{ write: { a: x, b: y } }').exitCode).toBe(0);
    expect(outcomes()[0]?.warnings).toEqual(['Write a: mind a', 'Write b: mind b']);
  });

  it('an ask rule denies: nobody is asked in the middle of a turn', () => {
    expect(run(`rules:\n  - { when: 'true', ask: 'Really?' }`, '{ write: { a: x } }').exitCode).toBe(1);
    expect(outcomes()[0]?.error?.message).toMatch(/nobody can be asked now: Really\?$/);
    expect(existsSync(join(project.root, 'a'))).toBe(false);
  });

  it('rule 9: a block rule that cannot be evaluated blocks; a warn rule is recorded and passed by', () => {
    const when = 'event.input.nothing == 1';
    expect(run(`rules:\n  - { when: '${when}', block: x }`, '{ write: { a: x } }').exitCode).toBe(1);
    expect(run(`rules:\n  - { when: '${when}', warn: x }`, '{ write: { a: x } }').exitCode).toBe(0);
    expect(outcomes()[0]?.warnings?.[0]).toContain('cannot be evaluated');
  });

  it('a rule may look at the workspace', () => {
    const lines = `rules:\n  - { when: 'event.tool == "Write" && size(files("PLAN.md")) == 0', block: Plan first }`;
    expect(run(lines, '{ write: { a: x } }').exitCode).toBe(1);
    project.write('PLAN.md', '');
    expect(run(lines, '{ write: { a: x } }').exitCode).toBe(0);
  });

  it('every command of a line is looked at, and where a link leads', () => {
    const allow = `tools: { allow: ['Bash(echo *)', 'Write(docs/**)'] }`;
    expect(run(allow, '{ run: "echo a && touch b" }').exitCode).toBe(1);
    expect(run(allow, '{ run: "echo a > b" }').exitCode).toBe(1);
    expect(existsSync(join(project.root, 'b'))).toBe(false);
    project.sh('mkdir docs src && ln -s ../src docs/link');
    expect(run(allow, '{ write: { docs/a: x } }').exitCode).toBe(0);
    expect(run(allow, '{ write: { docs/link/a: x } }').exitCode).toBe(1);
  });

  it('secrets are masked in what is denied', () => {
    project.env.TOKEN = 'hunter2hunter2';
    run(`secrets: [TOKEN]\ntools: { allow: [] }`, '{ run: "echo hunter2hunter2" }');
    expect(outcomes()[0]?.denials?.calls[0]?.about).toBe('echo ***');
    expect(latest('journal.jsonl')).not.toContain('hunter2');
  });
});

describe('AG-GUARD-READ-ONLY: who has no tool to write with is held to reading', () => {
  const reviewer = 'tools: { allow: [Read, Bash] }';

  it.each([
    'echo x > made.txt',
    'sed -i s/c/b/ kept.txt',
    'echo b | tee kept.txt',
    'git checkout -q other',
    'rm kept.txt',
    `node -e 'fs.writeFileSync("made.txt", "")'`,
  ])('what `%s` changes fails the step and is named', (line) => {
    project.write('kept.txt', 'a\n');
    project.write('.gitignore', 'answers.yaml\nw.yaml\n');
    project.sh(
      'git add kept.txt .gitignore && git commit -qm one && git branch other && echo c > kept.txt && git commit -qam two',
    );
    expect(run(reviewer, `{ run: ${JSON.stringify(line)} }`).exitCode).toBe(1);
    const [outcome] = outcomes();
    const name = line.includes('made') ? 'made.txt' : 'kept.txt';
    expect(outcome?.error).toMatchObject({
      class: 'changed-files',
      details: { files: [name], agents: ['a'] },
    });
    expect(outcome?.error?.message).toContain(name);
  });

  it('is not sent out again as if nothing had been, where it also failed', () => {
    project.write('.gitignore', 'answers.yaml\nw.yaml\n');
    const answers = '[{ run: "touch made", exit: 1 }, { text: fine }]';
    expect(run(reviewer, answers).exitCode).toBe(1);
    expect(outcomes().map((outcome) => outcome.error?.class)).toEqual(['changed-files']);
  });

  it('what it changes and nobody forbade is fine, and so is what we write for it', () => {
    expect(run('tools: { deny: [Edit] }', '{ run: "touch made" }').exitCode).toBe(0);
    expect(run(`${reviewer}\nsave_to: said.txt`, '{ run: "true", text: hello }').exitCode).toBe(0);
    expect(read('said.txt').trim()).toBe('hello');
  });

  it('outside git it is told once that nobody can tell', () => {
    project.sh('rm -rf .git');
    project.write(
      'two.yaml',
      `lockstep: 1\nname: w\ntools: { allow: [Read] }\nsteps:\n  - { id: a, prompt: { text: x } }\n  - { id: b, prompt: { text: x } }\n`,
    );
    project.write('answers.yaml', 'answers: { "*": { text: ok } }\n');
    expect(project.lockstep('run', 'two.yaml', '--script', 'answers.yaml').exitCode).toBe(0);
    expect(outcomes().map((outcome) => outcome.warnings)).toEqual([
      [expect.stringContaining('is not in a git repository')],
      undefined,
    ]);
  });
});

it('AG-GUARD-SWEPT: a resume removes the doors that killed runs have left', async () => {
  const tmp = join(project.root, 'tmp');
  project.env.TMPDIR = tmp;
  const dead = (name: string) => {
    project.write(`tmp/${name}/.keep`, '');
    const listen = `require('net').createServer().listen('tmp/${name}/door', () => process.kill(process.pid, 'SIGKILL'))`;
    project.sh(`node -e "${listen}"`);
  };
  dead('lockstep-door-one');
  dead('another-one');
  project.write('w.yaml', 'lockstep: 1\nname: w\nsteps:\n  - { id: a, prompt: { text: x } }\n');
  project.write('answers.yaml', 'answers: { a: { run: "kill -9 $PPID" } }\n');
  expect(project.spawned('run', 'w.yaml', '--script', 'answers.yaml').exitCode).toBe(null);
  expect(existsSync(join(tmp, 'lockstep-door-one/door'))).toBe(true);
  // The step kills its parent again, which must not be the process of the tests.
  project.spawned('resume');
  expect(existsSync(join(tmp, 'lockstep-door-one'))).toBe(false);
  expect(existsSync(join(tmp, 'another-one/door'))).toBe(true);
});

describe('AG-GUARD-UNENFORCEABLE: what the chosen client cannot be held to', () => {
  const text = (guard: string, provider: string) => `lockstep: 1
name: w
${guard}providers: { mine: { command: [cat], input: stdin } }
steps:
  - { id: a, ${provider}prompt: { text: x }, tools: { allow: [Read] } }
`;

  it('is an error when the workflow is loaded', () => {
    project.write('w.yaml', text('', 'provider: mine, '));
    for (const command of ['validate', 'run']) {
      const { exitCode, stderr } = project.lockstep(command, 'w.yaml');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('guard-unenforceable');
    }
    expect(existsSync(join(project.root, '.lockstep/runs/latest'))).toBe(false);
  });

  it('is an error before anything is made, where the client is found only then', () => {
    project.write('w.yaml', text('', ''));
    expect(project.lockstep('validate', 'w.yaml').exitCode).toBe(0);
    const { exitCode, stderr } = project.lockstep('run', 'w.yaml');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error[guard-unenforceable] `a`: provider `mine` cannot enforce `tools.allow`');
    expect(existsSync(join(project.root, '.lockstep/runs/latest'))).toBe(false);
    project.write('answers.yaml', 'answers: { "*": { text: ok } }\n');
    expect(project.lockstep('run', 'w.yaml', '--script', 'answers.yaml').exitCode).toBe(0);
  });

  it.each(['provider: mine, ', ''])('with `unenforceable: warn` it is recorded (%j)', (provider) => {
    project.write('w.yaml', text('guard: { unenforceable: warn }\n', provider));
    expect(project.lockstep('run', 'w.yaml').exitCode).toBe(0);
    expect(outcomes()[0]?.warnings).toEqual([expect.stringContaining('`tools` is not enforced')]);
  });
});

describe('SEC-CALLS-RUN: .git, the runs and settings, in a run', () => {
  const config = () => read('.git/config');

  it('an agent without any list writes none of them', () => {
    const before = config();
    for (const path of [
      '.git/config',
      '.claude/settings.json',
      '.mcp.json',
      '.lockstep/runs/latest/journal.jsonl',
    ]) {
      expect(run('', `{ write: { ${path}: x } }`).exitCode).toBe(1);
      expect(outcomes()[0]?.denials?.calls[0]?.tool).toBe('Write');
    }
    expect(config()).toBe(before);
    expect(existsSync(join(project.root, '.mcp.json'))).toBe(false);
    expect(run("tools: { allow: ['Write(.claude/**)'] }", '{ write: { .claude/a: x } }').exitCode).toBe(0);
    expect(run('tools: { allow: [Write] }', '{ write: { .claude/b: x } }').exitCode).toBe(1);
  });

  const workflow = (steps: string) => {
    project.write('w.yaml', `lockstep: 1\nname: w\nsteps:\n${steps}\n`);
    return project.lockstep('run', 'w.yaml');
  };

  it.each([
    '  - { id: a, run: echo x, save_to: .lockstep/runs/latest/journal.jsonl }',
    '  - { id: a, run: echo x, save_to: ".git/{{ run.id }}" }',
    '  - { id: a, call: write-file, with: { path: .git/config, content: x } }',
    '  - { id: a, call: move, with: { from: .git/config, to: x } }',
    '  - { id: a, call: move, with: { from: w.yaml, to: sub/.git/hooks/ } }',
  ])('what is spelt out is an error at load: %s', (steps) => {
    const { exitCode, stderr } = workflow(steps);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('path-protected');
  });

  it.each([
    '  - { id: a, run: echo x, save_to: "{{ run.root }}/journal.jsonl" }',
    '  - { id: a, run: echo x, save_to: link/config }',
    '  - { id: a, call: write-file, with: { path: "link/{{ run.id }}", content: x } }',
    '  - { id: a, call: move, with: { from: "{{ ".git" }}", to: elsewhere } }',
    '  - { id: a, call: move, with: { from: "{{ ".lockstep" }}", to: elsewhere } }',
  ])('what is filled in, or leads there, fails the step: %s', (steps) => {
    project.sh('ln -s .git link');
    const before = config();
    const { exitCode } = workflow(steps.replaceAll('{{ ".', "{{ '.").replaceAll('" }}"', `' }}"`));
    expect(exitCode).toBe(1);
    expect(config()).toBe(before);
    expect(latest('journal.jsonl')).toContain('cannot be written');
    expect(project.lockstep('audit', 'latest').stderr).not.toContain('corrupt');
  });

  it('a folder of runs that was put elsewhere in the workspace', () => {
    project.write(
      'w.yaml',
      'lockstep: 1\nname: w\nsteps:\n  - { id: a, run: echo x, save_to: "state/{{ run.id }}/journal.jsonl" }\n',
    );
    expect(project.lockstep('run', 'w.yaml', '--state-dir', 'state').exitCode).toBe(1);
  });

  it('an MCP server that is called lockstep is an error at load', () => {
    const { exitCode, stderr } = workflow(
      '  - { id: a, params: { mcp_servers: { Lockstep: { command: x } } }, prompt: { text: Go } }',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('reserved-server');
  });
});

// Providers: how a template, its defaults and a step's parameters become the words of a command.

import { beforeAll, describe, expect, it } from 'vitest';
import { ran, type Scene, scene } from './support.ts';

const PROMPT = 'Line one\n  "quoted" $HOME `x` $(y) {{ z }} \\ ü\n';

describe('composing the command', () => {
  let all: Scene;
  beforeAll(() => {
    all = scene({
      files: { 'p.md': PROMPT },
      workflow: `version: "1.1"
name: compose
context: { model_name: from-context }
providers:
  claude:
    command: ["claude", "-p", "\${PROMPT}", "--model", "\${model}", "--x=\${effort}-\${model}", "\${flags}"]
    defaults: { model: default-model, effort: 3, flags: { list: [1, "two"] } }
  plain:
    command: ["gemini", "--file", "p.md", "$$", "$\${PROMPT}"]
    defaults: { model: unused }
  scoped:
    command: ["gemini", "\${run.id}", "\${context.model_name}", "\${steps.Defaults.exit_code}", "\${own}", "{{ model }}"]
    defaults: { own: "\${context.model_name} $$ {{ x }}" }
  reader:
    command: ["codex", "exec", "--model", "\${model}"]
    input_mode: stdin
    defaults: { model: gpt-5 }
steps:
  - { name: Defaults, provider: claude, input_file: p.md }
  - { name: Params, provider: claude, input_file: p.md, provider_params: { model: mine, flags: "a b" } }
  - { name: Stdin, provider: reader, input_file: p.md }
  - { name: No-prompt, provider: plain, input_file: p.md }
  - { name: Scoped, provider: scoped, input_file: p.md }
  - { name: No-file, provider: claude }
  - name: Substituted
    provider: claude
    input_file: p.md
    provider_params:
      model: "\${context.model_name}-\${run.id}"
      effort: "\${steps.Defaults.exit_code}"
      flags: { a: "\${context.model_name}", deep: ["\${run.timestamp_utc}", 3, true, "$$"] }
  - name: Loop
    for_each:
      items: [one, two]
      as: thing
      steps:
        - name: In-loop
          provider: claude
          input_file: p.md
          provider_params: { model: "\${thing}-\${loop.index}-\${loop.total}", flags: "\${steps.Params.output}" }
`,
      agents: { claude: { stdout: 'answer' } },
    });
    ran(all.run());
  });
  const claude = (call: number) => all.agentCalls('claude')[call]?.argv;

  it('ORC-8: template, defaults and params make the words; params win over defaults; nothing reads them again', () => {
    expect(claude(0)).toEqual([
      ...['-p', PROMPT, '--model', 'default-model', '--x=3-default-model', '{"list":[1,"two"]}'],
    ]);
    expect(claude(1)).toEqual(['-p', PROMPT, '--model', 'mine', '--x=3-mine', 'a b']);
    expect(all.step('Params')).toMatchObject({ status: 'completed', exit_code: 0, output: 'answer' });
    expect(all.agentCalls('claude')[0]?.stdin).toBe('');
  });

  it('ORC-9: with input_mode stdin the prompt is the standard input, to the byte', () => {
    const [call] = all.agentCalls('codex');
    expect(call?.argv).toEqual(['exec', '--model', 'gpt-5']);
    expect(call?.stdin).toBe(PROMPT);
  });

  it('ORC-50: a template without ${PROMPT} runs, and gets the prompt nowhere', () => {
    const [call] = all.agentCalls('gemini');
    expect(call?.argv).toEqual(['--file', 'p.md', '$', '${PROMPT}']);
    expect(call?.stdin).toBe('');
    expect(all.step('No-prompt').status).toBe('completed');
  });

  it('a template may name run, context and steps, its defaults too; braces of our own mean nothing', () => {
    expect(all.agentCalls('gemini')[1]?.argv).toEqual([
      ...[all.state().run_id, 'from-context', '0', 'from-context $ {{ x }}', '{{ model }}'],
    ]);
  });

  it('without input_file the prompt is empty', () => {
    expect(claude(2)?.slice(0, 3)).toEqual(['-p', '', '--model']);
  });

  it('ORC-44: provider_params are filled in, at any depth; what is no text stays as it is', () => {
    const { run_id } = all.state();
    const [time] = run_id.split('-');
    expect(claude(3)).toEqual([
      ...['-p', PROMPT, '--model', `from-context-${run_id}`, `--x=0-from-context-${run_id}`],
      `{"a":"from-context","deep":["${time}",3,true,"$"]}`,
    ]);
  });

  it('ORC-51: run, context, loop and steps all resolve in provider_params', () => {
    expect(claude(4)).toEqual(['-p', PROMPT, '--model', 'one-0-2', '--x=3-one-0-2', 'answer']);
    expect(claude(5)).toEqual(['-p', PROMPT, '--model', 'two-1-2', '--x=3-two-1-2', 'answer']);
  });
});

describe('the templates that are there without providers:', () => {
  it('claude, gemini and codex are called as the quick reference says', () => {
    const all = scene({
      files: { 'p.md': PROMPT },
      workflow: `version: "1.1"
name: built-in
steps:
  - { name: A, provider: claude, input_file: p.md }
  - { name: B, provider: claude, input_file: p.md, provider_params: { model: claude-opus-4-1-20250805 } }
  - { name: C, provider: gemini, input_file: p.md }
  - { name: D, provider: codex, input_file: p.md }
`,
    });
    ran(all.run());
    expect(all.agentCalls('claude').map(({ argv }) => argv)).toEqual([
      ['-p', PROMPT, '--model', 'claude-sonnet-4-20250514'],
      ['-p', PROMPT, '--model', 'claude-opus-4-1-20250805'],
    ]);
    expect(all.agentCalls('gemini').map(({ argv }) => argv)).toEqual([['-p', PROMPT]]);
    expect(all.agentCalls('codex').map(({ argv, stdin }) => [argv, stdin])).toEqual([[['exec'], PROMPT]]);
  });
});

describe('what does not fit', () => {
  let all: Scene;
  beforeAll(() => {
    all = scene({
      files: { 'p.md': 'p', 'long.md': 'x'.repeat(200 * 1024) },
      workflow: `version: "1.1"
name: misfits
strict_flow: false
providers:
  needy: { command: [claude, "\${PROMPT}", "\${model}", "\${effort}", "\${model}"] }
  partly: { command: [claude, "\${PROMPT}", "\${model}", "\${effort}"], defaults: { model: x } }
  frugal: { command: [gemini, "\${PROMPT}"] }
  deaf: { command: [sh, -c, "exec <&-; echo said"], input_mode: stdin }
steps:
  - { name: Missing, provider: needy, input_file: p.md }
  - { name: One-missing, provider: partly, input_file: p.md }
  - { name: Given, provider: needy, input_file: p.md, provider_params: { model: a, effort: b } }
  - { name: Unused, provider: frugal, input_file: p.md, provider_params: { model: a, temperature: 0.5 } }
  - { name: No-such-file, provider: frugal, input_file: gone.md }
  - { name: Too-long, provider: frugal, input_file: long.md }
  - { name: Deaf, provider: deaf, input_file: long.md }
  - { name: Bad-exit, provider: codex, input_file: p.md }
`,
      agents: { codex: { exit: 9, stderr: 'no credit\n' } },
    });
    ran(all.run(['--debug']));
  });

  it('ORC-48: a placeholder that nothing fills fails the step with every such name, and nothing is called', () => {
    expect(all.step('Missing')).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { context: { missing_placeholders: ['model', 'effort'] } },
    });
    expect(all.step('One-missing').error.context.missing_placeholders).toEqual(['effort']);
    expect(all.agentCalls('claude').map(({ argv }) => argv)).toEqual([['p', 'a', 'b', 'a']]);
  });

  it('parameters that a template does not use are ignored, with a line in the debug log', () => {
    expect(all.step('Unused').status).toBe('completed');
    expect(all.agentCalls('gemini')[0]?.argv).toEqual(['p']);
    const said = `${all.logs('orchestrator.log')}\n${all.logs('Unused.debug')}`;
    expect(said).toMatch(/temperature/);
    expect(said).toMatch(/model/);
  });

  it('a prompt file that is not there fails the step with exit code 2', () => {
    expect(all.step('No-such-file')).toMatchObject({ status: 'failed', exit_code: 2 });
    expect(all.step('No-such-file').error.message).toContain('gone.md');
  });

  it('a prompt that is too long for a command line is a clear failure, never given on stdin instead', () => {
    expect(all.step('Too-long').status).toBe('failed');
    expect(all.step('Too-long').error.message).toMatch(/long|large|E2BIG|stdin/i);
    expect(all.agentCalls('gemini')).toHaveLength(1);
  });

  it('an agent that does not read its standard input is not held up by it', () => {
    expect(all.step('Deaf')).toMatchObject({ status: 'completed', exit_code: 0, output: 'said\n' });
  });

  it("an agent's exit code is the step's", () => {
    expect(all.step('Bad-exit')).toMatchObject({
      status: 'failed',
      exit_code: 9,
      error: { stderr_tail: ['no credit'], context: { substituted_command: ['codex', 'exec'] } },
    });
    expect(all.logs('Bad-exit.stderr')).toBe('no credit\n');
  });
});

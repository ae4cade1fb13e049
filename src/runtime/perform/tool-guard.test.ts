import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Stage, stage } from '../../../test/support/stage.ts';
import type { RunAgent } from '../../model/command.ts';
import { ownToolsOf } from '../../model/own-tools.ts';
import type { Rule, ToolPolicy } from '../../model/workflow.ts';
import type { Ability, Agent, ToolAct, ToolGuard } from '../../ports/agent.ts';
import { openCallRecord } from './call-record.ts';
import { createSessionMemory } from './session-facts.ts';
import { type DispatchGuard, toolGuard } from './tool-guard.ts';

let here: Stage | undefined;
const stages: Stage[] = [];
afterEach(() => {
  for (const one of stages.splice(0)) one.remove();
});

interface Given {
  tools?: Partial<ToolPolicy>;
  rules?: Rule[];
  can?: Ability[];
  secrets?: string[];
  git?: boolean;
  environment?: Record<string, string>;
}

let warnings: string[];

function maybe({ tools = {}, rules = [], can = ['tools', 'rules', 'rewrite'], ...options }: Given) {
  here = stage(options);
  stages.push(here);
  warnings = [];
  const names = { lookup: () => undefined, fact: () => undefined };
  const agent = { name: 'some', can: new Set(can) } as unknown as Agent;
  const command = {
    path: 'a',
    try: 1,
    dispatch: { path: 0, id: 0 },
    tools: { deny: [], ...tools },
  } as unknown as RunAgent;
  return toolGuard({
    command,
    agent,
    own: ownToolsOf(command.tools),
    context: { ...here.context, rulesAt: () => ({ rules, names }) },
    session: createSessionMemory().open(undefined),
    calls: openCallRecord(command, here.context),
    warn: (warning) => warnings.push(warning),
  });
}
const guarded = (given: Given): DispatchGuard => maybe(given) as DispatchGuard;

const read = (file: string): ToolAct => ({ tool: 'Read', input: { file_path: file }, file });
const write = (file: string): ToolAct => ({ tool: 'Write', input: { file_path: file }, file });
const bash = (command: string): ToolAct => ({ tool: 'Bash', input: { command }, command });
const kind = async (guard: ToolGuard, event: ToolAct) => (await guard.decide([event])).kind;

it('G11: there is one for every agent that can be held to tools; whether it is demanded depends on lists and rules', () => {
  expect(maybe({ can: [] })).toBeUndefined();
  expect(maybe({})).toMatchObject({ isDemanded: false });
  expect(maybe({ tools: { deny: ['Read'] } })).toMatchObject({ isDemanded: true });
  expect(maybe({ rules: [{ when: 'true', warn: 'x' }] })).toMatchObject({ isDemanded: true });
  expect(maybe({ tools: { allow: [] } })).toBeDefined();
  expect(maybe({ tools: { deny: ['Read'] } })).toBeDefined();
  expect(maybe({ rules: [{ when: 'true', warn: 'x' }] })).toBeDefined();
});

describe('AG-GUARD-FACTS: what a session knows', () => {
  const blocking = (when: string): Rule[] => [{ when: `event.tool == "Bash" && !(${when})`, block: 'no' }];

  it.each([
    ['session.files_read == ["a.txt"]', [read('./x/../a.txt')]],
    ['session.files_read == ["a.txt"]', [read('a.txt'), read('a.txt')]],
    ['session.files_read == ["/etc/hosts"]', [read('/etc/hosts')]],
    ['session.files_modified == ["a", "b"]', [write('a'), { ...write('b'), tool: 'Edit' }]],
    ['session.files_read == [] && session.files_modified == ["a"]', [write('a')]],
    ['session.tool_calls == 2 && session.errors == 0', [read('a'), write('b')]],
    ['session.elapsed >= 0 && session.title == ""', []],
  ])('%s', async (when, events) => {
    const guard = guarded({ rules: blocking(when) });
    for (const event of events) await guard.decide([event]);
    expect(await kind(guard, bash('x'))).toBe('allow');
    const fresh = guarded({ rules: blocking(when) });
    expect(await kind(fresh, bash('x'))).toBe(events.length === 0 ? 'allow' : 'deny');
  });

  it('an absolute path of the workspace is the same as a relative one', async () => {
    const guard = guarded({ rules: blocking('"a.txt" in session.files_read') });
    await guard.decide([read(join(here?.root ?? '', 'a.txt'))]);
    expect(await kind(guard, bash('x'))).toBe('allow');
  });

  it('what failed was not read, and counts as an error; what else was read stays', async () => {
    const guard = guarded({ rules: blocking('session.files_read == ["b"] && session.errors == 1') });
    await guard.decide([read('a')]);
    await guard.decide([read('b')]);
    await guard.decide([read('b')]);
    guard.ended(read('a'), 'no such file');
    expect(await kind(guard, bash('x'))).toBe('allow');
    guard.ended(read('b'));
    expect(await kind(guard, bash('x'))).toBe('allow');
  });

  it('what was denied was neither read nor counted', async () => {
    const guard = guarded({
      tools: { deny: ['Read'] },
      rules: blocking('session.files_read == [] && session.tool_calls == 0'),
    });
    await guard.decide([read('a')]);
    expect(await kind(guard, bash('x'))).toBe('allow');
  });

  it('a session that goes on goes on with them', () => {
    const memory = createSessionMemory();
    const first = memory.open(undefined);
    first.begin(read('a'));
    memory.keep('s-1', first);
    expect(memory.open('s-1').facts(2_500)).toEqual({
      files_read: ['a'],
      files_modified: [],
      tool_calls: 1,
      errors: 0,
      elapsed: 2,
    });
    expect(memory.open('s-2').facts(0).files_read).toEqual([]);
    expect(memory.open(undefined).facts(0).files_read).toEqual([]);
  });
});

describe('what it answers', () => {
  it('T3: where a link leads is looked at too', async () => {
    const guard = guarded({ tools: { allow: ['Write(docs/**)'] } });
    const root = here?.root ?? '';
    mkdirSync(join(root, 'docs'));
    symlinkSync('/etc', join(root, 'docs/etc'));
    symlinkSync('../src', join(root, 'docs/src'));
    expect(await kind(guard, write('docs/a'))).toBe('allow');
    expect(await kind(guard, write('docs/etc/passwd'))).toBe('deny');
    expect(await kind(guard, write('docs/src/a'))).toBe('deny');
    expect(await kind(guard, write('docs/../src/a'))).toBe('deny');
    expect(await kind(guard, write(join(root, 'docs/a')))).toBe('allow');
  });

  it('SEC-SHELL-FILES: a shell line is judged by the files that it visibly writes', async () => {
    const guard = guarded({ tools: { deny: ['Write(.github/**)'] } });
    const bash = (command: string) => kind(guard, { tool: 'Bash', input: { command }, command });
    symlinkSync('.github', join(here?.root ?? '', 'link'));
    for (const line of [
      'echo x > .github/ci.yml',
      'cd .github && echo x > ci.yml',
      'echo x > link/ci.yml',
      'echo x | sudo tee .github/ci.yml',
      'bash -c "cp a .github/ci.yml"',
      'echo x > .git/config',
      'rm -rf .lockstep/runs',
      'echo {} > .mcp.json',
      'echo x > .github/a; eval "$y"',
      'echo x > "$PWD/.github/a"',
      "for f in .github/a.yml .github/b.yml; do sed -i 's/a/b/' $f; done",
      "sed -i 's/a/b/' .github/*.yml",
      'cd src && cd ../.github && echo x > a',
      'curl -fsSLo .github/x https://example.org',
      'rm -rf .g*',
    ])
      expect([line, await bash(line)]).toEqual([line, 'deny']);
    for (const line of [
      'cat .github/ci.yml',
      'git add .github/ci.yml',
      'echo x > src/a.ts',
      'npm test > /dev/null',
      'cd src && echo x > a.ts',
      'rm -rf dist/*',
    ])
      expect([line, await bash(line)]).toEqual([line, 'allow']);
  });

  it.each<[tools: { allow?: string[]; deny: string[] }, line: string, verdict: string]>([
    [{ deny: ['Write'] }, 'echo x > y1.txt', 'deny'],
    [{ deny: ['Write'] }, 'npm test > /dev/null 2>&1', 'allow'],
    [{ deny: ['Write'] }, 'tmp=$(mktemp); npm test > "$tmp"; tail "$tmp"', 'allow'],
    [{ allow: ['Bash', 'Read', 'Write(docs/**)'], deny: [] }, 'tee src.txt < a', 'deny'],
    [{ allow: ['Bash', 'Read', 'Write(docs/**)'], deny: [] }, 'cd docs && echo x > a.md', 'allow'],
    [{ allow: ['Bash', 'Read', 'Write(docs/**)'], deny: [] }, 'cd docs; echo x > a.md', 'deny'],
    [{ allow: ['Bash', 'Read'], deny: [] }, 'npm test > out.log', 'allow'],
  ])('SEC-SHELL-FILES: what a line writes is written by Write: %j %s', async (tools, line, verdict) => {
    const guard = guarded({ tools });
    expect(await kind(guard, { tool: 'Bash', input: { command: line }, command: line })).toBe(verdict);
  });

  it('`~/` is the home of whoever runs it', async () => {
    const guard = guarded({ tools: { deny: ['Read(~/.ssh/**)'] }, environment: { HOME: '/home/ada' } });
    expect(await kind(guard, read('/home/ada/.ssh/id'))).toBe('deny');
    expect(await kind(guard, read('/home/bob/.ssh/id'))).toBe('allow');
  });

  it('a rewrite is judged again, by the lists and by the rules after it', async () => {
    const rules: Rule[] = [
      { when: 'event.command == "a"', rewrite: { command: 'b' } },
      { when: 'event.command == "b"', rewrite: { command: 'c' } },
      { when: 'event.command == "a"', block: 'never' },
      { when: 'event.command == "c"', warn: 'it is c' },
    ];
    expect(await guarded({ rules }).decide([bash('a')])).toEqual({
      kind: 'rewrite',
      input: { command: 'c' },
      advice: 'it is c',
    });
    const denying = guarded({ rules, tools: { deny: ['Bash(c)'] } });
    expect(await denying.decide([bash('a')])).toMatchObject({ kind: 'deny' });
    expect(denying.denials()?.calls).toEqual([
      { tool: 'Bash', about: 'a', reason: '`Bash(c)` is denied in this step' },
    ]);
  });

  it('G8: an agent that cannot have a call rewritten is never told to, and that is recorded', async () => {
    const guard = guarded({ rules: [{ when: 'true', rewrite: { command: 'b' } }], can: ['tools', 'rules'] });
    expect(await guard.decide([bash('a')])).toEqual({ kind: 'allow' });
    expect(warnings).toEqual(['provider `some` cannot have a call rewritten: Bash happened as it was']);
  });

  it('G7: a question is a denial that tells it', async () => {
    const guard = guarded({ rules: [{ when: 'true', ask: 'Sure?' }] });
    expect(await guard.decide([bash('a')])).toEqual({
      kind: 'deny',
      reason: 'a person would have to agree, and nobody can be asked now: Sure?',
    });
  });

  it('G6: after the dispatch everything is denied', async () => {
    const guard = guarded({ tools: { deny: ['X'] } });
    expect(await kind(guard, read('a'))).toBe('allow');
    guard.close();
    expect(await guard.decide([read('a')])).toEqual({ kind: 'deny', reason: 'the step has ended' });
  });

  it('G6: what cannot be judged is denied', async () => {
    const guard = guarded({ rules: [{ when: 'size(files("../**")) > 0', warn: 'x' }] });
    expect(await guard.decide([read('a')])).toMatchObject({
      kind: 'deny',
      reason: expect.stringMatching(/^it could not be judged: .*leaves the workspace/),
    });
  });

  it('the same warning is told once, however often the call comes', async () => {
    const guard = guarded({ rules: [{ when: 'true', warn: 'mind' }] });
    for (let n = 0; n < 3; n++) expect(await guard.decide([bash('a')])).toMatchObject({ advice: 'mind' });
    expect(warnings).toEqual(['Bash a: mind']);
  });

  it('S5: a thousand denials are counted, and the first of them kept', async () => {
    const guard = guarded({ tools: { allow: [] } });
    for (let n = 0; n < 1_000; n++) await guard.decide([bash(`echo ${'x'.repeat(1_000)}`)]);
    expect(guard.denials()?.count).toBe(1_000);
    expect(guard.denials()?.calls).toHaveLength(50);
    expect(guard.denials()?.calls[0]?.about.length).toBeLessThan(400);
  });

  it('S3: what is shown of a denial is masked', async () => {
    const guard = guarded({
      tools: { allow: [] },
      secrets: ['TOKEN'],
      environment: { TOKEN: 'hunter2hunter2' },
    });
    await guard.decide([bash('echo hunter2hunter2')]);
    expect(here?.events).toEqual([
      {
        kind: 'tool',
        path: 'a',
        tool: 'Bash',
        summary: 'echo ***',
        denied: 'no tool is allowed in this step',
      },
    ]);
  });
});

describe('SEC-CALLS-SPELLING: whatever a path is called, it is judged by where it leads', () => {
  const vendor: Rule[] = [
    { when: 'event.file.startsWith("vendor/")', block: '{{ event.file }} is not ours' },
  ];
  const spellings = (root: string) => [
    'vendor/x',
    './vendor//x',
    ' vendor/x',
    'vendor/x\u2028',
    'docs/../vendor/x',
    'link/x',
    'link/new/file',
    'docs/deep',
    'docs/dangling',
    `${root}/vendor/x`,
    `${root}/docs/../link/x`,
    '/proc/self/cwd/vendor/x',
    '/proc/thread-self/cwd/vendor/x',
    '/proc/self/task/1/cwd/vendor/x',
    `/proc/self/root${root}/vendor/x`,
    `/proc/${process.pid}/root${root}/vendor/x`,
    'cwd/vendor/x',
  ];
  function prepare(): string {
    const root = here?.root ?? '';
    for (const folder of ['vendor/deep', 'docs']) mkdirSync(join(root, folder), { recursive: true });
    symlinkSync('vendor', join(root, 'link'));
    symlinkSync('../vendor/deep', join(root, 'docs/deep'));
    symlinkSync('../vendor/not-there', join(root, 'docs/dangling'));
    symlinkSync('/proc/self/cwd', join(root, 'cwd'));
    symlinkSync('.', join(root, 'home'));
    return root;
  }

  it('by a rule, and by a list', async () => {
    const byRule = guarded({ rules: vendor });
    const root = prepare();
    const answers = new Map<string, string>();
    for (const spelling of spellings(root)) answers.set(spelling, await kind(byRule, write(spelling)));
    expect([...answers].filter(([, answer]) => answer !== 'deny')).toEqual([]);
    expect(await kind(byRule, write('docs/a'))).toBe('allow');
    expect(await kind(byRule, write('/tmp/a'))).toBe('allow');
    const byList = guarded({ tools: { deny: ['Edit(vendor/**)'] } });
    const other = prepare();
    for (const spelling of spellings(other))
      expect([spelling, await kind(byList, write(spelling))]).toEqual([spelling, 'deny']);
    expect(await kind(byList, write('docs/a'))).toBe('allow');
  });

  it('`~` is the home that the agent has', async () => {
    const guard = guarded({ tools: { deny: ['Write(/home/ada/**)'] }, environment: { HOME: '/home/ada' } });
    expect(await kind(guard, write('~/x'))).toBe('deny');
    expect(await kind(guard, write(' ~/x'))).toBe('deny');
    const relative = guarded({ tools: { deny: ['Write(src/**)'] }, environment: { HOME: '/home/ada' } });
    expect(await kind(relative, write('~/../src/x'))).toBe('deny');
    const allowed = guarded({ tools: { allow: ['Write(~/notes/**)'] }, environment: { HOME: '/home/ada' } });
    expect(await kind(allowed, write('~/notes/a'))).toBe('allow');
    symlinkSync('src', join(here?.root ?? '', '~'));
    expect(await kind(allowed, write('~/notes/a'))).toBe('deny');
  });

  it('a relative path is from where the client says that the agent stands', async () => {
    const guard = guarded({ rules: vendor });
    const root = prepare();
    expect(await kind(guard, { ...write('x'), cwd: join(root, 'vendor') })).toBe('deny');
    expect(await kind(guard, { ...write('../vendor/x'), cwd: join(root, 'docs') })).toBe('deny');
    expect(await kind(guard, { ...write('x'), cwd: join(root, 'docs') })).toBe('allow');
  });

  it('what cannot be told is denied', async () => {
    const guard = guarded({});
    for (const path of ['a\0b', '/proc/self/fd/7/x', '/dev/fd/9', '/proc/999999999/root/etc/x'])
      expect([path, await kind(guard, write(path))]).toEqual([path, 'deny']);
    expect(await kind(guard, read('/proc/cpuinfo'))).toBe('allow');
  });

  it('SEC-CALLS-PROTECTED: .git and settings are kept without any list, by every spelling', async () => {
    const guard = guarded({ git: true });
    const root = here?.root ?? '';
    mkdirSync(join(root, '.claude'));
    symlinkSync('.git', join(root, 'store'));
    linkSync(join(root, '.git/config'), join(root, 'harmless.txt'));
    for (const path of [
      '.git/config',
      ' .git/config',
      'store/hooks/x',
      '/proc/self/cwd/.git/config',
      `${root}/.git/config`,
      'harmless.txt',
      '.claude/settings.json',
      'src/../.mcp.json',
      '.lockstep/runs/x/journal.jsonl',
    ])
      for (const tool of ['Write', 'Edit', 'NotebookEdit'])
        expect([path, await kind(guard, { ...write(path), tool })]).toEqual([path, 'deny']);
    expect(await kind(guard, read('.git/config'))).toBe('allow');
    expect(await kind(guard, write('CLAUDE.md'))).toBe('allow');
    expect(guard.denials()?.count).toBe(27);
  });

  it('a file is read by every name it has', async () => {
    const first = 'event.tool == "Edit" && !(event.file in session.files_read)';
    const guard = guarded({ rules: [{ when: first, block: 'read it first' }] });
    prepare();
    await guard.decide([read('link/x')]);
    expect(await kind(guard, { ...write('link/x'), tool: 'Edit' })).toBe('allow');
    expect(await kind(guard, { ...write('vendor/x'), tool: 'Edit' })).toBe('allow');
  });

  it('a rewrite that moves the call to another path is held to that path too', async () => {
    const rewrite = (field: string): Rule[] => [{ when: 'true', rewrite: { [field]: '.git/config' } }];
    expect(await kind(guarded({ rules: rewrite('file_path') }), write('a'))).toBe('deny');
    expect(await kind(guarded({ rules: rewrite('notebook_path') }), write('a'))).toBe('deny');
  });
});

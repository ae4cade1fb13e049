import { describe, expect, it } from 'vitest';
import type { Fact } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { SessionFacts, ToolAct } from '../model/tool-call.ts';
import type { Rule, ToolPolicy } from '../model/workflow.ts';
import { factKey } from './bindings.ts';
import { whyReadWithheld, whyWriteWithheld } from './guard/tool-lists.ts';
import { type Judged, judge } from './guard.ts';

const SESSION: SessionFacts = { files_read: [], files_modified: [], tool_calls: 0, errors: 0, elapsed: 0 };
const around = { root: '/ws', home: '/home/me' };

interface Given {
  tools?: Partial<ToolPolicy>;
  rules?: Rule[];
  names?: Record<string, Json>;
  session?: Partial<SessionFacts>;
  facts?: Fact[];
  from?: number;
}

function judged(call: ToolAct, { tools = {}, rules = [], names = {}, session, facts = [], from }: Given) {
  return judge(
    {
      tools: { deny: [], ...tools },
      rules,
      names: { lookup: (root) => names[root], fact: () => undefined },
      around,
    },
    call,
    {
      session: { ...SESSION, ...session },
      facts: new Map(facts.map((fact) => [factKey(fact), fact])),
      ...(from !== undefined && { from }),
    },
  );
}

const bash = (command: string): ToolAct => ({ tool: 'Bash', input: { command }, command });
const write = (file: string, real?: string): ToolAct => ({
  tool: 'Write',
  input: { file_path: file, content: 'x' },
  file,
  ...(real !== undefined && { real }),
});
const use = (tool: string, input: Record<string, Json> = {}): ToolAct => ({ tool, input });
const reach = (tool: string, file: string, glob: string): ToolAct => ({ tool, input: {}, file, glob });
const reason = (judgement: Judged) => (judgement.kind === 'deny' ? judgement.reason : judgement.kind);

describe('AG-GUARD-LISTS: rule 8: the lists', () => {
  const table: [call: ToolAct, tools: Partial<ToolPolicy>, kind: Judged['kind']][] = [
    [use('Read'), {}, 'allow'],
    [use('Read'), { allow: [] }, 'deny'],
    [use('Read'), { allow: ['Read'] }, 'allow'],
    [use('Write'), { allow: ['Read'] }, 'deny'],
    [use('Write'), { deny: ['Write'] }, 'deny'],
    [use('Write'), { allow: ['Write'], deny: ['Write'] }, 'deny'],
    [use('Anything'), { allow: ['*'] }, 'allow'],
    [use('Anything'), { deny: ['*'] }, 'deny'],
    // MCP tools
    [use('mcp__github__get_issue'), { allow: ['mcp__github__*'] }, 'allow'],
    [use('mcp__github__get_issue'), { allow: ['mcp__gitlab__*'] }, 'deny'],
    [use('mcp__github__delete'), { allow: ['mcp__github__*'], deny: ['mcp__*__delete'] }, 'deny'],
    [use('mcp__github__get'), { allow: ['mcp__github__get(x)'] }, 'deny'],
    [use('mcp__github__get'), { deny: ['mcp__github__get(x)'] }, 'deny'],
    // our own control tools
    [use('StructuredOutput'), { allow: ['Read'] }, 'allow'],
    // paths
    [write('docs/a.md'), { allow: ['Write(docs/**)'] }, 'allow'],
    [write('src/a.ts'), { allow: ['Write(docs/**)'] }, 'deny'],
    [write('docs/deep/a.md'), { allow: ['Write(**/*.md)'] }, 'allow'],
    [write('/ws-other/a.md'), { allow: ['Write(**/*.md)'] }, 'deny'],
    [write('/elsewhere/a.md'), { deny: ['Write(**/*.md)'] }, 'deny'],
    [write('docs/a.md'), { deny: ['Write(**/*.md)'] }, 'deny'],
    [write('docs/a.txt'), { deny: ['Write(**/*.md)'] }, 'allow'],
    [write('docs/a.md'), { allow: ['Write(./docs/*)'] }, 'allow'],
    [write('docs/a.md'), { allow: ['Write(/ws/docs/*)'] }, 'allow'],
    [write('/etc/passwd'), { deny: ['Write(/etc/**)'] }, 'deny'],
    [write('/etc/passwd'), { deny: ['Write(//etc/**)'] }, 'deny'],
    [write('/home/me/.ssh/id'), { deny: ['Write(~/.ssh/**)'] }, 'deny'],
    [write('.env'), { deny: ['Write(.env)'] }, 'deny'],
    [write('docs/link/a', 'src/a'), { allow: ['Write(docs/**)'] }, 'deny'],
    [write('docs/link/a', 'src/a'), { deny: ['Write(src/**)'] }, 'deny'],
    [write('docs/link/a', '/etc/a'), { allow: ['Write(docs/**)'] }, 'deny'],
    [write('a'), { allow: ['Edit'] }, 'deny'],
    [use('Grep', { pattern: 'x' }), { allow: ['Grep(src/**)'] }, 'deny'],
    [use('Grep', { pattern: 'x' }), { deny: ['Grep(secret/**)'] }, 'deny'],
    // T4: what a glob can reach
    [reach('Glob', 'src/lib', '**/*.ts'), { allow: ['Glob(src/**)'] }, 'allow'],
    [reach('Glob', 'src/lib', '**/.*.ts'), { allow: ['Glob(src/**)'] }, 'allow'],
    [reach('Glob', 'secret', '*'), { allow: ['Glob(src/**)'] }, 'deny'],
    [reach('Glob', '/etc', '*'), { allow: ['Glob(src/**)'] }, 'deny'],
    [reach('Glob', '.', '**/*.ts'), { allow: ['Glob(src/**)'] }, 'deny'],
    [reach('Glob', 'secret', '*'), { deny: ['Glob(secret/**)'] }, 'deny'],
    [reach('Glob', '.', 'secre?/key'), { deny: ['Glob(secret/**)'] }, 'deny'],
    [reach('Glob', 'secret', '*'), { allow: ['Glob'] }, 'allow'],
    [reach('Glob', '.', '**/*.ts'), { deny: ['Glob(secret/**)'] }, 'allow'],
    [reach('Glob', 'app/[id]', '*'), { allow: ['Glob(app/**)'] }, 'allow'],
    [reach('Read', '.', '**/*'), { deny: ['Read(secrets/**)'] }, 'deny'],
    [reach('Read', 'src', '*.ts'), { deny: ['Read(secrets/**)'] }, 'allow'],
    [reach('Read', 'src', '*.ts'), { allow: ['Read(src/**)'] }, 'allow'],
    [reach('Read', '.', '*/a.ts'), { allow: ['Read(src/**)'] }, 'deny'],
    [use('Glob'), { allow: ['Glob(src/**)'] }, 'deny'],
    // T5: what is denied to one tool that writes is denied to all
    ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit'].flatMap((denied) =>
      ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'].map(
        (tool): [ToolAct, Partial<ToolPolicy>, Judged['kind']] => [
          { tool, input: {}, file: '.github/workflows/ci.yml' },
          { deny: [`${denied}(.github/**)`] },
          'deny',
        ],
      ),
    ),
    [{ ...write('a'), tool: 'Edit' }, { deny: ['W*(.github/**)'] }, 'allow'],
    [{ ...write('.github/a'), tool: 'Edit' }, { deny: ['W*(.github/**)'] }, 'deny'],
    [{ ...write('a'), tool: 'Edit' }, { deny: ['Write'] }, 'allow'],
    [use('Edit'), { deny: ['Write(.github/**)'] }, 'deny'],
    [{ tool: 'Grep', input: {}, file: 'secrets/key' }, { deny: ['Read(secrets/**)'] }, 'deny'],
    [{ tool: 'Grep', input: {}, file: 'secrets' }, { deny: ['Read(secrets/**)'] }, 'deny'],
    [{ tool: 'Grep', input: {}, file: 'src' }, { deny: ['Read(secrets/**)'] }, 'allow'],
    [use('Grep', { pattern: 'x' }), { deny: ['Read(.env)'] }, 'allow'],
    [{ tool: 'Read', input: {}, file: 'node_modules/a' }, { deny: ['Grep(node_modules/**)'] }, 'allow'],
    // a relative path of which nobody knows what it is relative to
    [{ ...write('docs/a'), isFromUnknownFolder: true }, { allow: ['Write(docs/**)'] }, 'deny'],
    [{ ...write('a'), isFromUnknownFolder: true }, { deny: ['Write(docs/**)'] }, 'deny'],
    [{ ...write('a'), isFromUnknownFolder: true }, { allow: ['Write'] }, 'allow'],
    [{ ...write('/ws/docs/a'), isFromUnknownFolder: true }, { allow: ['Write(/ws/docs/**)'] }, 'allow'],
    // any other name that the client may take it for
    [{ ...write(' src/a'), others: ['src/a'] }, { deny: ['Write(src/**)'] }, 'deny'],
    [{ ...write('docs/a'), others: ['src/a'] }, { allow: ['Write(docs/**)'] }, 'deny'],
    // what cannot be read
    [{ ...use('Edit'), unreadable: 'no header' }, {}, 'deny'],
    [{ ...use('Edit'), unreadable: 'no header' }, { allow: ['*'] }, 'deny'],
    [use('Write'), { allow: ['Write({a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b})'] }, 'deny'],
    [write('x'), { deny: ['Write({a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b})'] }, 'deny'],
    // commands
    [bash('anything'), { allow: ['Bash'] }, 'allow'],
    [bash('two\nlines'), { allow: ['Bash(*)'] }, 'allow'],
    [bash('npm test'), { allow: ['Bash(npm test)'] }, 'allow'],
    [bash('npm test --all'), { allow: ['Bash(npm test)'] }, 'deny'],
    [bash('npm run build'), { allow: ['Bash(npm *)'] }, 'allow'],
    [bash('pnpm run'), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('npm testing'), { allow: ['Bash(npm test:*)'] }, 'allow'],
    [bash('npm test && rm x'), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('npm test && git diff'), { allow: ['Bash(npm *)', 'Bash(git diff:*)'] }, 'allow'],
    [bash('npm test; git push'), { allow: ['Bash(npm *)', 'Bash(git diff:*)'] }, 'deny'],
    [bash('npm test $(rm x)'), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('npm test > out.txt'), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('npm test > out.txt'), { allow: ['Bash(npm * > *)'] }, 'allow'],
    [bash('npm test 2>&1'), { allow: ['Bash(npm *)'] }, 'allow'],
    [bash('npm test 2>/dev/null'), { allow: ['Bash(npm *)'] }, 'allow'],
    [bash("npm test 'a"), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('npm run a && npm run b'), { allow: ['Bash(npm run a && npm run b)'] }, 'allow'],
    [bash(''), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('rm x'), { deny: ['Bash(rm *)'] }, 'deny'],
    [bash('a && rm x'), { deny: ['Bash(rm *)'] }, 'deny'],
    [bash('sudo /bin/rm x'), { deny: ['Bash(rm *)'] }, 'deny'],
    [bash('echo "rm x"'), { deny: ['Bash(rm *)'] }, 'allow'],
    [bash('npm rm x'), { deny: ['Bash(rm *)'] }, 'allow'],
    [bash('cat <<EOF\nrm x\nEOF'), { deny: ['Bash(rm *)'] }, 'allow'],
    [bash('bash <<EOF\nrm x\nEOF'), { deny: ['Bash(rm *)'] }, 'deny'],
    [bash('eval "$x"'), { deny: ['Bash(rm *)'] }, 'deny'],
    [bash('npm --version \r# ; touch X'), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('npm test ${x:- #};touch X'), { allow: ['Bash(npm *)'] }, 'deny'],
    [bash('git -C . push'), { deny: ['Bash(git push *)'] }, 'deny'],
    [bash('git push'), { deny: ['Bash(git push *)'] }, 'deny'],
    [bash('git push origin --force'), { allow: ['Bash'], deny: ['Bash(git * --force)'] }, 'deny'],
    [use('Bash'), { deny: ['Bash(rm *)'] }, 'deny'],
    [use('Bash'), { allow: ['Bash(rm *)'] }, 'deny'],
    // the web, subagents
    [
      use('WebFetch', { url: 'https://docs.example.com/a' }),
      { allow: ['WebFetch(domain:*.example.com)'] },
      'allow',
    ],
    [
      use('WebFetch', { url: 'https://evil.com/?docs.example.com' }),
      { allow: ['WebFetch(domain:*.example.com)'] },
      'deny',
    ],
    [
      use('WebFetch', { url: 'https://docs.example.com@evil.com/' }),
      { allow: ['WebFetch(domain:*.example.com)'] },
      'deny',
    ],
    [use('WebFetch', { url: 'nonsense' }), { deny: ['WebFetch(domain:evil.com)'] }, 'deny'],
    [use('WebSearch', { query: 'cats' }), { allow: ['WebSearch(cat*)'] }, 'allow'],
    [use('Task', { subagent_type: 'explore' }), { allow: ['Task(explore)'] }, 'allow'],
    [use('Task', { subagent_type: 'build' }), { allow: ['Task(explore)'] }, 'deny'],
    // not an item at all
    [use('Read'), { deny: ['()'] }, 'deny'],
    [use('Read'), { allow: ['()'] }, 'deny'],
  ];
  it.each(
    table.map(
      ([call, tools, kind]) => [JSON.stringify(call), JSON.stringify(tools), kind, call, tools] as const,
    ),
  )('%s under %s: %s', (_, __, kind, call, tools) => {
    expect(judged(call, { tools }).kind).toBe(kind);
  });

  it('says which item denies, and which part of a line is not allowed', () => {
    expect(reason(judged(bash('a && rm x'), { tools: { deny: ['Bash(rm *)'] } }))).toBe(
      '`Bash(rm *)` is denied in this step',
    );
    expect(reason(judged(bash('npm t && rm x'), { tools: { allow: ['Bash(npm *)'] } }))).toBe(
      'Bash(rm x) is not among what is allowed in this step: Bash(npm *)',
    );
    expect(reason(judged(write('src/a'), { tools: { allow: ['Read', 'Write(docs/**)'] } }))).toBe(
      'Write(src/a) is not among what is allowed in this step: Read, Write(docs/**)',
    );
    expect(reason(judged(use('Read'), { tools: { allow: [] } }))).toBe('no tool is allowed in this step');
  });
});

describe('AG-GUARD-RULES: rule 9: the rules', () => {
  const edit: ToolAct = { tool: 'Edit', input: { file_path: 'a.ts' }, file: 'a.ts' };
  const readFirst: Rule = {
    when: 'event.tool == "Edit" && !(event.file in session.files_read)',
    block: 'Read {{ event.file }} first',
  };

  it('a block rule that holds denies, with its words', () => {
    expect(judged(edit, { rules: [readFirst] })).toMatchObject({ kind: 'deny', reason: 'Read a.ts first' });
    expect(judged(edit, { rules: [readFirst], session: { files_read: ['a.ts'] } }).kind).toBe('allow');
  });

  it('an ask rule gives its question', () => {
    const rules: Rule[] = [{ when: 'event.command.contains("push")', ask: 'Push {{ event.command }}?' }];
    expect(judged(bash('git push'), { rules })).toMatchObject({
      kind: 'deny',
      reason: 'Push git push?',
      by: 'rule',
      asks: true,
    });
    expect(judged(bash('git pull'), { rules }).kind).toBe('allow');
  });

  it('warn rules that hold are gathered, and let it pass', () => {
    const rules: Rule[] = [
      { when: 'true', warn: 'one' },
      { when: 'false', warn: 'two' },
      { when: 'session.tool_calls > 1', warn: 'call {{ session.tool_calls }}' },
    ];
    expect(judged(edit, { rules, session: { tool_calls: 2 } })).toEqual({
      kind: 'allow',
      warnings: ['one', 'call 2'],
      notes: [],
    });
  });

  it('a rewrite rule changes what it names of the input, and is followed by the rules after it', () => {
    const rules: Rule[] = [
      { when: 'event.command.startsWith("npm")', rewrite: { command: 'timeout 60 {{ event.command }}' } },
    ];
    const call = { ...bash('npm test'), input: { command: 'npm test', description: 'd' } };
    expect(judged(call, { rules })).toMatchObject({
      kind: 'rewrite',
      input: { command: 'timeout 60 npm test', description: 'd' },
      from: 1,
    });
    expect(judged(call, { rules, from: 1 }).kind).toBe('allow');
  });

  it('what was rewritten is held to the lists like any call', () => {
    const rules: Rule[] = [{ when: 'true', rewrite: { command: 'rm x' } }];
    expect(judged(bash('rm x'), { rules, tools: { deny: ['Bash(rm *)'] }, from: 1 }).kind).toBe('deny');
  });

  it('the order is deny, allow, rules: no rule lets through what a list withholds', () => {
    const rules: Rule[] = [{ when: 'true', rewrite: { file_path: 'ok' } }];
    expect(judged(edit, { rules, tools: { deny: ['Edit'] } }).kind).toBe('deny');
    expect(judged(edit, { rules, tools: { allow: ['Read'] } }).kind).toBe('deny');
  });

  it('the first block or ask that holds ends it, whatever comes after', () => {
    const block: Rule = { when: 'true', block: 'no' };
    const ask: Rule = { when: 'true', ask: 'sure?' };
    const broken: Rule = { when: 'event.input.nothing > 1', block: 'x' };
    expect(judged(edit, { rules: [ask, block] })).toMatchObject({ kind: 'deny', asks: true });
    expect(judged(edit, { rules: [block, ask] })).not.toHaveProperty('asks');
    expect(judged(edit, { rules: [block, broken] })).toMatchObject({ reason: 'no' });
    expect(judged(edit, { rules: [{ when: 'true', warn: 'hm' }, block] })).toMatchObject({
      kind: 'deny',
      warnings: ['hm'],
    });
  });

  it('rule 9: an expression that cannot be evaluated blocks in a block rule, and is noted elsewhere', () => {
    const when = 'event.input.nothing > 1';
    const blocked = judged(edit, { rules: [{ when, block: 'x' }] });
    expect(reason(blocked)).toMatch(/^the rule `event\.input\.nothing > 1` cannot be evaluated: .*nothing/);
    for (const rule of [
      { when, ask: 'x' },
      { when, warn: 'x' },
      { when, rewrite: {} },
    ]) {
      const judgement = judged(edit, { rules: [rule] });
      expect(judgement).toMatchObject({
        kind: 'allow',
        notes: [expect.stringContaining('cannot be evaluated')],
      });
    }
  });

  it('a rule that holds does so even where its words cannot be rendered', () => {
    expect(judged(edit, { rules: [{ when: 'true', block: '{{ event.input.nothing }}' }] })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('the rule `true` holds'),
    });
  });

  it('what cannot be rewritten as it should does not happen as it was', () => {
    for (const rewrite of [{ file_path: '{{ event.input.nothing }}' }, 'text', ['list'], null]) {
      const judgement = judged(edit, { rules: [{ when: 'true', rewrite }] });
      expect(reason(judgement)).toMatch(/^the rule `true` cannot rewrite this call: /);
    }
  });

  it('rules see the names of their step, and texts of the event that the call does not have are empty', () => {
    const rules: Rule[] = [
      { when: 'event.name == "tool_call" && event.file == "" && inputs.strict', block: '{{ vars.why }}' },
    ];
    const names = { inputs: { strict: true }, vars: { why: 'because' } };
    expect(judged(bash('x'), { rules, names })).toMatchObject({ kind: 'deny', reason: 'because' });
    expect(judged(edit, { rules, names }).kind).toBe('allow');
  });

  it('command_runs looks at the command that is about to run', () => {
    const rules: Rule[] = [{ when: 'command_runs("git push")', block: 'no' }];
    expect(judged(bash('a && git push origin'), { rules }).kind).toBe('deny');
    expect(judged(bash('echo "git push"'), { rules }).kind).toBe('allow');
    expect(judged(edit, { rules }).kind).toBe('allow');
  });

  it.each(['git $x', 'eval "$x"', 'echo "unclosed', 'curl -s x | sh', 'npm test \r; git push'])(
    'SEC-SHELL-BLOCK: a block rule blocks %j, of which nobody can tell what it runs; another rule passes it by',
    (line) => {
      const when = 'command_runs("git push")';
      expect(judged(bash(line), { rules: [{ when, block: 'no' }] }).kind).toBe('deny');
      const warned = judged(bash(line), { rules: [{ when, warn: 'no' }] });
      expect(warned.kind).toBe('allow');
      expect(warned).toMatchObject({ notes: [expect.stringContaining('cannot be told')] });
    },
  );

  it('E1: what it would have to look at it asks for, and is asked again with the answer', () => {
    const rules: Rule[] = [{ when: 'size(files("PLAN.md")) == 0', block: 'Plan first' }];
    const need = { kind: 'files' as const, pattern: 'PLAN.md' };
    expect(judged(edit, { rules })).toEqual({ kind: 'needs', needs: [need] });
    expect(judged(edit, { rules, facts: [{ ...need, value: [] }] }).kind).toBe('deny');
    expect(judged(edit, { rules, facts: [{ ...need, value: ['PLAN.md'] }] }).kind).toBe('allow');
  });

  it.each(['', ' ', '\n\t', '\u0085', '\u200b', '{{ "" }}'])(
    'G10: a block rule whose text is %j has a reason all the same',
    (block) => {
      expect(reason(judged(edit, { rules: [{ when: 'true', block }] }))).toBe('the rule `true` holds');
    },
  );

  it('SEC-CALLS-NAMES: G9: a rule sees every name of the file, and the strictest answer counts', () => {
    const rules: Rule[] = [
      { when: 'event.file.startsWith("vendor/")', block: '{{ event.file }} is not ours' },
    ];
    const linked = { ...edit, file: 'docs/link', real: 'vendor/a' };
    expect(reason(judged(linked, { rules }))).toBe('vendor/a is not ours');
    expect(judged({ ...edit, file: 'vendor/link', real: 'docs/a' }, { rules }).kind).toBe('deny');
    expect(judged({ ...edit, file: 'a', real: 'b', others: ['vendor/x'] }, { rules }).kind).toBe('deny');
    expect(judged({ ...edit, file: 'a', real: 'b' }, { rules }).kind).toBe('allow');
    const only: Rule[] = [{ when: '!event.file.startsWith("docs/")', ask: 'only docs?' }];
    expect(judged(linked, { rules: only })).toMatchObject({ kind: 'deny', asks: true });
    expect(judged(linked, { rules: [...only, ...rules] })).toMatchObject({ kind: 'deny', asks: true });
    const warn: Rule[] = [{ when: 'true', warn: 'mind' }];
    expect(judged(linked, { rules: warn })).toMatchObject({ kind: 'allow', warnings: ['mind'] });
    const either: Rule[] = [{ when: 'event.file == "vendor/a"', rewrite: { file_path: 'x' } }];
    expect(judged(linked, { rules: either }).kind).toBe('rewrite');
  });
});

describe('SEC-CALLS-OWN: G5: the name of our own server', () => {
  const judgedWith = (tool: string, ownTools: string[], tools: Partial<ToolPolicy> = {}) =>
    judge(
      {
        tools: { deny: ['*'], ...tools },
        rules: [{ when: 'true', block: 'no' }],
        names: { lookup: () => undefined, fact: () => undefined },
        around: { ...around, ownTools },
      },
      use(tool),
      { session: SESSION, facts: new Map() },
    ).kind;

  it('passes unjudged only a tool of a server that this run started', () => {
    expect(judgedWith('mcp__lockstep__continue_workflow', ['mcp__lockstep__continue_workflow'])).toBe(
      'allow',
    );
    expect(judgedWith('mcp__lockstep__continue_workflow', [])).toBe('deny');
    expect(judgedWith('mcp__lockstep__other', ['mcp__lockstep__continue_workflow'])).toBe('deny');
  });

  it.each([
    'mcp__lockstep__run',
    'mcp__Lockstep__run',
    'mcp__lockstep___run',
    'mcp__lockstep__x__run',
    'mcp___lockstep__run',
    'mcp__lockstep.__run',
  ])('denies %s whatever the lists allow', (tool) => {
    expect(judged(use(tool), { tools: { allow: ['*', tool, 'mcp__lockstep__*'] } }).kind).toBe('deny');
    expect(judged(use(tool), {}).kind).toBe('deny');
  });

  it('WR44-FR-008: a tool of it that an agent was given is judged by lists and rules like any other', () => {
    const tool = 'mcp__lockstep__issues_update';
    const judgedBy = (tools: ToolPolicy, rules: Rule[] = []) =>
      judge(
        {
          ...{ tools, rules, names: { lookup: () => undefined, fact: () => undefined } },
          around: { ...around, givenTools: [tool] },
        },
        use(tool),
        { session: SESSION, facts: new Map() },
      ).kind;
    expect(judgedBy({ allow: [tool], deny: [] })).toBe('allow');
    expect(judgedBy({ allow: ['Read'], deny: [] })).toBe('deny');
    expect(judgedBy({ allow: [tool], deny: [tool] })).toBe('deny');
    expect(
      judgedBy({ allow: [tool], deny: [] }, [{ when: 'event.tool.startsWith("mcp__")', block: 'no' }]),
    ).toBe('deny');
  });

  it('other servers are judged as ever', () => {
    expect(
      judged(use('mcp__lockstep-notes__run'), { tools: { allow: ['mcp__lockstep-notes__*'] } }).kind,
    ).toBe('allow');
    expect(judged(use('mcp__my_lockstep__run'), {}).kind).toBe('allow');
  });
});

describe('SEC-CALLS-PROTECTED: T6: places that are not there to be written', () => {
  const writers = [
    'Write',
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'mcp__files__write_file',
    'mcp__fs__moveFile',
  ];
  const all: Partial<ToolPolicy>[] = [{}, { allow: ['*'] }, { allow: ['Write(**)', 'Edit(**)', ...writers] }];

  it.each([
    '.git/config',
    '.git',
    '.GIT/config',
    '.g\u200cit/config',
    'sub/module/.git/hooks/post-checkout',
    '/elsewhere/.git/config',
    '.lockstep/runs/latest/journal.jsonl',
    '.Lockstep/Runs/x',
    '/other/project/.lockstep/runs/x',
  ])('%s is never written', (file) => {
    for (const tool of writers)
      for (const tools of [...all, { allow: [`${tool}(${file})`, `${tool}(.git/**)`] }]) {
        expect([tool, judged({ tool, input: {}, file }, { tools }).kind]).toEqual([tool, 'deny']);
        expect(judged({ tool, input: {}, file: 'a', real: file }, { tools }).kind).toBe('deny');
        expect(judged({ tool, input: {}, file: 'a', others: [file] }, { tools }).kind).toBe('deny');
      }
    expect(judged({ tool: 'Read', input: {}, file }, {}).kind).toBe('allow');
    expect(judged({ tool: 'mcp__files__read_file', input: {}, file }, {}).kind).toBe('allow');
  });

  it.each(['git', 'runs'] as const)(
    'what the disk says to lie in %s is not, whatever it is called',
    (inside) => {
      expect(judged({ ...write('a'), inside }, { tools: { allow: ['Write'] } }).kind).toBe('deny');
      expect(judged({ tool: 'Read', input: {}, file: 'a', inside }, {}).kind).toBe('allow');
    },
  );

  it.each([
    ['.claude/settings.json', 'Write(.claude/**)'],
    ['.claude/settings.local.json', 'Write(.claude/settings.local.json)'],
    ['packages/a/.claude/agents/x.md', 'Write(**/.claude/**)'],
    ['.codex/config.toml', 'Write(.{codex,claude}/**)'],
    ['.codex/config.toml', 'Write({.codex,.claude}/**)'],
    ['.gemini/settings.json', 'Write(.gemini/*)'],
    ['.mcp.json', 'Write(.mcp.json)'],
    ['/home/me/.claude.json', 'Write(~/.claude.json)'],
    ['/home/me/.codex/config.toml', 'Write(~/.codex/**)'],
    ['.lockstep/workflows/ship.yaml', 'Write(.lockstep/workflows/**)'],
    ['.wrangler/workflows/ship.yaml', 'Write(.wrangler/workflows/**)'],
    ['.wrangler/orchestration/agents/a.md', 'Write(.wrangler/orchestration/**)'],
  ])('%s is written only where %s says so', (file, item) => {
    for (const tools of all) expect(judged(write(file), { tools }).kind).toBe('deny');
    expect(judged(write(file), { tools: { allow: ['Read', item] } }).kind).toBe('allow');
    expect(judged(write(file), { tools: { allow: ['*', item] } }).kind).toBe('allow');
    expect(judged(write(file), { tools: { allow: [item], deny: [item] } }).kind).toBe('deny');
    expect(judged(write('docs/a', file), { tools: { allow: ['Write(docs/**)'] } }).kind).toBe('deny');
  });

  it('an item that names one setting opens no other', () => {
    expect(judged(write('.claude/a'), { tools: { allow: ['*', 'Write(.codex/**)'] } }).kind).toBe('deny');
    expect(judged(write('.claude/a'), { tools: { allow: ['*', 'Edit(.claude/**)'] } }).kind).toBe('deny');
    expect(judged(write('.claude/a'), { tools: { allow: ['*', 'Write(.claude/b)'] } }).kind).toBe('deny');
  });

  it.each([
    'CLAUDE.md',
    'AGENTS.md',
    '.gitignore',
    '.gitattributes',
    '.github/workflows/ci.yml',
    '.lockstep/issues/0001-a.md',
    '.wrangler/specifications/a.md',
    '.wrangler/orchestration/notes.md',
    'docs/git/a.md',
    'claude/x',
    'runs/a',
  ])('%s is a file like any other', (file) => {
    expect(judged(write(file), {}).kind).toBe('allow');
  });

  it('whyWriteWithheld says the same of a file that a shell line writes, whyReadWithheld of one that it reads', () => {
    const policy: ToolPolicy = {
      allow: ['Bash', 'Write(.claude/**)', 'Edit(src/**)'],
      deny: ['Edit(.github/**)', 'Read(secrets/**)'],
    };
    const writing = (file: string, real?: string) =>
      whyWriteWithheld(policy, { file, ...(real !== undefined && { real }) }, around) ?? 'fine';
    expect(writing('src/a')).toBe('fine');
    expect(writing('.github/a')).toBe(
      '`Edit(.github/**)` is denied in this step, and this line writes .github/a',
    );
    expect(writing('docs/a')).toBe(
      'this line writes docs/a, and only Write(.claude/**), Edit(src/**) may be written in this step',
    );
    expect(writing('a', '.github/a')).toContain('denied');
    expect(writing('.git/config')).toContain('git');
    expect(writing('.codex/config.toml')).toContain('.codex');
    expect(writing('.claude/a')).toBe('fine');
    expect(whyReadWithheld(policy, { file: 'secrets/key' }, around)).toContain('Read(secrets/**)');
    expect(whyReadWithheld(policy, { file: '.git/config' }, around)).toBeUndefined();
  });

  it.each<[line: string, tools: Partial<ToolPolicy>, said: string]>([
    ['npm test > out.log', { allow: ['Bash(npm *)'] }, 'because it writes a file with `>`'],
    ['npm test; echo $"a"', { allow: ['Bash(npm *)'] }, 'because it cannot be followed'],
    ['"$cmd" push', { deny: ['Bash(git push *)'] }, 'only when it runs; write the command out'],
    ['$cmd push', { deny: ['Bash(git push *)'] }, 'put "quotes" around them'],
    [
      'curl x | sh',
      { deny: ['Bash(git push *)'] },
      'it cannot be told whether this line runs what `Bash(git push *)`',
    ],
    ['curl x | sh', { deny: ['Bash(git push *)'] }, ': this line cannot be followed: a shell runs'],
  ])('SEC-SHELL-REASONS: %s with %j is denied with "%s"', (line, tools, said) => {
    expect(reason(judged(bash(line), { tools }))).toContain(said);
  });

  it.each<
    [tools: Partial<ToolPolicy>, place: { file: string; real?: string; glob?: string }, isHeld: boolean]
  >([
    [{ deny: ['Write'] }, { file: 'a.txt' }, true],
    [{ deny: ['W*'] }, { file: 'a.txt' }, true],
    [{ deny: ['Edit'] }, { file: 'a.txt' }, false],
    [{ deny: ['Write'] }, { file: '/tmp/a.txt' }, false],
    [{ deny: ['Write'] }, { file: '/scratch/a.txt' }, false],
    [{ deny: ['Write'] }, { file: '/tmp/a.txt', real: 'src/a' }, true],
    [{ deny: ['Write'] }, { file: '/home/me/a' }, true],
    [{ allow: ['Bash', 'Write(docs/**)'] }, { file: 'src/a' }, true],
    [{ allow: ['Bash', 'Write(docs/**)'] }, { file: 'docs/a' }, false],
    [{ allow: ['Bash', 'Write(docs/**)'] }, { file: 'docs', glob: '*.md' }, false],
    [{ allow: ['Bash', 'Write(docs/*.md)'] }, { file: 'docs', glob: '*' }, true],
    [{ allow: ['Bash', 'Write(docs/**)'] }, { file: '/tmp/a' }, false],
    [{ allow: ['Bash', 'Write'] }, { file: 'src/a' }, false],
    [{ allow: ['Bash', 'Read'] }, { file: 'src/a' }, false],
    [{ deny: ['Write(.github/*.yml)'] }, { file: '.github', glob: '[!.]*.yml' }, true],
    [{ deny: ['Write(.env)'] }, { file: '.', glob: '[!.]*' }, false],
    [{}, { file: '.', glob: '.g*' }, true],
    [{}, { file: '.', glob: '.eslint*' }, false],
  ])('T7: with %j a line that writes %j is held: %s', (tools, place, isHeld) => {
    const temporary = { ...around, temporary: ['/scratch/'] };
    expect(whyWriteWithheld({ deny: [], ...tools }, place, temporary) !== undefined).toBe(isHeld);
  });
});

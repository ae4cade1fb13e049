import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import { isKnownTool } from '../../model/tool-policy.ts';
import { everyTool, isControlTool, notBetweenSessions, summaryOf, toolActs, toolFlags } from './tools.ts';

it('every tool it has is known where workflows are checked', () => {
  const names = [...everyTool([]), ...notBetweenSessions({ deny: [] })];
  expect(names.filter((name) => !isKnownTool(name))).toEqual([]);
});

describe('a call in our words', () => {
  it.each([
    ['Write', { file_path: '/w/a.ts', content: '' }, { tool: 'Write', file: '/w/a.ts', field: 'file_path' }],
    ['MultiEdit', { file_path: 'a.ts', edits: [] }, { tool: 'Edit', file: 'a.ts', field: 'file_path' }],
    [
      'NotebookEdit',
      { notebook_path: 'n.ipynb' },
      { tool: 'NotebookEdit', file: 'n.ipynb', field: 'notebook_path' },
    ],
    ['Grep', { pattern: 'x', path: 'src' }, { tool: 'Grep', file: 'src', field: 'path' }],
    ['Bash', { command: 'ls' }, { tool: 'Bash', command: 'ls' }],
    ['Agent', { prompt: 'p' }, { tool: 'Task' }],
    ['mcp__github__push', { path: 7 }, { tool: 'mcp__github__push' }],
  ])('%s', (name, input, expected) => {
    expect(toolActs({ name, input })).toEqual([{ input, ...expected }]);
  });

  it.each(['Monitor', 'PowerShell'])('T1: %s runs a command line, so it is Bash', (name) => {
    expect(toolActs({ name, input: { command: 'rm -rf x' } })).toMatchObject([
      { tool: 'Bash', command: 'rm -rf x' },
    ]);
  });

  it('T2: what only steers the client is nobody’s to forbid', () => {
    expect(['StructuredOutput', 'ToolSearch', 'Bash', 'Write'].map(isControlTool)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('SEC-CALLS-PATHS: K1: every path in a call is asked about', () => {
  const files = (name: string, input: JsonObject) =>
    toolActs({ name, input }).map(({ file, glob }) => [file, glob].filter(Boolean).join(' + '));
  it.each<[string, JsonObject, string[]]>([
    [
      'NotebookEdit',
      { file_path: 'docs/harmless', notebook_path: '.github/a' },
      ['.github/a', 'docs/harmless'],
    ],
    ['Write', { file_path: 'a', notebook_path: 'b', path: 'c' }, ['a', 'b', 'c']],
    ['Edit', { path: 'b', filePath: 'c' }, ['b', 'c']],
    ['MultiEdit', { file_path: 'a', edits: [{ file_path: 'b', old_string: 'x' }] }, ['a', 'b']],
    ['Read', { file_path: 'a', paths: ['b', 'c'] }, ['a', 'b', 'c']],
    ['BrandNewEdit', { target_file: 'a' }, ['a']],
    ['mcp__files__move', { source: 'a', destination: 'b' }, ['a', 'b']],
    ['Write', { content: '{"file_path":"b"}', file_path: 'a' }, ['a']],
    ['Glob', { pattern: '**/*.ts' }, ['']],
    ['Glob', { pattern: '*.ts', path: 'src' }, ['src + **/*.ts']],
    ['Glob', { pattern: 'secret/*' }, ['secret + *']],
    ['Glob', { pattern: '{src,../x}/*.ts', path: 'lib' }, ['lib/src + *.ts', 'lib/../x + *.ts']],
    ['Grep', { pattern: '../x', path: 'src', glob: '*.ts' }, ['src']],
  ])('%s %j', (name, input, expected) => {
    expect(files(name, input)).toEqual(expected);
  });

  it.each<[JsonObject]>([
    [{ path: 'a', files: Array.from({ length: 205 }, (_, at) => `f${at}`) }],
    [JSON.parse(`${'{"a":'.repeat(60)}{"path":".git/config"}${'}'.repeat(60)}`)],
  ])('SEC-CALLS-MANY: D2: a call with too many paths, or too deep ones, cannot be judged', (input) => {
    for (const name of ['Write', 'mcp__fs__write_file'])
      expect(toolActs({ name, input })).toMatchObject([{ unreadable: expect.stringContaining('paths') }]);
  });

  it.each([
    ...[
      'uri',
      'target',
      'dest',
      'dst',
      'output',
      'out',
      'output_file',
      'to',
      'new_name',
      'local_path',
      'save_path',
    ],
    ...[
      'file-path',
      'full_path',
      'fullPath',
      'abs_path',
      'pathname',
      'location',
      'file_uri',
      'outFile',
      'anything',
    ],
  ])('SEC-CALLS-FIELDS: a protected place counts in the field %s too', (field) => {
    expect(files('mcp__fs__write_file', { [field]: '.git/config' })).toEqual(['.git/config']);
    expect(files('mcp__fs__write_file', { deep: [{ [field]: 'file:///w/.git/config' }] })).toEqual([
      '/w/.git/config',
    ]);
  });

  it('a text is no path', () => {
    const input = { to: 'a@b.c', uri: 'https://example.org/a', text: 'see .git/config there', title: 'a' };
    expect(files('mcp__mail__send', input)).toEqual(['']);
  });

  it('a filter that leads out of the folder is asked about as well', () => {
    const [first, ...others] = files('Grep', { pattern: 'x', path: 'src', glob: '*.ts,../secret/*' });
    expect(first).toBe('src');
    expect(others).toContain('src/../secret + *');
    expect(files('Grep', { pattern: 'x', path: 'src', glob: '../secret/**' })).toContain(
      'src/../secret + **',
    );
  });

  it('what is said of the folder it stands in is handed on', () => {
    expect(toolActs({ name: 'Write', input: { file_path: 'a' }, cwd: '/w/sub' })).toMatchObject([
      { file: 'a', cwd: '/w/sub' },
    ]);
    expect(toolActs({ name: 'Bash', input: { command: 'ls' }, cwd: '/w/sub' })).toMatchObject([
      { command: 'ls', cwd: '/w/sub' },
    ]);
  });
});

describe('what it is about, on one line', () => {
  it.each([
    ['Bash', { command: 'npm test &&\n  npm run lint' }, 'npm test && npm run lint'],
    ['Read', { file_path: '/w/src/a.ts' }, 'src/a.ts'],
    ['Read', { file_path: '/etc/hosts' }, '/etc/hosts'],
    ['Read', { file_path: '/w' }, '/w'],
    ['Grep', { pattern: 'TODO', path: '/w/src' }, 'TODO'],
    ['WebFetch', { url: 'https://example.org', prompt: 'p' }, 'https://example.org'],
    ['Agent', { description: 'Look around', prompt: 'p' }, 'Look around'],
    ['TodoWrite', { todos: [1] }, '{"todos":[1]}'],
    ['ListAgents', {}, 'ListAgents'],
  ])('%s %j', (name, input, expected) => {
    expect(summaryOf(toolActs({ name, input })[0] as ToolAct, '/w')).toBe(expected);
  });

  it('is short, however long the call', () => {
    const [event] = toolActs({ name: 'Bash', input: { command: 'x'.repeat(100_000) } });
    expect(summaryOf(event as ToolAct, '/w').length).toBeLessThan(200);
  });
});

describe('what is not even given', () => {
  it.each([
    [{ deny: [] }, {}],
    [{ allow: [], deny: [] }, { tools: [] }],
    [
      { allow: ['Read', 'Grep'], deny: ['Grep'] },
      { tools: ['Read'], disallowed: ['Grep'] },
    ],
    // What a pattern is about is judged call by call: the tool itself has to be there.
    [
      { allow: ['Bash(npm *)', 'Write(docs/**)'], deny: ['Bash(npm publish*)'] },
      { tools: ['Bash', 'Write'] },
    ],
    [{ allow: ['*'], deny: [] }, {}],
    [{ deny: ['Task'] }, { disallowed: ['Task', 'Agent'] }],
    [{ deny: ['Bash'] }, { disallowed: ['Bash', 'Monitor', 'PowerShell'] }],
    [{ deny: ['Web*'] }, { disallowed: ['WebFetch', 'WebSearch'] }],
    [{ deny: ['mcp__github__*'] }, { disallowed: ['mcp__github__*'] }],
  ])('%j', (policy, expected) => {
    expect(toolFlags(policy, [])).toEqual({ disallowed: [], ...expected });
  });

  it.each([
    [['Read'], ['mcp__tracker']],
    [['mcp__tracker__find'], []],
    [['mcp__tracker__*'], []],
    [['mcp__*'], []],
    [['*'], []],
    [['mcp__other__*'], ['mcp__tracker']],
  ])('a server none of whose tools is in %j is left out whole', (allow, disallowed) => {
    expect(toolFlags({ allow, deny: [] }, ['tracker']).disallowed).toEqual(disallowed);
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { isKnownTool } from '../../model/tool-policy.ts';
import { BUILT_IN, lineOf, ourName, summaryOf, toolActs } from './tools.ts';

it('every tool it has is known, by our name, where workflows are checked', () => {
  expect(Object.values(BUILT_IN).filter((name) => !isKnownTool(name))).toEqual([]);
});

describe('names', () => {
  it.each([
    ['write_file', 'Write'],
    ['replace', 'Edit'],
    ['run_shell_command', 'Bash'],
    ['read_file', 'Read'],
    ['read_many_files', 'Read'],
    ['grep_search', 'Grep'],
    ['search_file_content', 'Grep'],
    ['glob', 'Glob'],
    ['list_directory', 'LS'],
    ['web_fetch', 'WebFetch'],
    ['google_web_search', 'WebSearch'],
    ['invoke_agent', 'Task'],
    ['brand_new_tool', 'brand_new_tool'],
    ['constructor', 'constructor'],
  ])('%s is %s', (name, ours) => {
    expect(ourName(name, [])).toBe(ours);
  });

  it('takes the name of an MCP tool apart by the servers that are known, the longest first', () => {
    const servers = ['my', 'my_tracker'];
    expect(ourName('mcp_my_tracker_find_it', servers)).toBe('mcp__my_tracker__find_it');
    expect(ourName('mcp_my_find', servers)).toBe('mcp__my__find');
    expect(ourName('mcp_other_find_it', servers)).toBe('mcp__other__find_it');
  });

  it('believes the client where it says which server a tool is of', () => {
    expect(ourName('mcp_a_b_c', ['a'], { server: 'a_b', tool: 'c' })).toBe('mcp__a_b__c');
  });
});

describe('what a call is about', () => {
  it.each([
    ['Write', { file_path: 'a', content: 'x' }, [{ file: 'a', field: 'file_path' }]],
    ['LS', { dir_path: 'src' }, [{ file: 'src', field: 'dir_path' }]],
    ['Read', { include: ['a', 'b', 3] }, [{ file: 'a' }, { file: 'b' }]],
    ['Bash', { command: 'ls', dir_path: 'src' }, [{ command: 'ls', cwd: 'src' }]],
    ['WebSearch', { query: 'x' }, [{}]],
  ])('%s %o', (tool, input, expected) => {
    expect(toolActs(tool, { input })).toEqual(expected.map((about) => ({ tool, input, ...about })));
  });

  it('says it in one short line, files from the folder it works in', () => {
    expect(summaryOf({ file_path: '/work/src/a.ts', content: 'x' }, '/work')).toBe('src/a.ts');
    expect(summaryOf({ command: 'a\n  b', description: 'x' }, '/work')).toBe('a b');
    expect(summaryOf({ todos: [] }, '/work')).toBe('{"todos":[]}');
    expect(summaryOf({}, '/work')).toBe('');
    expect(lineOf('x'.repeat(300))).toHaveLength(200);
  });
});

describe('SEC-CALLS-GLOB: what a call can reach', () => {
  const told = (tool: string, input: JsonObject) =>
    toolActs(tool, { input }).map(({ file, glob }) => [file, glob].filter(Boolean).join(' + '));
  it.each<[string, JsonObject, string[]]>([
    ['Read', { include: ['src/{a.ts,../secrets/key}'] }, ['src/a.ts', 'src/../secrets/key']],
    ['Read', { paths: ['**/*'], include: ['b'] }, ['b', '. + **/*']],
    ['Read', { include: ['a*/../x'] }, ['']],
    ['Read', { absolute_path: '/etc/a', file_path: 'b' }, ['b', '/etc/a']],
    ['Glob', { pattern: 'secret/*', dir_path: 'src' }, ['src/secret + *']],
    ['Grep', { pattern: 'x', dir_path: 'src', include_pattern: '../secret/*.ts' }, ['src/../secret + *.ts']],
    ['Write', { file_path: 'a', absolute_path: 'b' }, ['a', 'b']],
  ])('%s %j', (tool, input, expected) => {
    expect(told(tool, input)).toEqual(expected);
  });

  it('a command that runs in another folder says so', () => {
    expect(toolActs('Bash', { input: { command: 'ls', dir_path: 'a' }, cwd: '/w' })).toMatchObject([
      { cwd: '/w/a' },
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolPolicy } from '../../model/workflow.ts';
import { addedFile, commandOfPatch, patchOfCommand, patchThatAdds } from './patch.ts';
import { commandOf, handBack, toolActs } from './tools.ts';

const all: ToolPolicy = { deny: [] };
const readers: ToolPolicy = { allow: ['Read', 'Grep', 'Glob', 'LS'], deny: [] };
const events = (name: string, input: { [key: string]: string }, tools = all, servers: string[] = []) =>
  toolActs({ name, input }, { tools, servers });
/** `Tool about what`. */
const told = (...args: Parameters<typeof events>) =>
  events(...args).map(({ tool, file, command }) => [tool, file ?? command].filter(Boolean).join(' '));

const MANY = `*** Begin Patch
*** Add File: new.txt
+*** not a header
*** Update File: old.txt
*** Move to: there/old.txt
@@
-a
+b
*** Delete File: gone.txt
*** End Patch
`;

describe('calls in our words', () => {
  it('AG-CODEX-PATCH: a patch is a call for each file: what it adds is written, the rest edited', () => {
    expect(told('apply_patch', { command: MANY })).toEqual([
      'Write new.txt',
      'Edit old.txt',
      'Write there/old.txt',
      'Edit gone.txt',
    ]);
  });

  it('K2: a patch that nobody can read is said to be unreadable', () => {
    const unreadable = { tool: 'Edit', unreadable: 'the patch names no file' };
    expect(events('apply_patch', { command: '*** Begin Patch\n*** End Patch' })).toMatchObject([unreadable]);
    expect(events('apply_patch', {})).toMatchObject([unreadable]);
  });

  it('a patch in a command is from a folder that nobody is told, unless it says where', () => {
    const patch = (path: string) =>
      `apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\nEOF\n`;
    expect(events('Bash', { command: patch('a') })).toMatchObject([{ file: 'a', isFromUnknownFolder: true }]);
    expect(events('Bash', { command: `cd x && ${patch('a')}` })[1]).toMatchObject({
      isFromUnknownFolder: true,
    });
    expect(events('Bash', { command: patch('/w/a') })[0]).not.toHaveProperty('isFromUnknownFolder');
    expect(events('Bash', { command: `cd x && ${patch('a')}` })[2]).toMatchObject({ file: 'x/a' });
    expect(events('apply_patch', { command: patch('a') })[0]).not.toHaveProperty('isFromUnknownFolder');
  });

  it('a whole new file has its content under the names that rules know', () => {
    const command = patchThatAdds({ path: 'a b.txt', content: 'one\n\ntwo\n' });
    expect(events('apply_patch', { command })).toEqual([
      {
        tool: 'Write',
        file: 'a b.txt',
        field: 'file_path',
        input: { command, file_path: 'a b.txt', content: 'one\n\ntwo\n' },
      },
    ]);
  });

  it('a command that is a patch and nothing else is that patch, not a command', () => {
    expect(told('Bash', { command: `apply_patch <<'EOF'\n${MANY}EOF\n` }, readers)[0]).toBe('Write new.txt');
  });

  it.each([
    `apply_patch <<'EOF'\n${MANY}EOF\nrm -rf .\nEOF`,
    `apply_patch <<EOF\n${MANY}EOF`, // a shell would look into it
    `apply_patch <<'EOF' && rm x\n${MANY}EOF`,
    `cd x && apply_patch <<'EOF'\n${MANY}EOF`,
  ])('a command with a patch and more is both: %j', (command) => {
    const [first, ...rest] = told('Bash', { command }, readers);
    expect(first).toBe(`Bash ${command}`);
    expect(rest).toContain('Edit gone.txt');
  });

  it.each([
    ['view_image', { path: 'x.png' }, ['Read x.png']],
    ['spawn_agent', { message: 'go' }, ['Task']],
    ['multi_agent_v1wait_agent', {}, ['Task']],
    ['mcp__github__list_agents', {}, ['mcp__github__list_agents']],
    ['read_mcp_resource', { uri: 'x' }, ['read_mcp_resource']],
    ['tool_search', { query: 'x' }, []],
    ['update_goal', {}, []],
    ['something_new', {}, ['something_new']],
  ])('%s', (name, input, expected) => {
    expect(told(name, input as { [key: string]: string })).toEqual(expected);
  });
});

describe('names of MCP tools', () => {
  it.each<[string, string[], ToolPolicy, string]>([
    ['mcp__t_1__note', ['t-1'], all, 'mcp__t-1__note'],
    ['mcp__t_1__note', ['t_1'], all, 'mcp__t_1__note'],
    ['mcp__t_1__do_it', [], { deny: ['mcp__t-1__do-it'] }, 'mcp__t-1__do-it'],
    ['mcp__t_1__do_it', [], { deny: ['mcp__t-1__*'] }, 'mcp__t-1__do_it'],
    ['mcp__t_1__do_it', [], { allow: ['mcp__*__do-it'], deny: [] }, 'mcp__t_1__do-it'],
    ['mcp__other__do_it', ['t-1'], { deny: ['mcp__t-1__*'] }, 'mcp__other__do_it'],
  ])('%s with servers %j', (name, servers, tools, expected) => {
    expect(told(name, {}, tools, servers)).toEqual([expected]);
  });
});

describe('commands that only look', () => {
  it.each<[string, string[]]>([
    ['cat a.txt', ['Read a.txt']],
    ["cat 'a b.txt' c | head -n 20", ['Read a b.txt', 'Read c']],
    ['sed -n 1,20p src/x.ts', ['Read src/x.ts']],
    ['sed -n "3p" x', ['Read x']],
    ['rg -n "TODO: x" src test', ['Grep src', 'Grep test']],
    ['rg --files', ['Glob']],
    ['grep -rn foo', ['Grep']],
    ['find src -name "*.ts" -type f', ['Glob src']],
    ['find', ['Glob']],
    ['ls -la && pwd; ls docs', ['LS', 'LS docs']],
    ['pwd', ['LS']],
    ['tail -5 log', ['Read log']],
  ])('AG-CODEX-READS: %s', (command, expected) => {
    expect(told('Bash', { command }, readers)).toEqual(expected);
  });

  it.each([
    'cat a > b',
    'cat $(rm x)',
    'cat `rm x`',
    'cat "$X"',
    'cat a & rm b',
    'cat a || rm b',
    'cat a |& tee b',
    'cat a\nrm b',
    'cat <(rm x)',
    'X=1 cat a',
    'cat *',
    'cat a | tee b',
    'cat a |',
    'find . -delete',
    'find . -exec rm x',
    'find . -fprint out',
    'rg --pre sh x',
    'rg -z x',
    'grep -f /etc/shadow x',
    'sed -n -i 1p a',
    "sed -n 'w out' a",
    "sed -n '1e rm x' a",
    'sed -i s/a/b/ x',
    'wc --files0-from=list',
    'constructor x',
    '',
  ])('is a command like any other: %j', (command) => {
    expect(told('Bash', { command }, readers)).toEqual([['Bash', command].filter(Boolean).join(' ')]);
  });

  it('is a command for whoever has commands, and a look as well for whoever has that too', () => {
    const cat = (tools: ToolPolicy) => told('Bash', { command: 'cat a' }, tools);
    expect(cat(all)).toEqual(['Bash cat a', 'Read a']);
    expect(cat({ allow: ['Bash', 'Read'], deny: [] })).toEqual(['Bash cat a', 'Read a']);
    expect(cat({ deny: ['Read'] })).toEqual(['Bash cat a', 'Read a']);
    expect(cat({ allow: ['Bash'], deny: [] })).toEqual(['Bash cat a']);
    expect(cat({ allow: ['Bash(git *)', 'Read'], deny: [] })).toEqual(['Read a']);
  });

  it('under a pattern only an absolute path counts: the command may run in another folder', () => {
    const tools: ToolPolicy = { allow: ['Read(src/**)'], deny: [] };
    expect(told('Bash', { command: 'cat src/a' }, tools)).toEqual(['Bash cat src/a']);
    expect(told('Bash', { command: 'cat /w/src/a' }, tools)).toEqual(['Read /w/src/a']);
  });
});

describe('rewritten calls', () => {
  const patch = patchThatAdds({ path: 'a.txt', content: 'x\n' });
  const rewrite = (name: string, command: string, change: { [key: string]: string }) => {
    const call = { name, input: { command } };
    const [event] = toolActs(call, { tools: all, servers: [] });
    return event && handBack(call, event, { ...event.input, ...change });
  };

  it('a command is another command', () => {
    expect(rewrite('Bash', 'rm x', { command: 'echo' })).toEqual({ command: 'echo' });
  });
  it('a new file has another content, as a patch or as a command', () => {
    const other = patchThatAdds({ path: 'a.txt', content: 'y\n' });
    expect(rewrite('apply_patch', patch, { content: 'y' })).toEqual({ command: other });
    expect(rewrite('Bash', commandOfPatch(patch), { content: 'y' })).toEqual({
      command: commandOfPatch(other),
    });
  });
  it('what codex cannot be told is nothing it may do', () => {
    expect(rewrite('apply_patch', MANY, { file_path: 'other.txt' })).toBeUndefined();
    expect(rewrite('Bash', 'rm x', { timeout: '5' })).toBeUndefined();
  });
  it('the input of another tool is handed back whole', () => {
    const call = { name: 'mcp__a__b', input: { text: 'x' } };
    expect(handBack(call, { tool: 'mcp__a__b', input: call.input }, { text: 'y' })).toEqual({ text: 'y' });
  });

  it('any new file survives being made a patch, and a command', () => {
    const lines = fc.array(
      fc.string().map((text) => text.replaceAll(/[\r\n]/g, '')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(lines, (texts) => {
        const file = { path: 'a.txt', content: `${texts.join('\n')}\n` };
        const command = commandOfPatch(patchThatAdds(file));
        expect(addedFile(patchOfCommand(command) ?? '')).toEqual(file);
      }),
    );
  });
});

describe('command lines as the stream has them', () => {
  it.each([
    ["/bin/bash -lc 'echo hi > a.txt'", 'echo hi > a.txt'],
    ['/bin/bash -lc bash', 'bash'],
    [`/bin/bash -lc 'echo '"'"'x'"'"''`, "echo 'x'"],
    ['/usr/bin/zsh -lc "echo \\"x\\""', 'echo "x"'],
    ['npm test', 'npm test'],
  ])('%s', (line, expected) => expect(commandOf(line)).toBe(expected));
});

import { describe, expect, it } from 'vitest';
import type { Message, ModelRequest } from '../model-server/turn.ts';
import type { Client, ClientName } from './clients/client.ts';
import { clients } from './clients.ts';
import { answer, bash, edit, type Part, play, read, say, write } from './model.ts';

const client = (name: ClientName) => clients.find((each) => each.name === name) as Client;

const user = (text: string): Message => ({ role: 'user', text, calls: [], results: [] });
const said = (text: string): Message => ({ ...user(text), role: 'assistant' });
const called: Message = { ...said(''), calls: [{ name: 'x', input: {} }] };
const result: Message = { ...user(''), results: [{ text: 'ok', isError: false }] };

const request = (messages: Message[], tools: string[] = []): ModelRequest => ({
  vendor: 'anthropic',
  number: 1,
  at: 0,
  model: 'm',
  system: '',
  messages,
  tools,
  headers: {},
  body: {},
});
const player = (parts: Record<string, Part>, name: ClientName = 'claude-cli') => {
  const script = play(parts, client(name), '/project');
  return (...messages: Message[]) => script(request(messages));
};

describe('which turn is next', () => {
  const next = player({ First: [say('a'), say('b')], Second: [say('c')] });

  it('the first, where a prompt holds the key of a part', () => {
    expect(next(user('remarks of the client'), user('First task'))).toEqual({ text: 'a' });
  });

  it('the one after as many as the model has taken, however the client splits them', () => {
    expect(next(user('First task'), called, result)).toEqual({ text: 'b' });
    expect(next(user('First task'), said('x'), called, called, result, result)).toEqual({ text: 'b' });
  });

  it('that of the latest prompt, where a session goes on', () => {
    expect(next(user('First task'), said('a'), user('Second task'))).toEqual({ text: 'c' });
  });

  it('an end, after the last; what only was said is said again', () => {
    expect(player({ Go: [bash('ls')] })(user('Go'), called, result)).toEqual({ text: 'That is all.' });
    expect(next(user('Second task'), said('c'), user('Go on.'))).toEqual({ text: 'c' });
  });

  it('what the model has been told by then decides, where a turn is up to that', () => {
    const echo = player({ Go: [bash('ls'), ({ messages }) => say(messages.at(-1)?.results[0]?.text ?? '')] });
    expect(echo(user('Go'), called, result)).toEqual({ text: 'ok' });
  });

  it('nothing for a prompt that no part is for: that is a mistake in the test', () => {
    expect(() => next(user('Third task'))).toThrow('Third task');
  });

  it('of another list each time the part begins anew; the last repeats', () => {
    const again = player({ Try: { openings: [[{ hang: true }], [say('a'), say('b')]] } });
    expect(again(user('Try'))).toEqual({ hang: true });
    expect(again(user('Try'))).toEqual({ text: 'a' });
    expect(again(user('Try'), called, result)).toEqual({ text: 'b' });
    expect(again(user('Try'))).toEqual({ text: 'a' });
  });
});

describe('the words of each client', () => {
  const turns = [write('a.txt', 'x\ny\n'), read('a.txt'), edit('a.txt', 'x', 'z'), bash('ls')];
  const names = (name: ClientName) =>
    turns.map((turn) => {
      const { calls } = player({ Go: [turn] }, name)(user('Go')) as {
        calls: { name: string; input: object }[];
      };
      return [calls[0]?.name, Object.values(calls[0]?.input ?? {}).join('|')];
    });

  it.each(['claude-cli', 'claude-sdk'] as const)('%s', (name) => {
    expect(names(name)).toEqual([
      ['Write', '/project/a.txt|x\ny\n'],
      ['Read', '/project/a.txt'],
      ['Edit', '/project/a.txt|x|z'],
      ['Bash', 'ls|as the script says'],
    ]);
  });

  it('codex', () => {
    const patch = (text: string) => `apply_patch <<'PATCH'\n*** Begin Patch\n${text}\n*** End Patch\nPATCH`;
    expect(names('codex')).toEqual([
      ['exec_command', patch('*** Add File: a.txt\n+x\n+y')],
      ['exec_command', "cat 'a.txt'"],
      ['exec_command', patch('*** Update File: a.txt\n@@\n-x\n+z')],
      ['exec_command', 'ls'],
    ]);
  });

  it('gemini', () => {
    expect(names('gemini')).toEqual([
      ['write_file', '/project/a.txt|x\ny\n'],
      ['read_file', '/project/a.txt'],
      ['replace', '/project/a.txt|as the script says|x|z'],
      ['run_shell_command', 'ls|as the script says'],
    ]);
  });

  it('an answer of a certain shape is a call where the client offers a tool for it, else text', () => {
    const script = play({ Go: [answer({ a: 1 })] }, client('claude-cli'), '/project');
    expect(script(request([user('Go')], ['StructuredOutput']))).toEqual({
      calls: [{ name: 'StructuredOutput', input: { a: 1 } }],
    });
    expect(script(request([user('Go')]))).toEqual({ text: '{"a":1}' });
  });
});

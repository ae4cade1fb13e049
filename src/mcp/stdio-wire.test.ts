import { describe, expect, it } from 'vitest';
import { readLine } from './stdio-wire.ts';

describe('readLine', () => {
  it.each([
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":5}', 1],
    ['parameters that are null', '{"jsonrpc":"2.0","id":2,"method":"ping","params":null}', 2],
    ['parameters that are a list', '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":[]}', 'x'],
    ['neither a request nor an answer', '{"jsonrpc":"2.0","id":3}', 3],
    ['an error that is a text', '{"jsonrpc":"2.0","id":4,"error":"x"}', 4],
    ['an id that is no id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['an id that is no whole number', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
  ])('MCP-WIRE: %s is answered, because whoever sent it waits', (_, line, id) => {
    expect(readLine(line)).toMatchObject({ id, error: { code: -32600 } });
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":0,"method":"tools/list","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":"a","result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
  ])('MCP-WIRE: takes %s', (line) => {
    expect(readLine(line)).toEqual({ message: JSON.parse(line) });
  });
});

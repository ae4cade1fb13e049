import { describe, expect, it } from 'vitest';
import type { RunAgent } from '../../model/command.ts';
import type { AgentAnswer } from '../../ports/agent.ts';
import { createMask } from '../mask.ts';
import { jsonIn, understand } from './answer.ts';

const command: RunAgent = {
  kind: 'run-agent',
  path: 'x',
  try: 1,
  env: {},
  secrets: [],
  capture: { as: 'text', limit: 1000, onParseError: 'fail' },
  system: '',
  prompt: { kind: 'text', text: '' },
  feedback: [],
  params: {},
  tools: { deny: [] },
  dispatch: { path: 0, id: 0 },
  concurrent: false,
};
const schema = { name: 'review', schema: { type: 'object', required: ['ok'] } };
const mask = createMask([]);
const said = (answer: Partial<AgentAnswer>, more: Partial<RunAgent> = {}, cut = false) =>
  understand(
    { ...command, ...more },
    { answer: { text: '', ...answer }, cut, schema: () => more.schema },
    mask,
  );

describe('rule 2: an answer without a schema', () => {
  const table: [string, string, unknown][] = [
    ['an object', ' {"a": 1}\n', { a: 1 }],
    ['a list', '[1, 2]', [1, 2]],
    ['its one fenced block', 'Here:\n```json\n{"a": 1}\n```\nThat is it.', { a: 1 }],
    ['a block fenced by tildes, around backticks', '~~~\n["```"]\n~~~', ['```']],
    ['text: a number', '42', '42'],
    ['text: a quoted string', '"yes"', '"yes"'],
    ['text: two blocks', '```\n{"a": 1}\n```\n```\n{"b": 1}\n```', '```\n{"a": 1}\n```\n```\n{"b": 1}\n```'],
    ['text: a block that does not end', '```json\n{"a": 1}', '```json\n{"a": 1}'],
    ['text: JSON with words before it', 'Sure: {"a": 1}', 'Sure: {"a": 1}'],
    ['text: half of JSON', '{"a": ', '{"a": '],
    ['nothing', '', ''],
  ];
  it.each(table)('is %s', async (_, text, expected) => {
    expect(await said({ text })).toEqual({ output: expected });
  });

  it('is text where it was cut, even if a part of it reads as JSON', async () => {
    expect((await said({ text: '[1]' }, {}, true)).output).toBe('[1]');
  });

  it('SEC-NUM-DOORS: a number that would be rounded leaves it text, or fails it where JSON was asked for', async () => {
    const text = '{"n": 9007199254740993}';
    const json = { as: 'json', limit: 1000, onParseError: 'fail' } as const;
    expect(await said({ text })).toMatchObject({ output: text, warning: expect.stringContaining('at $.n') });
    expect((await said({ text }, { capture: json })).failure?.message).toContain('at $.n');
    expect((await said({ text }, { schema })).violations?.join()).toContain('at $.n');
    const structured = { n: 2 ** 53 };
    expect(await said({ structured })).toMatchObject({ output: null, failure: { class: 'output' } });
    expect((await said({ structured }, { schema })).violations?.join()).toContain('at $.n');
  });

  it('SEC-CUT-SHOWN: a part that was kept is not read as JSON, not even a whole block of it', async () => {
    const text = '```json\n[1]\n```\n[… 99 bytes left out …]\nmore';
    const json = { as: 'json', limit: 1000, onParseError: 'fail' } as const;
    expect((await said({ text }, { capture: json }, true)).failure?.class).toBe('output');
    expect((await said({ text }, { capture: json })).output).toEqual([1]);
  });

  it('is what the client gave, where it gave a structured one', async () => {
    expect(await said({ text: 'see there', structured: { a: undefined, b: 1 } })).toEqual({
      output: { b: 1 },
    });
  });

  it('can be asked for as JSON or as lines', async () => {
    const json = { as: 'json', limit: 1000, onParseError: 'fail' } as const;
    expect(await said({ text: '42' }, { capture: json })).toEqual({ output: 42 });
    expect(await said({ text: 'no' }, { capture: json })).toMatchObject({ failure: { class: 'output' } });
    expect(await said({ text: 'no' }, { capture: { ...json, onParseError: 'keep' } })).toEqual({
      output: 'no',
      unparsed: 'invalid',
    });
    expect(await said({ text: 'a\r\nb' }, { capture: { ...json, as: 'lines' } })).toEqual({
      output: ['a', 'b'],
    });
  });
});

describe('an answer to a schema', () => {
  it('is the object that fits', async () => {
    expect(await said({ text: '```\n{"ok": 1}\n```' }, { schema })).toEqual({
      output: { ok: 1 },
      violations: [],
    });
    expect(await said({ structured: { ok: 1 } }, { schema })).toEqual({ output: { ok: 1 }, violations: [] });
  });

  it('is validated even where the client says it fits', async () => {
    expect((await said({ structured: {} }, { schema })).violations).toEqual([
      'the answer must have the property "ok"',
    ]);
  });

  const none: [string, string, string][] = [
    ['text', 'All good!', 'the answer is not JSON'],
    ['nothing', ' ', 'the answer is empty'],
    ['two blocks', '```\n{}\n```\n```\n{}\n```', 'the answer has 2 fenced blocks where one would be read'],
  ];
  it.each(none)('that is %s violates it', async (_, text, reason) => {
    const understood = await said({ text }, { schema });
    expect(understood.output).toBe(text);
    expect(understood.violations).toEqual([
      `${reason}: answer with one JSON value that fits the schema \`review\``,
    ]);
  });

  it('that was cut says so', async () => {
    expect((await said({ text: '{"ok": 1}' }, { schema }, true)).violations?.[0]).toContain('cut');
  });

  it('larger than a journal takes is a failure', async () => {
    const structured = { ok: 'x'.repeat(11 * 1024 * 1024) };
    expect((await said({ structured }, { schema })).failure).toMatchObject({ class: 'output' });
  });

  it('nested deeper than the stack is no JSON to us', () => {
    expect(jsonIn(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeUndefined();
  });
});

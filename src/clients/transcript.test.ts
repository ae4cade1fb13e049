import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../model/live-session.ts';
import { readTranscript } from './transcript.ts';

const lines = (...entries: unknown[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

const CLAUDE = lines(
  { type: 'summary', summary: 'Old talk', leafUuid: 'x' },
  { type: 'user', message: { role: 'user', content: 'Add a parser for dates.' }, uuid: '1', cwd: '/p' },
  { type: 'user', isMeta: true, message: { role: 'user', content: 'Caveat: not a person' } },
  { type: 'user', message: { role: 'user', content: '<command-name>/clear</command-name>' } },
  { type: 'user', message: { role: 'user', content: '<task-notification>done</task-notification>' } },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I will look first.' },
        { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/p/a.ts' } },
      ],
    },
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: 'text of a file' }],
    },
  },
  {
    type: 'assistant',
    message: {
      content: [
        { type: 'tool_use', name: 'Edit', input: { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' } },
        { type: 'tool_use', name: 'Write', input: { file_path: '/p/b.ts', content: '' } },
        {
          type: 'tool_use',
          name: 'TodoWrite',
          input: {
            todos: [
              { content: 'parse', status: 'completed' },
              { content: 'test', status: 'pending', activeForm: 'Testing' },
            ],
          },
        },
      ],
    },
  },
  { type: 'assistant', isSidechain: true, message: { content: [{ type: 'text', text: 'a subagent' }] } },
  { type: 'user', message: { content: [{ type: 'text', text: 'Now test it.' }] } },
  { type: 'assistant', message: { content: [{ type: 'text', text: 'Tests pass.' }] } },
);
const CODEX = lines(
  { timestamp: 't', type: 'session_meta', payload: { id: 'x', cwd: '/p' } },
  {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>' }],
    },
  },
  { type: 'event_msg', payload: { type: 'user_message', message: 'Add a parser for dates.', kind: 'plain' } },
  {
    type: 'response_item',
    payload: {
      type: 'function_call',
      name: 'update_plan',
      arguments: JSON.stringify({
        plan: [
          { step: 'parse', status: 'completed' },
          { step: 'test', status: 'pending' },
        ],
      }),
    },
  },
  {
    type: 'response_item',
    payload: {
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** End Patch',
    },
  },
  {
    type: 'response_item',
    payload: { type: 'function_call', name: 'shell', arguments: JSON.stringify({ command: ['ls'] }) },
  },
  {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I will look first.' }],
    },
  },
  { type: 'event_msg', payload: { type: 'agent_message', message: 'I will look first.' } },
  { type: 'event_msg', payload: { type: 'user_message', message: 'Now test it.' } },
  {
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Tests pass.' }] },
  },
);
const MESSAGES = [
  { id: '1', type: 'user', content: [{ text: 'Add a parser for dates.' }] },
  { id: '2', type: 'gemini', content: 'I will look first.', toolCalls: [] },
  {
    id: '2',
    type: 'gemini',
    content: 'I will look first.',
    toolCalls: [
      { name: 'replace', args: { file_path: 'a.ts' } },
      { name: 'write_file', args: { file_path: 'b.ts', content: '' } },
      {
        name: 'write_todos',
        args: {
          todos: [
            { description: 'parse', status: 'completed' },
            { description: 'test', status: 'pending' },
          ],
        },
      },
    ],
  },
  { id: '3', type: 'info', content: 'a hint' },
  { id: '4', type: 'user', content: 'Now test it.' },
  { id: '5', type: 'gemini', content: 'Tests pass.' },
];
const TOLD = {
  prompts: ['Add a parser for dates.', 'Now test it.'],
  messages: [
    { by: 'person', text: 'Add a parser for dates.' },
    { by: 'agent', text: 'I will look first.' },
    { by: 'person', text: 'Now test it.' },
    { by: 'agent', text: 'Tests pass.' },
  ],
  todos: [
    { content: 'parse', status: 'completed' },
    { content: 'test', status: 'pending' },
  ],
};

describe('a transcript', () => {
  it('of Claude is told: what people asked, what was said and written, the list of things to do', () => {
    expect(readTranscript('claude', CLAUDE)).toEqual({ ...TOLD, files: ['/p/a.ts', '/p/b.ts'] });
  });

  it('of Codex', () => {
    expect(readTranscript('codex', CODEX)).toEqual({ ...TOLD, files: ['a.ts', 'b.ts'] });
  });

  it('of Gemini, as lines and as one document', () => {
    const told = { ...TOLD, files: ['a.ts', 'b.ts'] };
    expect(readTranscript('gemini', lines({ sessionId: 'x' }, ...MESSAGES, { $set: { a: 1 } }))).toEqual(
      told,
    );
    expect(readTranscript('gemini', JSON.stringify({ sessionId: 'x', messages: MESSAGES }, null, 2))).toEqual(
      told,
    );
  });

  it('that is cut, torn or not one at all tells what it can, and never fails', () => {
    expect(readTranscript('claude', CLAUDE.slice(0, -20)).prompts).toEqual(TOLD.prompts);
    expect(readTranscript('claude', `half of a line"}}\n${CLAUDE}`).prompts).toEqual(TOLD.prompts);
    const nothing = { prompts: [], messages: [], files: [], todos: [] };
    for (const client of CLIENTS) {
      expect(readTranscript(client, '')).toEqual(nothing);
      expect(readTranscript(client, 'no json\n[1]\nnull\n{"type":"user"}\n')).toEqual(nothing);
    }
  });

  it('property: whatever JSON the lines hold, nothing is thrown and the bounds hold', () => {
    const word = fc.constantFrom(
      'type',
      'message',
      'content',
      'payload',
      'toolCalls',
      'args',
      'name',
      'input',
      'arguments',
      'user',
      'assistant',
      'gemini',
      'response_item',
      'event_msg',
      'tool_use',
      'TodoWrite',
      'todos',
      'text',
    );
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.jsonValue(),
        fc.array(tie('value')),
        fc.dictionary(word, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(fc.constantFrom(...CLIENTS), fc.array(json, { maxLength: 8 }), (client, values) => {
        const story = readTranscript(client, lines(...values));
        expect(story.messages.length).toBeLessThanOrEqual(12);
      }),
      { numRuns: 300 },
    );
  });

  it('of any length keeps the first prompts and the last, the last messages, the last files, each within bounds', () => {
    const many = Array.from({ length: 500 }, (_, n) => [
      { type: 'user', message: { content: `ask ${n} ${'x'.repeat(n === 499 ? 9_000 : 0)}` } },
      {
        type: 'assistant',
        message: {
          content: [
            { type: 'text', text: `say ${n}` },
            { type: 'tool_use', name: 'Write', input: { file_path: `/f${n}` } },
          ],
        },
      },
    ]).flat();
    const { prompts, messages, files } = readTranscript('claude', lines(...many));
    expect([prompts.length, messages.length, files.length]).toEqual([40, 12, 100]);
    expect([prompts[0], messages.at(-1)?.text, files.at(-1)]).toEqual(['ask 0', 'say 499', '/f499']);
    expect(prompts.at(-1)?.length).toBe(4_001);
  });
});

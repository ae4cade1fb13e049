// The scripted model by itself: what a client of each vendor would send and get, no client needed.

import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';
import type { ModelTurn, Script, Vendor } from './turn.ts';

let server: ModelServer;
afterEach(() => server.close());

const open = async (script: Script | ModelTurn) => {
  server = await startModelServer(typeof script === 'function' ? script : () => script);
};

/** One user message, as each vendor's client says it. */
const asking: Record<Vendor, { path: string; body: object }> = {
  anthropic: {
    path: '/v1/messages?beta=true',
    body: { model: 'm1', stream: true, messages: [{ role: 'user', content: 'Hello.' }] },
  },
  openai: {
    path: '/v1/responses',
    body: {
      model: 'm1',
      stream: true,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] }],
    },
  },
  gemini: {
    path: '/v1beta/models/m1:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] },
  },
};
const vendors = Object.keys(asking) as Vendor[];

const post = (path: string, body: object, init: RequestInit = {}) =>
  fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), ...init });
const ask = (vendor: Vendor, init?: RequestInit) => post(asking[vendor].path, asking[vendor].body, init);

/** The data of every event of a stream. */
const eventsIn = (text: string) =>
  text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = /^data: (.*)$/m.exec(event)?.[1];
    return data === undefined ? [] : [JSON.parse(data)];
  });

describe('what is said', () => {
  const turn: ModelTurn = {
    text: 'I write it.',
    calls: [{ name: 'write', input: { path: 'a.txt', content: 'one “two”\n' } }],
    usage: { input: 120, output: 30 },
  };

  it.each(vendors)('%s: text, a call of a tool and usage, as its protocol has them', async (vendor) => {
    await open(turn);
    const response = await ask(vendor);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await expect(await response.text()).toMatchFileSnapshot(`golden/${vendor}.txt`);
  });

  it.each(vendors)('%s: the same conversation gives the same bytes (M4)', async (vendor) => {
    const both: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      await open(turn);
      both.push(await (await ask(vendor)).text());
      await server.close();
    }
    expect(both[0]).toBe(both[1]);
  });

  it('no two ids of one server are the same', async () => {
    await open({
      calls: [
        { name: 'a', input: {} },
        { name: 'b', input: {} },
      ],
    });
    const text = (await (await ask('anthropic')).text()) + (await (await ask('anthropic')).text());
    const ids = eventsIn(text).flatMap((event) => event.content_block?.id ?? []);
    expect(new Set(ids).size).toBe(4);
  });

  it('a tool that takes plain text gets plain text', async () => {
    await open({ calls: [{ name: 'apply_patch', input: { text: '*** Begin Patch' }, plain: true }] });
    const events = eventsIn(await (await ask('openai')).text());
    const done = events.find(({ type }) => type === 'response.output_item.done');
    expect(done.item).toMatchObject({
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch',
    });
  });

  it('Gemini gets an answer in one piece where it asks for one', async () => {
    await open({ text: 'Hi.' });
    const response = await post('/v1beta/models/m1:generateContent', asking.gemini.body);
    expect(await response.json()).toMatchObject({ candidates: [{ content: { parts: [{ text: 'Hi.' }] } }] });
  });

  it('the script sees the conversation and decides', async () => {
    await open(({ messages, model }) => ({ text: `${model}: ${messages.length}` }));
    expect(await (await ask('anthropic')).text()).toContain('m1: 1');
  });
});

describe('what is recorded', () => {
  const call = { name: 'write', input: { path: 'a' } };
  const conversation = [
    { role: 'user', text: 'Do it.', calls: [], results: [] },
    { role: 'assistant', text: 'I write.', calls: [call], results: [] },
    { role: 'user', text: '', calls: [], results: [{ text: 'written', isError: false }] },
  ];

  it('anthropic: system, messages, calls, results, tools', async () => {
    await open({ text: 'ok' });
    await post('/v1/messages', {
      model: 'm2',
      system: [{ type: 'text', text: 'Be terse.' }],
      tools: [{ name: 'write' }],
      messages: [
        { role: 'user', content: 'Do it.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I write.' },
            { type: 'tool_use', id: 't', ...call },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'written' }] }],
        },
      ],
    });
    expect(server.requests).toMatchObject([
      { vendor: 'anthropic', number: 1, model: 'm2', system: 'Be terse.', tools: ['write'] },
    ]);
    expect(server.requests[0]?.messages).toEqual(conversation);
  });

  it('openai: instructions and developer messages are the system prompt; reasoning is no message', async () => {
    await open({ text: 'ok' });
    await post('/v1/responses', {
      model: 'm2',
      instructions: 'Be terse.',
      tools: [{ type: 'function', name: 'write' }, { type: 'web_search' }],
      input: [
        { type: 'message', role: 'developer', content: [{ text: 'Be kind.' }] },
        { type: 'message', role: 'user', content: [{ text: 'Do it.' }] },
        { type: 'reasoning', summary: [] },
        { type: 'message', role: 'assistant', content: [{ text: 'I write.' }] },
        { type: 'function_call', name: 'write', arguments: '{"path":"a"}', call_id: 'c' },
        { type: 'function_call_output', call_id: 'c', output: 'written' },
      ],
    });
    const [asked] = server.requests;
    expect(asked).toMatchObject({
      vendor: 'openai',
      model: 'm2',
      system: 'Be terse.\nBe kind.',
      tools: ['write', 'web_search'],
    });
    const said = { ...conversation[1], calls: [] };
    const called = { ...conversation[1], text: '' };
    expect(asked?.messages).toEqual([conversation[0], said, called, conversation[2]]);
  });

  it('gemini: thoughts are not said; an error of a tool is one', async () => {
    await open({ text: 'ok' });
    const result = (response: object) => ({
      role: 'user',
      parts: [{ functionResponse: { name: 'write', response } }],
    });
    await post('/v1beta/models/m2:streamGenerateContent', {
      systemInstruction: { parts: [{ text: 'Be terse.' }] },
      tools: [{ functionDeclarations: [{ name: 'write' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Do it.' }] },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true },
            { text: 'I write.' },
            { functionCall: { name: 'write', args: { path: 'a' } } },
          ],
        },
        result({ output: 'written' }),
        result({ error: 'no' }),
      ],
    });
    const [asked] = server.requests;
    expect(asked).toMatchObject({ vendor: 'gemini', model: 'm2', system: 'Be terse.', tools: ['write'] });
    expect(asked?.messages).toEqual([
      ...conversation,
      { role: 'user', text: '', calls: [], results: [{ text: 'no', isError: true }] },
    ]);
  });

  it('headers, and the number of each request', async () => {
    await open({ text: 'ok' });
    for (const key of ['one', 'two']) await ask('anthropic', { headers: { 'x-api-key': key } });
    expect(server.requests.map(({ number, headers }) => [number, headers['x-api-key']])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
  });

  it('what is no call of a model stands apart', async () => {
    await open({ text: 'ok' });
    await fetch(server.url, { method: 'HEAD' });
    const counted = await post('/v1/messages/count_tokens', {});
    expect(await counted.json()).toEqual({ input_tokens: 10 });
    expect(server.others).toEqual(['HEAD /', 'POST /v1/messages/count_tokens']);
    expect(server.requests).toEqual([]);
  });

  it('M2: a request that is never answered is recorded too', async () => {
    await open({ hang: true });
    const leaving = new AbortController();
    const asking = ask('openai', { signal: leaving.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await expect(asking).rejects.toThrow();
  });
});

describe('what goes wrong', () => {
  it.each([
    ['anthropic', 429, { error: { type: 'rate_limit_error' } }],
    ['anthropic', 529, { error: { type: 'overloaded_error' } }],
    ['anthropic', 500, { error: { type: 'api_error' } }],
    ['openai', 429, { error: { code: 'rate_limit_exceeded' } }],
    ['openai', 500, { error: { code: 'server_error' } }],
    ['gemini', 429, { error: { status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '7s' }] } }],
    ['gemini', 503, { error: { status: 'UNAVAILABLE' } }],
  ] as const)('%s: an error %i, and when to come back', async (vendor, status, body) => {
    await open({ error: { status, retryAfter: 7 } });
    const response = await ask(vendor);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toMatchObject(body);
  });

  it.each(vendors)('%s: an error says no time where it was given none', async (vendor) => {
    await open({ error: { status: 500, message: 'out of order' } });
    const response = await ask(vendor);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(await response.text()).toContain('out of order');
  });

  it.each(vendors)('%s: a stream that is cut breaks off in the middle of what it said', async (vendor) => {
    await open({ text: 'a long answer', stream: 'cut' });
    const response = await ask(vendor);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it.each(vendors)('%s: a stream of garbage ends as if it were whole, and does not parse', async (vendor) => {
    await open({ text: 'a long answer', stream: 'garbage' });
    const text = await (await ask(vendor)).text();
    expect(text).toContain('no json');
    expect(() => eventsIn(text)).toThrow();
  });

  it('a model that hangs is let go of when the client goes, and the server closes all the same', async () => {
    await open({ hang: true });
    const asking = ask('gemini');
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await expect(asking).rejects.toThrow();
  });

  it('M3: a script that throws is a 500 for the client and a problem of the test', async () => {
    await open(() => {
      throw new Error('no such part');
    });
    expect((await ask('anthropic')).status).toBe(500);
    expect(server.problems).toEqual([expect.stringContaining('no such part')]);
  });

  it('M3: so is a request that is not JSON', async () => {
    await open({ text: 'ok' });
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: 'hello' });
    expect(response.status).toBe(500);
    expect(server.problems).toHaveLength(1);
  });
});

it('M1: it is on loopback', async () => {
  await open({ text: 'ok' });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

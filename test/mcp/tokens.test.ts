// Tokens that are not good, each told apart, each with a call that works; and calls that are refused for their form.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { elsewhere } from '../support/elsewhere.ts';
import { mended } from '../support/mended.ts';
import { type Called, connect, type Session } from './client.ts';

const FLOW = `lockstep: 1
name: two
steps:
  - { id: a, prompt: { text: "Do a." }, done: { run: test -e a, tries: 3 } }
  - id: b
    prompt: { text: "Count." }
    done: { schema: { type: object, properties: { n: { type: integer } }, required: [n] }, tries: 9 }
`;

let project: Scratch;
let other: Scratch;
let session: Session;
beforeAll(async () => {
  project = scratch({ git: true });
  other = scratch({ git: true });
  for (const one of [project, other]) one.write('.lockstep/workflows/two.yaml', FLOW);
  session = await connect(project);
});
afterAll(async () => {
  await session.close();
  project.remove();
  other.remove();
});

afterEach(() => rmSync(join(project.root, 'a'), { force: true }));

const start = async (at = session) => (await at.call('start_workflow', { workflowId: 'two' })).value;
const handIn = (continueToken: string, more: object = { output: { notesMarkdown: 'done' } }, at = session) =>
  at.call('continue_workflow', { continueToken, ...more });
const codesOf = ({ value }: Called): string[] =>
  value.blockers.blockers.map((one: { code: string }) => one.code);
const entriesOf = (run: string): number =>
  JSON.parse(project.lockstep('status', run, '--json').stdout).lockstep.entries;

/** What the answer says comes next is called, until a step is pending. */
async function follow(answer: Called, at = session): Promise<Called> {
  let now = answer;
  for (let n = 0; n < 3 && !now.value.pending; n += 1)
    now = await at.call(now.value.nextCall.tool, now.value.nextCall.params);
  return now;
}

describe('a key that is not good', () => {
  it('MCP-TOKENS: is told before a run is made', async () => {
    const home = scratch({ git: true });
    home.write('.lockstep/workflows/two.yaml', FLOW);
    home.write('lockstep-home/token.key', 'short');
    const env = { LOCKSTEP_HOME: join(home.root, 'lockstep-home') };
    const mute = await connect(home, { env });
    const { value } = await mute.call('start_workflow', { workflowId: 'two' });
    expect(value.refused.code).toBe('token-key-unsafe');
    await mute.close();
    expect(home.lockstep('runs').stdout).not.toContain('two');
    home.remove();
  });
});

describe('a token that is not good', () => {
  it.each<[string, (token: string) => string, string]>([
    ['changed', (token) => token.slice(0, -3) + (token.endsWith('AAA') ? 'BBB' : 'AAA'), 'token-tampered'],
    ['cut', (token) => token.slice(0, -8), 'token-tampered'],
    ['no token at all', () => 'the token', 'token-unreadable'],
  ])('MCP-TOKENS: %s: has a code of its own, and a call that works', async (_, change, code) => {
    const begun = await start();
    const refused = await handIn(change(begun.continueToken));
    expect(refused.value).toMatchObject({ kind: 'blocked', retryable: false });
    expect(codesOf(refused)).toEqual([code]);
    const back = await follow(refused);
    expect(back.value).toMatchObject({ runId: begun.runId, pending: { stepId: 'a' } });
  });

  it('MCP-TOKENS: of another project: token-foreign; with the folder named, it works', async () => {
    const elsewhere = await connect(other, {
      env: { LOCKSTEP_HOME: join(project.env.HOME ?? '', '.lockstep') },
    });
    const begun = await start(elsewhere);
    await elsewhere.close();
    const refused = await handIn(begun.continueToken);
    expect(codesOf(refused)).toEqual(['token-foreign']);
    const there = await handIn(begun.continueToken, { intent: 'rehydrate', workspacePath: other.root });
    expect(there.value).toMatchObject({ kind: 'ok', runId: begun.runId, pending: { stepId: 'a' } });
  });

  it('MCP-TOKENS: signed with a key that is gone: token-key-lost, and nothing of the run is lost', async () => {
    const first = await connect(project);
    const begun = await start(first);
    await first.close();
    rmSync(join(project.env.HOME ?? '', '.lockstep/token.key'));
    const second = await connect(project);
    const refused = await handIn(begun.continueToken, undefined, second);
    expect(codesOf(refused)).toEqual(['token-key-lost']);
    const back = await follow(refused, second);
    expect(back.value).toMatchObject({ runId: begun.runId, pending: { stepId: 'a' } });
    await second.close();
    await session.close();
    session = await connect(project);
  });

  it('MCP-TOKENS: of a step that is not handed out, or of another try: stale, other-try; the answer has the token that works', async () => {
    const begun = await start();
    const blocked = await handIn(begun.continueToken);
    const { signedTokens } = await import('../../src/mcp/tokens.ts');
    const { readOrMakeKey } = await import('../../src/mcp/token-key.ts');
    const tokens = signedTokens(readOrMakeKey(join(project.env.HOME ?? '', '.lockstep')));
    const stale = await handIn(tokens.make('ct', { run: begun.runId, path: 'b', try: 1, n: 9 }));
    expect(codesOf(stale)).toEqual(['token-stale']);
    expect(stale.value.retryContinueToken).toBe(blocked.value.retryContinueToken);
    const ahead = await handIn(tokens.make('ct', { run: begun.runId, path: 'a', try: 3, n: 9 }));
    expect(codesOf(ahead)).toEqual(['token-other-try']);
    expect(ahead.value.retryContinueToken).toBe(blocked.value.retryContinueToken);
  });

  it('MCP-TOKENS: that only looks does not hand in; a checkpoint token neither', async () => {
    const begun = await start();
    const { value } = await session.call('resume_session', { runId: begun.runId });
    const refused = await handIn(value.candidates[0].resumeToken);
    expect(codesOf(refused)).toEqual(['token-other-kind']);
    expect(codesOf(await handIn(begun.checkpointToken))).toEqual(['token-other-kind']);
    expect((await follow(refused)).value.runId).toBe(begun.runId);
    const wrong = await session.call('checkpoint_workflow', { checkpointToken: begun.continueToken });
    expect(wrong.value.refused.code).toBe('token-other-kind');
  });
});

describe('a call that is refused for its form', () => {
  const deep = (levels: number): Json => (levels === 0 ? 1 : { a: deep(levels - 1) });
  it.each<[string, object]>([
    ['1 MB of notes', { output: { notesMarkdown: 'x'.repeat(1024 * 1024) } }],
    ['10,000 keys', { context: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])) }],
    ['65 levels', { context: { a: deep(65) } }],
    ['__proto__ within', { context: JSON.parse('{"a":{"__proto__":{"b":1}}}') }],
    ['half of a surrogate pair', { output: { notesMarkdown: 'a\ud800b' } }],
    ['a wrong type', { output: { notesMarkdown: 7 } }],
    ['an unknown name', { output: { notes: 'x' } }],
    ['an unknown intent', { intent: 'advanse', output: { notesMarkdown: 'x' } }],
  ])('MCP-FORM-CALL: %s: nothing changes, and the suggested fix passes', async (_, more) => {
    const begun = await start();
    const before = entriesOf(begun.runId);
    const refused = await handIn(begun.continueToken, more);
    expect(refused).toMatchObject({ isError: true, value: { refused: { code: 'arguments-invalid' } } });
    expect(entriesOf(begun.runId)).toBe(before);
    const given = { continueToken: begun.continueToken, ...more } as Json;
    const fixed = await session.call(
      'continue_workflow',
      mended(given, refused.value.refused.suggestedFix) as object,
    );
    expect(fixed.isError).toBe(false);
  });

  it('MCP-FORM-CALL: __proto__ among the arguments is refused, and nothing changes', async () => {
    const begun = await start();
    const given = JSON.parse(`{"continueToken":"${begun.continueToken}","notes":"x","__proto__":{"a":1}}`);
    await expect(session.call('continue_workflow', given)).rejects.toThrow('Leave out /__proto__');
    expect((await handIn(begun.continueToken, { intent: 'rehydrate' })).value.continueToken).toBe(
      begun.continueToken,
    );
  });
});

describe('blockers', () => {
  it('MCP-BLOCKERS: of a schema: name the field, what was expected and what came; the suggested output passes', async () => {
    writeFileSync(join(project.root, 'a'), '');
    const second = await handIn((await start()).continueToken);
    const blocked = await handIn(second.value.continueToken, { output: { answer: { n: 'two' } } });
    expect(blocked.value.blockers.blockers).toMatchObject([
      { code: 'output-invalid', pointer: { kind: 'output_contract', stepId: 'b', pointer: '/n' } },
    ]);
    const [{ message, suggestedFix }] = blocked.value.blockers.blockers;
    expect(message).toBe('/n must be a whole number; what came there is "two"');
    const output = JSON.parse(/shape: (.+)$/.exec(suggestedFix)?.[1] ?? '');
    const end = await handIn(blocked.value.retryContinueToken, { output });
    expect(end.value.isComplete).toBe(true);
  });

  it('MCP-BLOCKERS: of a check: what it says is mended, then the same call with the new token passes', async () => {
    const blocked = await handIn((await start()).continueToken);
    const [{ message }] = blocked.value.blockers.blockers;
    const file = /test -e (\w+)/.exec(message)?.[1] ?? '';
    writeFileSync(join(project.root, file), '');
    const next = await handIn(blocked.value.retryContinueToken);
    expect(next.value).toMatchObject({ kind: 'ok', pending: { stepId: 'b' } });
  });

  it('MCP-BLOCKERS: after the last try a person is asked, with the command to type', async () => {
    let blocked = await handIn((await start()).continueToken);
    for (let n = 0; n < 2; n += 1) blocked = await handIn(blocked.value.retryContinueToken);
    expect(codesOf(blocked)).toEqual(['tries-used-up']);
    expect(blocked.value).toMatchObject({
      kind: 'blocked',
      retryable: false,
      nextIntent: 'await_user_confirmation',
    });
    const [line] = blocked.value.questions[0].answerWith;
    expect(line).toContain(`lockstep answer ${blocked.value.runId}`);
    elsewhere(project, line.replace(/ --note.*/, ''));
    const back = await session.call(blocked.value.nextCall.tool, blocked.value.nextCall.params);
    expect(back.value).toMatchObject({ kind: 'ok', pending: { stepId: 'a' } });
  });
});

import { describe, expect, it } from 'vitest';
import { guardOf } from '../../../test/support/guard-of.ts';
import { patchThatAdds } from '../../clients/codex/patch.ts';
import type { ToolAct, Verdict } from '../../ports/agent.ts';
import { hookJudge, hookWords } from './hook.ts';

const known = { tools: { deny: [] }, servers: [] };

function judging(verdict: (event: ToolAct) => Verdict) {
  let refused = 0;
  const guard = guardOf(verdict);
  const onRefused = () => {
    refused += 1;
  };
  const judge = hookJudge({ guard, known, cwd: '/w', onRefused });
  const ask = async (tool_name: string, tool_input: object) => {
    const { stdout, exitCode } = await judge.answer(JSON.stringify({ tool_name, tool_input, cwd: '/w' }));
    return { exitCode, said: stdout === undefined ? undefined : JSON.parse(stdout).hookSpecificOutput };
  };
  return { ask, refused: () => refused, letThrough: () => judge.letThrough() };
}

describe('the hook', () => {
  it('X3: carries the fingerprint by which codex knows it', () => {
    const door = { command: `cat >/dev/null; echo "ours ü é"`, patienceMs: 79_500, close: async () => {} };
    // As `hooks/list` of codex 0.166.0 gave it for these very words.
    const fingerprint = 'sha256:77857c641f6ef33311ad4a550812efe6183e232a02714ff28f49846798a66c7a';
    expect(hookWords(door)).toEqual([
      '-c',
      'features.hooks=true',
      '-c',
      'hooks.PreToolUse=[{"matcher"=".*","hooks"=[{"type"="command","command"="cat >/dev/null; echo \\"ours ü é\\"","timeout"=90}]}]',
      '-c',
      `hooks.state={"/<session-flags>/config.toml:pre_tool_use:0:0"={"trusted_hash"="${fingerprint}"}}`,
    ]);
  });

  it('says nothing of what is allowed, and why of what is not', async () => {
    const { ask, refused, letThrough } = judging(({ command }) =>
      command === 'rm x' ? { kind: 'deny', reason: 'no “rm”' } : { kind: 'allow' },
    );
    expect(await ask('Bash', { command: 'ls' })).toEqual({ exitCode: undefined, said: undefined });
    expect((await ask('Bash', { command: 'rm x' })).said).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'no “rm”',
    });
    expect([letThrough(), refused()]).toEqual([1, 1]);
  });

  it('a patch goes through whole or not at all', async () => {
    const { ask } = judging(({ file }) =>
      file === 'b' ? { kind: 'deny', reason: 'not b' } : { kind: 'allow' },
    );
    const command = '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch';
    expect((await ask('apply_patch', { command })).said).toMatchObject({ permissionDecision: 'deny' });
  });

  it('remembers what it denied, so that a call that ran all the same is told from one that nobody asked about', async () => {
    const guard = { decide: async () => ({ kind: 'deny', reason: 'no rm' }) as const, ended() {} };
    const judge = hookJudge({ guard, known, cwd: '/w', onRefused() {} });
    await judge.answer(JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'rm x' } }));
    expect(judge.whyDenied({ tool: 'Bash', input: {}, command: 'rm x' })).toBe('no rm');
    expect(judge.whyDenied({ tool: 'Bash', input: {}, command: 'rm y' })).toBeUndefined();
  });

  it('advice is told to the model', async () => {
    const { ask } = judging(() => ({ kind: 'allow', advice: 'mind the gap' }));
    expect((await ask('Bash', { command: 'ls' })).said).toEqual({
      hookEventName: 'PreToolUse',
      additionalContext: 'mind the gap',
    });
  });

  it('a rewritten call is handed back; one that codex cannot be told is denied', async () => {
    const { ask } = judging(({ input }) => ({ kind: 'rewrite', input: { ...input, content: 'y' } }));
    const command = patchThatAdds({ path: 'a', content: 'x' });
    expect((await ask('apply_patch', { command })).said).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { command: patchThatAdds({ path: 'a', content: 'y' }) },
    });
    expect((await ask('Bash', { command: 'ls' })).said).toMatchObject({ permissionDecision: 'deny' });
  });

  it('its own book-keeping is nobody’s business, and counts for no call', async () => {
    const { ask, letThrough } = judging(() => ({ kind: 'deny', reason: 'nothing at all' }));
    expect((await ask('tool_search', { query: 'x' })).said).toBeUndefined();
    expect(letThrough()).toBe(0);
  });

  it('what it cannot read is for the door to deny', async () => {
    const guard = { decide: async () => ({ kind: 'allow' }) as const, ended() {} };
    const judge = hookJudge({ guard, known, cwd: '/w', onRefused() {} });
    await expect(judge.answer('no json')).rejects.toThrow();
  });
});

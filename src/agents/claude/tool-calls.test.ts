import { describe, expect, it } from 'vitest';
import { guardOf } from '../../../test/support/guard-of.ts';
import type { AgentEvent, AgentRequest, ToolGuard, Verdict } from '../../ports/agent.ts';
import { type ResultMessage, refusedIn } from './messages.ts';
import { ToolCalls } from './tool-calls.ts';

function calls(verdict: Verdict, isDemanded = true) {
  const ended: string[] = [];
  const events: AgentEvent[] = [];
  const guard: ToolGuard = { isDemanded, decide: async () => verdict, ended() {} };
  const request = { guard, cwd: '/w', onEvent: (event: AgentEvent) => events.push(event) };
  const made = new ToolCalls(request as unknown as AgentRequest, true, (reason) => ended.push(reason));
  return { made, ended, events };
}

const asked = { tool_name: 'Write', tool_input: { file_path: '/w/a' }, tool_use_id: '1' };
const result = (is_error: boolean) => ({ type: 'tool_result', tool_use_id: '1', is_error, content: 'so' });

describe('C3: a call that was denied and ran all the same', () => {
  it('ends the dispatch, and that is what is said', async () => {
    const { made, ended } = calls({ kind: 'deny', reason: 'no' });
    await made.judge(asked);
    made.ended(result(false));
    expect(ended).toEqual(['claude ran Write (a) although it was told not to']);
  });

  it('one that the client refused is fine', async () => {
    const { made, ended } = calls({ kind: 'deny', reason: 'no' });
    await made.judge(asked);
    made.ended(result(true));
    expect(ended).toEqual([]);
  });

  it('C2: one that nobody was asked about is something else', () => {
    const { made, ended } = calls({ kind: 'allow' });
    made.announced({ type: 'tool_use', id: '1', name: 'Write', input: { file_path: '/w/a' } });
    made.ended(result(false));
    expect(ended[0]).toContain('without asking whether it may');
  });

  it('without lists and rules it is a warning', () => {
    const { made, ended, events } = calls({ kind: 'allow' }, false);
    made.announced({ type: 'tool_use', id: '1', name: 'Write', input: { file_path: '/w/a' } });
    made.ended(result(false));
    expect(ended).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'warning')).toHaveLength(1);
  });

  it('LS-CALLS-CLIENT: what the guard let through and the permissions of the client did not is told', async () => {
    const events: object[] = [];
    const request = {
      guard: guardOf(() => ({ kind: 'allow' })),
      cwd: '/w',
      onEvent: (event: object) => events.push(event),
    };
    const made = new ToolCalls(request as unknown as AgentRequest, false, () => {});
    for (const id of ['1', '2'])
      await made.judge({ tool_name: 'Bash', tool_input: { command: `echo ${id}` }, tool_use_id: id });
    const result = {
      type: 'result',
      permission_denials: [{ tool_name: 'Bash', tool_use_id: '2' }, null, {}],
    } as const;
    made.refused(refusedIn(result as unknown as ResultMessage));
    made.refused(refusedIn(result as unknown as ResultMessage));
    expect(events).toEqual([
      { kind: 'tool', tool: 'Bash', summary: 'echo 1' },
      { kind: 'tool', tool: 'Bash', summary: 'echo 2' },
      {
        kind: 'tool',
        tool: 'Bash',
        summary: 'echo 2',
        denied: 'the permissions of the client do not let it happen',
      },
    ]);
  });

  it('every path of a call is asked about, and one denial is enough', async () => {
    const files: (string | undefined)[] = [];
    const guard = guardOf(({ file }) => {
      files.push(file);
      return file === 'b' ? { kind: 'deny', reason: 'not b' } : { kind: 'allow' };
    });
    const made = new ToolCalls({ guard, cwd: '/w', onEvent() {} } as unknown as AgentRequest, true, () => {});
    const call = { tool_name: 'NotebookEdit', tool_input: { notebook_path: 'a', file_path: 'b' } };
    expect(await made.judge(call)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(files).toEqual(['a', 'b']);
  });
});

import { describe, expect, it } from 'vitest';
import { failed, rehearse } from '../../test/support/rehearsal.ts';
import { each, prompt, run, workflow } from '../../test/support/workflow.ts';
import type { Overrides } from '../model/entry.ts';
import type { OnFail, Step } from '../model/workflow.ts';

const inherited = (onFail: OnFail): Partial<Step> => ({ onFail, onFailInherited: true });
const broken = { replies: { a: failed(1) } };

describe('--on-error', () => {
  it.each<[string, Partial<Step>, Overrides['on_error'], string, string[]]>([
    ['nothing said', {}, undefined, 'failed', ['a']],
    ['goes before nothing', {}, 'continue', 'completed', ['a', 'b']],
    ['goes before the workflow', inherited('continue'), 'stop', 'failed', ['a']],
    ['goes before the workflow, the other way', inherited('stop'), 'continue', 'completed', ['a', 'b']],
    ['a pause', inherited('stop'), 'pause', 'paused', ['a']],
    ['the step has its own word', { onFail: 'stop' }, 'continue', 'failed', ['a']],
  ])('%s', (_, fields, on_error, status, performed) => {
    const played = rehearse(workflow([run('a', fields), run('b')]), { ...broken, overrides: { on_error } });
    expect([played.state.status, played.performed]).toEqual([status, performed]);
  });

  it('also decides whether an each goes on after a pass that failed', () => {
    const steps = (fields: Partial<Step>) => [each('e', '[1, 2]', [run('a', { onFail: 'stop' })], fields)];
    const replies = { 'e[0]/a': failed(1) };
    const performed = (fields: Partial<Step>, on_error: Overrides['on_error']) =>
      rehearse(workflow(steps(fields)), { replies, overrides: { on_error } }).performed;
    expect(performed(inherited('stop'), 'continue')).toEqual(['e[0]/a', 'e[1]/a']);
    expect(performed(inherited('continue'), 'stop')).toEqual(['e[0]/a']);
    expect(performed({ onFail: 'continue' }, 'stop')).toEqual(['e[0]/a', 'e[1]/a']);
  });

  it('of a resume goes before that of the start, word by word', () => {
    const flow = workflow([prompt('a', { retry: { max: 0, delay: 0, on: [1] } }), run('b')]);
    const first = rehearse(flow, {
      replies: { a: failed(1) },
      overrides: { on_error: 'stop', max_retries: 1 },
    });
    expect([first.state.status, first.performed]).toEqual(['failed', ['a', 'a']]);
    const second = rehearse(
      flow,
      { replies: { a: failed(1) }, overrides: { on_error: 'continue' } },
      first.entries,
    );
    expect([second.state.status, second.performed]).toEqual(['completed', ['a', 'a', 'b']]);
    expect(second.state.overrides).toEqual({ on_error: 'continue', max_retries: 1 });
  });
});

describe('--max-retries and --retry-delay', () => {
  const overrides = { max_retries: 2, retry_delay_ms: 250 };
  const attempts = (step: Step) => {
    const played = rehearse(workflow([step]), { ...broken, overrides });
    return { attempts: played.performed.length, delays: played.commands.flatMap(delayOf) };
  };
  const delayOf = (command: { kind: string; duration?: number }) =>
    command.kind === 'sleep' ? [command.duration] : [];

  it('rule 4: go before what defaults say for prompts', () => {
    const step = prompt('a', { retry: { max: 0, delay: 5, on: [1] } });
    expect(attempts(step)).toEqual({ attempts: 3, delays: [250, 250] });
  });

  it('rule 4: not before a prompt’s own retry', () => {
    const step = prompt('a', { retry: { max: 1, delay: 5, on: [1], own: true } });
    expect(attempts(step)).toEqual({ attempts: 2, delays: [5] });
  });

  it('rule 4: never make a command start again', () => {
    expect(attempts(run('a'))).toEqual({ attempts: 1, delays: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { rehearse } from '../../test/support/rehearsal.ts';
import { prompt, run, workflow } from '../../test/support/workflow.ts';
import type { Json } from '../model/json.ts';
import type { Check, JsonType } from '../model/workflow.ts';
import { unmet } from './requirement.ts';

const output: Json = { a: { 'b/c': [10, { '~': null }], '': 0 }, yes: true, text: '1', list: [] };
const needs = (pointer: string, rest: { exists?: boolean; equals?: Json; type?: JsonType } = {}): Check => ({
  kind: 'require',
  pointer,
  exists: true,
  ...rest,
});

describe('done.require', () => {
  it.each<[string, Parameters<typeof needs>[1], string | undefined]>([
    ['', {}, undefined],
    ['', { type: 'object' }, undefined],
    ['/a/b~1c/0', { equals: 10 }, undefined],
    ['/a/b~1c/1/~0', { type: 'null' }, undefined],
    ['/a/', { equals: 0 }, undefined],
    ['/a/b~1c/2', {}, '`/a/b~1c/2` is not there'],
    ['/a/b~1c/00', {}, '`/a/b~1c/00` is not there'],
    ['/a/b~1c/-', {}, '`/a/b~1c/-` is not there'],
    ['/text/length', {}, '`/text/length` is not there'],
    ['/list/length', {}, '`/list/length` is not there'],
    ['/constructor', {}, '`/constructor` is not there'],
    ['/yes', { equals: true, type: 'boolean' }, undefined],
    ['/yes', { equals: 'true' }, '`/yes` must be "true", and is true'],
    ['/text', { equals: 1 }, '`/text` must be 1, and is "1"'],
    ['/list', { type: 'array', equals: [] }, undefined],
    ['/list', { type: 'object' }, '`/list` must be of type object, and is array: []'],
    ['/a', { equals: { '': 0, 'b/c': [10, { '~': null }] } }, undefined],
    ['/a', { equals: { '': 0 } }, '`/a` must be {"":0}, and is {"b/c":[10,{"~":null}],"":0}'],
    ['/gone', { exists: false }, undefined],
    ['/yes', { exists: false }, '`/yes` must not be there, and is true'],
  ])('%s %j → %s', (pointer, rest, expected) => {
    expect(unmet(output, needs(pointer, rest) as Extract<Check, { kind: 'require' }>)).toBe(expected);
  });

  it('in order, the first that is not met is the reason; exit code 2, whatever the command ended with', () => {
    const checks = [needs('/yes'), needs('/approved'), needs('/text', { type: 'number' })];
    const flow = workflow([run('a', { done: { checks }, onFail: 'continue' })]);
    const { state, entries } = rehearse(flow, { replies: { a: output } });
    const reason = '`/approved` is not there';
    expect(entries.find((entry) => entry.kind === 'work-rejected')).toMatchObject({
      reasons: [reason],
      details: { require_failed: { pointer: '/approved', reason } },
    });
    expect(state.root.scope.steps.get('a')).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { class: 'not-accepted', details: { require_failed: { pointer: '/approved', reason } } },
    });
  });

  it('an output that does not fit its schema is not looked at further', () => {
    const checks: Check[] = [{ kind: 'schema-file', path: 's.json' }, needs('/approved')];
    const flow = workflow([run('a', { done: { checks }, onFail: 'continue' })]);
    const violations = ['`/approved` is missing'];
    const { state } = rehearse(flow, { replies: { a: { outcome: { violations } } } });
    expect(state.root.scope.steps.get('a')?.error).toMatchObject({
      message: '`/approved` is missing',
      details: { schema_violations: violations },
    });
    expect(state.root.scope.steps.get('a')?.error?.details).not.toHaveProperty('require_failed');
  });

  it('sends a prompt back with the reason', () => {
    const flow = workflow([prompt('a', { done: { checks: [needs('/ok', { equals: true })], tries: 2 } })]);
    const { state, commands } = rehearse(flow, { replies: { a: [{ ok: 'yes' }, { ok: true }] } });
    expect(state.status).toBe('completed');
    expect(commands[1]).toMatchObject({ feedback: ['`/ok` must be true, and is "yes"'] });
  });

  it('a person who accepts it takes the exit code back', () => {
    const flow = workflow([run('a', { done: { checks: [needs('/ok')] } })]);
    const { state } = rehearse(flow, { answers: { a: ['accept'] } });
    expect(state.root.scope.steps.get('a')).toMatchObject({ status: 'done', exit_code: 0, error: null });
  });
});

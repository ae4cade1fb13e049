// `output: { vars, extra }`: a part of the output becomes vars, also where nobody declared its keys.

import { describe, expect, it } from 'vitest';
import { rehearse } from '../../test/support/rehearsal.ts';
import { run, workflow } from '../../test/support/workflow.ts';
import type { Json } from '../model/json.ts';
import type { Merge } from '../model/workflow.ts';

const keep: Merge = { path: ['context'], extra: 'keep' };

function merged(output: Json, merge: Merge = keep) {
  const flow = workflow([run('a', { output: 'vars', merge }), run('b', { if: 'true' })], {
    vars: { count: 0, any: null },
    outputs: { all: '{{ vars }}' },
  });
  const { state } = rehearse(flow, { replies: { a: output } });
  return { status: state.status, error: state.error?.message, vars: state.root.scope.vars };
}

describe('RAIL-CONTEXT: output: { vars, extra: keep }', () => {
  it('merges the object at the path, and leaves the rest of the output alone', () => {
    const { vars } = merged({ notes: 'x', context: { count: 2, any: [1], 'odd key.x': true } });
    expect(Object.fromEntries(vars)).toEqual({ count: 2, any: [1], 'odd key.x': true });
    const deep = merged({ a: { b: { count: 3 } } }, { path: ['a', 'b'], extra: 'refuse' });
    expect(deep.vars.get('count')).toBe(3);
  });

  it('holds what is declared to its type', () => {
    const { status, error, vars } = merged({ context: { count: 'many', other: 1 } });
    expect(status).toBe('failed');
    expect(error).toContain('`output: vars`: `context`: the var `count` is a number, and this is a string');
    expect([...vars.keys()]).toEqual(['count', 'any']);
  });

  it('merges nothing where nothing is there', () => {
    for (const output of [{}, { context: null }, { context: {} }, 'text', null] as Json[])
      expect(Object.fromEntries(merged(output).vars)).toEqual({ count: 0, any: null });
  });

  it('takes an object and nothing else', () => {
    expect(merged({ context: [1] }).error).toContain('`context`: it takes an object, and this is a list');
    expect(merged({ context: 'x' }).error).toContain('it takes an object, and this is a string');
  });

  it('without `keep` a name that is not declared fails the step', () => {
    const { error } = merged({ context: { other: 1 } }, { path: ['context'], extra: 'refuse' });
    expect(error).toContain('there is no var `other`');
  });

  it('takes the names of a prototype for names like any other', () => {
    const { status, vars } = merged(
      JSON.parse('{"context":{"__proto__":{"polluted":1},"constructor":2,"toString":3}}'),
    );
    expect(status).toBe('completed');
    expect([...vars.keys()]).toEqual(['count', 'any', '__proto__', 'constructor', 'toString']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(merged({ context: {} }, { path: ['__proto__'], extra: 'keep' }).status).toBe('completed');
  });
});

import { describe, expect, it } from 'vitest';
import { noop, workflow } from '../../../test/support/workflow.ts';
import { resolveInputs } from './inputs.ts';

const flow = workflow([noop('one')]);
flow.inputs = { list: { type: 'list', required: true } } as unknown as typeof flow.inputs;
const resolved = (text: string) =>
  resolveInputs(flow, {
    inputs: [],
    vars: [],
    file: { path: 'values', text },
    readFile: () => '',
    absolute: (path) => path,
  });

describe('--input-file', () => {
  it('LS-GROW-INPUTS: JSON is read whatever its size', () => {
    const list = Array.from({ length: 700_000 }, (_, index) => index);
    const { inputs, diagnostics } = resolved(JSON.stringify({ list }));
    expect(diagnostics).toEqual([]);
    expect((inputs.list as number[]).length).toBe(700_000);
  });

  it('LS-GROW-INPUTS: of YAML that is too large the bound is told and what to do, and no input is called missing', () => {
    const { diagnostics } = resolved(`list: [${'1, '.repeat(300_000)}]`);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.message).toContain('at most 4 MiB, and about 250,000 values');
    expect(diagnostics[0]?.hint).toContain('Write it as JSON');
  });

  it('JSON that cannot be kept as it was written is refused, with its place', () => {
    const { diagnostics } = resolved('{"list": [9007199254740993]}');
    expect(diagnostics.map(({ code, span }) => [code, span?.line])).toEqual([['yaml-number', 1]]);
  });
});

import { describe, expect, it } from 'vitest';
import { decide, fold, initialState } from '../engine/engine.ts';
import type { Perform } from '../model/command.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Step, Work } from '../model/workflow.ts';
import { play } from './fixtures/play.ts';
import { command, prompt, stepOf, workflowOf } from './fixtures/workflow.ts';
import { type Substitution, substitutions } from './substitutions.ts';

/** What the engine really hands over for the first dispatch of a step. */
function traced(step: Step, inputs: JsonObject): Substitution[] {
  const workflow = workflowOf('s', [step]);
  const [first] = play(workflow, { inputs, most: 1 });
  let state = initialState(workflow);
  if (first) state = fold(workflow, state, first);
  const performed = decide(workflow, state)?.perform as Perform;
  return substitutions(step, performed);
}

const called = (given: Record<string, Json>): Work => ({ kind: 'call', handler: 'noop', with: given });

describe('substitutions', () => {
  it('pair every template of a command with what stands in its place, and leave plain words out', () => {
    const step = command('a', ['cp', '{{ inputs.from }}', 'to/{{ inputs.n }}'], {
      saveTo: 'out/{{ inputs.n }}.txt',
      reads: { files: ['{{ inputs.from }}', 'fixed'], optional: [], inject: 'none', position: 'prepend' },
    });
    expect(traced(step, { from: 'a b', n: 3 })).toEqual([
      { field: 'save_to', template: 'out/{{ inputs.n }}.txt', value: 'out/3.txt' },
      { field: 'reads.files[0]', template: '{{ inputs.from }}', value: 'a b' },
      { field: 'command[1]', template: '{{ inputs.from }}', value: 'a b' },
      { field: 'command[2]', template: 'to/{{ inputs.n }}', value: 'to/3' },
    ]);
  });

  it('look into parameters and arguments, however deep', () => {
    const step = prompt('p');
    const { work } = step;
    if (work.kind !== 'prompt') throw new Error('not a prompt');
    const given = stepOf('p', {
      ...work,
      prompt: { kind: 'file', path: 'prompts/{{ inputs.x }}.md' },
      performer: { ...work.performer, params: { deep: { list: ['{{ inputs.x }}', 7] }, plain: 'y' } },
    });
    expect(traced(given, { x: 'one' })).toEqual([
      { field: 'params.deep.list[0]', template: '{{ inputs.x }}', value: 'one' },
      { field: 'prompt.file', template: 'prompts/{{ inputs.x }}.md', value: 'prompts/one.md' },
    ]);
    expect(traced(stepOf('c', called({ value: { a: '{{ inputs.x }}' } })), { x: [1] })).toEqual([
      { field: 'with.value.a', template: '{{ inputs.x }}', value: [1] },
    ]);
  });

  it('know shell lines and patterns that are waited for', () => {
    const line = stepOf('l', { kind: 'run', command: { kind: 'shell', line: 'echo {{ inputs.x }}' } });
    expect(traced(line, { x: "it's" })).toEqual([
      { field: 'command', template: 'echo {{ inputs.x }}', value: String.raw`echo 'it'\''s'` },
    ]);
    const wait = stepOf('w', {
      kind: 'wait',
      for: 'files',
      files: ['in/{{ inputs.x }}'],
      min: 1,
      every: 500,
    });
    expect(traced(wait, { x: 'a' })).toEqual([
      { field: 'wait.files[0]', template: 'in/{{ inputs.x }}', value: 'in/a' },
    ]);
  });
});

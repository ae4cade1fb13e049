import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSample } from '../../compile/fixtures/sample-library.ts';
import { nativeOf, problemsOf } from './fixtures/sample-translation.ts';

interface Shape {
  strict: boolean;
  steps: StepShape[];
  /** Which command refers to which step. */
  probe: number;
  reference: number;
}
interface StepShape {
  when: boolean;
  success?: number;
  failure?: number;
  always?: number;
  body?: StepShape[];
}
interface MadeStep {
  name: string;
  when?: object;
  command?: string[];
  for_each?: { items: string[]; steps: MadeStep[] };
}

/** A jump goes to any step of its own list, or one around it, or to the end. */
function madeSteps(shapes: StepShape[], names: string[], around: string[]): MadeStep[] {
  const own = shapes.map(() => {
    const name = `S${names.length}`;
    names.push(name);
    return name;
  });
  const visible = [...around, ...own];
  const goto = (to: number | undefined) =>
    to === undefined ? undefined : { goto: to % 5 === 4 ? '_end' : visible[to % visible.length] };
  return shapes.map(({ when, success, failure, always, body }, index) => ({
    name: own[index] ?? '',
    ...(when && { when: { exists: 'a' } }),
    on: { success: goto(success), failure: goto(failure), always: goto(always) },
    ...(body ? { for_each: { items: ['a'], steps: madeSteps(body, names, visible) } } : { command: ['x'] }),
  }));
}

function allSteps(steps: MadeStep[]): MadeStep[] {
  return steps.flatMap((step) => [step, ...allSteps(step.for_each?.steps ?? [])]);
}

/** The name of the step that is referred to, and the workflow. */
function workflowOf({ strict, steps, probe, reference }: Shape): { target: string; text: string } {
  const made = madeSteps(steps, [], []);
  const all = allSteps(made);
  const commands = all.flatMap(({ command }) => (command ? [command] : []));
  const target = all[reference % all.length];
  commands[probe % Math.max(1, commands.length)]?.push(`\${steps.${target?.name}.exit_code}`);
  return {
    target: target?.name ?? '',
    text: JSON.stringify({ version: '1.1', strict_flow: strict, steps: made }),
  };
}

const jump = fc.option(fc.nat(20), { nil: undefined });
const leaf = fc.record({ when: fc.boolean(), success: jump, failure: jump, always: jump });
const loopOver = (body: fc.Arbitrary<StepShape>) =>
  fc.record({
    when: fc.boolean(),
    success: jump,
    failure: jump,
    always: jump,
    body: fc.array(body, { minLength: 1, maxLength: 3 }),
  });
const loop = loopOver(fc.oneof(leaf, leaf, loopOver(leaf)));
const shapes: fc.Arbitrary<Shape> = fc.record({
  strict: fc.boolean(),
  steps: fc.array(fc.oneof(leaf, leaf, loop), { minLength: 1, maxLength: 6 }),
  probe: fc.nat(50),
  reference: fc.nat(50),
});

describe('which steps can have run', () => {
  const CANNOT = /cannot have run before/;

  it('is what our own checks say: what they would refuse has become a value that is absent, and nothing else has', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { text, target } = workflowOf(shape);
        const problems = problemsOf(text);
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        const native = JSON.stringify(nativeOf(text));
        expect(errorsOf(native)).toEqual([]);
        // Of a loop that never comes to its end ours also say what would follow if it did.
        const hasLoops = shape.steps.some(({ body }) => body !== undefined);
        if (hasLoops || !problems.some(({ message }) => CANNOT.test(message))) return;
        const reference = `absent(\\"\${steps.${target}.exit_code}\\")`;
        expect(native).toContain(reference);
        const claimed = native.replace(reference, `steps.${target}.exit_code`);
        expect(errorsOf(claimed)).toEqual(['cel-unknown-field']);
      }),
      { numRuns: 100 },
    );
  });
});

function errorsOf(text: string): string[] {
  const result = compileSample(text);
  if (result.kind === 'needs') throw new Error('it needs files');
  return result.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

describe('on', () => {
  const nextOf = (on: string, more = '') => {
    const text = `version: "1.1"\nsteps:\n  - { name: A, command: [x], on: ${on} }\n  - { name: B, command: [x] }\n${more}`;
    const [step] = nativeOf(text).steps as { next?: unknown }[];
    return step?.next;
  };

  it('is asked in the order success, failure, whatever the order it is written in; always decides', () => {
    expect(nextOf('{ failure: { goto: B }, success: { goto: A } }')).toEqual([
      { when: 'status == "done"', goto: 'A' },
      { when: 'status == "failed"', goto: 'B' },
    ]);
    expect(nextOf('{ always: { goto: _end }, failure: { goto: B }, success: { goto: A } }')).toEqual([
      { goto: 'end' },
    ]);
  });

  it('goes out of a loop, to a step of the same name in its own list first', () => {
    const text = `version: "1.1"
steps:
  - name: Loop
    for_each:
      items: [a]
      steps:
        - { name: In, command: [x], on: { success: { goto: Same }, failure: { goto: Out } } }
        - { name: Same, command: [x] }
  - { name: Same, command: [x] }
  - { name: Out, command: [x] }
`;
    const native = nativeOf(text) as { steps: { steps: { next: { goto: string }[] }[] }[] };
    expect(native.steps[0]?.steps[0]?.next.map(({ goto }) => goto)).toEqual(['Same_2', 'Out']);
    expect(problemsOf(text)).toEqual([]);
  });

  it('leads to a step that there is, and not into a loop', () => {
    const loop = '  - name: L\n    for_each: { items: [a], steps: [{ name: In, command: [x] }] }\n';
    const text = `version: "1.1"\nsteps:\n  - { name: Build, command: [x], on: { success: { goto: Biuld }, failure: { goto: In } } }\n${loop}`;
    expect(problemsOf(text).map(({ code, hint }) => [code, hint])).toEqual([
      ['unknown-step', 'Did you mean "Build"?'],
      ['goto-out-of-reach', 'Go to "L" itself.'],
    ]);
  });
});

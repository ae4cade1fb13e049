// what-to-run: the word behind `lockstep run` is a workflow, or a specification for one.

import { Fault } from '../../model/fault.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Services } from '../services.ts';

/** What implements a specification, where nobody says otherwise. */
export const SPEC_WORKFLOW = 'spec-implementation';

export interface WhatToRun {
  /** A name or a file. */
  workflow: string;
  /** A file for its first input of type file. */
  spec?: string;
}

/** Faults `nothing-to-run`, `file-unreadable`, `input-invalid`: exit code 2. */
export function whatToRun(
  services: Services,
  given: string | undefined,
  workflow: string | undefined,
): WhatToRun {
  if (given === undefined && workflow === undefined)
    throw new Fault('nothing-to-run', 'say what to run', {
      hint: '`lockstep run SPEC.md` implements a specification; `lockstep run NAME` runs a workflow, and `lockstep list` shows which there are.',
      exitCode: 2,
    });
  if (given === undefined) return { workflow: workflow as string };
  if (workflow === undefined && !isSpecification(given)) return { workflow: given };
  refuseNothing(services, given, workflow);
  return { workflow: workflow ?? SPEC_WORKFLOW, spec: given };
}

export function isSpecification(given: string): boolean {
  return /\.(?:md|markdown)$/i.test(given);
}

/** It is an input like any other and read as such; only here it is known what was meant. */
function refuseNothing(services: Services, path: string, workflow: string | undefined): void {
  let text: string;
  try {
    text = services.readFile(path);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const meant =
      workflow === undefined
        ? `A word that ends in .md is a specification for "${SPEC_WORKFLOW}".`
        : `With --workflow the word before it is a file for "${workflow}"; leave it out where there is none.`;
    throw new Fault(error.code, `${error.message} (looked from ${services.cwd})`, {
      hint: meant,
      cause: error.cause,
      exitCode: 2,
    });
  }
  if (isSpecification(path) && text.trim() === '')
    throw new Fault('input-invalid', `the specification ${path} is empty`, {
      hint: 'Write into it what is to be built.',
      exitCode: 2,
    });
}

/** `--input` for the first input that is a file. Fault `spec-not-taken`. */
export function specInput(workflow: Workflow, spec: string, inputs: readonly string[]): string {
  const declared = Object.entries(workflow.inputs);
  const name = declared.find(([, { type }]) => type === 'file')?.[0];
  if (name === undefined) {
    const [first] = declared;
    throw new Fault('spec-not-taken', `"${workflow.name}" has no input of type file that ${spec} could be`, {
      hint: first
        ? `Its inputs are ${declared.map(([each, { type }]) => `${each} (${type})`).join(', ')}: lockstep run ${workflow.name} --input ${first[0]}=…`
        : `It has no inputs at all: lockstep run ${workflow.name}`,
      exitCode: 2,
    });
  }
  const twice = inputs.find((pair) => pair.startsWith(`${name}=`));
  if (twice !== undefined)
    throw new Fault('spec-not-taken', `the input \`${name}\` is given twice: ${spec}, and --input ${twice}`, {
      hint: 'Leave one of them out.',
      exitCode: 2,
    });
  return `${name}=${spec}`;
}

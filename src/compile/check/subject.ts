// subject: one workflow under check, with its graph, and how to say that something in it is wrong.

import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { Workflow } from '../../model/workflow.ts';
import { closest } from '../../text/closest-name.ts';
import { wholeFlowOf } from '../flow/build.ts';
import type { Flow } from '../flow/graph.ts';
import type { Outline } from '../flow/outline.ts';
import type { Draft } from '../site.ts';

export interface Subject {
  draft: Draft;
  workflow: Workflow;
  flow: Flow;
  outline: Outline;
  /** The workflows it may call, by key. */
  called: Readonly<Record<string, Workflow>>;
  /** The name that was probably meant. Looked for only so often: more problems than that are not shown. */
  near(word: string, names: readonly string[]): string | undefined;
}

const SUGGESTIONS = 200;

export function subjectOf(workflow: Workflow, draft: Draft): Subject {
  const flow = wholeFlowOf(workflow);
  let left = SUGGESTIONS;
  const near = (word: string, names: readonly string[]) => (left-- > 0 ? closest(word, names) : undefined);
  return { draft, workflow, flow, outline: flow.outline, called: draft.workflow.workflows, near };
}

/** Where: a part of the workflow, and the way to the field of it. */
export type At = readonly [part: object, ...keys: (string | number)[]];

export function problem(
  { draft }: Subject,
  severity: Severity,
  at: At,
  what: { code: string; message: string; hint?: string | undefined },
): Diagnostic {
  const { code, message, hint } = what;
  return { code, severity, message, span: draft.span(...at), ...(hint === undefined ? {} : { hint }) };
}

/** As a hint: `Did you mean "build"?` */
export function meant({ near }: Subject, word: string, names: readonly string[]): string | undefined {
  const name = near(word, names);
  return name === undefined ? undefined : `Did you mean "${name}"?`;
}

/** As it is written in CEL: `steps.plan`, `steps["a-b"]`. */
export function stepName(id: string): string {
  return /^[A-Za-z_]\w*$/.test(id) ? `steps.${id}` : `steps["${id}"]`;
}

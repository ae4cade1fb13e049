// enforceable: a step's `tools` and `rules` that the client it names cannot be held to. Where no client is named, a run
// finds out which it is, and asks here before anything is made.

import {
  CAPABILITIES,
  type Capability,
  type Client,
  clientOf,
  demands,
  shortfalls,
} from '../../model/capabilities.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PromptWork, Step, Workflow } from '../../model/workflow.ts';
import { outline } from '../flow/outline.ts';
import { problem, type Subject } from './subject.ts';

export interface Unenforceable {
  step: Step;
  client: Client;
  /** As the workflow names it; absent: the first client found. */
  provider?: string;
  what: Capability[];
}

export function checkEnforceable(subject: Subject): Diagnostic[] {
  const { workflow, draft } = subject;
  const templates = draft.workflow.providers;
  const known = (provider: string | undefined) =>
    provider === undefined ? undefined : clientOf(provider, templates);
  const severity = workflow.guard.unenforceable === 'warn' ? 'warning' : 'error';
  return unenforceable(workflow, known).map((one) =>
    problem(subject, severity, [one.step], {
      code: 'guard-unenforceable',
      message: tell(one),
      hint: severity === 'error' ? UNENFORCEABLE_HINT : undefined,
    }),
  );
}

export const UNENFORCEABLE_HINT =
  'Take another provider (docs/agents.md says which can), take this part out, or say `guard: { unenforceable: warn }` to have it recorded instead.';

/** Of one workflow, those it calls aside. `clientFor`: who answers for a provider; undefined: not known here. */
export function unenforceable(
  workflow: Workflow,
  clientFor: (provider: string | undefined) => Client | undefined,
): Unenforceable[] {
  return outline(workflow).spots.flatMap(({ step }) => {
    const actions = [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)];
    const prompts = [step, ...actions].flatMap(({ work }) => (work.kind === 'prompt' ? [work] : []));
    const found = prompts.flatMap((work) => lacking(work, step, workflow, clientFor));
    // A step and its actions mostly lack the same.
    return found.filter((one, index) => found.findIndex((other) => tell(other) === tell(one)) === index);
  });
}

function lacking(
  { performer: { provider, tools } }: PromptWork,
  step: Step,
  { rules }: Workflow,
  clientFor: (provider: string | undefined) => Client | undefined,
): Unenforceable[] {
  const client = clientFor(provider);
  if (client === undefined) return [];
  const what = shortfalls(client, demands(tools, [...rules, ...step.rules]));
  return what.length === 0 ? [] : [{ step, client, what, ...(provider !== undefined && { provider }) }];
}

export function tell({ step, client, provider, what }: Unenforceable): string {
  const who = provider ?? client;
  const parts = what.map((each) => `${WORDS[each] ?? each} (${CAPABILITIES[client][each].how})`);
  return `\`${step.id}\`: provider \`${who}\` cannot enforce ${parts.join(', ')}`;
}

const WORDS: Partial<Record<Capability, string>> = {
  'tools.allow': '`tools.allow`',
  'tools.deny': '`tools.deny`',
  'tools.patterns': 'patterns in `tools`',
  'rules.block': '`block` rules',
  'rules.ask': '`ask` rules',
  'rules.warn': '`warn` rules',
  'rules.rewrite': '`rewrite` rules',
};

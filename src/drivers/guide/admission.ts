// admission: whether a client can be led through this workflow, and what it cannot be held to. What a client does with a step
// that it was handed nobody here sees: its tools, its time and what it costs are its own.

import type { Driven } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Action, Step, Workflow } from '../../model/workflow.ts';
import type { Agents } from '../../ports/agent.ts';
import { refuseWithoutSession } from '../without-session.ts';

export interface Admission {
  driven: Driven;
  warnings: string[];
}

/** Faults `needs-session`, `guard-unenforceable`, `review-needs-provider`. */
export function admit(workflow: Workflow, agents: Agents): Admission {
  refuseWithoutSession(workflow);
  const all = [workflow, ...Object.values(workflow.workflows)];
  refuseUnenforceable(all);
  const reviews = reviewsOf(all, agents);
  return { driven: reviews.driven, warnings: [...reviews.warnings, ...uncounted(all, workflow)] };
}

/** `tools` and `rules` of steps that are handed out. */
function refuseUnenforceable(all: readonly Workflow[]): void {
  const problems = all
    .filter(({ guard }) => guard.unenforceable === 'error')
    .flatMap(({ steps, rules }) =>
      handedIn(steps)
        .filter((step) => binds(step) || rules.length > 0)
        .map(({ id }) => `\`${id}\`: a client that is led by MCP cannot be held to \`tools\` and \`rules\``),
    );
  if (problems.length === 0) return;
  throw new Fault('guard-unenforceable', problems.join('\n'), {
    hint: 'Let Lockstep start the agents (`lockstep run`). Or have it recorded instead: a file of your own with `extends` of this workflow and `guard: { unenforceable: warn }` (docs/guide-drive.md).',
    exitCode: 2,
  });
}

function binds(step: Step): boolean {
  if (step.work.kind !== 'prompt') return false;
  const { tools } = step.work.performer;
  return tools.allow !== undefined || tools.deny.length > 0 || step.rules.length > 0;
}

/** Who did the work does not review it: gates and the prompts of actions go to a provider. */
function reviewsOf(all: readonly Workflow[], agents: Agents): Admission {
  const guide = { drive: 'guide' as const };
  const missing: string[] = [];
  const mustRefuse: string[] = [];
  for (const { steps, guard } of all)
    for (const { id, provider } of dispatchedIn(steps)) {
      if (isThere(agents, provider)) continue;
      missing.push(id);
      if (guard.unenforceable === 'error') mustRefuse.push(id);
    }
  if (missing.length === 0) return { driven: guide, warnings: [] };
  const names = [...new Set(missing)].map((id) => `\`${id}\``).join(', ');
  if (mustRefuse.length > 0)
    throw new Fault(
      'review-needs-provider',
      `${names}: a review is not done by the client that did the work, and no other agent was found to do it`,
      {
        hint: 'Install a client (`lockstep doctor` shows what was found), or say `guard: { unenforceable: warn }`: then the client reviews its own work, and the report says so.',
        exitCode: 2,
      },
    );
  return {
    driven: { ...guide, own_reviews: true },
    warnings: [`reviewed by its author: no agent was found for ${names}, so the client reviews its own work`],
  };
}

function isThere(agents: Agents, provider: string | undefined): boolean {
  try {
    agents.find(provider);
    return true;
  } catch {
    return false;
  }
}

/** What is set and cannot be counted: said at the start, and shown as unknown in the report. */
function uncounted(all: readonly Workflow[], { limits }: Workflow): string[] {
  const timed = all.flatMap(({ steps }) => handedIn(steps)).filter(({ timeout }) => timeout !== undefined);
  const set = (['cost', 'tokens', 'turns'] as const).filter((name) => limits[name] !== undefined);
  return [
    ...(timed.length === 0
      ? []
      : [
          `\`timeout\` of ${timed.map(({ id }) => `\`${id}\``).join(', ')} does not count: no time is spent while a client works on a step`,
        ]),
    ...(set.length === 0
      ? []
      : [
          `${set.map((name) => `limits.${name}`).join(', ')} cannot be held: what a client spends on a step is unknown here`,
        ]),
  ];
}

function handedIn(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => {
    if (step.work.kind === 'prompt' && step.gate === undefined) return [step];
    return 'steps' in step.work ? handedIn(step.work.steps) : [];
  });
}

function dispatchedIn(steps: readonly Step[]): { id: string; provider: string | undefined }[] {
  return steps.flatMap((step) => {
    const actions: Action[] = [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)];
    const works = [...(step.gate === undefined ? [] : [step.work]), ...actions.map(({ work }) => work)];
    const own = works.flatMap((work) =>
      work.kind === 'prompt' ? [{ id: step.id, provider: work.performer.provider }] : [],
    );
    return 'steps' in step.work ? [...own, ...dispatchedIn(step.work.steps)] : own;
  });
}

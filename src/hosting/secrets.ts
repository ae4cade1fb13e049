// secrets: which of them a workflow declares, anywhere in it, and what hides them.

import type { Step, Workflow } from '../model/workflow.ts';
import { createMask, type Mask, type Secret } from '../runtime/mask.ts';

/** What clients log in with. Theirs to have, whoever runs them; nobody's to read in a log, declared or not. */
const CLIENT_KEYS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'OPENAI_API_KEY',
  'CODEX_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
];

/** A secret that a step also gives a value in `env` has two: ours, and that one. Both are hidden. */
export function maskFor(workflow: Workflow, environment: Record<string, string>): Mask {
  const secrets = new Map<string, Secret>();
  const add = (name: string, value: string) => secrets.set(JSON.stringify([name, value]), { name, value });
  const visit = (steps: Step[]) => {
    for (const step of steps) {
      for (const name of step.secrets) {
        const given = step.env[name];
        if (environment[name] !== undefined || given === undefined) add(name, environment[name] ?? '');
        if (given !== undefined) add(name, given);
      }
      if ('steps' in step.work) visit(step.work.steps);
    }
  };
  visit(workflow.steps);
  for (const called of Object.values(workflow.workflows)) visit(called.steps);
  const keys = CLIENT_KEYS.map((name) => ({ name, value: environment[name] ?? '' }));
  return createMask(
    [...secrets.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    keys,
  );
}

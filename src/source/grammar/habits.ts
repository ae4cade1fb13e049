// habits: fields that people type who know another tool (GitHub Actions, Archon, Conductor, Temporal, Argo, Taskfile, make,
// docker compose, Airflow, Prefect, n8n), and the line they should have written. Every line stands in backquotes behind
// "Write", and loads as it is: habits.test.ts types each of them in.
//
// T1. Only fields that the language does not have there; one that it has is never second-guessed.
// T2. What has no counterpart says so, and what is done instead.

import type { MapEntry, MapNode } from '../read/node.ts';
import { toJson } from '../read/node.ts';
import { flowText } from './flow-text.ts';
import {
  as,
  type Habits,
  type Hint,
  inside,
  lasting,
  listOf,
  says,
  tools,
  tries,
  trigger,
} from './habit-hints.ts';
import { STEP } from './step-habits.ts';

/** `place`: `step`, `workflow`, `input`, or the field that holds the map: `done`, `retry`. */
export function habitHint(place: string, { key, value }: MapEntry, map: MapNode): string | undefined {
  const habits = Object.hasOwn(PLACES, place) ? PLACES[place] : undefined;
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
  const known = name === 'then' ? 'goes_to' : name;
  return habits !== undefined && Object.hasOwn(habits, known) ? habits[known]?.(value, map, key) : undefined;
}

const stepList = says(
  'Write `steps: [{ id: one, run: make }]`: a list, in the order in which they run, each with an `id` and a verb.',
);

const forPrompts: Hint = (value, _, key) =>
  `For all prompts: write \`defaults: { ${key}: ${flowText(value)} }\`.`;

const WORKFLOW: Habits = {
  jobs: stepList,
  nodes: stepList,
  tasks: stepList,
  stages: stepList,
  phases: stepList,
  services: stepList,
  agents: stepList,
  targets: stepList,
  templates: stepList,
  on: trigger,
  true: trigger, // `on:`, as YAML 1.1 has it
  triggers: trigger,
  trigger,
  schedule: trigger,
  schedule_interval: trigger,
  cron: trigger,
  catchup: trigger,
  variables: as('vars'),
  context: as('vars'),
  state: as('vars'),
  parameters: as('inputs'),
  params: as('inputs'),
  arguments: as('inputs'),
  args: as('inputs'),
  input: as('inputs'),
  env: (value) => `Variables belong to the step that needs them: write \`env: ${flowText(value)}\` there.`,
  environment: (value) =>
    `Variables belong to the step that needs them: write \`env: ${flowText(value)}\` there.`,
  output: as('outputs'),
  desc: as('description'),
  title: as('description'),
  id: as('name'),
  dag_id: as('name'),
  agent: forPrompts,
  model: forPrompts,
  provider: forPrompts,
  timeout: lasting('limits: { duration: … }', 's'),
  timeout_minutes: lasting('limits: { duration: … }', 'm'),
  timeout_seconds: lasting('limits: { duration: … }', 's'),
  cost: inside('limits', 'cost'),
  budget: inside('limits', 'cost'),
  max_cost: inside('limits', 'cost'),
  max_budget_usd: inside('limits', 'cost'),
  max_turns: inside('limits', 'turns'),
  max_iterations: inside('limits', 'visits'),
  on_error: as('on_fail'),
  worktree: says('Write `workspace: worktree`.'),
  isolation: says('Write `workspace: worktree`.'),
  allowed_tools: tools('allow'),
  disallowed_tools: tools('deny'),
  retry: (value) => `For all prompts: write \`defaults: { retry: ${flowText(value)} }\`.`,
  retries: (value) => `For all prompts: write \`defaults: { retry: { max: ${tries(value)} } }\`.`,
  default_args: says('Write `defaults: { retry: { max: 2 } }`: what is the same for all prompts.'),
  entrypoint: says('Leave it out: a run begins with the first of `steps`.'),
  entry_point: says('Leave it out: a run begins with the first of `steps`.'),
  permissions: says('What agents may use: write `tools: { allow: [Read, Grep, Glob] }`.'),
};

const DONE: Habits = {
  command: as('run'),
  cmd: as('run'),
  test: as('run'),
  check: as('run'),
  if: as('that'),
  when: as('that'),
  condition: as('that'),
  expression: as('that'),
  approval: as('approve'),
  ask: as('approve'),
  output_schema: as('schema'),
  max_tries: as('tries'),
  attempts: as('tries'),
  max_attempts: as('tries'),
  retries: (value) => `Write \`tries: ${tries(value) + 1}\`: so many in all.`,
  max_retries: (value) => `Write \`tries: ${tries(value) + 1}\`: so many in all.`,
};

const RETRY: Habits = {
  count: as('max'),
  times: as('max'),
  limit: as('max'),
  retries: as('max'),
  max_retries: as('max'),
  max_attempts: (value) => `Write \`max: ${tries(value) - 1}\`: so many more after the first.`,
  attempts: (value) => `Write \`max: ${tries(value) - 1}\`: so many more after the first.`,
  maximum_attempts: (value) => `Write \`max: ${tries(value) - 1}\`: so many more after the first.`,
  initial_interval: lasting('delay: …', 's'),
  interval: lasting('delay: …', 's'),
  delay_ms: lasting('delay: …', 'ms'),
  delay_seconds: lasting('delay: …', 's'),
  backoff: says('Write `delay: 1s`: after a rate limit it doubles by itself.'),
  on_error: as('on'),
};

const LOOP: Habits = {
  max_iterations: as('max'),
  max_passes: as('max'),
  times: as('max'),
  count: as('max'),
  limit: as('max'),
  condition: as('while'),
};

const INPUT: Habits = {
  enum: as('choices'),
  options: as('choices'),
  desc: as('description'),
  value: as('default'),
  optional: (value) =>
    toJson(value) === true ? 'Write `required: false`.' : 'Leave it out: an input must be given.',
};

const LIMITS: Habits = {
  timeout: lasting('duration: …', 's'),
  budget: as('cost'),
  max_cost: as('cost'),
  max_budget_usd: as('cost'),
  max_turns: as('turns'),
  max_tokens: as('tokens'),
  max_iterations: as('visits'),
};

const TOOLS: Habits = {
  allowed: as('allow'),
  allowed_tools: as('allow'),
  denied: as('deny'),
  disallowed: as('deny'),
};

export const PLACES: Readonly<Record<string, Habits>> = {
  step: STEP,
  action: {
    command: as('run'),
    cmd: as('run'),
    bash: as('run'),
    shell: as('run'),
    if: as('when'),
    condition: as('when'),
  },
  workflow: WORKFLOW,
  done: DONE,
  retry: RETRY,
  loop: LOOP,
  input: INPUT,
  limits: LIMITS,
  tools: TOOLS,
  next: { goes_to: as('goto'), to: as('goto'), if: as('when'), condition: as('when') },
  reads: { paths: as('files'), path: (value) => `Write \`files: ${listOf(value)}\`.` },
};

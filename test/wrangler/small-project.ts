// small-project: a workflow of wrangler's second generation in a scratch repository, with agents and prompts as short as
// they can be, run by the scripted agent.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { journal, projectWith } from '../cli/started.ts';
import type { Ended, Scratch } from '../scratch.ts';

const SPEC = '---\nid: SPEC-9\ntitle: A small thing\n---\n# A small thing\n\nMake it small.\n';

const agent = (name: string, ...tools: string[]) =>
  `---\nname: ${name}\ntools:\n${tools.map((tool) => `  - ${tool}\n`).join('')}---\n\nYou are the ${name}.\n`;

const AGENTS = {
  '.wrangler/agents/worker.md': agent('worker', 'Read', 'Write', 'Edit', 'Bash'),
  '.wrangler/agents/looker.md': agent('looker', 'Read', 'Grep'),
};

/** A prompt for every name; the text is what it says. */
export function prompts(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      `.wrangler/prompts/${name}.md`,
      `---\nname: ${name}\n---\n\n${text}\n`,
    ]),
  );
}

export interface Small {
  project: Scratch;
  ended: Ended;
  /** Paths of the steps that were started, in order. */
  started: string[];
  state(): JsonObject;
  /** What the agent of a step was told. */
  prompt(path: string): string;
  run(...argv: string[]): Ended;
}

export interface SmallOptions {
  files?: Record<string, string>;
  answers?: Record<string, Json>;
  options?: string[];
  /** Text of the workflow instead of `phases`. */
  workflow?: string;
}

/** `phases` with a head of two lines around them; the prompts `do` and `look` are there. */
export function small(
  phases: string,
  { files = {}, answers = {}, options = [], workflow }: SmallOptions = {},
): Small {
  const head = 'name: small\nversion: 2\ndefaults: { agent: worker }\nphases:\n';
  const project = projectWith(
    {
      'SPEC.md': SPEC,
      'small.yaml': workflow ?? head + phases,
      ...AGENTS,
      ...prompts({ do: 'Do it.', look: 'Look at it.' }),
      ...files,
    },
    { git: true },
  );
  project.sh('git add -A && git commit -qm small');
  project.write('../answers.json', JSON.stringify({ answers: { '*': { output: {} }, ...answers } }));
  const run = (...argv: string[]) => project.lockstep(...argv);
  const ended = run('run', 'SPEC.md', '-w', './small.yaml', '--script', '../answers.json', ...options);
  const folder = join(project.root, '.lockstep/runs/latest');
  return {
    project,
    ended,
    run,
    get started() {
      return startedIn(project);
    },
    state: () => JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as JsonObject,
    prompt: (path) => readFileSync(join(folder, 'logs', `${path}.prompt.txt`), 'utf8'),
  };
}

export function startedIn(project: Scratch): string[] {
  return journal(project).flatMap(({ kind, path, part }) =>
    kind === 'attempt-started' && part === undefined ? String(path) : [],
  );
}

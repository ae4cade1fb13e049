// walk: a workrail workflow in a scratch repository, led to its end by the scripted agent, which hands in claims.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { journal, projectWith } from '../cli/started.ts';
import type { Ended, Scratch } from '../scratch.ts';

export interface Walk {
  project: Scratch;
  ended: Ended;
  /** Paths of the prompts that were given, in order; one that was given again stands once. */
  prompted(): string[];
  /** What the agent of a step was told. */
  prompt(path: string): string;
  /** What has been set, by name. */
  vars(): JsonObject;
  /** Paths of the steps for which a person was asked, in order. */
  asked(): string[];
  /** Agrees with every question, until the run has ended; how often. */
  agree(): number;
  entries(kind: string): JsonObject[];
}

/** An answer with notes. */
export function claim(context: JsonObject = {}, artifacts: Json[] = []): JsonObject {
  return { output: { notesMarkdown: 'Done, and looked at.', artifacts, context } };
}

export function decides(decision: 'continue' | 'stop', more: JsonObject = {}): JsonObject {
  return claim({}, [{ kind: 'wr.loop_control', decision, ...more }]);
}

export interface WalkOptions {
  /** By step; what is not there is a claim with notes and nothing else. */
  answers?: Record<string, Json>;
  files?: Record<string, string>;
  options?: string[];
}

/** `workflow`: the name of a built-in one, or the text of a file. */
export function walk(workflow: string, { answers = {}, files = {}, options = [] }: WalkOptions = {}): Walk {
  const isText = workflow.includes('\n');
  const project = projectWith({
    'script.json': JSON.stringify({ answers: { '*': claim(), ...answers } }),
    ...(isText && { 'w.yaml': workflow }),
    ...files,
  });
  const ended = project.lockstep('run', isText ? 'w.yaml' : workflow, '--script', 'script.json', ...options);
  const entries = (kind: string) =>
    journal(project).filter((entry) => entry.kind === kind) as unknown as JsonObject[];
  const prompted = () => {
    const paths = entries('attempt-started')
      .filter(({ verb, part }) => verb === 'prompt' && part === undefined)
      .map(({ path }) => String(path));
    return [...new Set(paths)];
  };
  const state = (): JsonObject =>
    JSON.parse(readFileSync(join(project.root, '.lockstep/runs/latest/state.json'), 'utf8'));
  return {
    project,
    ended,
    prompted,
    entries,
    prompt: (path) =>
      readFileSync(join(project.root, '.lockstep/runs/latest/logs', `${path}.prompt.txt`), 'utf8'),
    vars: () => state().context as JsonObject,
    asked: () => entries('question-asked').map(({ path }) => String(path)),
    agree() {
      let count = 0;
      while (state().status === 'paused' && count < 100) {
        const { exitCode, stdout, stderr } = project.lockstep('answer', 'latest', 'approve');
        if (exitCode !== 0 && exitCode !== 3) throw new Error(stdout + stderr);
        count += 1;
      }
      return count;
    },
  };
}

// watching: which files a workflow is made of, and when they have changed.
// W1. A change is one of content. Many within a moment are one.
// W2. A definition that changes while a run goes on counts afterwards, once. A file that the workflow reads does not: the run
//     itself may have written it. That is said.
// W3. Nothing that a run writes down, and no file that a step is to write, is watched.

import { relative, resolve } from 'node:path';
import type { LoadedWorkflow } from '../../../drivers/run/load.ts';
import { namedFiles } from '../../../drivers/run/named-files.ts';
import type { Workspace } from '../../../ports/workspace.ts';
import type { GivenOptions } from '../../given/given.ts';
import type { Services } from '../../services.ts';
import { changedPaths, createLooker, type Signatures, textSignature } from './changes.ts';

const LOOK_EVERY_MS = 200;
/** So long must nothing change before it counts. */
const QUIET_MS = 300;

export interface Stop {
  isAsked(): boolean;
  /** Until then, or until it is asked. */
  pause(milliseconds: number): Promise<void>;
}

export interface Watching {
  /** The workflow is loaded: this is what it is made of. */
  expect(loaded: LoadedWorkflow): void;
  /** The run is over: what changed of the files that it reads. */
  settle(): string[];
  /** It could not be loaded: as everything is now, it is not tried again. */
  accept(): void;
  /** For people. */
  paths(): string[];
  /** Waits for a change; undefined: asked to stop. */
  change(stop: Stop): Promise<string[] | undefined>;
}

export async function createWatching(
  services: Services,
  options: GivenOptions & { stateDir?: string },
): Promise<Watching> {
  const { hash, cwd, clock } = services;
  const { workspaces } = await services.hosting(options.stateDir);
  const workspace = workspaces.open(await services.projectRoot());
  const runs = await services.runsFolder(options.stateDir);
  const look = createLooker(hash);
  const shown = (path: string) => relative(cwd, path) || path;
  let definitions: Signatures = new Map();
  let data: Signatures = new Map();
  let dataPaths = (): string[] => [];
  const both = () => ({ definitions: look(definitions.keys()), data: look(dataPaths()) });

  return {
    expect(loaded) {
      const files = [...loaded.files].map(([path, text]) => ({ path: resolve(cwd, path), text }));
      const seen = look(files.flatMap(({ path, text }) => (text === undefined ? [path] : [])));
      for (const { path, text } of files) if (text !== undefined) seen.set(path, textSignature(text, hash));
      definitions = seen;
      const isIgnored = (path: string) => isWithin(runs, path) || definitions.has(path);
      const given = givenFiles(loaded, options).map((path) => resolve(cwd, path));
      dataPaths = () =>
        [...new Set([...given, ...readPaths(workspace, loaded)])].filter((path) => !isIgnored(path));
      data = look(dataPaths());
    },

    settle() {
      const now = look(dataPaths());
      const changed = changedPaths(data, now);
      data = now;
      return changed.map(shown);
    },

    accept() {
      ({ definitions, data } = both());
    },

    paths: () => [...definitions.keys(), ...data.keys()].map(shown),

    async change(stop) {
      let last = '';
      let since = clock.monotonic();
      while (!stop.isAsked()) {
        const now = both();
        const changed = [...changedPaths(definitions, now.definitions), ...changedPaths(data, now.data)];
        const state = JSON.stringify([[...now.definitions], [...now.data]]);
        if (state !== last) since = clock.monotonic();
        last = state;
        if (changed.length > 0 && clock.monotonic() - since >= QUIET_MS) return changed.map(shown);
        await stop.pause(LOOK_EVERY_MS);
      }
      return undefined;
    },
  };
}

/** Those named on the command line: they go into the run as they are then. */
function givenFiles({ workflow }: LoadedWorkflow, options: GivenOptions): string[] {
  const named = [options.script, options.inputFile, options.contextFile];
  const pairs = [...(options.input ?? []), ...(options.context ?? [])].map((pair) => pair.split('='));
  const inputs = pairs.flatMap(([name = '', ...rest]) =>
    workflow?.inputs[name]?.type === 'file' ? [rest.join('=')] : [],
  );
  return [...named, ...inputs].filter((path): path is string => path !== undefined && path !== '');
}

/** Looked for anew each time: a pattern may match another file by then. */
function readPaths(workspace: Workspace, { workflow }: LoadedWorkflow): string[] {
  if (!workflow) return [];
  const { read, patterns, written } = namedFiles(workflow);
  const matches = patterns.flatMap((pattern) => {
    try {
      return workspace.glob(pattern, workflow.policy.globs);
    } catch {
      return []; // a pattern that cannot be looked at now: the run says why
    }
  });
  const outputs = new Set(written.map((path) => resolve(workspace.root, path)));
  return [...read, ...matches]
    .map((path) => resolve(workspace.root, path))
    .filter((path) => !outputs.has(path));
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !(inside === '..' || inside.startsWith('../'));
}

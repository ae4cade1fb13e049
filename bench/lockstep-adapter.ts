// lockstep-adapter: the real compiler, engine, loop and file store in this process, put together as `lockstep run`
// does it. What is left out is what a bench would only blur: the screen, and git.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { scriptAgent } from '../src/agents/script/script-agent.ts';
import { loadWorkflow } from '../src/drivers/run/load.ts';
import { startRun } from '../src/drivers/run/run.ts';
import { fold, initialState } from '../src/engine/engine.ts';
import type { Hosting } from '../src/hosting/hosting.ts';
import type { JsonObject } from '../src/model/json.ts';
import type { LoadedFile } from '../src/model/library.ts';
import type { Workflow } from '../src/model/workflow.ts';
import { fileStore } from '../src/stores/file/file-store.ts';
import { systemClock } from '../src/system/clock.ts';
import { keepNurserySmall } from '../src/system/nursery.ts';
import { childProcesses } from '../src/system/processes.ts';
import { fileTracker } from '../src/tracker/file-tracker.ts';
import { plainWorkspaces } from '../src/workspaces/plain/plain-workspaces.ts';
import { workspaces } from '../src/workspaces/workspaces.ts';

keepNurserySmall(); // as src/app.ts does

interface Load {
  folder: string;
  steps: number;
  /** False: the same files and writes, but the disk is not waited for. */
  fsync?: boolean;
  /** So many runs, for a short one to last as long as a long one. */
  repeat?: number;
}
interface Measured {
  ms: number;
  perStep: number;
}

const output = 'x'.repeat(900);
/** The value comes from an input, as values do; written into every step it would only fatten the definition. */
const noop = (id: string) => ({ id, call: 'noop', with: { value: '{{ inputs.output }}' } });
const ids = (count: number) => Array.from({ length: count }, (_, index) => `step-${index}`);

export const sequence = (load: Load): Promise<Measured> => measure(load, ids(load.steps).map(noop));

export const parallel = (load: Load): Promise<Measured> =>
  measure(load, [{ id: 'all', parallel: true, concurrency: load.steps, steps: ids(load.steps).map(noop) }]);

export const each = (load: Load): Promise<Measured> =>
  measure(load, [{ id: 'all', each: 'item in inputs.items', steps: [noop('step')] }], {
    items: ids(load.steps),
  });

export const spawns = (load: Load): Promise<Measured> =>
  measure(
    load,
    ids(load.steps).map((id) => ({ id, run: ['/bin/true'] })),
  );

/** Reads and checks a definition of so many steps; runs nothing. */
export async function definition({ steps }: Load): Promise<Measured> {
  const wanted = definitionOf(
    ids(steps).map((id) => ({ id, run: ['/bin/true'], if: 'inputs.output != ""' })),
  );
  globalThis.gc?.();
  const ms = time(() => compile(wanted));
  return { ms, perStep: ms / steps };
}

/** Finished runs in `folder`/runs, for what lists them. */
export async function manyRuns({ folder, runs, steps }: Load & { runs: number }): Promise<Measured> {
  return measure({ folder, steps, fsync: false, repeat: runs }, ids(steps).map(noop));
}

/**
 * Read-only agent steps in a repository of so many files, a few of them untracked. The agent answers at once: what is
 * measured is how Lockstep sees to it that nothing was changed. `statusMs` is one `git status` in the same place.
 */
export async function besideFiles({ folder, steps, files }: Load & { files: number }): Promise<BesideFiles> {
  const root = join(folder, 'repository');
  makeRepository(root, files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 28 });
  git('status', '--porcelain');
  const statusMs = median([1, 2, 3, 4, 5].map(() => time(() => git('status', '--porcelain'))));
  const prompts = (count: number) =>
    ids(count).map((id) => ({ id, prompt: { text: 'Look.' }, tools: { allow: ['Read'] } }));
  const parts = { ...hosting(folder), workspaces: workspaces() };
  const script = { answers: { '*': [{ text: 'Seen.' }] } };
  const agent = scriptAgent({ script, ...parts });
  const withGit: Hosting = {
    ...parts,
    agentsFor: () => ({ find: () => agent }),
  };
  const run = async (count: number): Promise<number> => {
    const request = requestOf(compile(definitionOf(prompts(count))), root, {});
    const started = performance.now();
    const { exitCode, state } = await startRun(withGit, { ...request, script }, {});
    if (exitCode !== 0) throw new Error(`the run ended as ${state.status}`);
    return performance.now() - started;
  };
  await run(1);
  const one = await run(1);
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  const ms = await run(steps + 1);
  stalls.disable();
  return { ms, perStep: (ms - one) / steps, statusMs, stallMs: stalls.max / 1e6 };
}

interface BesideFiles extends Measured {
  statusMs: number;
  stallMs: number;
}

function makeRepository(root: string, files: number): void {
  for (let folder = 0; folder * 500 < files; folder += 1) {
    const at = join(root, `part-${folder}`);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < 500; file += 1)
      writeFileSync(join(at, `file-${file}.txt`), `${folder} ${file}\n`);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'files');
  for (let file = 0; file < 100; file += 1)
    writeFileSync(join(root, `untracked-${file}.txt`), 'x'.repeat(1000));
}

/** Load, verify and fold a finished run, against reading and parsing the same file. */
export async function resume(load: Load): Promise<{ ms: number; parseMs: number }> {
  await each({ ...load, fsync: false });
  const { store } = hosting(load.folder);
  const id = store.latest() ?? '';
  const { workflow } = JSON.parse(store.read(id).document('workflow.json') ?? '') as { workflow: Workflow };
  const journal = join(store.read(id).location, 'journal.jsonl');
  const parse = () => {
    for (const line of readFileSync(journal, 'utf8').split('\n')) if (line !== '') JSON.parse(line);
  };
  const load_ = () => {
    const state = initialState(workflow);
    for (const entry of store.read(id).journal().entries) fold(workflow, state, entry);
  };
  const times = { parse: [] as number[], load: [] as number[] };
  for (let round = 0; round < 7; round += 1) {
    times.parse.push(time(parse));
    times.load.push(time(load_));
  }
  return { ms: median(times.load), parseMs: median(times.parse) };
}

async function measure(
  { folder, steps, fsync = true, repeat = 1 }: Load,
  definition: object[],
  inputs: JsonObject = {},
): Promise<Measured> {
  const workflow = compile(definitionOf(definition));
  const wait = { fdatasyncSync: fs.fdatasyncSync, fsyncSync: fs.fsyncSync };
  if (!fsync) Object.assign(fs, { fdatasyncSync: () => {}, fsyncSync: () => {} });
  syncBuiltinESMExports();
  const request = requestOf(workflow, folder, inputs);
  // What the compiler left behind is not the engine's.
  globalThis.gc?.();
  let ms = 0;
  for (let run = 0; run < repeat; run += 1) {
    let began = 0;
    // Every side has its file open when the clock starts, and is done when its last record is durable.
    const { exitCode, state } = await startRun(hosting(folder), request, {
      opened() {
        began = performance.now();
      },
      changed({ entry }) {
        if (entry.kind === 'run-completed') ms += performance.now() - began;
      },
    });
    if (exitCode !== 0) throw new Error(`the run ended as ${state.status}`);
  }
  Object.assign(fs, wait);
  syncBuiltinESMExports();
  return { ms, perStep: ms / steps / repeat };
}

function definitionOf(steps: object[]): object {
  return {
    lockstep: 1,
    name: 'bench',
    inputs: { output: { type: 'string' }, items: { type: 'list', default: [] } },
    limits: { visits: 1_000_000 },
    steps,
  };
}

function requestOf(workflow: Workflow, workspace: string, inputs: JsonObject) {
  return {
    workflow,
    workflowFile: 'bench.json',
    workspace,
    inputs: { output, items: [], ...inputs },
    vars: {},
    skips: { steps: [], checks: false, dry_run: false },
  };
}

function hosting(folder: string): Hosting {
  const clock = systemClock();
  return {
    store: fileStore({ directory: join(folder, 'runs') }),
    clock,
    workspaces: plainWorkspaces(),
    processes: childProcesses(),
    tracker: async () => fileTracker({ root: folder, now: clock.now }),
    agentsFor: () => ({
      find() {
        throw new Error('nobody is asked anything here');
      },
    }),
    environment: { PATH: process.env.PATH ?? '' },
    holder: { user: 'bench', host: 'here', pid: process.pid, version: '0' },
    hash,
  };
}

function compile(definition: object): Workflow {
  const main: LoadedFile = {
    id: '/bench.json',
    path: 'bench.json',
    text: JSON.stringify(definition, undefined, 1),
    layer: 'project',
    shadows: [],
  };
  const library = {
    load: () => ({ missing: true as const, looked: [], known: [] }),
    loadFile: () => ({ missing: true as const, looked: [], known: [] }),
    list: () => [],
    place: () => ({ outside: [] }),
  };
  const { workflow, diagnostics } = loadWorkflow({ library, hash, dialects: [] }, main);
  if (!workflow) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return workflow;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function time(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

// X2, K1, K2: a crash in a test of a workflow is what a SIGKILL is. The same run is ended at the same moments both
// ways, by a real process that kills itself and by the store that only acts as if, and resumed; the journals agree.

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadWorkflow } from '../../src/drivers/run/load.ts';
import { resumeRun } from '../../src/drivers/run/run.ts';
import { fileLibrary } from '../../src/library/file-library.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Script } from '../../src/model/script.ts';
import type { PlannedFault } from '../../src/model/workflow-test.ts';
import { fileStore } from '../../src/stores/file/file-store.ts';
import { Crashed, crashStore } from '../../src/testing/crash-store.ts';
import { crashWatch } from '../../src/testing/crash-watch.ts';
import { effects, scratchFolder } from '../crash/every-verb.ts';
import { drive } from '../support/drive.ts';

const base = scratchFolder('killed');
const text = `lockstep: 1
name: killed
steps:
  - id: plan
    prompt: { text: Plan. }
    enter: [ { run: 'echo enter >> effects.log' } ]
    done: { run: 'echo checked >> effects.log' }
  - id: items
    each: n in [1, 2]
    steps: [ { id: work, run: 'echo work >> effects.log' } ]
  - id: both
    parallel: true
    steps:
      - { id: left, run: 'echo left >> effects.log' }
      - { id: right, call: write-file, with: { path: right.txt, content: right } }
  - id: publish
    run: 'echo publish >> effects.log'
    recover: { probe: 'grep -q publish effects.log' }
outputs: { plan: '{{ steps.plan.output }}' }
`;
const main = { id: 'killed.yaml', path: 'killed.yaml', text, layer: 'file' as const, shadows: [] };
const workflow = compiled();
function compiled() {
  const here = { project: base.path, user: base.path, builtin: base.path, cwd: base.path };
  const loaded = loadWorkflow({ library: fileLibrary(here), hash: String, dialects: [] }, main);
  if (!loaded.workflow) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.workflow;
}
const script: Script = {
  answers: { plan: [{ write: { 'plan.md': 'the plan\n' }, commit: 'the plan', text: 'planned' }] },
};
const program = join(base.path, 'killed.mjs');
beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'killed.ts')],
    ...{ outfile: program, bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
});
afterAll(() => base.remove());

interface Ended {
  /** What a crash left, and what there was in the end. */
  left: unknown;
  end: unknown;
  effects: string[];
}

async function resumed(runs: string): Promise<Ended> {
  const store = fileStore({ directory: runs });
  const stage = drive({ store });
  try {
    const [id] = store.list();
    const left = store.read(id as string).journal().entries;
    const root = (left[0] as Extract<Entry, { kind: 'run-started' }>).run.workspace;
    await resumeRun({ ...stage.hosting, store }, { id: id as string, takeOver: true }, {});
    const end = store.read(id as string).journal().entries;
    const ended = { left: comparable(left, root), end: comparable(end, root), effects: effects(root) };
    rmSync(root, { recursive: true, force: true });
    return ended;
  } finally {
    stage.remove();
  }
}

/** By a process of its own. */
async function killed(fault: PlannedFault, runs: string): Promise<Ended> {
  const request = join(base.path, 'request.json');
  writeFileSync(request, JSON.stringify({ runs, workflow, script, fault }));
  const { signal, stderr } = spawnSync(process.execPath, [program, request], { encoding: 'utf8' });
  expect(signal, stderr).toBe('SIGKILL');
  return resumed(runs);
}

/** By the store that acts as if. */
async function crashed(fault: PlannedFault, runs: string): Promise<Ended> {
  const watch = crashWatch([fault]);
  const stage = drive({ store: crashStore(fileStore({ directory: runs }), watch.plan), git: true });
  await expect(stage.start(workflow, { script })).rejects.toThrow(Crashed);
  expect(watch.count()).toBe(1);
  return resumed(runs);
}

/** Without what differs between any two runs: times, who, where. */
function comparable(entries: Entry[], root: string): unknown {
  const left = new Set(['at', 'h', 'by', 'run', 'duration_ms', 'metrics', 'invocation', 'workflow_hash']);
  const text = JSON.stringify(entries, (key, value) => (left.has(key) ? undefined : value));
  return JSON.parse(text.replaceAll(root, 'ROOT'));
}

const moments: [PlannedFault['fault'] & { kind: 'crash' }, string][] = [
  [{ kind: 'crash', when: 'announced' }, 'plan.enter[0]'],
  [{ kind: 'crash', when: 'announced' }, 'plan'],
  [{ kind: 'crash', when: 'done' }, 'plan'],
  [{ kind: 'crash', when: 'done' }, 'plan.done[0]'],
  [{ kind: 'crash', when: 'announced' }, 'items'],
  [{ kind: 'crash', when: 'done' }, 'items[1]/work'],
  [{ kind: 'crash', when: 'announced' }, 'both/left'],
  [{ kind: 'crash', when: 'done' }, 'both/right'],
  [{ kind: 'crash', when: 'announced' }, 'publish'],
  [{ kind: 'crash', when: 'done' }, 'publish'],
];

describe('a crash', () => {
  it.each(moments.map(([fault, at]) => [fault.when, at, fault] as const))(
    'X2, K1, K2, LS-TEST-CRASH-REAL: %s at %s, leaves what SIGKILL leaves, and comes to the same end',
    async (when, at, crash) => {
      const fault: PlannedFault = { at, from: 1, times: 1, fault: crash };
      const name = `${when}-${at.replace(/\W/g, '')}`;
      const real = await killed(fault, join(base.path, `${name}-killed`));
      const acted = await crashed(fault, join(base.path, `${name}-crashed`));
      expect(acted.left).toEqual(real.left);
      expect(acted.end).toEqual(real.end);
      expect(acted.effects).toEqual(real.effects);
      expect(JSON.stringify(acted.end)).toContain('run-completed');
    },
  );
});

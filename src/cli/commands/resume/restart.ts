// restart: `resume --force-restart`: a new run of the workflow's file as it is now, with what the old run was given. Of the
// old one whatever can still be read is used, and nothing is changed.

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { newWorkspace, placeOf } from '../../../hosting/moved.ts';
import { PINNED_DOCUMENT, type Pinned } from '../../../hosting/pinned.ts';
import { maskFor } from '../../../hosting/secrets.ts';
import type { EntryBody, Only, Skips } from '../../../model/entry.ts';
import { Fault } from '../../../model/fault.ts';
import { isObject, type Json, type JsonObject } from '../../../model/json.ts';
import type { Store, StoredRun } from '../../../ports/store.ts';
import { loadOrReport } from '../../find-workflow.ts';
import { givenOrReport, type Recorded } from '../../given/given.ts';
import { singleStep } from '../../given/single-step.ts';
import type { Services } from '../../services.ts';
import { type StartOptions, settingsOf, start } from '../../start/start.ts';

export async function restart(
  services: Services,
  store: Store,
  id: string,
  options: StartOptions,
): Promise<number> {
  settingsOf(services, options); // what is wrong with them is told first
  const stored = store.read(id);
  refuseHeld(stored);
  const old = whatIsKnown(stored, await services.projectRoot());
  const { dialect, model } = old;
  const loaded = await loadOrReport(services, old.path, { json: options.json, dialect, model });
  if (!loaded) return 2;
  if (maskFor(loaded.workflow, services.environment).names.size > 0) refuseMasked(old.recorded.inputs, id);
  const { main } = loaded;
  const { only } = old;
  const workflow = only ? singleStep(loaded.workflow, only) : loaded.workflow;
  const { onError, json } = options;
  const given = await givenOrReport(services, workflow, old.skips, { onError, json }, old.recorded);
  if (!given) return 2;
  const { inputs, vars, found, script } = given;
  const plan = {
    ...{ workflow, main, inputs, vars, found, script, only, skips: old.skips, workspace: old.workspace },
    introduction: (fresh: string) => `Run ${fresh} starts ${main.path} anew, as it is now, ${told(old, id)}`,
  };
  const hosting = await services.hosting(options.stateDir);
  return start(services, hosting, plan, settingsOf(services, { ...options, model }), options);
}

function told({ from, hasJournal }: Known, id: string): string {
  if (from === 'journal') return `with the inputs of run ${id}, which stays as it is.`;
  const lost = `the journal of run ${id} ${hasJournal ? 'cannot be read' : 'is gone'}`;
  return from === undefined
    ? `without any context: ${lost}, and nothing else tells what it was given.`
    : `with the context that ${from} records: ${lost}.`;
}

function refuseHeld(run: StoredRun): void {
  const holder = run.holder();
  if (!holder || holder.alive === false) return;
  throw new Fault('run-locked', `run ${run.id} is being run (pid ${holder.pid} on ${holder.host})`, {
    hint: `Let it end, or end it: lockstep cancel ${run.id}`,
    exitCode: 2,
  });
}

/** A secret that was given as an input is not on record (S3), and three stars would be a poor substitute. */
function refuseMasked(inputs: JsonObject, id: string): void {
  const masked = Object.keys(inputs).filter((name) => JSON.stringify(inputs[name]).includes('***'));
  if (masked.length === 0) return;
  const names = masked.map((name) => `\`${name}\``).join(', ');
  throw new Fault('input-missing', `of run ${id}, ${names} held a secret, which is not on record`, {
    hint: 'Start it with `lockstep run`, and give it there.',
    exitCode: 2,
  });
}

interface Known {
  /** Absolute. */
  path: string;
  workspace: string;
  dialect?: string;
  /** `--model`, where it was given. */
  model?: string;
  skips: Skips;
  only?: Only;
  recorded: Recorded;
  /** What tells it: the journal, or one of the documents; undefined: nothing. */
  from: string | undefined;
  hasJournal: boolean;
}

type Start = Extract<EntryBody, { kind: 'run-started' }>;

function whatIsKnown(run: StoredRun, project: string): Known {
  const [first] = run.wholeEntries();
  const start: Start | undefined = first?.kind === 'run-started' ? first : undefined;
  const pinned = parsed<Partial<Pinned>>(run.document(PINNED_DOCUMENT));
  const { name: view, state } = start ? {} : lastView(run);
  const before = start && placeOf(start);
  const then = before?.workspace ?? pinned?.started_in ?? pinned?.workspace ?? project;
  const root = before?.root ?? `.lockstep/runs/${run.id}`;
  const workspace = newWorkspace({ workspace: then, root }, run.location) ?? then;
  const shown = start?.workflow_file ?? state?.workflow_file;
  const path =
    pinned?.workflow_path === undefined
      ? shown && resolve(workspace, shown)
      : moved(pinned.workflow_path, then, workspace);
  if (path === undefined)
    throw new Fault('run-empty', `nothing of run ${run.id} tells which workflow it ran`, {
      hint: 'Start it anew with `lockstep run`.',
      exitCode: 2,
    });
  return {
    path,
    workspace,
    dialect: pinned?.workflow?.sources?.[0]?.dialect,
    model: start?.overrides?.model,
    skips: start?.skips ?? pinned?.skips ?? { steps: [], checks: false, dry_run: false },
    only: start ? start.only : pinned?.only,
    recorded: {
      inputs: withoutFound(
        givenInputs(start?.inputs ?? contextOf(state, pinned?.workflow), pinned?.workflow),
        start?.found,
      ),
      vars: differing(start?.vars ?? {}, pinned?.workflow?.vars ?? {}),
      script: pinned?.script,
    },
    from: start ? 'journal' : view,
    hasJournal: run.hasJournal(),
  };
}

/** What lay in the workspace has moved with it. */
function moved(path: string, from: string, to: string): string {
  const inside = relative(from, path);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? path : resolve(to, inside);
}

interface View {
  run_id: string;
  workflow_file?: string;
  context: JsonObject;
}

/** state.json, else the newest of its backups that is whole. */
function lastView(run: StoredRun): { name?: string; state?: View } {
  const backups = run.documents().filter((name) => /^state\.json\.step_.*\.bak$/.test(name));
  for (const name of ['state.json', ...backups]) {
    const state = parsed<View>(run.document(name));
    if (state?.run_id === run.id && typeof state.context === 'object' && state.context !== null)
      return { name, state };
  }
  return {};
}

/** Without the vars: what they have become is no beginning. */
function contextOf(state: View | undefined, workflow: Pinned['workflow'] | undefined): JsonObject {
  const isVar = (name: string) =>
    Object.hasOwn(workflow?.vars ?? {}, name) && !Object.hasOwn(workflow?.inputs ?? {}, name);
  return Object.fromEntries(Object.entries(state?.context ?? {}).filter(([name]) => !isVar(name)));
}

/** What a person gave: a value that is the default of then is the default of now. */
function givenInputs(recorded: JsonObject, workflow: Pinned['workflow'] | undefined): JsonObject {
  const declared = workflow?.inputs ?? {};
  const defaults = Object.entries(declared).map(([name, { default: value }]): [string, Json | undefined] => [
    name,
    value,
  ]);
  const kept = Object.entries(differing(recorded, Object.fromEntries(defaults) as JsonObject)).filter(
    ([name, value]) => !(declared[name]?.type === 'file' && pathOf(value) === declared[name]?.default),
  );
  return Object.fromEntries(kept);
}

/** What was found in the project then is looked for again; what a person said stays. */
function withoutFound(inputs: JsonObject, found: Start['found'] = {}): JsonObject {
  const kept = Object.entries(inputs).filter(([name]) => found[name]?.from === undefined);
  return Object.fromEntries(kept);
}

function pathOf(value: Json): Json | undefined {
  return isObject(value) ? value.path : undefined;
}

function differing(values: JsonObject, from: JsonObject): JsonObject {
  const isSame = (name: string, value: Json) =>
    Object.hasOwn(from, name) && JSON.stringify(from[name]) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(name, value)));
}

function parsed<T>(text: string | undefined): T | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

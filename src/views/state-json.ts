// state-json: state.json, as the orchestrate format describes it for every dialect, and ours beside it (`lockstep`).
// A finished step or pass becomes text once; what a rendering costs beyond that is joining the texts. Nothing is
// rendered until somebody asks.

import type { Json, JsonObject } from '../model/json.ts';
import { blockers } from './blocker.ts';
import type { Change, Outline } from './outline/shape.ts';
import { stepSummary } from './report/step-summary.ts';
import { leafState, timesState } from './state-json/leaf.ts';
import { lifecycleState } from './state-json/lifecycle.ts';
import { keysOf } from './state-json/names.ts';
import { statusName } from './state-json/status.ts';
import { below, isBlock, type StepRecord } from './step-record.ts';
import { isoTime, roundedCost, type Spending } from './text/words.ts';

const SCHEMA_VERSION = '1.1.1';

export interface StateJson {
  outline: Outline;
  /** Of an `each`: its finished passes, by item; what the outline has dropped. */
  passes: WeakMap<StepRecord, string[]>;
  leaves: WeakMap<StepRecord, string>;
  items: WeakMap<Json[], string>;
  shown: JsonObject;
}

export function createStateJson(outline: Outline, shown: JsonObject = {}): StateJson {
  return { outline, passes: new WeakMap(), leaves: new WeakMap(), items: new WeakMap(), shown };
}

/** To be called with what `record` answered, before the next entry. */
export function recordState(state: StateJson, change: Change): void {
  const { record, entry } = change;
  if (record) state.leaves.delete(record);
  for (const opened of change.opened) state.leaves.delete(opened);
  if (record?.verb === 'each' && entry.kind === 'step-opened') state.passes.delete(record);
  for (const settled of change.settled) {
    state.leaves.delete(settled);
    keepPass(state, settled);
  }
  // Exit actions of a pass that failed come after its end.
  if (record?.kind === 'pass' && record.moved && change.settled.length === 0) keepPass(state, record);
}

function keepPass(state: StateJson, pass: StepRecord): void {
  const each = pass.kind === 'pass' && pass.parent?.verb === 'each' ? pass.parent : undefined;
  if (!each || pass.number === undefined || pass.settled === undefined) return;
  let finished = state.passes.get(each);
  if (!finished) {
    finished = [];
    state.passes.set(each, finished);
  }
  const text: string[] = [];
  writePass(state, pass, text);
  finished[pass.number] = text.join('');
}

// ── As text ─────────────────────────────────────────────────────────────────────────────────────

/** In pieces: together they may be many megabytes, and joining them would copy every one. */
export function renderStateJson(state: StateJson): string[] {
  const { outline } = state;
  const head: [string, Json][] = [
    ['schema_version', SCHEMA_VERSION],
    ['run_id', outline.run?.id ?? ''],
    ['workflow_file', outline.workflowFile],
    ['workflow_checksum', `sha256:${checksum(outline)}`],
    ['started_at', isoTime(outline.startedAt)],
    ['updated_at', isoTime(outline.lastAt)],
    ['status', runStatus(outline)],
    ['context', Object.fromEntries([...Object.entries(outline.inputs), ...outline.vars])],
  ];
  const lines = head.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const text: string[] = ['{\n', lines.join(',\n'), ',\n  "steps": '];
  writeList(state, outline.root, text, '\n    ');
  text.push(',\n  "for_each": ');
  writeProgress(state, text);
  text.push(`,\n  "lockstep": ${JSON.stringify({ ...ours(outline), ...state.shown })}\n}\n`);
  return text;
}

/** Of the file as it was: what `sha256sum` says of it. */
function checksum(outline: Outline): string {
  const [main] = outline.workflow.sources;
  return (main?.hash ?? outline.workflowHash).replace(/^sha256:/, '');
}

function runStatus(outline: Outline): string {
  if (outline.status === 'interrupted') return 'paused';
  return outline.status === 'pending' ? 'running' : outline.status;
}

/** The steps of a list as an object by name. */
function writeList(state: StateJson, holder: StepRecord, text: string[], between = ''): void {
  const keys = keysOf(holder.children);
  text.push('{');
  holder.children.forEach((child, index) => {
    text.push(`${index === 0 ? '' : ','}${between}${JSON.stringify(keys[index])}: `);
    writeStep(state, child, text);
  });
  text.push(between === '' || keys.length === 0 ? '}' : '\n  }');
}

function writeStep(state: StateJson, record: StepRecord, text: string[]): void {
  if (record.step && isBlock(record.step.work) && !neverOpened(record)) {
    if (record.verb === 'each') writeItems(state, record, text);
    else writeBlock(state, record, text);
    return;
  }
  let leaf = state.leaves.get(record);
  if (leaf === undefined) {
    leaf = JSON.stringify(leafState(record, workspaceOf(record) ?? state.outline.run?.workspace ?? ''));
    if (record.settled !== undefined) state.leaves.set(record, leaf);
  }
  text.push(leaf);
}

/** Of the nearest worktree around it. */
function workspaceOf(record: StepRecord): string | undefined {
  for (let at: StepRecord | undefined = record; at; at = at.parent) if (at.worktree) return at.worktree;
  return undefined;
}

/** Left out, or failed before anything in it could begin: it is told like any step. Of an `each` so until it has items. */
function neverOpened(record: StepRecord): boolean {
  if (record.verb === 'each') return record.passes === undefined;
  const hasBegun = record.children.length > 0 || record.passes !== undefined;
  return !hasBegun && (record.settled === 'skipped' || record.settled === 'failed');
}

function writeBlock(state: StateJson, record: StepRecord, text: string[]): void {
  const own = JSON.stringify({ status: statusName(record), ...timesState(record) });
  const last = record.passes ? below(record).at(-1) : record;
  const pass = record.verb === 'loop' && last ? `,"pass":${last.number ?? 0}` : '';
  text.push(`${own.slice(0, -1)}${pass},"steps":`);
  if (last) writeList(state, last, text);
  else text.push('{}');
  text.push('}');
}

/** An array by item; of items that wait for their turn nothing is known. */
function writeItems(state: StateJson, record: StepRecord, text: string[]): void {
  const finished = state.passes.get(record) ?? [];
  const open = record.passes?.open ?? new Map<number, StepRecord>();
  let length = finished.length;
  for (const number of open.keys()) length = Math.max(length, number + 1);
  text.push('[');
  for (let index = 0; index < length; index += 1) {
    if (index > 0) text.push(',');
    const pass = open.get(index);
    if (pass) writePass(state, pass, text);
    else text.push(finished[index] ?? '{}');
  }
  text.push(']');
}

/** The steps of a pass by name, and beside them what became of its item. */
function writePass(state: StateJson, pass: StepRecord, text: string[]): void {
  writeList(state, pass, text);
  const lifecycle = lifecycleState(pass);
  if (!lifecycle) return;
  const last = text.pop() as string;
  const comma = pass.children.length > 0 ? ',' : '';
  text.push(`${last.slice(0, -1)}${comma}"lifecycle": ${JSON.stringify(lifecycle)}}`);
}

function writeProgress(state: StateJson, text: string[]): void {
  const members: string[] = [];
  const walk = (holder: StepRecord): void => {
    const keys = keysOf(holder.children);
    holder.children.forEach((child, index) => {
      const { passes } = child;
      if (passes && child.verb === 'each') {
        const name = holder.kind === 'run' ? (keys[index] as string) : child.path;
        members.push(`${JSON.stringify(name)}: ${progressText(state, child)}`);
      }
      if (passes) for (const pass of below(child)) walk(pass);
      else walk(child);
    });
  };
  walk(state.outline.root);
  text.push(`{${members.join(', ')}}`);
}

function progressText(state: StateJson, record: StepRecord): string {
  const { passes } = record;
  if (!passes) return '{}';
  let items = state.items.get(passes.items);
  if (items === undefined) {
    items = JSON.stringify(passes.items);
    state.items.set(passes.items, items);
  }
  const completed: number[] = [];
  passes.ended.forEach((code, index) => {
    if (code === 1) completed.push(index);
  });
  // Where it is, or where it stopped and a resumed run goes on.
  const stopped =
    record.settled === 'failed' && state.outline.status !== 'completed' ? passes.kept : passes.open;
  let current: number | null = null;
  for (const number of [...passes.open.keys(), ...stopped.keys()])
    current = current === null ? number : Math.min(current, number);
  return `{"items":${items},"completed_indices":${JSON.stringify(completed)},"current_index":${JSON.stringify(current)}}`;
}

/** What is known of it: `unpriced` says whether that is all. */
function knownCost({ priced, unpriced, cost }: Spending): number | null {
  return priced === 0 && unpriced > 0 ? null : roundedCost(cost);
}

function ours(outline: Outline): JsonObject {
  const { totals, notes } = outline;
  const open: JsonObject = {};
  for (const [path, record] of outline.byPath) {
    if (record.status === 'running' || record.status === 'waiting' || record.status === 'asking') {
      Object.defineProperty(open, path, { value: record.status, enumerable: true });
    }
  }
  return {
    status: outline.status,
    entries: outline.n,
    workflow: outline.workflow.name,
    elapsed_ms: outline.runTime,
    resumes: outline.resumes,
    paths: open,
    totals: {
      done: totals.done,
      failed: totals.failed,
      skipped: totals.skipped,
      cancelled: totals.cancelled,
      attempts: totals.attempts,
      retries: totals.retries,
      accepted: totals.accepted,
      rejected: totals.rejected,
      jumps: totals.jumps,
      input_tokens: totals.spending.input_tokens,
      output_tokens: totals.spending.output_tokens,
      turns: totals.spending.turns,
      cost: knownCost(totals.spending),
      unpriced: totals.spending.unpriced,
      models: totals.models.map(({ model, provider, spending }) => ({
        model: model === '' ? null : model,
        provider: provider === '' ? null : provider,
        answers: spending.priced + spending.unpriced,
        input_tokens: spending.input_tokens,
        output_tokens: spending.output_tokens,
        turns: spending.turns,
        cost: knownCost(spending),
        unpriced: spending.unpriced,
      })),
    },
    worktree: outline.worktree ? { ...outline.worktree } : null,
    worktrees: notes.worktrees.kept.map(({ path, worktree }) => ({ step: path, ...worktree })),
    warnings: notes.warnings.kept.map(({ path, message }) => ({ path: path ?? null, message })),
    stepSummary: { ...stepSummary(outline) },
    questions: blockers(outline),
    continued_past: totals.continuedPast,
    failures: [...notes.failed].map(([path, error]) => ({
      path,
      class: error.class,
      message: error.message,
    })),
    skipped: [...notes.skipped.values()].map(({ path, reason, why, count }) => ({
      path,
      reason,
      why,
      count,
    })),
    in_doubt: notes.doubts.kept.map(({ path, part, remedy }) => ({ path, part: part ?? null, remedy })),
    overrides: notes.overrides.kept.map(({ path, by, note }) => ({ path, by, note: note ?? null })),
    error: outline.error ? { class: outline.error.class, message: outline.error.message } : null,
    failed_at: outline.failedAt ?? null,
    outputs: outline.outputs,
  };
}

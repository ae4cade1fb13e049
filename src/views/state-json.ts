// state-json: state.json, as the orchestrate format describes it for every dialect, and ours beside it (`lockstep`).
// A finished step or pass becomes text once; what a rendering costs beyond that is joining the texts. Nothing is
// rendered until somebody asks. What would make the file too long is cut, and says so (sheet.ts).

import type { Json, JsonObject } from '../model/json.ts';
import { note, noteAll } from './outline/note.ts';
import type { Change, Noted, Outline } from './outline/shape.ts';
import { beginningOf, cutStep } from './state-json/beginning.ts';
import { type Finished, keepFinished, noneFinished, roomLeft, writeFinished } from './state-json/finished.ts';
import { leafState, timesState } from './state-json/leaf.ts';
import { lifecycleState } from './state-json/lifecycle.ts';
import { keysOf } from './state-json/names.ts';
import { oursState } from './state-json/ours.ts';
import {
  createProgressTexts,
  type ProgressTexts,
  touchProgress,
  writeProgress,
} from './state-json/progress.ts';
import { createSheet, jsonText, ROOM, type Room, type Sheet } from './state-json/sheet.ts';
import { statusName } from './state-json/status.ts';
import { below, isBlock, type StepRecord } from './step-record.ts';
import { isoTime } from './text/words.ts';

const SCHEMA_VERSION = '1.1.1';

/** undefined: too long to be a text. */
interface Text {
  text: string | undefined;
}

export interface StateJson {
  outline: Outline;
  /** Of an `each`: its finished passes, by item; what the outline has dropped. */
  passes: WeakMap<StepRecord, Finished>;
  leaves: WeakMap<StepRecord, Text>;
  /** Of inputs and vars, as they were when they were last rendered. */
  context: Map<string, Text & { value: Json }>;
  progress: ProgressTexts;
  shown: JsonObject;
  room: Room;
}

export function createStateJson(outline: Outline, shown: JsonObject = {}, room = ROOM): StateJson {
  return {
    room,
    outline,
    passes: new WeakMap(),
    leaves: new WeakMap(),
    context: new Map(),
    progress: createProgressTexts(),
    shown,
  };
}

/** To be called with what `record` answered, before the next entry. */
export function recordState(state: StateJson, change: Change): void {
  const { record, entry } = change;
  if (record) touch(state, record);
  for (const opened of change.opened) touch(state, opened);
  if (record?.verb === 'each' && entry.kind === 'step-opened') state.passes.delete(record);
  for (const settled of change.settled) {
    touch(state, settled);
    keepPass(state, settled);
  }
  // Exit actions of a pass that failed come after its end.
  if (record?.kind === 'pass' && record.moved && change.settled.length === 0) keepPass(state, record);
}

function touch(state: StateJson, record: StepRecord): void {
  state.leaves.delete(record);
  if (record.kind === 'pass') touchProgress(state.progress, record);
}

function keepPass(state: StateJson, pass: StepRecord): void {
  const each = pass.kind === 'pass' && pass.parent?.verb === 'each' ? pass.parent : undefined;
  if (!each || pass.number === undefined || pass.settled === undefined) return;
  let finished = state.passes.get(each);
  if (!finished) {
    finished = noneFinished(state.room);
    state.passes.set(each, finished);
  }
  const sheet = createSheet(roomLeft(finished));
  writePass(state, pass, sheet);
  keepFinished(finished, pass.number, pass.path, sheet);
}

// ── As text ─────────────────────────────────────────────────────────────────────────────────────

/** In pieces: together they may be many megabytes, and joining them would copy every one. */
export function renderStateJson(state: StateJson): string[] {
  const { outline } = state;
  const sheet = createSheet(state.room);
  const head: [string, Json][] = [
    ['schema_version', SCHEMA_VERSION],
    ['run_id', outline.run?.id ?? ''],
    ['workflow_file', outline.workflowFile],
    ['workflow_checksum', `sha256:${checksum(outline)}`],
    ['started_at', isoTime(outline.startedAt)],
    ['updated_at', isoTime(outline.lastAt)],
    ['status', runStatus(outline)],
  ];
  const lines = head.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  sheet.put(`{\n${lines.join(',\n')},\n  "context": `);
  writeContext(state, sheet);
  sheet.put(',\n  "steps": ');
  writeList(state, outline.root, sheet, '\n    ');
  sheet.put(',\n  "for_each": ');
  writeProgress(state.progress, outline, sheet);
  sheet.put(`,\n  "lockstep": ${JSON.stringify(oursState(outline)).slice(0, -1)},"outputs":`);
  const { outputs } = outline;
  sheet.value('outputs', jsonText(outputs), () => JSON.stringify(beginningOf(outputs)));
  const rest = JSON.stringify({ ...leftOutState(sheet.leftOut), ...state.shown }).slice(1, -1);
  sheet.put(`${rest === '' ? '' : ','}${rest}}\n}\n`);
  return sheet.pieces;
}

/** Of what is not shown whole: how much, the first of it, and where the whole is. */
function leftOutState({ count, kept }: Noted<string>): JsonObject {
  return count === 0 ? {} : { left_out: { count, first: kept, whole: 'journal.jsonl' } };
}

/** Inputs and vars as they are now. One for which there is no room is not there: a part of it would be another input. */
function writeContext(state: StateJson, sheet: Sheet): void {
  const { inputs, vars } = state.outline;
  let isFirst = true;
  sheet.put('{');
  for (const [name, value] of Object.entries(Object.fromEntries([...Object.entries(inputs), ...vars]))) {
    let known = state.context.get(name);
    if (known === undefined || known.value !== value) {
      known = { value, text: jsonText(value) };
      state.context.set(name, known);
    }
    const { text } = known;
    if (text === undefined || !sheet.fits(text.length)) note(sheet.leftOut, `context.${name}`);
    else {
      sheet.put(`${isFirst ? '' : ','}${JSON.stringify(name)}:${text}`);
      isFirst = false;
    }
  }
  sheet.put('}');
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
function writeList(state: StateJson, holder: StepRecord, sheet: Sheet, between = '', end = '}'): void {
  const keys = keysOf(holder.children);
  sheet.put('{');
  holder.children.forEach((child, index) => {
    sheet.put(`${index === 0 ? '' : ','}${between}${JSON.stringify(keys[index])}: `);
    writeStep(state, child, sheet);
  });
  sheet.put(between === '' || keys.length === 0 ? end : '\n  }');
}

function writeStep(state: StateJson, record: StepRecord, sheet: Sheet): void {
  if (record.step && isBlock(record.step.work) && !neverOpened(record)) {
    if (record.verb === 'each') writeItems(state, record, sheet);
    else writeBlock(state, record, sheet);
    return;
  }
  const leaf = () => leafState(record, workspaceOf(record) ?? state.outline.run?.workspace ?? '');
  let known = state.leaves.get(record);
  if (known === undefined) {
    known = { text: jsonText(leaf()) };
    if (record.settled !== undefined) state.leaves.set(record, known);
  }
  sheet.value(record.path, known.text, () => JSON.stringify(cutStep(leaf(), record.path)));
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

function writeBlock(state: StateJson, record: StepRecord, sheet: Sheet): void {
  const own = JSON.stringify({ status: statusName(record), ...timesState(record) });
  const last = record.passes ? below(record).at(-1) : record;
  const pass = record.verb === 'loop' && last ? `,"pass":${last.number ?? 0}` : '';
  sheet.put(`${own.slice(0, -1)}${pass},"steps":`);
  if (last) writeList(state, last, sheet);
  else sheet.put('{}');
  sheet.put('}');
}

/** An array by item; of items that wait for their turn nothing is known. */
function writeItems(state: StateJson, record: StepRecord, sheet: Sheet): void {
  const finished = state.passes.get(record) ?? noneFinished(state.room);
  const open = record.passes?.open ?? new Map<number, StepRecord>();
  noteAll(sheet.leftOut, finished.leftOut);
  sheet.put('[');
  writeFinished(finished, record.path, open, sheet, (number) =>
    writePass(state, open.get(number) as StepRecord, sheet),
  );
  sheet.put(']');
}

/** The steps of a pass by name, and beside them what became of its item. */
function writePass(state: StateJson, pass: StepRecord, sheet: Sheet): void {
  const lifecycle = lifecycleState(pass);
  const comma = pass.children.length > 0 ? ',' : '';
  writeList(state, pass, sheet, '', lifecycle ? `${comma}"lifecycle": ${JSON.stringify(lifecycle)}}` : '}');
}

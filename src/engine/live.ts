// live: a session that a person has with a client, held to the step that the run is at.
// Owns: what events, calls and texts of the session do to the state. Never: judges a call (guard.ts), weighs an event (weigh.ts).
// L1. All that is known of a session is a fold of the journal, and bounded.
// L2. A text is said once: it is pending until `said` names it.
// L3. Actions of events run one list after the other, in the order of the events.

import type { Bearing, EntryBody, Outcome, SessionHappening } from '../model/entry.ts';
import { objectOf } from '../model/json.ts';
import type { Live, OpenStep, State, Visit } from '../model/state.ts';
import type { Action, SessionEvent, Step } from '../model/workflow.ts';
import { settle } from './ascend.ts';
import { besideText, changedText } from './changed-text.ts';
import type { Over } from './descend.ts';
import { landing } from './leaving.ts';
import { newList, newStep } from './opening.ts';
import { handedAt, handedOut, questionAt, queue, recall, withdraw } from './places.ts';

type Of<K extends EntryBody['kind']> = Extract<EntryBody, { kind: K }>;
type LiveEntry = Of<
  | 'session-bound'
  | 'session-event'
  | 'call-judged'
  | 'event-weighed'
  | 'said'
  | 'stop-answered'
  | 'change-found'
  | 'artifact-kept'
  | 'guard-switched'
  | 'moved-by-person'
>;

/** More than these are not remembered; what is kept is the newest, of files the first. */
const MOST_FILES = 10_000;
const MOST_OBSERVATIONS = 20;
const LONGEST_OBSERVATION = 2_000;
const MOST_PENDING = 200;
const MOST_ASKED = 100;

export function newLive(at: number): Live {
  return {
    source: '',
    boundAt: at,
    record: {},
    artifacts: new Map(),
    event: undefined,
    prompt: '',
    filesRead: new Set(),
    filesModified: new Set(),
    calls: 0,
    errors: 0,
    observations: [],
    visit: newVisit('', at),
    pending: new Map(),
    asked: new Map(),
    stopsInRow: 0,
    changed: [],
    judged: new Set(),
    windows: new Map(),
    waiting: [],
    isOver: false,
  };
}

/** More than these are dropped, the oldest first. */
const MOST_ARTIFACTS = 50;

function keepArtifact({ artifacts }: Live, name: string, content: string): void {
  artifacts.delete(name);
  artifacts.set(name, content);
  const [oldest] = artifacts.keys();
  if (artifacts.size > MOST_ARTIFACTS && oldest !== undefined) artifacts.delete(oldest);
}

function newVisit(path: string, at: number): Visit {
  return { path, at, actions: 0, errors: 0, filesModified: new Set(), stops: 0, tests: '' };
}

export function foldLive(state: State, entry: LiveEntry): Over {
  state.live ??= newLive(state.lastAt);
  const { live } = state;
  switch (entry.kind) {
    case 'session-bound':
      return bound(state, live, entry);
    case 'session-event':
      return happened(state, live, entry);
    case 'call-judged':
      judged(live, entry);
      return undefined;
    case 'event-weighed':
      return weighed(state, entry.path, entry.bearing);
    case 'said':
      for (const n of entry.texts) live.pending.delete(n);
      return undefined;
    case 'stop-answered':
      live.stopsInRow = entry.held ? live.stopsInRow + 1 : 0;
      if (entry.held && entry.counts) live.visit.stops += 1;
      return undefined;
    case 'change-found':
      live.changed = entry.undone
        ? live.changed.filter((file) => !entry.files.includes(file))
        : [...new Set([...live.changed, ...entry.files])].slice(0, MOST_FILES);
      if (entry.undone) return undefined;
      if (entry.files.length > 0) say(live, state.n, changedText(state));
      if (entry.beside) say(live, state.n, besideText(entry.beside));
      return undefined;
    case 'artifact-kept':
      keepArtifact(live, entry.name, entry.content);
      return undefined;
    case 'guard-switched':
      live.isOff = !entry.on;
      return undefined;
    case 'moved-by-person':
      return moved(state, live, entry);
  }
}

// ── The session ─────────────────────────────────────────────────────────────────────────────────

function bound(state: State, live: Live, { session, source, record }: Of<'session-bound'>): Over {
  const isNew = live.session === undefined;
  live.session = session;
  live.source = source;
  live.isOver = false;
  if (isNew) live.boundAt = state.lastAt;
  Object.assign(live.record, record);
  // What the client had in its context is gone: the step is said again, once.
  if (source === 'compact' || (source === 'resume' && !isNew)) sayAgain(state, live);
  return undefined;
}

function sayAgain(state: State, live: Live): void {
  for (const path of handedOut(state)) {
    const handed = handedAt(state, path);
    if (handed && !live.pending.has(handed.n)) live.pending.set(handed.n, handed.prompt);
  }
}

function happened(state: State, live: Live, { event, grants }: Of<'session-event'>): Over {
  live.event = event;
  count(live, event);
  if (grants !== undefined && live.asked.has(grants)) live.asked.set(grants, true);
  if (event.name === 'session_end') live.isOver = true;
  const actions = state.root.scope.workflow.events[event.name];
  if (actions && actions.length > 0) act(state, live, event.name, actions);
  // What only waits for the session to end goes on when it has.
  if (live.isOver) state.status = 'running';
  return undefined;
}

function count(live: Live, event: SessionHappening): void {
  switch (event.name) {
    case 'user_prompt':
      if (event.unsaid) return;
      live.prompt = event.prompt ?? '';
      live.stopsInRow = 0;
      live.windows.clear();
      return;
    case 'tool_result':
      result(live, event);
      return;
    default:
      return;
  }
}

function result(live: Live, event: SessionHappening): void {
  const { visit } = live;
  const { tool = '', file, command, error = '', text = '', modified = [], tested, call } = event;
  if (call !== undefined) live.windows.delete(call);
  visit.actions += 1;
  live.stopsInRow = 0;
  if (error !== '') {
    live.errors += 1;
    visit.errors += 1;
  }
  for (const path of modified) {
    add(live.filesModified, path);
    add(visit.filesModified, path);
  }
  // What passed before an edit says nothing of what is there now.
  if (modified.length > 0) visit.tests = '';
  if (tested !== undefined) visit.tests = tested;
  live.observations.push({
    tool,
    about: (file ?? command ?? '').slice(0, LONGEST_OBSERVATION),
    error: error.slice(0, LONGEST_OBSERVATION),
    text: text.slice(0, LONGEST_OBSERVATION),
  });
  if (live.observations.length > MOST_OBSERVATIONS) live.observations.shift();
}

function add(files: Set<string>, path: string): void {
  if (files.size < MOST_FILES) files.add(path);
}

function judged(live: Live, { call, verdict, asks, granted, tree }: Of<'call-judged'>): void {
  if (tree !== undefined) look(live, call.id, tree);
  if (call.id !== '') live.judged.add(call.id);
  const [first] = live.judged;
  if (live.judged.size > MOST_JUDGED && first !== undefined) live.judged.delete(first);
  if (verdict === 'allowed' || verdict === 'rewritten' || verdict === 'unasked') {
    live.calls += 1;
    for (const path of call.read ?? []) add(live.filesRead, path);
    const { tool, file, command } = call;
    live.event = {
      ...{ name: 'tool_call', tool },
      ...(file !== undefined && { file }),
      ...(command !== undefined && { command }),
    };
  }
  if (granted !== undefined) live.asked.delete(granted);
  if (asks === undefined) return;
  live.asked.set(asks, false);
  const [oldest] = live.asked.keys();
  if (live.asked.size > MOST_ASKED && oldest !== undefined) live.asked.delete(oldest);
}

function forgetTree(live: Live): void {
  live.windows.clear();
  delete live.clean;
}

const MOST_JUDGED = 500;
/** More calls than these are not under way at once. */
const MOST_WINDOWS = 20;

function look(live: Live, call: string, tree: string): void {
  live.windows.set(call, tree);
  if (live.changed.length === 0) live.clean = tree;
  const [oldest] = live.windows.keys();
  if (live.windows.size > MOST_WINDOWS && oldest !== undefined) live.windows.delete(oldest);
}

// ── The step ────────────────────────────────────────────────────────────────────────────────────

/** The step is with the session: its text is to be said, and what is counted for it begins anew. */
export function handedToSession(state: State, open: OpenStep, text: string): void {
  if (state.driven.drive !== 'guard') return;
  state.live ??= newLive(state.lastAt);
  const { live } = state;
  // What an earlier handing of the step left unsaid is in this one.
  if (live.handing?.path === open.path) live.pending.delete(live.handing.n);
  live.handing = { path: open.path, n: state.n };
  say(live, state.n, text);
  if (open.try > 1 && live.visit.path === open.path) return;
  live.visit = newVisit(open.path, state.lastAt);
  live.asked.clear();
  live.changed = [];
  forgetTree(live);
  live.stopsInRow = 0;
  // The prompt that led here is not one that was said here.
  live.prompt = '';
}

/** A text to be said. Where too many wait, the oldest are dropped: a session that carries none of them has ended. */
export function say(live: Live, n: number, text: string): void {
  if (text.trim() === '') return;
  live.pending.set(n, text);
  const [oldest] = live.pending.keys();
  if (live.pending.size > MOST_PENDING && oldest !== undefined) live.pending.delete(oldest);
}

/** What a handler left for the session. */
export function heardFrom(state: State, { say: text, session_facts }: Outcome): void {
  const { live } = state;
  if (!live) return;
  if (text !== undefined) say(live, state.n, text);
  const { artifacts, ...known } = session_facts ?? {};
  Object.assign(live.record, known);
  for (const [name, content] of Object.entries(objectOf(artifacts)))
    if (typeof content === 'string') keepArtifact(live, name, content);
}

function weighed(state: State, path: string, bearing: Bearing): Over {
  const open = handedAt(state, path)?.open;
  if (!open) return undefined;
  state.status = 'running';
  recall(state, open);
  if (bearing.does === 'leave') return leave(state, open, bearing.rule);
  const { session } = state.live ?? {};
  open.goal = bearing.to;
  open.claim = {
    claim: { answer: bearing.answer },
    by: session?.client ?? 'session',
    ...(session && { session: session.id }),
  };
  return queue(state, open);
}

/** By a rule of its own. Where something was to be met and was not, the step has not done its work. */
function leave(state: State, open: OpenStep, rule: number): Over {
  open.chosen = rule;
  open.outcome = { ok: true, output: null, duration_ms: Math.max(0, state.lastAt - open.startedAt) };
  if (!open.step.done) return settle(state, open, 'done');
  const when = open.step.next[rule]?.when;
  open.error = { class: 'left', message: `it was left by its rule${when === undefined ? '' : `: ${when}`}` };
  return settle(state, open, 'failed');
}

function moved(state: State, live: Live, { path, to, by, why }: Of<'moved-by-person'>): Over {
  const open = openAt(state, path);
  live.changed = [];
  forgetTree(live);
  if (!open) return undefined;
  state.status = 'running';
  withdraw(state, open);
  recall(state, open);
  const goal = landing(open.list, to);
  if (!goal) return queue(state, open);
  open.outcome ??= { ok: true, output: null, duration_ms: Math.max(0, state.lastAt - open.startedAt) };
  open.error = {
    class: 'left',
    message: `${by} moved on to ${to}${why === undefined ? '' : `: ${why}`}`,
    by_person: true,
  };
  open.leaving = { to, why: open.error.message };
  return settle(state, open, 'failed');
}

function openAt(state: State, path: string | undefined): OpenStep | undefined {
  if (path === undefined) return undefined;
  return handedAt(state, path)?.open ?? questionAt(state, path)?.open;
}

// ── Actions of events ───────────────────────────────────────────────────────────────────────────

/** They surround no step: one is made that has nothing but them, in a list of its own. */
function act(state: State, live: Live, name: SessionEvent, actions: Action[]): void {
  const list = newList('@', [], state.root.scope, undefined);
  const open = newStep(list, actionStep(state, name, actions), `@${name}~${state.n}`, state.lastAt);
  open.stage = 'enter';
  open.entered = true;
  state.status = 'running';
  if (live.acting) live.waiting.push(open);
  else {
    live.acting = open;
    queue(state, open);
  }
}

/** Those of one event are over: the next ones begin (L3). */
export function actNext(state: State): void {
  const { live } = state;
  if (live?.acting?.place !== 'closed') return;
  live.acting = live.waiting.shift();
  if (live.acting) queue(state, live.acting);
}

const steps = new WeakMap<Action[], Step>();

function actionStep({ root }: State, name: SessionEvent, actions: Action[]): Step {
  const known = steps.get(actions);
  if (known) return known;
  const step: Step = {
    id: `@${name}`,
    labels: {},
    check: false,
    dryRun: false,
    work: { kind: 'sequence', steps: [] },
    capture: { as: 'text', limit: 1024 * 1024, onParseError: 'keep' },
    env: {},
    secrets: [],
    retry: { max: 0, delay: 0, on: [] },
    rules: [],
    workspace: 'here',
    enter: actions,
    exit: [],
    onFail: 'continue',
    recover: { kind: 'rerun' },
    next: [],
    at: { file: root.scope.workflow.sources[0]?.path ?? '', line: 1, column: 1 },
  };
  steps.set(actions, step);
  return step;
}

/** A run that does nothing but watch a session lasts as long as the session does. */
export function waitsForSession({ live, driven, root }: State): boolean {
  return driven.drive === 'guard' && root.steps.length === 0 && live?.isOver !== true;
}

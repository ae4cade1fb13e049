// guard: the drive in which a person works in a client as always, and the session is held to the step that the run is at. The
// client's hooks tell what happens; each event is journaled, what follows from it is decided, and then the client is answered.
// Owns: which runs hold a session, the order of its events, what its client is told. Never: speaks a client's language
// (src/clients), decides what counts (engine/).
//
// U1. An event counts once, however often it is delivered, and gets the same answer.
// U2. A transition, a question and a text that is said are durable before the answer goes out.
// U3. A call is never kept waiting by a check: while one runs the session may read.
// U4. What goes wrong here denies calls and holds nothing else: a session is never let through because of a fault of ours.
// U5. A session that no workflow binds gets an empty answer.
// U6. What lets a session go is on record in its run: its end, or a person's switch. A file that was taken away or rewritten does not.
// U7. A call that ended and was never asked about is on record, and the person is told: hooks can be switched off in mid-session.

import {
  type Asked,
  besideText,
  changedText,
  currentHanded,
  factKey,
  weighEvent,
} from '../../engine/engine.ts';
import { type HeldRun, type Hosting, hostRun, makeRun, readRun } from '../../hosting/hosting.ts';
import { removeGuarded } from '../../hosting/old-runs.ts';
import type { Channel, EntryBody, Fact } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { JsonObject } from '../../model/json.ts';
import type {
  ClientName,
  HookEvent,
  HookKind,
  HookReply,
  SessionKey,
  SessionSource,
} from '../../model/live-session.ts';
import type { State } from '../../model/state.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import type { ToolPolicy, Workflow } from '../../model/workflow.ts';
import { lookAt } from '../../runtime/perform/observe.ts';
import { admitGuarded } from './admission.ts';
import type { GuardChoice } from './choice.ts';
import { happeningOf } from './happening.ts';
import { bindingOf, type CallEvent, judgeCall } from './judge-call.ts';
import { answerIn, askedText } from './prompt-answer.ts';
import { createReconcile, type Reconcile } from './reconcile.ts';
import { createSeat, type Seat } from './seat.ts';
import { agrees, type Request, requestIn } from './slash.ts';
import { statusText } from './status.ts';
import { STILL_CHECKING, stopVerdict } from './stop.ts';

export interface Guard {
  /** Never rejects. */
  event(event: HookEvent): Promise<HookReply>;
  /** Leases are given back; what is under way is interrupted, and done again. */
  close(): Promise<void>;
  /** Nothing is in hand. */
  isIdle(): boolean;
}

export interface GuardParts {
  /** What holds a session that works in this folder; undefined: nothing does. Faults deny. */
  projectAt(folder: string, session: SessionKey): Promise<GuardedProject | undefined>;
  sessions: SessionBook;
  hash(text: string): string;
  /** Whether texts can be put into the context with this event, as it is answered. */
  carries(event: HookEvent, isRefused: boolean): boolean;
  /** What a call does, under the lists of its step: a client without a tool to read with reads by its shell. Absent: as the event says. */
  actsUnder?(event: CallEvent, tools: ToolPolicy): ToolAct[];
  /** How long the client waits for the answer. */
  patienceMs(client: ClientName, kind: HookKind): number;
  /** Our own MCP tools, by the names that the client has for them. */
  ownTools(client: ClientName): readonly string[];
  canRewrite(client: ClientName): boolean;
}

export interface GuardedProject {
  root: string;
  choice: GuardChoice;
  hosting: Hosting;
  /** How long runs of live sessions are kept after the last thing that happened in them. Absent: for ever. */
  keepMs?: number;
  /** Faults as those of a start. */
  load(name: string): Promise<{ workflow: Workflow; file: string; path?: string; inputs: JsonObject }>;
}

/** What is kept of sessions beside the journals. Only a cache: `session-bound` is the truth. */
export interface SessionBook {
  find(key: SessionKey): { project: string; runs: BookedRun[] } | undefined;
  /** What expressions see of it, and of its parent. */
  record(key: SessionKey): JsonObject;
  keep(key: SessionKey, project: string, runs: BookedRun[]): void;
  /** This run holds it no more. */
  drop(key: SessionKey, run: string): void;
  /** Something happened in a session that is held. Called with every event; never throws. */
  seen?(event: HookEvent, project: string): void;
}

export interface BookedRun {
  run: string;
  workflow: string;
  lifecycle: boolean;
}

interface LiveSession {
  key: SessionKey;
  project: GuardedProject;
  seats: Seat[];
  reconcile: Reconcile;
  /** By delivery. */
  answers: Map<string, Promise<HookReply>>;
  /** Events are journaled one after the other. */
  turn: Promise<unknown>;
}

/** What a step that goes on by itself may take before an event is answered. */
const BRIEF_MS = 2_000;
const MARGIN_MS = 10_000;
const MOST_ANSWERS = 500;
const MOST_SESSIONS = 200;

export function createGuard(parts: GuardParts): Guard {
  const sessions = new Map<string, Promise<LiveSession | undefined>>();
  /** Projects whose old runs were removed. */
  const cleaned = new Set<string>();
  const open = new Set<LiveSession>();
  let underWay = 0;

  // ── Which runs hold a session ─────────────────────────────────────────────────────────────────

  async function sessionOf(event: HookEvent, project: GuardedProject): Promise<LiveSession | undefined> {
    const name = JSON.stringify([event.session.client, event.session.id]);
    const known = sessions.get(name);
    const found = await known?.catch(() => undefined);
    // A session that begins anew is looked up anew: the choice of its project may be another by now.
    const isAnew =
      event.kind === 'session_start' && event.source !== 'compact' && !found?.answers.has(event.delivery);
    if (found && !isAnew && !(await isToBegin(found, project))) return found;
    await closeSession(found);
    const binding = bind(event, project);
    sessions.set(name, binding);
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined && oldest !== name) {
      void sessions.get(oldest)?.then((session) => closeSession(session));
      sessions.delete(oldest);
    }
    try {
      const session = await binding;
      // A project may be given a workflow at any time.
      if (!session) sessions.delete(name);
      return session;
    } catch (error) {
      sessions.delete(name);
      throw error;
    }
  }

  /** A person ended its run to have a new one: then the book has it no more. Or a workflow was chosen for who was only watched. */
  async function isToBegin(session: LiveSession, { choice }: GuardedProject): Promise<boolean> {
    const seat = stepSeat(session);
    if (!seat && choice.workflow !== undefined) return true;
    if (!seat || !isOver((await seat.hold()).state)) return false;
    seat.release();
    const kept = parts.sessions.find(session.key);
    return kept !== undefined && !kept.runs.some(({ run }) => run === seat.run);
  }

  async function bind(event: HookEvent, project: GuardedProject): Promise<LiveSession | undefined> {
    const kept = goneOn(event.session, project);
    const fresh = await begun(event.session, project, kept);
    const seats = [...fresh, ...(kept ?? [])];
    if (seats.length === 0) return undefined;
    const source = event.kind === 'session_start' ? event.source : 'startup';
    const record = parts.sessions.record(event.session);
    for (const seat of seats) {
      const run = await seat.hold();
      const { session } = run.state.live ?? {};
      const isSame = session?.id === event.session.id;
      if (!isSame || (source !== 'startup' && source !== 'compact'))
        await bindTo(run, event, { source, record });
      // What is asked first is asked of the step.
      if (fresh.includes(seat)) await seat.rested(BRIEF_MS);
      seat.release();
    }
    const session: LiveSession = {
      ...{ key: event.session, project, seats, answers: new Map(), turn: Promise.resolve() },
      reconcile: createReconcile(),
    };
    open.add(session);
    return session;
  }

  async function bindTo(
    run: HeldRun,
    event: HookEvent,
    { source, record }: { source: SessionSource; record?: JsonObject },
  ): Promise<void> {
    const { session, cwd } = event;
    run.note({ kind: 'session-bound', session, source, cwd, ...(record && { record }) });
    await run.flush();
  }

  /** The runs of a session that this process does not know, or that goes on. */
  function goneOn(key: SessionKey, project: GuardedProject): Seat[] | undefined {
    const kept = parts.sessions.find(key);
    if (!kept || kept.project !== project.root || kept.runs.length === 0) return undefined;
    const seats: Seat[] = [];
    for (const { run, lifecycle } of kept.runs) {
      try {
        project.hosting.store.read(run);
      } catch (error) {
        if (error instanceof Fault) continue;
        throw error;
      }
      seats.push(createSeat(project.hosting, hostRun(project.hosting, run), lifecycle, false));
    }
    if (seats.length > 0) return seats;
    // A new beginning holds it again. Where there is none, runs that are gone must not be what lets it go (U6).
    if (project.choice.workflow !== undefined || project.choice.lifecycles.length > 0) return undefined;
    throw new Fault(
      'run-unknown',
      `the runs that hold this session are gone: ${kept.runs.map(({ run }) => run).join(', ')}`,
      {
        hint: 'Whoever moved them puts them back.',
      },
    );
  }

  /** What holds a session that goes on is what held it before; a step that a person reset, or chose since, begins. */
  async function begun(key: SessionKey, project: GuardedProject, kept: Seat[] = []): Promise<Seat[]> {
    const { choice } = project;
    const isAtStep = kept.some(({ isLifecycle }) => !isLifecycle);
    const wanted = [
      ...(choice.workflow === undefined || isAtStep ? [] : [{ name: choice.workflow, lifecycle: false }]),
      ...(kept.length > 0 ? [] : choice.lifecycles.map((name) => ({ name, lifecycle: true }))),
    ];
    const before = parts.sessions.find(key)?.runs ?? [];
    const runs: BookedRun[] = [];
    const seats: Seat[] = [];
    for (const { name, lifecycle } of wanted) {
      const seat = await startSeat(project, name, lifecycle);
      seats.push(seat);
      runs.push({ run: seat.run, workflow: name, lifecycle });
    }
    if (runs.length === 0) return seats;
    const still = before.filter(({ run }) => kept.some((seat) => seat.run === run));
    parts.sessions.keep(key, project.root, [...runs, ...still]);
    forgetOld(project);
    return seats;
  }

  /** Beside the events, once for each project. */
  function forgetOld({ root, hosting, keepMs }: GuardedProject): void {
    if (keepMs === undefined || cleaned.has(root)) return;
    cleaned.add(root);
    setImmediate(() => removeGuarded(hosting.store, hosting.clock.now() - keepMs, hosting.hash));
  }

  async function startSeat(project: GuardedProject, name: string, lifecycle: boolean): Promise<Seat> {
    const { hosting, choice, root } = project;
    const { workflow, file, path, inputs } = await project.load(name);
    const warnings = admitGuarded(workflow, lifecycle ? 'lifecycle' : 'steps');
    const vars = Object.fromEntries(Object.entries(choice.vars).filter(([key]) => key in workflow.vars));
    const made = await makeRun(hosting, {
      ...{ workflow, workflowFile: file, workspace: root, inputs, vars },
      ...(path !== undefined && { workflowPath: path }),
      skips: { steps: [], checks: false, dry_run: false },
      driven: { drive: 'guard' },
      warnings,
    });
    return createSeat(hosting, made, lifecycle, true);
  }

  async function closeSession(session: LiveSession | undefined): Promise<void> {
    if (session) open.delete(session);
    for (const seat of session?.seats ?? []) await seat.close();
  }

  // ── Events ────────────────────────────────────────────────────────────────────────────────────

  async function answer(event: HookEvent): Promise<HookReply> {
    // Looked at with every event: a person who switches it off is out at once.
    const project = await parts.projectAt(event.project ?? event.cwd, event.session);
    if (!project) return {};
    if (project.choice.disabled && (await isLetGo(event, project))) return {};
    const session = await sessionOf(event, project);
    if (!session) return {};
    parts.sessions.seen?.(event, project.root);
    const known = session.answers.get(event.delivery);
    if (known) return await known;
    const reply = take(session, event);
    session.answers.set(event.delivery, reply);
    const [oldest] = session.answers.keys();
    if (session.answers.size > MOST_ANSWERS && oldest !== undefined) session.answers.delete(oldest);
    try {
      return await reply;
    } finally {
      for (const seat of session.seats) seat.release();
    }
  }

  /**
   * U6. The file alone says it to sessions that nothing holds yet. Where a run of the session cannot be read there is nothing to
   * hold it to either: a person must get out.
   */
  async function isLetGo(event: HookEvent, project: GuardedProject): Promise<boolean> {
    const { client, id } = event.session;
    if (!sessions.has(JSON.stringify([client, id])) && !parts.sessions.find(event.session)?.runs.length)
      return true;
    try {
      const session = await sessionOf(event, project);
      for (const seat of session?.seats ?? []) {
        const { state } = await seat.hold();
        seat.release();
        if (!isOver(state) && state.live?.isOff !== true) return false;
      }
      return true;
    } catch {
      return true;
    }
  }

  async function take(session: LiveSession, event: HookEvent): Promise<HookReply> {
    switch (event.kind) {
      case 'tool_call':
      case 'permission_request':
        return await judged(session, event);
      case 'settings_change':
        return {
          hold: 'Lockstep holds this session to a workflow, and hooks are what it does so with. A person lets it go with `lockstep workflow disable`.',
        };
      case 'other':
        return event.letThrough ? await unjudged(session, event, event.name, event.letThrough) : {};
      case 'subagent_stop':
        return {};
      case 'stop':
        return await stopped(session, event);
      case 'user_prompt':
        return await prompted(session, event);
      default:
        return await happened(session, event);
    }
  }

  /** One event of the session at a time: each sees what the one before has done. */
  function inTurn<T>(session: LiveSession, work: () => Promise<T>): Promise<T> {
    const mine = session.turn.then(work);
    session.turn = mine.catch(() => {});
    return mine;
  }

  /** Journals the event for every run that cares, and what it means for the step. */
  function noted(session: LiveSession, event: HookEvent, given: Given = {}): Promise<string[]> {
    return inTurn(session, async () => {
      let unmet: string[] = [];
      for (const seat of session.seats) {
        const run = await seat.hold();
        if (isOver(run.state)) continue;
        if (event.transcript !== undefined) run.transcribedIn(event.transcript);
        const happening = happeningOf(event, run.around().workspace, testCommands(run));
        if (!happening || (seat.isLifecycle && !concerns(run, happening.name))) continue;
        if (!run.state.messages.has(event.delivery))
          run.note({
            ...{ kind: 'session-event', event: happening, message: event.delivery },
            ...(given.grants !== undefined && { grants: given.grants }),
          });
        for (const body of given.entries?.get(seat) ?? []) run.note(body);
        const reasons = await weigh(seat, run, given);
        if (!seat.isLifecycle) unmet = reasons;
        seat.flushSoon(run);
      }
      return unmet;
    });
  }

  async function weigh(seat: Seat, run: HeldRun, { asked }: Given): Promise<string[]> {
    const facts = new Map<string, Fact>();
    for (;;) {
      const weighed = weighEvent(run.state, { facts, ...(asked && { asked }) });
      if (weighed.kind === 'needs') {
        const before = facts.size;
        for (const fact of await lookAt(weighed.needs, run.around())) facts.set(factKey(fact), fact);
        if (facts.size === before) return [];
        continue;
      }
      const { bearing, path, unmet } = weighed;
      if (bearing && path !== undefined) seat.advance(run, [{ kind: 'event-weighed', path, bearing }]);
      else if (run.state.status === 'running') seat.advance(run);
      return unmet;
    }
  }

  async function happened(session: LiveSession, event: HookEvent): Promise<HookReply> {
    const reply = await found(session, event);
    // The client has forgotten what it was told: the step is said again.
    if (event.kind === 'session_start' && event.source === 'compact')
      for (const seat of session.seats) {
        const run = await seat.hold();
        if (!run.state.messages.has(event.delivery)) await bindTo(run, event, { source: 'compact' });
      }
    await noted(session, event);
    await resting(session, BRIEF_MS);
    if (event.kind === 'session_end' && event.reason === 'clear') await cleared(session);
    return await withTexts(session, event, reply);
  }

  /** What the session knew is gone, and the client goes on under another name: its step is over. Resumed, it begins anew. */
  async function cleared(session: LiveSession): Promise<void> {
    const seat = stepSeat(session);
    if (!seat) return;
    const run = await seat.hold();
    if (!isOver(run.state))
      await run.say({ kind: 'run-cancelled', by: run.start.by.user, why: 'the session was cleared' });
    parts.sessions.drop(session.key, seat.run);
  }

  /** Where a step may not write, the tree is compared around each call that may change it. The answer: what the person is told. */
  async function found(session: LiveSession, event: HookEvent): Promise<HookReply> {
    const seat = event.kind === 'tool_result' ? stepSeat(session) : undefined;
    if (!seat || event.kind !== 'tool_result') return {};
    const run = await seat.hold();
    const reply = put(session, run, await session.reconcile.after(run, event));
    if (!isUnseen(run, event)) return reply;
    const tool = event.acts[0]?.tool ?? event.tool;
    const why = 'its client asked no hook before it';
    await unjudged(session, { ...event, delivery: `unseen ${event.delivery}` }, tool, { tool, why });
    return { ...reply, note: joined(reply.note, unseenText(tool)) as string };
  }

  /** It happened, and nobody was asked. */
  async function unjudged(
    session: LiveSession,
    event: HookEvent,
    name: string,
    { tool, why }: { tool?: string; why: string },
  ): Promise<HookReply> {
    for (const seat of session.seats) {
      const run = await seat.hold();
      if (seat.isLifecycle || isOver(run.state) || run.state.messages.has(event.delivery)) continue;
      const path = currentHanded(run.state)?.open.path;
      run.note({
        ...{ kind: 'call-judged', verdict: 'unasked', reason: why, message: event.delivery },
        ...(path !== undefined && { path }),
        call: { id: '', tool: tool ?? name },
      });
      await run.flush();
    }
    return {};
  }

  /** What was found of the tree: on record, and as the person is told. */
  function put({ reconcile }: LiveSession, run: HeldRun, found: readonly EntryBody[]): HookReply {
    const notes = reconcile.notes();
    for (const body of found) {
      run.note(body);
      if (body.kind !== 'change-found' || body.undone) continue;
      const text = body.beside ? besideText(body.beside) : changedText(run.state);
      notes.push(`${text}.`);
    }
    return notes.length > 0 ? { note: `Lockstep: ${notes.join(' ')}` } : {};
  }

  async function judged(
    session: LiveSession,
    event: HookEvent & { kind: 'tool_call' | 'permission_request' },
  ): Promise<HookReply> {
    const seat = stepSeat(session);
    if (!seat) return await happened(session, event);
    const run = await seat.hold();
    const { client } = event.session;
    const isNew = !run.state.messages.has(event.delivery);
    const looked =
      event.kind === 'tool_call' && isNew ? await session.reconcile.before(run, event) : { found: [] };
    const reply = put(session, run, looked.found);
    const verdict = await judgeCall(run, event, {
      ...(looked.tree !== undefined && { tree: looked.tree }),
      hash: parts.hash,
      ownTools: parts.ownTools(client),
      canRewrite: parts.canRewrite(client),
      ...(parts.actsUnder && { actsUnder: parts.actsUnder }),
    });
    if (verdict.kind === 'deny' && event.kind === 'tool_call') session.reconcile.denied(event.call);
    if (verdict.kind !== 'deny' && event.kind === 'tool_call') {
      // The call may end this process: what it is compared with is kept before.
      if (looked.tree !== undefined) await run.flush();
      await inTurn(session, () => weigh(seat, run, {}));
      await seat.rested(BRIEF_MS);
    }
    seat.flushSoon(run);
    return await withTexts(session, event, { ...reply, verdict });
  }

  async function prompted(
    session: LiveSession,
    event: HookEvent & { kind: 'user_prompt' },
  ): Promise<HookReply> {
    const request = event.byPerson && !event.subagent ? requestIn(event.prompt) : undefined;
    if (request?.kind === 'status') return { hold: await statusOf(session) };
    if (request?.kind === 'run') return await chosen(session, event, request.workflow);
    const seat = stepSeat(session);
    let unanswered: string | undefined;
    let waits: string | undefined;
    const given: Given = request?.kind === 'next' ? { asked: { by: 'person' } } : {};
    let changes: HookReply = {};
    if (seat && event.byPerson && !event.subagent) {
      const run = await seat.hold();
      if (!run.state.messages.has(event.delivery))
        changes = put(session, run, await session.reconcile.turn(run, 'person'));
      const entries = answersIn(run, event, request);
      const [question] = run.state.questions.values();
      if (question && entries.length === 0 && !request) {
        unanswered = `${askedText(question)} What you typed goes to the agent.`;
        waits = `Lockstep asks the person: ${question.text} They have not answered that yet. Until they do, nothing is changed: answer what they say, and leave the files as they are.`;
      }
      if (entries.length > 0) given.entries = new Map([[seat, entries]]);
      const asked = [...(run.state.live?.asked ?? [])].findLast(([, agreed]) => !agreed)?.[0];
      if (asked !== undefined && agrees(event.prompt)) given.grants = asked;
    }
    const unmet = await noted(session, event, given);
    const rested = await resting(session, parts.patienceMs(event.session.client, 'user_prompt') - MARGIN_MS);
    const reply: HookReply = unanswered === undefined ? changes : { note: joined(unanswered, changes.note) };
    if (request) {
      reply.note = joined(await statusOf(session), changes.note);
      if (request.kind === 'next' && unmet.length > 0)
        reply.hold = `This step is not done: ${unmet.join('; ')}`;
      else if (!rested) reply.note = `The checks still run. ${reply.note}`;
    }
    return await withTexts(session, event, { ...reply, ...(waits !== undefined && { say: [waits] }) });
  }

  /** A person's prompt that answers what is asked. */
  function answersIn(
    run: HeldRun,
    event: HookEvent & { kind: 'user_prompt' },
    request: Request | undefined,
  ): EntryBody[] {
    const [question] = run.state.questions.values();
    if (!question || run.state.messages.has(event.delivery)) return [];
    const said = request?.kind === 'answer' ? request.answer : event.prompt.trim();
    const checked = answerIn(question, said);
    if ('problem' in checked) return [];
    const channel: Channel = { kind: 'session', pid: run.start.by.pid, above: [event.session.client] };
    return [
      { kind: 'run-resumed', by: run.start.by },
      {
        ...{ kind: 'question-answered', path: question.open.path, answer: checked.answer },
        ...{ by: run.start.by.user, channel },
        ...(checked.note !== undefined && { note: checked.note }),
      },
    ];
  }

  async function chosen(session: LiveSession, event: HookEvent, name: string): Promise<HookReply> {
    if (name === '') return { hold: 'Say which workflow: /lockstep:run NAME' };
    const current = stepSeat(session);
    if (current && !isOver((await current.hold()).state))
      return { hold: `This session is at a workflow already. ${await statusOf(session)}` };
    const seat = handedOver(session.project, name) ?? (await startSeat(session.project, name, false));
    session.seats = [seat, ...session.seats.filter((one) => one !== current)];
    const run = await seat.hold();
    await bindTo(run, event, { source: 'startup' });
    const others = parts.sessions.find(event.session)?.runs.filter(({ lifecycle }) => lifecycle) ?? [];
    const own: BookedRun = { run: seat.run, workflow: run.workflow.name, lifecycle: false };
    parts.sessions.keep(event.session, session.project.root, [own, ...others]);
    await seat.rested(BRIEF_MS);
    return await withTexts(session, event, { note: `${name} is what this session is held to now.` });
  }

  /** A run of the project that was handed over to a session, by its id. */
  function handedOver({ hosting }: GuardedProject, id: string): Seat | undefined {
    if (!hosting.store.list().includes(id)) return undefined;
    const { state } = readRun(hosting.store, id, parts.hash);
    if (isOver(state) || state.driven.drive !== 'guard')
      throw new Fault('handover-missing', `run ${id} cannot be gone on with in a session`, {
        hint: isOver(state)
          ? `It is ${state.status}.`
          : `Hand it over first: lockstep handover ${id} --to guard`,
      });
    return createSeat(hosting, hostRun(hosting, id), false, false);
  }

  async function stopped(session: LiveSession, event: HookEvent & { kind: 'stop' }): Promise<HookReply> {
    const seat = stepSeat(session);
    const at = await seat?.hold();
    const changes =
      at && !at.state.messages.has(event.delivery)
        ? put(session, at, await session.reconcile.turn(at, 'agent'))
        : {};
    const unmet = await noted(session, event);
    if (!seat) return {};
    const patience = Math.max(BRIEF_MS, parts.patienceMs(event.session.client, 'stop') - MARGIN_MS);
    const rested = await seat.rested(patience);
    const run = await seat.hold();
    await session.reconcile.begin(run);
    const verdict = rested ? stopVerdict(run.state, unmet) : STILL_CHECKING;
    const path = currentHanded(run.state)?.open.path;
    run.note({
      ...{ kind: 'stop-answered', held: verdict.held, why: verdict.why, counts: verdict.counts },
      ...(path !== undefined && { path }),
    });
    if (!verdict.held) {
      await run.flush();
      const note = joined(verdict.note, changes.note);
      return note === undefined ? {} : { note };
    }
    // What is to be said goes with the reason: the model reads it there.
    const texts = await said(run, event);
    await run.flush();
    // Where the step was sent back, its text begins with why.
    const isTold = verdict.why.every((reason) => texts.some((text) => text.includes(reason)));
    const why = isTold ? 'Lockstep: this step is not done.' : `Lockstep: ${verdict.why.join('\n')}`;
    return { ...changes, hold: [why, ...texts].join('\n\n') };
  }

  // ── What is told ──────────────────────────────────────────────────────────────────────────────

  async function resting(session: LiveSession, ms: number): Promise<boolean> {
    // What runs beside the steps, a title say, is no reason to keep anybody waiting.
    const patience = (seat: Seat) => Math.max(0, seat.isLifecycle ? Math.min(ms, BRIEF_MS) : ms);
    const all = await Promise.all(
      session.seats.map(async (seat) => (await seat.rested(patience(seat))) || seat.isLifecycle),
    );
    return all.every((rested) => rested);
  }

  async function withTexts(session: LiveSession, event: HookEvent, reply: HookReply): Promise<HookReply> {
    if (event.subagent || !parts.carries(event, reply.verdict?.kind === 'deny') || reply.hold !== undefined)
      return await durable(session, event, reply);
    const texts = [...(reply.say ?? [])];
    for (const seat of session.seats) texts.push(...(await said(await seat.hold(), event)));
    return await durable(session, event, texts.length > 0 ? { ...reply, say: texts } : reply);
  }

  /** U2. Counts alone can wait a moment; what a person said cannot. */
  async function durable(session: LiveSession, event: HookEvent, reply: HookReply): Promise<HookReply> {
    if (event.kind === 'user_prompt' || reply.say !== undefined || reply.hold !== undefined)
      for (const seat of session.seats) await (await seat.hold()).flush();
    return reply;
  }

  async function said(run: HeldRun, event: HookEvent): Promise<string[]> {
    const pending = [...(run.state.live?.pending ?? [])];
    if (pending.length === 0) return [];
    run.note({ kind: 'said', texts: pending.map(([n]) => n), with: event.kind });
    return pending.map(([, text]) => text);
  }

  async function statusOf(session: LiveSession): Promise<string> {
    const texts: string[] = [];
    for (const seat of session.seats) texts.push(statusText((await seat.hold()).state, seat.run));
    return texts.join('\n');
  }

  return {
    async event(event) {
      underWay += 1;
      try {
        return await answer(event);
      } catch (error) {
        return faultReply(event, error);
      } finally {
        underWay -= 1;
      }
    },
    async close() {
      for (const session of sessions.values()) await closeSession(await session.catch(() => undefined));
      sessions.clear();
    },
    isIdle: () =>
      underWay === 0 && [...open].every((session) => session.seats.every((seat) => !seat.isBusy())),
  };
}

interface Given {
  asked?: Asked;
  grants?: string;
  entries?: Map<Seat, EntryBody[]>;
}

function joined(...notes: (string | undefined)[]): string | undefined {
  const said = notes.filter((note) => note !== undefined);
  return said.length > 0 ? said.join('\n') : undefined;
}

/** U7. Gemini names no calls; and one that was begun before the session was bound could not be judged. */
function isUnseen({ state }: HeldRun, { call, session }: HookEvent & { kind: 'tool_result' }): boolean {
  const { live } = state;
  if (session.client === 'gemini' || !live || live.judged.size === 0) return false;
  return bindingOf(state).kind === 'step' && !live.judged.has(call);
}

function unseenText(tool: string): string {
  return `Lockstep: ${tool} happened, and no hook was asked before it. Something switches hooks off: \`lockstep doctor\` says what.`;
}

function stepSeat({ seats }: LiveSession): Seat | undefined {
  return seats.find((seat) => !seat.isLifecycle);
}

function isOver({ status }: State): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Of the inputs that name the tests of the project. */
function testCommands({ workflow, start }: HeldRun): string[] {
  return Object.entries(workflow.inputs).flatMap(([name, { find }]) => {
    const command = find === 'test-command' ? start.inputs[name] : undefined;
    return typeof command === 'string' && command !== '' && command !== 'true' ? [command] : [];
  });
}

/** A run that only watches is told of what it acts on, and of the end. */
function concerns({ workflow }: HeldRun, name: keyof Workflow['events']): boolean {
  return name === 'session_end' || (workflow.events[name]?.length ?? 0) > 0;
}

/** U4. */
function faultReply(event: HookEvent, error: unknown): HookReply {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Fault && error.hint !== undefined ? ` ${error.hint}` : '';
  const why = `Lockstep, which holds this session to a workflow, could not answer: ${message}.${hint} A person lets the session go with \`lockstep workflow disable\`.`;
  switch (event.kind) {
    case 'tool_call':
    case 'permission_request':
      return { verdict: { kind: 'deny', reason: why } };
    case 'settings_change':
      return { hold: why };
    default:
      return { note: why };
  }
}

// daemon: answers the hooks of live sessions, for one user and one build.
// Owns: its socket, from the claim of the name to the end; who waits for an answer; when to end. Never: what an answer says (the
// drive does), how a client speaks (clients/ does).
//
// D1. One for each user and build. The socket is 0600 in a folder that is 0700.
// D2. Events are handed to the drive in the order in which they arrived whole, without waiting for each other: a slow event of one
//     session delays no other session, and the drive keeps the order within one.
// D3. What cannot be judged is refused where it may be: a payload that cannot be read, one that is too large, a drive that throws.
// D4. Nothing of a payload or an environment is written anywhere.
// D5. It ends when nothing is under way and no event came for a while, when it is told to, or when its name is another's. Before that
//     it gives everything back, and answers who waits.
// D6. An event that does not come from the client of its session is refused; what a client below that of a held session calls a
//     prompt is nobody's word (ports/hook-origins.ts).

import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { JsonObject } from '../model/json.ts';
import type { ClientName, HookEvent, HookReply, SessionKey } from '../model/live-session.ts';
import type { HookAnswer } from '../ports/hook-door.ts';
import type { HookOrigins } from '../ports/hook-origins.ts';
import { alive, type Claimed, claim, end, isCurrent } from './claim.ts';
import { hookTime } from './hook-times.ts';
import { giveTurn, socketFolder } from './place.ts';
import { takeUnanswered } from './unanswered.ts';
import {
  type Build,
  decodeRequest,
  type Head,
  type Hello,
  MOST_BYTES,
  PROTOCOL,
  type WireAnswer,
} from './wire.ts';

/** The drive, as it is used here (drivers/guard). */
export interface Judge {
  event(event: HookEvent): Promise<HookReply>;
  close(): Promise<void>;
  isIdle(): boolean;
}

/** How clients speak (clients/hook-clients.ts). */
export interface Speech {
  read(client: ClientName, payload: JsonObject, asking: string): HookEvent | { problem: string };
  answer(event: HookEvent, reply: HookReply): HookAnswer;
}

export type { Build, Hello } from './wire.ts';

/** The hook that sent an event. */
export interface Sender {
  pid: number;
  /** The client's. */
  environment: Record<string, string>;
}

export interface DaemonParts {
  home: string;
  own: Build;
  speech: Speech;
  /** Where events come from. Absent: nobody looks. */
  origins?: HookOrigins;
  /** `sender`: where the last event of a session came from. */
  guard(sender: (session: SessionKey) => Sender | undefined): Promise<Judge>;
  /** A line for the log. */
  say(line: string): void;
  /** Told from outside to end. */
  stopped: AbortSignal;
  idleMs?: number;
}

export type Served = Exclude<Claimed, { kind: 'claimed' }> | { kind: 'ended'; why: string };

const IDLE_MS = 30 * 60_000;
/** What is held but not worked on keeps a daemon for this many times as long: its client may have been killed. */
const HELD_TIMES = 10;
/** A hook that does not send its whole event within this is dropped. */
const SENDING_MS = 30_000;
const CLOSING_MS = 30_000;
const MOST_SESSIONS = 1_000;
/** Bytes of events that are not whole yet, of all hooks together. */
const MOST_PENDING = 8 * MOST_BYTES;

type EventHead = Extract<Head, { kind: 'event' }>;

export async function serve(parts: DaemonParts): Promise<Served> {
  const folder = socketFolder(parts.home);
  const server = createServer({ allowHalfOpen: true });
  const claimed = await claim(server, folder, parts.own);
  giveTurn(folder, parts.own.build);
  if (claimed.kind !== 'claimed') return claimed;
  const serving = new Serving(parts, claimed.path);
  server.on('connection', (caller) => serving.attend(caller));
  server.on('error', () => {}); // one caller that cannot be accepted is one that is denied
  parts.say(`serves ${claimed.path} (${parts.own.version}, process ${process.pid})`);
  const why = await serving.untilEnd(() => isCurrent(folder, parts.own.build, claimed.path));
  await serving.end();
  server.close();
  rmSync(claimed.path, { force: true });
  serving.release();
  parts.say(`ends: ${why}`);
  return { kind: 'ended', why };
}

/** Those of this home that answer, of all builds. */
export async function daemonsOf(home: string, own: Build): Promise<Hello[]> {
  return (await alive(socketFolder(home), () => true, own)).map(({ hello }) => hello);
}

/** Those of this home, of all builds, are told to end; each finishes what it is at, within bounds. */
export async function endDaemons(home: string, own: Build): Promise<{ ended: Hello[]; stuck: Hello[] }> {
  const found = await alive(socketFolder(home), () => true, own);
  const ended = await Promise.all(found.map(({ socket }) => end(socket, own)));
  const which = (is: boolean) => found.flatMap(({ hello }, index) => (ended[index] === is ? [hello] : []));
  return { ended: which(true), stuck: which(false) };
}

class Serving {
  private readonly since = new Date();
  private lastEvent = Date.now();
  private events = 0;
  private pendingBytes = 0;
  private readonly waiting = new Set<Promise<unknown>>();
  /** Those who asked for the end: they are answered when it is there. */
  private readonly ending: Socket[] = [];
  private readonly senders = new Map<string, Sender>();
  private judge: Promise<Judge> | undefined;
  private judged: Judge | undefined;
  private told: ((why: string) => void) | undefined;

  private readonly parts: DaemonParts;
  private readonly path: string;
  /** Events that came too late: their hooks are hung up on at the end, and ask the next daemon. */
  private readonly late: Socket[] = [];
  private isEnding = false;

  constructor(parts: DaemonParts, path: string) {
    this.parts = parts;
    this.path = path;
  }

  /** Why it is to end. */
  untilEnd(isCurrent: () => boolean): Promise<string> {
    const { stopped, idleMs = IDLE_MS } = this.parts;
    this.reportUnanswered();
    return new Promise((resolve) => {
      const look = setInterval(
        () => {
          const quiet = Date.now() - this.lastEvent;
          if (!isCurrent()) tell(`${this.path} is not the daemon's any more`);
          else if (this.waiting.size > 0 || quiet < idleMs) return;
          else if (this.judged?.isIdle() ?? true) tell('nothing happens');
          else if (quiet > idleMs * HELD_TIMES) tell('no session has been heard of for long');
        },
        Math.min(idleMs / 2, 5_000),
      );
      const tell = (why: string) => {
        clearInterval(look);
        resolve(why);
      };
      this.told = tell;
      if (stopped.aborted) tell('it was told to');
      stopped.addEventListener('abort', () => tell('it was told to'), { once: true });
    });
  }

  /** (D5) */
  async end(): Promise<void> {
    this.isEnding = true;
    await within(Promise.allSettled(this.waiting), CLOSING_MS);
    if (this.judged !== undefined) await within(this.judged.close(), CLOSING_MS);
  }

  release(): void {
    for (const caller of this.ending) caller.end('{}');
    for (const caller of this.late) caller.destroy();
  }

  attend(caller: Socket): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    caller.setTimeout(SENDING_MS, () => caller.destroy());
    caller.on('error', () => caller.destroy());
    caller.on('close', () => {
      this.pendingBytes -= bytes;
      bytes = 0;
    });
    caller.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      this.pendingBytes += chunk.length;
      // A caller that is cut off is denied by the program at its end.
      if (bytes > 2 * MOST_BYTES || this.pendingBytes > MOST_PENDING) caller.destroy();
      else chunks.push(chunk);
    });
    caller.on('end', () => {
      caller.setTimeout(0);
      this.heard(caller, Buffer.concat(chunks));
    });
  }

  private heard(caller: Socket, bytes: Buffer): void {
    const request = decodeRequest(bytes);
    if (request === undefined) return void caller.destroy();
    const { head, payload } = request;
    switch (head.kind) {
      case 'hello':
        return void caller.end(JSON.stringify(this.hello()));
      case 'end':
        this.ending.push(caller);
        this.told?.(head.build === this.parts.own.build ? 'it was told to' : `${head.version} takes over`);
        return;
      case 'event':
        return this.event(caller, head, payload);
      default:
        caller.destroy();
    }
  }

  private hello(): Hello {
    return {
      lockstep: PROTOCOL,
      ...this.parts.own,
      pid: process.pid,
      since: this.since.toISOString(),
      events: this.events,
      waiting: this.waiting.size,
      sessions: this.senders.size,
    };
  }

  private event(caller: Socket, head: EventHead, payload: string): void {
    if (this.isEnding) return void this.late.push(caller);
    this.events += 1;
    this.lastEvent = Date.now();
    const answer = this.answer(head, payload).then((answer) => {
      this.lastEvent = Date.now();
      if (!caller.destroyed) caller.end(JSON.stringify(answer));
    });
    this.waiting.add(answer);
    void answer.finally(() => this.waiting.delete(answer));
  }

  private async answer(head: EventHead, payload: string): Promise<WireAnswer> {
    try {
      const { own } = this.parts;
      if (head.lockstep !== PROTOCOL)
        throw new Error(
          `the hook is of Lockstep ${head.version}, and ${own.version} serves. Update the older one, then run \`lockstep init --client ${head.client}\``,
        );
      const { speech } = this.parts;
      const read = speech.read(head.client, objectIn(payload), head.asking);
      if ('problem' in read) throw new Error(read.problem);
      const event = this.believed({ ...read, ...(head.project && { project: head.project }) }, head.pid);
      this.remember(event.session, { pid: head.pid, environment: head.environment });
      // The guard is there after the first event; from then on events reach it in the turn in which they came (D2).
      const guard = this.judged ?? (await this.guard());
      const reply = await guard.event(event);
      if (event.kind === 'session_end') this.parts.origins?.forget(event.session);
      return { stdout: '', stderr: '', exitCode: 0, ...speech.answer(event, reply) };
    } catch (error) {
      return refusal(head.client, payload, (error as Error).message); // D3
    }
  }

  /** (D6) */
  private believed(event: HookEvent, pid: number): HookEvent {
    const { refused, below } = this.parts.origins?.look(pid, event.session) ?? {};
    if (refused !== undefined) {
      this.parts.say(`refused an event (${event.kind}) of ${sessionName(event.session)}: ${refused}`);
      throw new Error(refused);
    }
    return below !== undefined && event.kind === 'user_prompt' ? { ...event, byPerson: false } : event;
  }

  private guard(): Promise<Judge> {
    this.judge ??= this.parts
      .guard((session) => this.senders.get(sessionName(session)))
      .then((judge) => {
        this.judged = judge;
        return judge;
      })
      .catch((error) => {
        this.judge = undefined; // the next event tries again
        throw error;
      });
    return this.judge;
  }

  private remember(session: SessionKey, sender: Sender): void {
    const name = sessionName(session);
    this.senders.delete(name);
    this.senders.set(name, sender);
    const [oldest] = this.senders.keys();
    if (this.senders.size > MOST_SESSIONS && oldest !== undefined) this.senders.delete(oldest);
  }

  /** What was let through while nobody was there goes on record with its session. */
  private reportUnanswered(): void {
    for (const { client, session, event, tool, cwd, at, why } of takeUnanswered(this.parts.home)) {
      const what = tool === undefined ? event : `${event} ${tool}`;
      const happened: HookEvent = {
        session: { client, id: session },
        cwd,
        delivery: `unanswered:${client}:${session}:${at}:${what}`,
        ...{ kind: 'other', name: event },
        letThrough: { ...(tool !== undefined && { tool }), why: `let through unjudged at ${at}: ${why}` },
      };
      const told = this.guard()
        .then((guard) => guard.event(happened))
        .catch((error: Error) =>
          this.parts.say(`could not put on record what was let through: ${error.message}`),
        );
      this.waiting.add(told);
      void told.finally(() => this.waiting.delete(told));
    }
  }
}

function objectIn(payload: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    throw new Error('what the client sent is not JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error('what the client sent is not a JSON object');
}

function sessionName({ client, id }: SessionKey): string {
  return `${client}/${id}`;
}

/** Clients take any end but 2 for a yes. */
function refusal(client: ClientName, payload: string, why: string): WireAnswer {
  const cannot = `Lockstep guards this session and cannot judge: ${why}.`;
  let event: unknown;
  try {
    event = (JSON.parse(payload) as { hook_event_name?: unknown }).hook_event_name;
  } catch {
    // unknown, and so refused
  }
  if (hookTime(client, event).closed) return { stdout: '', stderr: `${cannot} Denied.\n`, exitCode: 2 };
  return { stdout: `${JSON.stringify({ systemMessage: cannot })}\n`, stderr: '', exitCode: 0 };
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), end]);
  clearTimeout(timer);
}

// hook-program: what `lockstep hook CLIENT` does with one event. It becomes a part of dist/hook.cjs, which every event of a bound
// session starts: what it seldom needs is imported when it does.
//
// P1. A session that nothing binds: exit code 0, no word, whatever happens (live.md 3.14).
// P2. A client that a run of Lockstep started is that run's matter (live.md 3.13).
// P3. Nobody answers: what may be refused is (exit code 2 and text); the rest happens with a note. `engine_down: allow` lets all
//     through and writes it down.
// P4. A connection that is lost is made again, to a new daemon where needed. The event names itself, so it counts once.
// P5. It gives up before its client does.

import { LINE_NUMBER } from '../clients/hook-line.ts';
import type { ClientName } from '../model/live-session.ts';
import { type Binding, boundByProject, boundBySession, projectVariable } from './bound.ts';
import { commonEnvironment } from './common-environment.ts';
import { type Exchanged, exchange } from './exchange.ts';
import { hookTime } from './hook-times.ts';
import { giveTurn, logFile, socketFolder, socketsIn, takeTurn, whyNotPrivate } from './place.ts';
import {
  type Build,
  encodeRequest,
  type Hello,
  isNewer,
  MOST_BYTES,
  PROTOCOL,
  type WireAnswer,
} from './wire.ts';

export interface HookParts {
  client: ClientName;
  /** The number that the installed line gave. */
  line: number;
  environment: NodeJS.ProcessEnv;
  cwd: string;
  pid: number;
  home: string;
  own: Build;
  /** How a daemon is started. */
  daemon: readonly string[];
  /** All of standard input. */
  payload(): Promise<Buffer>;
}

/** What can be told of a payload without knowing the client's words. */
interface Glance {
  event?: unknown;
  session?: unknown;
  cwd?: string;
  tool?: unknown;
}

const SILENCE: WireAnswer = { stdout: '', stderr: '', exitCode: 0 };
/** A daemon that dies of an event is not given it for ever. */
const MOST_LOSSES = 5;
const MOST_STARTS = 3;
const START_PATIENCE_MS = 20_000;
const HELLO_PATIENCE_MS = 2_000;

export async function runHook(parts: HookParts): Promise<WireAnswer> {
  const { client, environment, home } = parts;
  const began = Date.now();
  const variable = projectVariable(client, environment);
  let binding: Binding | undefined;
  let glance: Glance = {};
  try {
    binding = boundByProject([variable, parts.cwd]);
    const payload = await parts.payload();
    glance = glanceAt(payload);
    binding ??= boundByProject([glance.cwd]) ?? boundBySession(home, client, glance.session);
    if (binding === undefined) return SILENCE;
    if (environment.LOCKSTEP_RUN && (await import('./run-above.ts')).isBelowRun(environment, parts.pid))
      return SILENCE;
    const { patienceMs } = hookTime(client, glance.event);
    const answer = await new Asking(parts, binding, payload, began + patienceMs).answer();
    return typeof answer === 'string' ? await unanswered(parts, binding, glance, answer) : answer;
  } catch (error) {
    if (binding === undefined) return SILENCE;
    return await unanswered(parts, binding, glance, (error as Error).message);
  }
}

function glanceAt(payload: Buffer): Glance {
  if (payload.length > MOST_BYTES)
    throw new Error(`the event has ${payload.length} bytes, more than ${MOST_BYTES}`);
  try {
    const { hook_event_name, session_id, cwd, tool_name } = JSON.parse(payload.toString('utf8')) as Record<
      string,
      unknown
    >;
    return {
      event: hook_event_name,
      session: session_id,
      tool: tool_name,
      ...(typeof cwd === 'string' && { cwd }),
    };
  } catch {
    return {}; // the daemon says what is wrong with it
  }
}

/** Asks until there is an answer, or a reason why there is none (a string). */
class Asking {
  private starts = 0;
  private isStarting = false;
  /** The same when it asks a second time. */
  private readonly asking =
    `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  private ended: string | undefined;

  private readonly parts: HookParts;
  private readonly binding: Binding;
  private readonly payload: Buffer;
  private readonly deadline: number;

  constructor(parts: HookParts, binding: Binding, payload: Buffer, deadline: number) {
    this.parts = parts;
    this.binding = binding;
    this.payload = payload;
    this.deadline = deadline;
  }

  async answer(): Promise<WireAnswer | string> {
    const { line, home, client, own } = this.parts;
    if (line > LINE_NUMBER)
      return `the installed hook is of a newer Lockstep than ${own.version}, which it started. Update that one, or run \`lockstep init --client ${client}\``;
    const folder = socketFolder(home);
    const problem = whyNotPrivate(folder);
    if (problem !== undefined) return `${folder} ${problem}`;
    let losses = 0;
    let patience = Date.now() + START_PATIENCE_MS;
    for (let wait = 2; ; wait = Math.min(wait * 2, 50)) {
      const exchanged = await this.ask(folder);
      if (exchanged.kind === 'answer') return read(exchanged);
      if (exchanged.kind === 'late') return 'the daemon did not answer in time';
      if (exchanged.kind === 'lost') {
        losses += 1;
        if (losses === MOST_LOSSES) return `the daemon hung up ${losses} times; ${logFile(home)} may say why`;
        patience = Date.now() + START_PATIENCE_MS;
      } else if (Date.now() > Math.min(patience, this.deadline) || !(await this.start(folder))) {
        return this.whyNoDaemon();
      } else {
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  /** The daemon of this build, else a newer one. An older one is replaced by the daemon that is started next. */
  private async ask(folder: string): Promise<Exchanged> {
    const { own } = this.parts;
    const sockets = socketsIn(folder);
    const mine = sockets.find(({ build }) => build === own.build);
    if (mine !== undefined) {
      const exchanged = await this.put(mine.path);
      if (exchanged.kind !== 'absent') return exchanged;
    }
    for (const { path, build } of sockets) {
      if (build === own.build) continue;
      const hello = await helloOf(path, own);
      if (hello !== undefined && isNewer(hello, own)) return this.put(path);
    }
    return { kind: 'absent' };
  }

  private put(path: string): Promise<Exchanged> {
    return exchange(path, this.question(), Math.max(this.deadline - Date.now(), 1));
  }

  private question(): Buffer {
    const { client, line, pid, own, environment } = this.parts;
    const { project } = this.binding;
    return encodeRequest(
      {
        ...{ lockstep: PROTOCOL, ...own, kind: 'event', client, line, pid, asking: this.asking },
        ...(project !== undefined && { project }),
        environment: commonEnvironment(environment),
      },
      this.payload,
    );
  }

  /** False: it does not come up, and trying again is no use. Of many hooks at once, one starts a daemon. */
  private async start(folder: string): Promise<boolean> {
    const { daemon, home, environment, own } = this.parts;
    if (this.isStarting) return true;
    if (this.starts === MOST_STARTS) return false;
    if (!takeTurn(folder, own.build)) return true;
    this.starts += 1;
    this.isStarting = true;
    const { startDaemon } = await import('./start-daemon.ts');
    const child = startDaemon(daemon, home, environment);
    const ended = (how: string) => {
      this.ended = how;
      this.isStarting = false;
      giveTurn(folder, own.build);
    };
    child.on('error', (error) => ended(error.message));
    child.on('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    return true;
  }

  private whyNoDaemon(): string {
    const how = this.ended === undefined ? '' : ` (${this.ended})`;
    return `no daemon could be started${how}; ${logFile(this.parts.home)} may say why`;
  }
}

async function helloOf(path: string, own: Build): Promise<Hello | undefined> {
  const question = encodeRequest({ lockstep: PROTOCOL, ...own, kind: 'hello' });
  const exchanged = await exchange(path, question, HELLO_PATIENCE_MS);
  if (exchanged.kind !== 'answer') return undefined;
  try {
    const hello = JSON.parse(exchanged.text) as Partial<Hello>;
    return typeof hello.version === 'string' ? (hello as Hello) : undefined;
  } catch {
    return undefined;
  }
}

function read({ text }: Extract<Exchanged, { kind: 'answer' }>): WireAnswer | string {
  try {
    const { stdout, stderr, exitCode } = JSON.parse(text) as Partial<WireAnswer>;
    if (typeof stdout === 'string' && typeof stderr === 'string' && Number.isInteger(exitCode))
      return { stdout, stderr, exitCode: exitCode as number };
  } catch {
    // half of one
  }
  return 'the answer of the daemon cannot be read';
}

/** (P3) */
async function unanswered(
  parts: HookParts,
  binding: Binding,
  glance: Glance,
  why: string,
): Promise<WireAnswer> {
  const { client, home } = parts;
  if (binding.unanswered === 'switched-off') return SILENCE;
  const cannot = `Lockstep guards this session and cannot judge: ${why}.`;
  if (binding.unanswered === 'allow') {
    const on = (await noted(parts, glance, why)) ? '' : ' It could not be written down.';
    return note(`${cannot} It was let through, as \`engine_down: allow\` says.${on}`);
  }
  if (!hookTime(client, glance.event).closed) return note(`${cannot} Tool calls are denied until it can.`);
  const out = `For the person: \`lockstep doctor\` says more; \`lockstep workflow disable\` ends it, or remove ${binding.file}`;
  return { stdout: '', stderr: `${cannot} Denied. ${out} (home: ${home})\n`, exitCode: 2 };
}

function note(systemMessage: string): WireAnswer {
  return { stdout: `${JSON.stringify({ systemMessage })}\n`, stderr: '', exitCode: 0 };
}

async function noted({ client, home, cwd }: HookParts, glance: Glance, why: string): Promise<boolean> {
  try {
    const { noteUnanswered } = await import('./unanswered.ts');
    noteUnanswered(home, {
      at: new Date().toISOString(),
      client,
      session: String(glance.session ?? ''),
      event: String(glance.event ?? ''),
      ...(typeof glance.tool === 'string' && { tool: glance.tool }),
      cwd: glance.cwd ?? cwd,
      why,
    });
    return true;
  } catch {
    return false;
  }
}

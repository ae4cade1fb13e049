// lineage: the processes above a process, and which of them is an agent that Lockstep started.
// On Linux /proc tells all of it. Elsewhere `ps` tells who is above whom, and only this process's own environment is
// known.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Set for every process that an agent's dispatch starts, and for no other: `<run>/<step>`. */
export const agentMarker = 'LOCKSTEP_AGENT';

export interface Ancestor {
  pid: number;
  parent: number;
  /** 0 where it is not known. */
  group: number;
  session: number;
  /** `pts/3`; empty: none. */
  terminal: string;
  /** With the pid it names a process for good; empty where it is not known. */
  start: string;
  name: string;
}

/** What was started here for agents: pid → start. */
const started = new Map<number, string>();

export function noteAgent(pid: number): void {
  started.set(pid, statusOf(pid)?.start ?? '');
}

/** The process itself first. Ends where the system shows no more. */
export function lineageOf(pid: number): Ancestor[] {
  const lookUp = process.platform === 'linux' ? statusOf : lookUpIn(processList());
  const chain: Ancestor[] = [];
  const seen = new Set<number>();
  for (let at = pid; at > 0 && !seen.has(at); at = chain.at(-1)?.parent ?? 0) {
    seen.add(at);
    const ancestor = lookUp(at);
    if (!ancestor) break;
    chain.push(ancestor);
  }
  return chain;
}

/** The agent that the first of these runs below, or is: `<run>/<step>` where that can be told. */
export function agentIn(chain: readonly Ancestor[]): string | undefined {
  for (const [index, ancestor] of chain.entries()) {
    const { pid, group, session } = ancestor;
    // A process that was left behind has lost its parent, and keeps its session and group.
    for (const each of new Set([pid, session, group])) {
      const agent = each > 0 ? agentAt(each) : undefined;
      if (agent !== undefined) return agent;
    }
    const below = chain[index - 1];
    // What this process started itself is known for certain.
    if (below && pid !== process.pid && isLockstep(pid) && hasClearedEnvironment(below.pid))
      return 'one that cleared its environment';
  }
  return undefined;
}

function agentAt(pid: number): string | undefined {
  const marked = environmentOf(pid)?.get(agentMarker);
  if (marked !== undefined) return marked === '' ? 'unnamed' : marked;
  const start = started.get(pid);
  if (start === undefined) return undefined;
  const now = statusOf(pid);
  // Gone, but its number still names a session or a group: the system gives it to nobody else.
  return now === undefined || now.start === start ? 'one of this run' : undefined;
}

/** The command of a step (`<run>/<step>`) that these are below, or were left behind by. */
export function stepIn(chain: readonly Ancestor[]): string | undefined {
  for (const { pid, session, group } of chain) {
    for (const each of new Set([pid, session, group])) {
      const environment = each > 0 ? environmentOf(each) : undefined;
      const step = environment?.get('LOCKSTEP_STEP');
      if (step !== undefined) return `${environment?.get('LOCKSTEP_RUN') ?? ''}/${step}`;
    }
  }
  return undefined;
}

/** The client of a session that is held, as it is kept (live-clients.ts). */
interface HeldClient {
  pid: number;
  name: string;
  sessions: readonly string[];
}

/** Of a client, in the environment of what it starts: which session it is. */
const SESSION_VARIABLES = {
  claude: 'CLAUDE_CODE_SESSION_ID',
  gemini: 'GEMINI_SESSION_ID',
  codex: 'CODEX_THREAD_ID',
};

/**
 * The client that these are below, or were left behind by: of an MCP server of ours (`lockstep mcp`), which is known while the
 * server is there; one that was led before (`noted`, by number: led-clients.ts); or that of a session that is held.
 */
export function clientIn(
  chain: readonly Ancestor[],
  noted: ReadonlyMap<number, string>,
  held: readonly HeldClient[],
): string | undefined {
  const clients = new Map([...noted, ...clientsOfServers()]);
  for (const { pid, name } of held) clients.set(pid, name);
  for (const { pid, session, group } of chain)
    for (const each of [pid, session, group]) {
      const name = clients.get(each);
      if (name !== undefined) return `${name}, process ${each}`;
    }
  const left = held.length === 0 ? undefined : leftBehindBy(chain, held);
  return left ?? (clients.size > 0 ? markedClientIn(chain) : undefined);
}

/** What coding agents set for the commands that they start; nobody sets them in a terminal. */
const CLIENT_MARKERS = [
  'CLAUDECODE',
  'GEMINI_CLI',
  'CODEX_THREAD_ID',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CURSOR_AGENT',
];

/** A process that a client started and cut loose (`setsid`, a double fork) still has the environment that it was given. */
function markedClientIn(chain: readonly Ancestor[]): string | undefined {
  for (const { pid } of chain) {
    const environment = environmentOf(pid);
    const marker = CLIENT_MARKERS.find((name) => environment?.has(name));
    if (marker !== undefined) return `one that sets ${marker}, process ${pid}`;
  }
  return undefined;
}

/** What has lost its parents still has what it was started with. */
function leftBehindBy(chain: readonly Ancestor[], held: readonly HeldClient[]): string | undefined {
  for (const { pid } of chain) {
    const environment = environmentOf(pid);
    for (const [client, variable] of Object.entries(SESSION_VARIABLES)) {
      const session = `${client}/${environment?.get(variable) ?? ''}`;
      const found = held.find(({ sessions }) => sessions.includes(session));
      if (found) return `${found.name}, process ${found.pid}`;
    }
  }
  return undefined;
}

/** pid → name. Elsewhere than on Linux nothing is known of other processes' command lines. */
function clientsOfServers(): Map<number, string> {
  const clients = new Map<number, string>();
  if (process.platform !== 'linux') return clients;
  for (const folder of readdirSync('/proc')) {
    if (!/^\d+$/.test(folder) || !isServer(Number(folder))) continue;
    const client = clientOf(Number(folder));
    if (client) clients.set(client.pid, client.name);
  }
  return clients;
}

/** Who started a server; undefined: a person who typed `lockstep mcp`, or nobody that can be seen. */
export function clientOf(server: number): Ancestor | undefined {
  const client = lineageOf(server)
    .slice(1)
    .find(({ pid }) => !isLauncher(pid));
  return client && client.pid > 1 && !isShell(wordsOf(client.pid)) ? client : undefined;
}

/** What an installed hook runs (clients/hook-line.ts). */
const HOOK_LINE = /\.lockstep\/local\/guard\.json[\s\S]*"\$@" hook [a-z]+ \d/;

/** Whose hook this process is; undefined: no client that runs our line in a shell started it. */
export function clientOfHook(hook: number): Ancestor | undefined {
  const [, shell] = lineageOf(hook);
  const words = shell ? wordsOf(shell.pid) : [];
  return isShell(words) && words.some((word) => HOOK_LINE.test(word)) ? clientOf(hook) : undefined;
}

/** The process at the other end of a connection on loopback, by the port that it has there. */
export function peerOf(port: number): Ancestor | undefined {
  const socket = socketAt(port);
  if (socket === undefined) return undefined;
  const owner = readdirSync('/proc').find((folder) => /^\d+$/.test(folder) && hasOpen(folder, socket));
  return owner === undefined || Number(owner) === process.pid ? undefined : statusOf(Number(owner));
}

/** `socket:[…]`, as an open file of a process shows it. */
function socketAt(port: number): string | undefined {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = textOf(table).split('\n');
    const fields = lines.map((line) => line.trim().split(/\s+/)).find(([, local]) => local?.endsWith(end));
    if (fields?.[9] !== undefined && fields[9] !== '0') return `socket:[${fields[9]}]`;
  }
  return undefined;
}

function hasOpen(pid: string, target: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((file) => linkOf(`/proc/${pid}/fd/${file}`) === target);
  } catch {
    return false; // gone, or another user's
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed in between
  }
}

/** Over HTTP a server is started by a person, and its clients are elsewhere. */
function isServer(pid: number): boolean {
  const words = isLockstep(pid) ? wordsOf(pid) : [];
  return words.includes('mcp') && !words.some((word) => word.startsWith('--http'));
}

/** What a client starts a server with: a shell for one line, or what fetches a package. */
function isLauncher(pid: number): boolean {
  const words = wordsOf(pid);
  const [program = '', first = ''] = words;
  if (isShell(words)) return first === '-c' || words.includes('-c');
  return [program, first].some((word) =>
    /^(npm|npx|npm-cli\.js|npx-cli\.js|npm exec .*|env|nice)$/.test(basename(word)),
  );
}

export function isShell([program = '']: readonly string[]): boolean {
  return /^-?(ba|da|z|fi|k)?sh$/.test(basename(program));
}

export function wordsOf(pid: number): string[] {
  const text = textOf(`/proc/${pid}/cmdline`);
  return text === '' ? [] : text.split('\0');
}

/** Empty: gone, or there is no /proc. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** As it was when the process began, or was replaced; undefined: it cannot be seen. */
function environmentOf(pid: number): Map<string, string> | undefined {
  if (process.platform !== 'linux')
    return pid === process.pid
      ? new Map(Object.entries(process.env).map(([name, value]) => [name, value ?? '']))
      : undefined;
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return new Map(
      variables.map((variable) => {
        const at = variable.indexOf('=');
        return [variable.slice(0, at), variable.slice(at + 1)];
      }),
    );
  } catch {
    return undefined; // gone, or another user's
  }
}

/** Everything that Lockstep starts for a step says which: what does not, or hides it, has taken that away. */
function hasClearedEnvironment(pid: number): boolean {
  return environmentOf(pid)?.has('LOCKSTEP_STEP') !== true;
}

function isLockstep(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const [program = '', ...words] = wordsOf(pid);
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  return basename(program).startsWith('node') && /^lockstep(\.js)?$/.test(basename(script));
}

export function statusOf(pid: number): Ancestor | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may itself hold spaces and parentheses.
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    const [condition, parent, group, session, terminal] = fields;
    // It has ended, and nobody has asked how.
    if (condition === 'Z' || condition === 'X') return undefined;
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      terminal: terminalName(Number(terminal)),
      start: fields[19] ?? '',
      name: text.slice(text.indexOf('(') + 1, end),
    };
  } catch {
    return undefined; // gone, or there is no /proc
  }
}

/** From the number of the device, as Linux counts them. */
function terminalName(device: number): string {
  if (device === 0) return '';
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `tty${minor}` : `terminal ${major}:${minor}`;
}

function processList(): string {
  try {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,tty=,comm='], {
      encoding: 'utf8',
      timeout: 5_000,
    });
  } catch {
    return '';
  }
}

/** Of what `ps` printed. Without it this process alone is known. */
export function lookUpIn(printed: string): (pid: number) => Ancestor | undefined {
  const rows = new Map<number, Ancestor>();
  for (const line of printed.split('\n')) {
    const [, pid, parent, group, terminal, name] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (pid === undefined || name === undefined) continue;
    rows.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      terminal: terminal === '??' || terminal === '?' ? '' : (terminal ?? ''),
      start: '',
      name: basename(name),
    });
  }
  const itself = { group: 0, session: 0, terminal: '', start: '', name: 'node' };
  return (pid) =>
    rows.get(pid) ?? (pid === process.pid ? { pid, parent: process.ppid, ...itself } : undefined);
}

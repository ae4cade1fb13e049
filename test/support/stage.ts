// stage: everything an effect is performed with, real: a workspace on disk, child processes, a store in memory.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CallHandler, RunAgent, RunCommand } from '../../src/model/command.ts';
import type { Outcome, Usage } from '../../src/model/entry.ts';
import type { Json } from '../../src/model/json.ts';
import type { Agent, AgentAnswer, AgentRequest } from '../../src/ports/agent.ts';
import type { OpenRun } from '../../src/ports/store.ts';
import { createMask } from '../../src/runtime/mask.ts';
import { createChangeWatch } from '../../src/runtime/perform/change-watch.ts';
import {
  type LiveEvent,
  type Performable,
  type PerformContext,
  type Performed,
  type Performing,
  perform,
} from '../../src/runtime/perform/perform.ts';
import { createSessionMemory } from '../../src/runtime/perform/session-facts.ts';
import { memoryStore } from '../../src/stores/memory/memory-store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { childProcesses } from '../../src/system/processes.ts';
import { fileTracker } from '../../src/tracker/file-tracker.ts';
import { workspaces } from '../../src/workspaces/workspaces.ts';

export interface Stage {
  root: string;
  context: PerformContext;
  run: OpenRun;
  events: LiveEvent[];
  usage: [string, Usage][];
  write(path: string, text: string): void;
  read(path: string): string;
  exists(path: string): boolean;
  log(name: string): string | undefined;
  artifact(name: string): string | undefined;
  perform(command: Performable): Performing;
  outcome(command: Performable): Promise<Outcome>;
  signal(name: string, data: Json): void;
  remove(): void;
}

export interface StageOptions {
  git?: boolean;
  environment?: Record<string, string>;
  secrets?: string[];
  agents?: Agent[];
  context?: Partial<PerformContext>;
}

export function stage(options: StageOptions = {}): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-stage-')));
  if (options.git) {
    const git = (...argv: string[]) => execFileSync('git', argv, { cwd: root, stdio: 'ignore' });
    git('init', '-q', '-b', 'main');
    git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'start');
  }
  const store = memoryStore();
  const run = store.create('run-1', {}, { user: 'u', host: 'h', pid: 1, version: '0' });
  const environment: Record<string, string> = { PATH: process.env.PATH ?? '', ...options.environment };
  const events: LiveEvent[] = [];
  const usage: [string, Usage][] = [];
  const processes = childProcesses({ graceMs: 200 });
  const kept = new Map<string, Json[]>();
  const waits = new Map<string, (data: Json) => void>();
  const workspace = workspaces().open(root);
  const context: PerformContext = {
    runId: 'run-1',
    run,
    workspace,
    agents: {
      find(provider) {
        const [first] = options.agents ?? [];
        const found =
          provider === undefined ? first : options.agents?.find((agent) => agent.name === provider);
        if (found === undefined) throw new Error(`no agent ${provider}`);
        return found;
      },
    },
    processes,
    clock: systemClock(),
    tracker: async () => fileTracker({ root, now: Date.now }),
    environment,
    mask: createMask((options.secrets ?? []).flatMap((name) => [{ name, value: environment[name] ?? '' }])),
    changes: createChangeWatch(workspace),
    sessions: createSessionMemory(),
    rulesAt: () => undefined,
    signals: {
      take: (name) => kept.get(name)?.shift(),
      wait(name, callback) {
        waits.set(name, callback);
        return () => waits.delete(name);
      },
    },
    report: (event) => events.push(event),
    onUsage: (path, used) => usage.push([path, used]),
    ...options.context,
  };
  const absolute = (path: string) => join(root, path);
  const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('utf8');
  return {
    root,
    context,
    run,
    events,
    usage,
    write(path, content) {
      mkdirSync(dirname(absolute(path)), { recursive: true });
      writeFileSync(absolute(path), content);
    },
    read: (path) => readFileSync(absolute(path), 'utf8'),
    exists: (path) => existsSync(absolute(path)),
    log: (name) => text(run.readLog(name, 0)),
    artifact(name) {
      run.flush();
      return text(store.snapshot('run-1').artifacts[name]);
    },
    perform: (command) => perform(command, context),
    outcome: async (command) => outcomeOf(await finished(perform(command, context))),
    signal(name, data) {
      const waiting = waits.get(name);
      waits.delete(name);
      if (waiting) waiting(data);
      else kept.set(name, [...(kept.get(name) ?? []), data]);
    },
    remove() {
      processes.killAll();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export function finished(performing: Performing): Promise<Performed> {
  return performing.now === undefined ? performing.done : Promise.resolve(performing.now);
}

export function outcomeOf(performed: Performed): Outcome {
  if (performed.kind !== 'outcome') throw new Error(`an outcome was expected, not ${performed.kind}`);
  return performed.outcome;
}

const DISPATCH = {
  path: 'step',
  try: 1,
  env: {},
  secrets: [],
  capture: { as: 'text', limit: 1024 * 1024, onParseError: 'fail' },
} as const satisfies Partial<RunCommand>;

export function shell(line: string, more: Partial<RunCommand> = {}): RunCommand {
  return { ...DISPATCH, secrets: [], kind: 'run-command', command: { kind: 'shell', line }, ...more };
}

export function call(
  handler: string,
  given: CallHandler['with'],
  more: Partial<CallHandler> = {},
): CallHandler {
  return { ...DISPATCH, secrets: [], kind: 'call-handler', handler, with: given, ...more };
}

export function prompt(text: string, more: Partial<RunAgent> = {}): RunAgent {
  return {
    ...DISPATCH,
    secrets: [],
    kind: 'run-agent',
    system: '',
    prompt: { kind: 'text', text },
    feedback: [],
    params: {},
    tools: { deny: [] },
    dispatch: { path: 0, id: 0 },
    concurrent: false,
    ...more,
  };
}

/** An agent that is one function, and can nothing unless said otherwise. */
export function agentOf(
  answer: (request: AgentRequest) => AgentAnswer | Promise<AgentAnswer>,
  more: Partial<Agent> = {},
): Agent {
  return { name: 'test', can: new Set(), perform: async (request) => answer(request), ...more };
}

/** Waits until it holds; a test that never gets there runs into its own time-out. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Dead and not yet waited for counts as gone: a container's first process may never ask. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

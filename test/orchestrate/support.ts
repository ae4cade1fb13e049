// scene: a workflow of the orchestrate dialect in a scratch workspace, and agents that are shell scripts.
// `claude`, `gemini` and `codex` stand first on PATH; each call of one is a folder that holds its argv (NUL after each
// word), stdin and environment, exactly. What a call prints and how it ends is scripted; the last answer repeats.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { endStarted, journal, runIds, type Started, start } from '../cli/started.ts';
import { runCommand } from '../command.ts';
import { type Ended, type Scratch, scratch } from '../scratch.ts';

export type AgentName = 'claude' | 'gemini' | 'codex';

export interface AgentAnswer {
  stdout?: string;
  stderr?: string;
  exit?: number;
  /** Seconds; after the output, before the end. */
  sleep?: number;
  /** A shell line run in the workspace before anything is printed; what it prints comes first. */
  sh?: string;
}

export interface AgentCall {
  argv: string[];
  stdin: string;
  env: Record<string, string>;
  cwd: string;
}

export interface SceneOptions {
  /** YAML text, or a value that is written as JSON (which is YAML). Becomes workflow.yaml. */
  workflow?: string | object;
  /** Paths of the workspace; a path that ends in `/` is a folder. */
  files?: Record<string, string | Uint8Array>;
  /** One answer for every call, or one after the other. Without: prints `<name> was here` and ends with 0. */
  agents?: Partial<Record<AgentName, AgentAnswer | AgentAnswer[]>>;
  env?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of a known shape.
export type AnyJson = any;

export interface Scene {
  readonly project: Scratch;
  /** The workspace. */
  readonly root: string;
  /** `lockstep run workflow.yaml …args`. */
  run(args?: string[], env?: Record<string, string>): Ended;
  /** Any command. */
  lockstep(args: string[], env?: Record<string, string>): Ended;
  /** Goes on while the test does something else. */
  start(args?: string[]): Started;
  /** Replaces workflow.yaml. */
  workflow(workflow: string | object): void;
  write(path: string, content: string | Uint8Array): void;
  link(path: string, target: string): void;
  read(path: string): string;
  exists(path: string): boolean;
  sh(line: string): Ended;
  /** Ids, the newest last. */
  runs(): string[];
  /** The folder of a run, the latest unless said otherwise. */
  runRoot(id?: string): string;
  state(id?: string): AnyJson;
  /** `steps.<name>` of state.json. */
  step(name: string): AnyJson;
  journal(): ReturnType<typeof journal>;
  /** The text of `logs/<name>`, undefined where there is none. */
  logs(name: string): string | undefined;
  logNames(): string[];
  agentCalls(name: AgentName): AgentCall[];
  /** Runs it with --json, expects it to be refused before anything was made, and answers what was wrong. */
  refused(args?: string[], env?: Record<string, string>): Problem[];
}

export interface Problem {
  code: string;
  severity: 'error' | 'warning';
  message: string;
  hint?: string;
  span?: { file: string; line: number; column: number };
  context?: AnyJson;
}

/** LOCKSTEP_TEST_CONVERTED=1: every proof once more, of what `lockstep convert` prints. */
const CONVERTED = process.env.LOCKSTEP_TEST_CONVERTED === '1';
const AGENTS: AgentName[] = ['claude', 'gemini', 'codex'];
const scenes: Scratch[] = [];
afterAll(() => {
  endStarted();
  for (const project of scenes) project.remove();
});

export function scene(options: SceneOptions = {}): Scene {
  const project = scratch();
  scenes.push(project);
  Object.assign(project.env, options.env);
  const base = dirname(project.root);
  for (const name of AGENTS) writeAgent(base, name, options.agents?.[name] ?? {});

  const inside = (path: string) => join(project.root, path);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(path.endsWith('/') ? inside(path) : dirname(inside(path)), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(inside(path), content);
  };
  const setWorkflow = (workflow: string | object) =>
    write('workflow.yaml', typeof workflow === 'string' ? workflow : JSON.stringify(workflow, null, 2));
  for (const [path, content] of Object.entries(options.files ?? {})) write(path, content);
  if (options.workflow !== undefined) setWorkflow(options.workflow);

  const lockstep = (args: string[], env: Record<string, string> = {}): Ended =>
    runCommand({ cwd: project.root, environment: { ...project.env, ...env } }, args);
  const runRoot = (id = 'latest') => join(project.root, '.lockstep/runs', id);
  const state = (id?: string) => JSON.parse(readFileSync(join(runRoot(id), 'state.json'), 'utf8'));
  const logFolder = () => join(runRoot(), 'logs');
  const run = (args: string[] = [], env?: Record<string, string>) =>
    lockstep(['run', CONVERTED ? convert() : 'workflow.yaml', ...args], env);
  const convert = () => {
    const { exitCode, stdout } = lockstep(['convert', 'workflow.yaml']);
    if (exitCode !== 0) return 'workflow.yaml'; // to be refused as it is
    write('converted.yaml', stdout);
    return 'converted.yaml';
  };
  return {
    project,
    root: project.root,
    run,
    lockstep,
    start: (args = ['run', 'workflow.yaml']) => start(project, ...args),
    workflow: setWorkflow,
    write,
    link(path, target) {
      mkdirSync(dirname(inside(path)), { recursive: true });
      symlinkSync(target, inside(path));
    },
    read: (path) => readFileSync(inside(path), 'utf8'),
    exists: (path) => existsSync(inside(path)),
    sh: (line) => project.sh(line),
    runs: () => runIds(project),
    runRoot,
    state,
    step: (name) => state().steps[name],
    journal: () => journal(project),
    logs: (name) =>
      existsSync(join(logFolder(), name)) ? readFileSync(join(logFolder(), name), 'utf8') : undefined,
    logNames: () => (existsSync(logFolder()) ? filesBelow(logFolder()) : []),
    agentCalls: (name) => readCalls(join(base, 'agents', name)),
    refused(args, env) {
      const { exitCode, stdout, stderr } = run([...(args ?? []), '--json'], env);
      expect({ exitCode, runs: runIds(project), stderr }).toEqual({ exitCode: 2, runs: [], stderr: '' });
      const problems = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .filter(({ kind }) => kind === 'problems')
        .flatMap(({ diagnostics }) => diagnostics as Problem[]);
      expect(problems.filter(({ severity }) => severity === 'error')).not.toEqual([]);
      return problems;
    },
  };
}

/** A run that ends as expected; otherwise what it printed is in the failure. */
export function ran(ended: Ended, exitCode = 0): Ended {
  expect(ended.exitCode, `${ended.stdout}\n${ended.stderr}`).toBe(exitCode);
  return ended;
}

function writeAgent(base: string, name: AgentName, answers: AgentAnswer | AgentAnswer[]): void {
  const folder = join(base, 'agents', name);
  const list = Array.isArray(answers) ? answers : [answers];
  mkdirSync(join(folder, 'answers'), { recursive: true });
  for (const [index, answer] of list.entries()) {
    const file = join(folder, 'answers', String(index + 1));
    writeFileSync(`${file}.stdout`, answer.stdout ?? (answer.sh === undefined ? `${name} was here\n` : ''));
    writeFileSync(`${file}.stderr`, answer.stderr ?? '');
    const sleep = answer.sleep === undefined ? '' : `sleep ${answer.sleep}`;
    writeFileSync(
      file,
      [answer.sh ?? '', `cat '${file}.stdout'`, `cat '${file}.stderr' >&2`, sleep, `exit ${answer.exit ?? 0}`]
        .filter(Boolean)
        .join('\n'),
    );
  }
  const script = `#!/bin/sh
n=1
while ! mkdir '${folder}/'$n 2>/dev/null; do n=$((n + 1)); done
call='${folder}/'$n
[ $# -eq 0 ] || printf '%s\\0' "$@" > "$call/argv"
env -0 > "$call/env"
pwd > "$call/cwd"
cat > "$call/stdin"
[ $n -le ${list.length} ] || n=${list.length}
. '${folder}/answers/'$n
`;
  const path = join(base, 'bin', name);
  writeFileSync(path, script);
  chmodSync(path, 0o755);
}

function readCalls(folder: string): AgentCall[] {
  const numbers = readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  return numbers.map((number) => {
    const text = (name: string) => {
      const path = join(folder, String(number), name);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const env = text('env')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
    return {
      argv: text('argv').split('\0').slice(0, -1),
      stdin: text('stdin'),
      env: Object.fromEntries(env),
      cwd: text('cwd').trimEnd(),
    };
  });
}

function filesBelow(folder: string, prefix = ''): string[] {
  return readdirSync(folder)
    .flatMap((name) =>
      lstatSync(join(folder, name)).isDirectory()
        ? filesBelow(join(folder, name), `${prefix}${name}/`)
        : [`${prefix}${name}`],
    )
    .sort();
}

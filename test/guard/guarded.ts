// guarded: a project whose live sessions are held to a workflow, and the hooks of a client, as real processes.

import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Hello } from '../../src/daemon/wire.ts';
import { type Ended, scratch } from '../scratch.ts';

const root = resolve(import.meta.dirname, '../..');
export const LOCKSTEP = join(root, 'dist/lockstep.js');
export const SESSION = '11111111-1111-4111-8111-111111111111';

const PLAN = `lockstep: 1
name: plan
steps:
  - id: plan
    prompt: { text: Plan it. }
    tools: { allow: [Read] }
    done:
      that: [{ is: 'size(files("PLAN.md")) == 1', else: Write PLAN.md }]
      run: ./check
`;

export interface Guarded {
  root: string;
  home: string;
  env: Record<string, string>;
  choose(choice: object | undefined): void;
  /** One event, as Claude sends it. */
  hook(event: string, more?: object, options?: HookOptions): Promise<Ended>;
  payload(event: string, more?: object): string;
  daemons(): Hello[];
  /** Lines of the journal of the only run. */
  journal(): Record<string, unknown>[];
  remove(): void;
}

interface HookOptions {
  command?: string[];
  env?: Record<string, string>;
  stdin?: string;
}

export const CHOICE = { guard: 1, workflow: 'plan', lifecycles: [], vars: {}, inputs: {}, disabled: null };

export function guarded(options: { name?: string } = {}): Guarded {
  const project = scratch({ git: true });
  const folder = options.name === undefined ? project.root : join(project.root, '..', options.name);
  if (folder !== project.root) renameSync(project.root, folder);
  const home = join(project.env.HOME as string, '.lockstep');
  const env = { ...project.env, LOCKSTEP_HOME: home };
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  write('.lockstep/workflows/plan.yaml', PLAN);
  write('check', '#!/bin/sh\nexit 0\n', 0o755);
  const choice = join(folder, '.lockstep/local/guard.json');
  const payload = (event: string, more: object = {}) =>
    JSON.stringify({
      session_id: SESSION,
      transcript_path: '/none.jsonl',
      cwd: folder,
      hook_event_name: event,
      ...more,
    });
  const it: Guarded = {
    ...{ root: folder, home, env, payload },
    choose(chosen) {
      if (chosen === undefined) rmSync(choice, { force: true });
      else write('.lockstep/local/guard.json', JSON.stringify(chosen));
    },
    hook: (
      event,
      more = {},
      { command = [process.execPath, LOCKSTEP, 'hook', 'claude', '1'], env: extra, stdin } = {},
    ) => run(command, folder, { ...env, ...extra }, stdin ?? payload(event, more)),
    daemons() {
      return JSON.parse(statusOf(env, project)) as Hello[];
    },
    journal() {
      const runs = join(folder, '.lockstep/runs');
      const [only] = readdirSync(runs).filter((name) => /^\d{8}T/.test(name));
      const text = readFileSync(join(runs, only ?? 'none', 'journal.jsonl'), 'utf8');
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    remove() {
      for (const { pid } of it.daemons()) kill(pid);
      project.remove();
    },
  };
  it.choose(CHOICE);
  return it;
}

function statusOf(env: Record<string, string>, project: ReturnType<typeof scratch>): string {
  Object.assign(project.env, env);
  return project.lockstep('daemon', '--status', '--json').stdout;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone
  }
}

export function run(
  command: string[],
  cwd: string,
  env: Record<string, string>,
  stdin: string,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd, env });
    const said = { stdout: '', stderr: '' };
    child.on('error', reject);
    child.stdout.on('data', (chunk) => (said.stdout += chunk));
    child.stderr.on('data', (chunk) => (said.stderr += chunk));
    child.stdin.on('error', () => {}); // it may end without reading
    child.stdin.end(stdin);
    child.on('close', (exitCode) => resolve({ exitCode, ...said }));
  });
}

/** The same program as another build: of another version, and with other bytes. */
export function otherBuild(version: string): { command: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-build-'));
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(root, 'builtin'), join(folder, 'builtin'));
  const dist = (name: string) => join(folder, 'dist', name);
  const launcher = readFileSync(dist('lockstep.js'), 'utf8');
  const app = /^const PROGRAM = '(.+)';$/m.exec(launcher)?.[1] as string;
  const build = /app-(.+)\.cjs/.exec(app)?.[1] as string;
  const other = `${version.replaceAll('.', '')}${build}`.slice(0, build.length);
  const { version: ours } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const replaced = (text: string) => text.replaceAll(build, other).replaceAll(ours, version);
  renameSync(dist(app), dist(app.replace(build, other)));
  for (const name of ['lockstep.js', 'hook.cjs'])
    writeFileSync(dist(name), replaced(readFileSync(dist(name), 'utf8')));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  return { command: dist('lockstep.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

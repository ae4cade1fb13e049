// started: the built command in a process of its own that goes on while a test does something else.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Scratch, scratch } from '../scratch.ts';

export interface Started {
  readonly pid: number;
  output(): string;
  type(text: string): void;
  /** Resolves when the output matches; rejects when the process ends before it does. */
  shows(pattern: RegExp): Promise<void>;
  send(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; output: string }>;
}

const running = new Set<ChildProcess>();

export function start(project: Scratch, ...argv: string[]): Started {
  return startProgram(project, join(project.root, '../bin/lockstep'), argv);
}

function startProgram(project: Scratch, file: string, argv: string[]): Started {
  const child = spawn(file, argv, { cwd: project.root, env: project.env, stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  const watchers = new Set<() => void>();
  const look = () => {
    for (const watcher of watchers) watcher();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      look();
    });
  }
  let isOver = false;
  const ended = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; output: string }>(
    (resolve) => {
      child.on('close', (exitCode, signal) => {
        isOver = true;
        running.delete(child);
        look();
        resolve({ exitCode, signal, output });
      });
    },
  );
  return {
    pid: child.pid as number,
    output: () => output,
    type: (text) => void child.stdin.write(text),
    ended,
    send: (signal) => void child.kill(signal),
    shows: (pattern) =>
      new Promise<void>((resolve, reject) => {
        const watcher = () => {
          const found = pattern.test(output);
          if (!found && !isOver) return;
          watchers.delete(watcher);
          if (found) resolve();
          else reject(new Error(`ended without ${pattern}:\n${output}`));
        };
        watchers.add(watcher);
        watcher();
      }),
  };
}

/** Part of util-linux, and of every Linux that has more than a shell. */
export const TERMINAL_MAKER = 'script';

/** On a terminal of its own, made by script(1). */
export function startOnTerminal(project: Scratch, line: string, columns = 80, rows = 24): Started {
  const env = { ...project.env, TERM: 'xterm-256color' };
  const shell = `stty cols ${columns} rows ${rows}; exec ${line}`;
  return startProgram({ ...project, env }, TERMINAL_MAKER, ['-qfec', shell, '/dev/null']);
}

/** For afterEach: a test that failed leaves nobody behind. */
export function endStarted(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Ids of the runs there are, the one made last at the end: two of one second are not told apart by their ids. */
export function runIds(project: Scratch): string[] {
  const folder = join(project.root, '.lockstep/runs');
  if (!existsSync(folder)) return [];
  const ids = readdirSync(folder)
    .filter((name) => /^\d{8}T/.test(name))
    .sort();
  const latest = existsSync(join(folder, 'latest')) ? basename(realpathSync(join(folder, 'latest'))) : '';
  return ids.includes(latest) ? [...ids.filter((id) => id !== latest), latest] : ids;
}

export interface JournalLine {
  kind: string;
  [name: string]: unknown;
}

/** The entries of the newest run. */
export function journal(project: Scratch): JournalLine[] {
  const id = runIds(project).at(-1);
  const text = readFileSync(join(project.root, '.lockstep/runs', id ?? '', 'journal.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as JournalLine);
}

/** A project with these files. In a repository a run asks git fourteen times: only what is about git is in one. */
export function projectWith(files: Record<string, string>, options: { git?: boolean } = {}): Scratch {
  const project = scratch(options);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

/** Waits until something holds that another process brings about. */
export async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 10));
}

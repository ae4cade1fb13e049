// launch: the command in a process of its own, and what it left behind when it has ended.

import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { latestRun, noRecords, type Records, readRecords } from './records.ts';

export interface Ended extends Records {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  pid: number;
  send(signal: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

export interface Launcher {
  launch(words: string[]): Running;
  /** What each printed, for a story. */
  outputs: string[];
  killAll(): void;
}

export function launcher(cwd: string, env: Record<string, string>): Launcher {
  const outputs: string[] = [];
  const started = new Set<ChildProcess>();
  return {
    launch([file = '', ...rest]) {
      const child = spawn(file, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      started.add(child);
      const output = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].setEncoding('utf8').on('data', (text: string) => {
          output[stream] += text;
        });
      }
      const ended = new Promise<Ended>((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (exitCode) => {
          started.delete(child);
          outputs.push(`$ ${file} ${rest.join(' ')}  [exit ${exitCode}]\n${output.stdout}${output.stderr}`);
          const folder = latestRun(cwd);
          const records = folder === undefined ? noRecords() : readRecords(realpathSync(folder));
          resolve({ exitCode, ...output, ...records });
        });
      });
      return { pid: child.pid as number, send: (signal) => void child.kill(signal), ended };
    },
    outputs,
    killAll() {
      for (const child of started) child.kill('SIGKILL');
    },
  };
}

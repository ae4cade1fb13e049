// script: what the scripted agent answers. Pinned with the run (S2), so a resumed run reads the same one.

import type { Json } from './json.ts';
import type { Milliseconds } from './workflow.ts';

/** One dispatch's worth. The parts happen in the order they stand here. */
export interface ScriptedAnswer {
  /** Before anything else. */
  delay?: Milliseconds;
  /** Never answers; only a time-out or a cancel ends it. */
  hang?: boolean;
  /** Files of the workspace, looked at and forgotten: for rules that ask what was read. Needs `Read`. */
  read?: string[];
  /** Files by path, relative to the workspace. Needs `Write`. */
  write?: Record<string, string>;
  /** A list never meets a shell, a line does. Needs `Bash`. */
  run?: string[] | string;
  /** Everything in the workspace, committed with this message. Needs `Bash`. */
  commit?: string;
  stderr?: string;
  /** What a client breaks off in mid-stream looks like: an answer that cannot be read. */
  garbage?: boolean;
  /** A structured answer. */
  output?: Json;
  text?: string;
  usage?: { input?: number; output?: number; cost?: number; turns?: number };
  /** The id of its session; without, one that is made from the step's path. */
  session?: string;
  /** Another code than 0 is a dispatch that failed. */
  exit?: number;
  /** The class of that failure, `exit` without. */
  error?: 'exit' | 'error' | 'rate-limit' | 'overloaded';
}

export interface Script {
  /**
   * By step path (`execute[1]/implement`, the number of the visit left out), by step id, or `*`; a path beats an
   * id, an id beats `*`. Successive dispatches take successive answers; the last one repeats. Never an empty list.
   */
  answers: Record<string, ScriptedAnswer[]>;
}

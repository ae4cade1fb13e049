// session-facts: what an agent's session has seen and done so far, which is what `session` shows to rules.
// A session that goes on (another try, `session: x`) goes on with its facts; they live as long as the process.

import { namesOf } from '../../engine/guard.ts';
import type { SessionFacts, ToolAct } from '../../model/tool-call.ts';

const READING = new Set(['Read', 'NotebookRead']);
const WRITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
/** More files than this are not remembered: a rule that asks for one of them then finds it missing. */
const MOST_FILES = 10_000;
const MOST_SESSIONS = 1_000;

export interface SessionRecord {
  facts(elapsedMs: number): SessionFacts;
  /** It is let through. Its file is known by every name that rules are asked about. */
  begin(event: ToolAct): void;
  /** It was let through, and failed: what it was about was neither read nor changed by it. */
  failed(event: ToolAct): void;
}

export interface SessionMemory {
  /** Of the session that goes on, or a fresh one. */
  open(session: string | undefined): SessionRecord;
  keep(session: string, record: SessionRecord): void;
}

export function createSessionMemory(): SessionMemory {
  const known = new Map<string, SessionRecord>();
  return {
    open: (session) => (session === undefined ? undefined : known.get(session)) ?? createSessionRecord(),
    keep(session, record) {
      known.delete(session);
      known.set(session, record);
      const [oldest] = known.keys();
      if (known.size > MOST_SESSIONS && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** A glob names no file. */
function namesIn(call: ToolAct): string[] {
  const { file, glob } = call;
  return file === undefined || glob !== undefined ? [] : namesOf({ ...call, file });
}

/** By file, how many calls about it were let through and did not fail. */
type Files = Map<string, number>;

function createSessionRecord(): SessionRecord {
  const read: Files = new Map();
  const modified: Files = new Map();
  let calls = 0;
  let errors = 0;
  const files = (tool: string) => (READING.has(tool) ? read : WRITING.has(tool) ? modified : undefined);
  return {
    facts: (elapsedMs) => ({
      files_read: [...read.keys()],
      files_modified: [...modified.keys()],
      tool_calls: calls,
      errors,
      elapsed: Math.floor(elapsedMs / 1000),
    }),
    begin(call) {
      calls++;
      const about = files(call.tool);
      for (const name of about === undefined ? [] : namesIn(call))
        if (about?.has(name) || (about?.size ?? 0) < MOST_FILES) about?.set(name, (about.get(name) ?? 0) + 1);
    },
    failed(call) {
      errors++;
      const about = files(call.tool);
      for (const name of about === undefined ? [] : namesIn(call)) {
        const count = about?.get(name);
        if (count === undefined) continue;
        if (count > 1) about?.set(name, count - 1);
        else about?.delete(name);
      }
    },
  };
}

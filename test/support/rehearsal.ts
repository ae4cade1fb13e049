// rehearsal: plays a workflow through the real `decide` and `fold` with made-up outcomes: a runtime of one page.

import { decide, effectName, fold, initialState } from '../../src/engine/engine.ts';
import type { ApprovalLook, Perform } from '../../src/model/command.ts';
import type {
  Driven,
  Entry,
  EntryBody,
  Need,
  Outcome,
  Overrides,
  Seen,
  Skips,
} from '../../src/model/entry.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { State } from '../../src/model/state.ts';
import type { Workflow } from '../../src/model/workflow.ts';

/** What comes of an effect: an output, a whole outcome, or a function of the command. */
export type Reply =
  | Json
  | { outcome: Partial<Outcome> }
  | ((command: Perform) => Json | { outcome: Partial<Outcome> });

export interface Rehearsed {
  state: State;
  entries: Entry[];
  /** Effects in the order they were performed, e.g. `plan`, `plan.exit[0]`. */
  performed: string[];
  commands: Perform[];
}

export interface RehearsalOptions {
  inputs?: JsonObject;
  vars?: JsonObject;
  /** Said at the start, or where it goes on from a journal. */
  overrides?: Overrides;
  skips?: Partial<Skips>;
  /** By effect name; a list is taken one by one, the last repeats. Not named: done, output null. */
  replies?: Record<string, Reply | Reply[]>;
  /** By pattern of files() and changed(), or `changed-since:` and a pattern; a list of lists is taken one by one. */
  files?: Record<string, string[] | string[][]>;
  /** Given when the question comes up; none: the run pauses. */
  answers?: Record<string, Json[]>;
  /** What people say with them, in the same order. */
  notes?: Record<string, string[]>;
  /** What the workspace looks like, one for each look for an approval; the last repeats. */
  trees?: string[];
  /** Absent: Lockstep dispatches the prompts. Else a client hands in `replies`. */
  driven?: Driven;
  /** Worktrees can be made. */
  worktrees?: boolean;
  /** How many effects complete per round; more than one lets branches interleave. */
  lastFirst?: boolean;
}

export const failed = (
  exit_code: number,
  message = `exit code ${exit_code}`,
): { outcome: Partial<Outcome> } => ({
  outcome: { ok: false, exit_code, error: { class: exit_code === 124 ? 'timeout' : 'exit', message } },
});

const HOLDER = { user: 'tester', host: 'here', pid: 1, version: '0' };

export function start(workflow: Workflow, options: RehearsalOptions = {}): EntryBody {
  return {
    kind: 'run-started',
    run: { id: 'r1', root: '/runs/r1', started: '20261115T101500Z', branch: 'main', workspace: '/work' },
    workflow: workflow.name,
    workflow_file: 'test.yaml',
    workflow_hash: 'x',
    inputs: options.inputs ?? {},
    vars: { ...workflow.vars, ...options.vars },
    skips: { steps: [], checks: false, dry_run: false, ...options.skips },
    overrides: options.overrides,
    ...(options.driven && { driven: options.driven }),
    ...(options.worktrees && { worktrees: SITE }),
    by: HOLDER,
  };
}

export const SITE = { project: '/work', path: '/work/.worktrees/spec', branch: 'lockstep/spec/r1' };
const BASE = 'c'.repeat(40);

/** Plays from the beginning, or goes on from a journal. */
export function rehearse(
  workflow: Workflow,
  options: RehearsalOptions = {},
  journal: Entry[] = [],
): Rehearsed {
  const state = initialState(workflow);
  const entries: Entry[] = [];
  const performed: string[] = [];
  const commands: Perform[] = [];
  const taken = new Map<string, number>();
  const pending: Perform[] = [];
  const write = (body: EntryBody) => {
    // Through JSON, as a journal would: live and replayed state must be equal.
    const entry = JSON.parse(JSON.stringify({ n: state.n + 1, at: 1000 * (state.n + 1), ...body })) as Entry;
    entries.push(entry);
    fold(workflow, state, entry);
  };

  for (const entry of journal) {
    entries.push(entry);
    fold(workflow, state, JSON.parse(JSON.stringify(entry)) as Entry);
    if (entry.kind === 'attempt-finished') bump(taken, effectName(entry.path, entry.part));
  }
  const { overrides } = options;
  write(journal.length === 0 ? start(workflow, options) : { kind: 'run-resumed', by: HOLDER, overrides });

  for (;;) {
    for (let command = decide(workflow, state); command; command = decide(workflow, state)) {
      write(command.entry);
      if (command.perform?.kind === 'cancel') perform(command.perform);
      else if (command.perform) pending.push(command.perform);
    }
    const command = options.lastFirst ? pending.pop() : pending.shift();
    if (command) {
      perform(command);
      continue;
    }
    if (state.status === 'paused' && claimOne()) continue;
    if (state.status === 'paused' && answerOne()) {
      write({ kind: 'run-resumed', by: HOLDER });
      continue;
    }
    return { state, entries, performed, commands };
  }

  function perform(command: Perform): void {
    const name = effectName(command.path, command.part);
    commands.push(command);
    if (command.kind === 'cancel') {
      const index = pending.findIndex((other) => effectName(other.path, other.part) === name);
      if (index >= 0) pending.splice(index, 1);
      const error = { class: 'cancelled', message: command.why } as const;
      write({
        kind: 'attempt-finished',
        path: command.path,
        part: command.part,
        outcome: outcome({ ok: false, error }),
      });
    } else if (command.kind === 'sleep') write({ kind: 'retry-due', path: command.path });
    else if (command.kind === 'observe') {
      const facts = command.needs.map((need) => ({ ...need, value: seen(need) }));
      const { approval } = command;
      write({ kind: 'observed', path: command.path, facts, ...(approval && { seen: lookAt(approval) }) });
    } else if (command.kind === 'hand-out') {
      const text = command.prompt.kind === 'text' ? command.prompt.text : '';
      write({ kind: 'step-handed', path: command.path, try: command.try, text });
    } else if (command.kind === 'open-worktree') {
      performed.push(`${name} (worktree)`);
      write({
        kind: 'worktree-opened',
        path: command.path,
        worktree: { ...command.worktree, base: BASE },
      });
    } else {
      performed.push(name);
      const reply = replyTo(name, command);
      write({ kind: 'attempt-finished', path: command.path, part: command.part, outcome: reply });
    }
  }

  function lookAt(look: ApprovalLook): Seen {
    const trees = options.trees ?? ['t'];
    return seenAt(look, trees[Math.min(bump(taken, 'tree'), trees.length - 1)] as string);
  }

  function seen({ kind, pattern }: Need): string[] {
    const own = `${kind}:${pattern}`;
    const given = options.files?.[own] ?? options.files?.[pattern] ?? [];
    if (!Array.isArray(given[0])) return given as string[];
    return given[Math.min(bump(taken, own), given.length - 1)] as string[];
  }

  function replyTo(name: string, command: Perform): Outcome {
    const given = options.replies?.[name];
    const list = Array.isArray(given) ? given : [given ?? null];
    const reply = list[Math.min(bump(taken, name), list.length - 1)] ?? null;
    const said =
      typeof reply === 'function' ? reply(command) : (reply as Json | { outcome: Partial<Outcome> });
    if (typeof said === 'object' && said !== null && 'outcome' in said)
      return outcome(said.outcome as Partial<Outcome>);
    return outcome({ output: said as Json });
  }

  function claimOne(): boolean {
    for (const [path, handed] of state.handed) {
      if (state.driven.drive === 'guard') {
        const text = `work on ${path}`;
        write({ kind: 'session-event', event: { name: 'stop', text } });
        write({ kind: 'event-weighed', path, bearing: { does: 'check', answer: text } });
        return true;
      }
      const claim = { notesMarkdown: `work on ${path}` };
      write({ kind: 'claim-received', path, try: handed.try, claim, by: 'client' });
      return true;
    }
    return false;
  }

  function answerOne(): boolean {
    for (const path of state.questions.keys()) {
      const answer = options.answers?.[path]?.shift();
      if (answer === undefined) continue;
      const note = options.notes?.[path]?.shift();
      write({ kind: 'question-answered', path, answer, by: 'tester', ...(note !== undefined && { note }) });
      return true;
    }
    return false;
  }
}

/** What a look for an approval sees where the workspace looks like this. */
export function seenAt(look: ApprovalLook, digest: string): Seen {
  if (look.moment === 'start') return { moment: 'start', tree: { digest } };
  const bound = { digest: JSON.stringify([look.output, look.begun?.digest, digest]), tree: { digest } };
  if (look.moment === 'question') return { moment: 'question', ...bound };
  return { moment: 'answer', ...bound, ...(look.asked?.digest !== digest && { changed: ['a.txt'] }) };
}

function bump(counts: Map<string, number>, name: string): number {
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return count;
}

function outcome(partial: Partial<Outcome>): Outcome {
  return { ok: true, output: null, exit_code: 0, duration_ms: 1, ...partial };
}

/** The kinds of entries about a path, for short assertions. */
export function story(rehearsed: Rehearsed): string[] {
  return rehearsed.entries.map((entry) =>
    'path' in entry && entry.path ? `${entry.kind} ${entry.path}` : entry.kind,
  );
}

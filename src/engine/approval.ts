// approval: what a person is shown with `done.approve`, and what their word is bound to. The workspace is looked at before
// the step begins, before the question and when it is answered; each look is journaled, so a replay sees the same.
// Owns: when a look is due, and what the question shows. Never: looks itself.
// P1. A step without `done.approve` is never looked at.
// P2. An approval counts once a look after the answer gave the digest of the question; else the checks before it run
//     again, and then it is asked again.
// P3. A question of an older journal has no digest: its answer counts as it did then.

import type { ApprovalLook, Command } from '../model/command.ts';
import type { EntryBody, Outcome, Seen, Shown } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { OpenStep, State } from '../model/state.ts';
import type { Step } from '../model/workflow.ts';
import type { Decision } from './decision.ts';
import { partOf } from './part.ts';
import { queue } from './places.ts';
import { workspaceOf } from './worktree.ts';

const MOST_CHARACTERS = 8000;
const MOST_LINES = 200;
const CHECK_LINES = 8;
const CHECK_LINE = 300;

function asksApproval({ done }: Step): boolean {
  return done?.checks.some(({ kind }) => kind === 'approve') ?? false;
}

/** Before anything of the step happens. A step that runs again keeps its first look: the person sees all it changed. */
export function lookBefore(decision: Decision): Command | undefined {
  const { open } = decision;
  if (open.begun || !asksApproval(open.step)) return undefined;
  return looking(decision, { moment: 'start' });
}

/** Before the question; then what it shows. */
export function lookForQuestion(decision: Decision): Command | Shown {
  const { open } = decision;
  if (!open.toShow) {
    const begun = open.begun?.tree;
    return looking(decision, { moment: 'question', output: outputOf(open), ...(begun && { begun }) });
  }
  const { moment: _, ...seen } = open.toShow;
  const problem = open.begun?.problem ?? seen.problem;
  return {
    ...seen,
    ...(problem !== undefined && { problem }),
    ...workOf(open),
    ...(open.outdated && { again: open.outdated }),
  };
}

/** A person approved: is it still what they were shown? */
export function lookAgain(decision: Decision): Command | undefined {
  const { approved, begun } = decision.open;
  if (!approved) return undefined;
  return looking(decision, {
    moment: 'answer',
    output: outputOf(decision.open),
    ...(begun?.tree && { begun: begun.tree }),
    ...(approved.tree && { asked: approved.tree }),
  });
}

export function isLook(answer: Command | Shown): answer is Command {
  return 'entry' in answer;
}

function looking({ state, open }: Decision, approval: ApprovalLook): Command {
  const { path } = open;
  return {
    entry: { kind: 'observing', path, needs: [], approval: approval.moment },
    perform: { kind: 'observe', path, needs: [], workspace: workspaceOf(state, open), approval },
  };
}

function outputOf({ outcome }: OpenStep): Json {
  return outcome?.output ?? null;
}

// ── What is shown of the work ───────────────────────────────────────────────────────────────────

/** The output and the checks: what is in the journal already. */
export function workOf(open: OpenStep): Pick<Shown, 'output' | 'checks'> {
  const output = outputOf(open);
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  const checks = [...(open.checked ?? [])].map(([part, check]) => ({ part, ...check }));
  return {
    ...(output !== null && text.trim() !== '' && { output: beginning(text) }),
    ...(checks.length > 0 && { checks }),
  };
}

function beginning(text: string): NonNullable<Shown['output']> {
  const lines = text.split('\n');
  const kept = lines
    .slice(0, MOST_LINES)
    .join('\n')
    .slice(0, MOST_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '');
  const cut = kept.length < text.length && { cut: true as const };
  return { text: kept, characters: text.length, lines: lines.length, ...cut };
}

/** A check begins: what its last run printed no longer counts. */
export function checkStarted(
  open: OpenStep,
  { part, command, argv }: Extract<EntryBody, { kind: 'attempt-started' }>,
): void {
  if (part === undefined || partOf(part)?.stage !== 'done' || !asksApproval(open.step)) return;
  open.checked ??= new Map();
  open.checked.set(part, { command: command ?? argv?.join(' ') ?? '', lines: [] });
}

export function checkFinished(open: OpenStep, part: string, { output, stderr }: Outcome): void {
  const check = open.checked?.get(part);
  if (!check) return;
  const said = [output, stderr].flatMap((text) =>
    typeof text === 'string' ? text.trimEnd().split('\n') : [],
  );
  check.lines = said
    .filter((line) => line.trim() !== '')
    .slice(-CHECK_LINES)
    .map((line) => (line.length > CHECK_LINE ? `${line.slice(0, CHECK_LINE)}…` : line));
}

// ── What a look means ───────────────────────────────────────────────────────────────────────────

export function foldSeen(open: OpenStep, entry: Extract<EntryBody, { kind: 'observed' }>): void {
  const { looking: moment } = open;
  open.looking = undefined;
  // Where the folder itself is gone nothing was seen, and nothing is bound: that is said, and nobody looks in circles.
  const problem = entry.error?.message;
  const seen = entry.seen ?? (moment && problem !== undefined ? { moment, digest: '', problem } : undefined);
  if (seen) applySeen(open, seen);
}

function applySeen(open: OpenStep, seen: Seen): void {
  switch (seen.moment) {
    case 'start':
      open.begun = seen;
      return;
    case 'question':
      open.toShow = seen;
      return;
    case 'answer': {
      const { approved } = open;
      if (!approved) return;
      open.approved = undefined;
      if (approved.digest === seen.digest) open.cursor = (partOf(approved.part)?.index ?? open.cursor) + 1;
      else {
        open.outdated = { by: approved.by, changed: seen.changed ?? [] };
        // What the checks said was said of other files.
        open.cursor = 0;
      }
    }
  }
}

/** True where the answer counts only after another look. */
export function awaitsLook(
  state: State,
  open: OpenStep,
  { part, shown }: { part?: string; shown?: Shown },
  by: string,
): boolean {
  if (shown?.digest === undefined) return false;
  const { digest, tree } = shown;
  open.approved = { by, digest, ...(part !== undefined && { part }), ...(tree && { tree }) };
  queue(state, open);
  return true;
}

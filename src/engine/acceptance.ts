// acceptance: it answered; does it count? Schema and `that` together, then `run`, then `approve`: what costs more is
// not asked while what costs less already says no. Absence never makes a check hold (rule 16).

import type { Command } from '../model/command.ts';
import type { Outcome } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Check, Done } from '../model/workflow.ts';
import { isLook, lookAgain, lookForQuestion } from './approval.ts';
import { decideBlocked } from './blocker.ts';
import type { Decision } from './decision.ts';
import { partName } from './part.ts';
import { Unevaluable } from './reader.ts';
import { unmet } from './requirement.ts';
import { unclear } from './review.ts';
import { commandText, dispatchCommand } from './steps/run.ts';
import { mergeMismatch } from './vars.ts';

export function decideAccepted(decision: Decision): Command {
  const { open } = decision;
  const blocked = decideBlocked(decision);
  if (blocked) return blocked;
  let done = open.step.done ?? { checks: [], tries: 1 };
  if (open.refusal !== undefined) return reject(decision, done, [open.refusal]);
  const again = lookAgain(decision);
  if (again) return again;
  if (open.pending) {
    const reason = commandReason(decision, done.checks[open.cursor], open.pending);
    return reject(decision, neverRan(open.pending) ? { ...done, tries: Math.min(done.tries, 2) } : done, [
      reason,
    ]);
  }

  const held = open.outcome?.git?.held;
  // It is not sent back: no other answer undoes it.
  if (held) return reject(decision, { ...done, tries: 1 }, held);
  const missing = open.outcome?.git?.missing;
  // Without `done` there is one try: who claims too much has a second.
  if (missing) done = { ...done, tries: Math.max(done.tries, 2) };
  const reasons: string[] = [...(missing ?? [])];
  const details: JsonObject = {};
  for (let index = open.cursor; index < done.checks.length; index += 1) {
    const check = done.checks[index] as Check;
    if (check.kind === 'schema' || check.kind === 'schema-file') {
      const violations = open.outcome?.violations ?? [];
      reasons.push(...violations);
      if (violations.length > 0) details.schema_violations = violations;
    } else if (check.kind === 'require') {
      // The first that is not met; the others could only repeat it.
      if (details.require_failed !== undefined || details.schema_violations !== undefined) continue;
      const reason = unmet(open.outcome?.output ?? null, check);
      if (reason === undefined) continue;
      reasons.push(reason);
      details.require_failed = { pointer: check.pointer, reason };
    } else if (check.kind === 'that') {
      // What is final is said of work that fits otherwise: the rest can still be mended.
      if (check.final && reasons.length > 0) continue;
      const fits = details.schema_violations === undefined;
      const reason = reasonAgainst(decision, done, check, fits);
      if (reason !== undefined) reasons.push(reason);
      if (reason !== undefined && check.final)
        return reject(decision, { ...done, tries: 1 }, reasons, details);
    } else if (reasons.length > 0) break;
    else if (check.kind === 'run')
      return dispatchCommand(decision, check.command, 'check', partName('done', index));
    else {
      const question = ask(decision, check, index);
      if (question) return question;
    }
  }
  // What does not fit its schema is told that, and no more.
  const objection =
    open.step.gate && reasons.length === 0 ? unclear(open.outcome?.output ?? null) : undefined;
  if (objection !== undefined) reasons.push(objection);
  if (reasons.length > 0) return reject(decision, done, reasons, details);
  const problem = varsProblem(decision);
  if (problem) return problem;
  return { entry: { kind: 'work-accepted', path: open.path } };
}

function reject({ open }: Decision, done: Done, reasons: string[], details: JsonObject = {}): Command {
  const again = open.try < done.tries;
  const about = again || Object.keys(details).length === 0 ? {} : { details };
  return { entry: { kind: 'work-rejected', path: open.path, try: open.try, reasons, again, ...about } };
}

/**
 * Why `that` does not hold. A value that is not there is a reason while tries are left, and then fails the step; of what
 * does not fit its schema it is no reason of its own: that something is missing there was said.
 */
function reasonAgainst(
  decision: Decision,
  done: Done,
  check: Extract<Check, { kind: 'that' }>,
  fits: boolean,
): string | undefined {
  const { open, read } = decision;
  try {
    if (read.test(check.is)) return undefined;
    return check.else === undefined ? `this does not hold: ${check.is}` : read.text(check.else);
  } catch (problem) {
    if (!(problem instanceof Unevaluable)) throw problem;
    if (!fits) return undefined;
    // Of a final check the words of whoever wrote it are enough: nobody is asked to mend it.
    const said = check.final && check.else !== undefined ? read.text(check.else) : undefined;
    const reason = `${said ?? `this cannot hold: ${check.is}`} (${problem.message})`;
    if (open.try < done.tries && !check.final) return reason;
    throw new Unevaluable(reason, problem.absent);
  }
}

/**
 * As a shell counts: 126 cannot be started, 127 not found. It says nothing about the work. It goes back once, since a fresh
 * checkout may lack what the agent can install; then it is the command that is wrong, and no other work changes that.
 */
function neverRan({ exit_code }: Outcome): boolean {
  return exit_code === 126 || exit_code === 127;
}

function commandReason({ read }: Decision, check: Check | undefined, outcome: Outcome): string {
  // It may have ended well, and done what it may not.
  if (outcome.error?.class === 'git' || outcome.error?.class === 'changed-files')
    return outcome.error.message;
  const said = [outcome.output, outcome.stderr].filter(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  const how =
    outcome.exit_code === undefined
      ? (outcome.error?.message ?? 'failed')
      : `ended with exit code ${outcome.exit_code}`;
  const name = check?.kind === 'run' ? commandText(read.command(check.command)) : 'the check';
  if (!neverRan(outcome)) return [`\`${name}\` ${how}`, ...said].join('\n');
  const why = outcome.exit_code === 127 ? 'not found' : 'not to be started';
  // Where nothing was started there is no more than what the system says.
  const system = outcome.error?.class === 'error' ? [outcome.error.message] : [];
  return [
    `the check \`${name}\` could not be run (exit code ${outcome.exit_code}: a command is ${why}), so nobody knows whether the work holds. See that the command is right and that what it needs is installed in this checkout.`,
    ...system,
    ...said,
  ].join('\n');
}

function ask(
  decision: Decision,
  check: Extract<Check, { kind: 'approve' }>,
  index: number,
): Command | undefined {
  const { open, read } = decision;
  if (check.if !== undefined && !read.test(check.if)) return undefined;
  const shown = lookForQuestion(decision);
  if (isLook(shown)) return shown;
  return {
    entry: {
      kind: 'question-asked',
      path: open.path,
      part: partName('done', index),
      question: 'approve',
      text: read.text(check.ask),
      timeout_ms: check.timeout,
      accept: check.accept,
      reject: check.reject,
      shown,
    },
  };
}

function varsProblem({ open }: Decision): Command | undefined {
  const message =
    open.step.output === 'vars'
      ? mergeMismatch(open.scope, open.step, open.outcome?.output ?? null)
      : undefined;
  if (message === undefined) return undefined;
  const error = { class: 'output' as const, message: `\`output: vars\`: ${message}` };
  return { entry: { kind: 'step-failed', path: open.path, error, exit_code: 2 } };
}

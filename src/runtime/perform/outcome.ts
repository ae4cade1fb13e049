// outcome: building what is journaled about an effect. Everything that people or later steps see is masked here.

import type { Failure, FailureClass, Outcome } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { GitSeen } from '../../model/git-checks.ts';
import type { Mask } from '../mask.ts';
import { maskFailure } from '../mask-entry.ts';
import type { CancelReason, Performed, Performing } from './context.ts';

/** Thrown inside an effect to end it with this failure. */
export class Breakdown extends Error {
  readonly failure: Failure;
  readonly exitCode: number | undefined;

  constructor(failure: Failure, exitCode?: number) {
    super(failure.message);
    this.name = 'Breakdown';
    this.failure = failure;
    this.exitCode = exitCode;
  }
}

/** What stopped it before anything was done; nothing in it will change by trying again. */
export const UNPERFORMABLE = 2;
export const TIMED_OUT = 124;

export function over(outcome: Outcome): { now: Performed } {
  return { now: { kind: 'outcome', outcome } };
}

/** An effect that could not be begun: over, and failed. */
export function refused(error: unknown, mask: Mask): Performing {
  return over(brokenOutcome(error, mask, 0));
}

/** Any error, ours or not, as an outcome. */
export function brokenOutcome(error: unknown, mask: Mask, duration: number): Outcome {
  const { failure, exitCode } = failureOf(error);
  return masked(mask, {
    ok: false,
    output: null,
    // What failed says how: nobody has to tell "no code" from 0.
    exit_code: exitCode ?? UNPERFORMABLE,
    error: failure,
    duration_ms: duration,
  });
}

function failureOf(error: unknown): { failure: Failure; exitCode?: number } {
  if (error instanceof Breakdown) {
    return { failure: error.failure, ...(error.exitCode !== undefined && { exitCode: error.exitCode }) };
  }
  if (error instanceof Fault) {
    const failure: Failure = {
      class: error.code === 'path-outside' ? 'path' : 'error',
      message: error.message,
      ...(error.hint !== undefined && { hint: error.hint }),
      details: { code: error.code },
    };
    return { failure };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { failure: { class: 'error', message } };
}

export function masked(mask: Mask, outcome: Outcome): Outcome {
  const text = (value: string) => mask.text(value);
  const output = mask.deep(outcome.output);
  const error = outcome.error && maskFailure(mask, outcome.error);
  const stderr = outcome.stderr && text(outcome.stderr);
  const isMasked = output !== outcome.output || error !== outcome.error || stderr !== outcome.stderr;
  return {
    ...outcome,
    output,
    ...(isMasked && { masked: true as const }),
    ...(stderr !== undefined && { stderr }),
    ...(error !== undefined && { error }),
    ...(outcome.violations !== undefined && { violations: outcome.violations.map(text) }),
    ...(outcome.warnings !== undefined && { warnings: outcome.warnings.map(text) }),
    ...(outcome.repository !== undefined && { repository: mask.deep({ ...outcome.repository }) }),
    ...(outcome.git !== undefined && { git: maskGit(outcome.git, text) }),
    ...(outcome.raw !== undefined && { raw: text(outcome.raw) }),
    ...(outcome.say !== undefined && { say: text(outcome.say) }),
    ...(outcome.session_facts !== undefined && { session_facts: mask.deep(outcome.session_facts) }),
    ...(outcome.denials !== undefined && { denials: mask.deep(outcome.denials) }),
    ...(outcome.invocation?.argv && {
      invocation: { ...outcome.invocation, argv: boundedWords(outcome.invocation.argv.map(text)) },
    }),
  };
}

function maskGit(git: GitSeen, text: (value: string) => string): GitSeen {
  const texts = (values: string[] | undefined) => values?.map(text);
  const seen = {
    ...git,
    missing: texts(git.missing),
    held: texts(git.held),
    notes: texts(git.notes),
    meanwhile: texts(git.meanwhile),
    nothing: git.nothing === undefined ? undefined : text(git.nothing),
  };
  return Object.fromEntries(
    Object.entries(seen).filter(([, value]) => value !== undefined),
  ) as unknown as GitSeen;
}

const LONGEST_WORD = 1024;
const MOST_WORDS = 256;

/** A prompt may be one of the words. Masked before it is cut. */
function boundedWords(words: string[]): string[] {
  const kept = words
    .slice(0, MOST_WORDS)
    .map((word) =>
      word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD).replace(/[\uD800-\uDBFF]$/, '')}…` : word,
    );
  return words.length > MOST_WORDS ? [...kept, '…'] : kept;
}

/** Why something was ended before it was over. */
export type EndReason = CancelReason | 'timeout';

const ENDINGS: Record<EndReason, { class: FailureClass; message: string }> = {
  timeout: { class: 'timeout', message: 'it took longer than its time-out allows' },
  cancelled: { class: 'cancelled', message: 'it was cancelled' },
  interrupted: { class: 'interrupted', message: 'it was interrupted' },
  limit: { class: 'limit', message: 'a limit of the run was reached' },
  'timeout-of-run': { class: 'limit', message: 'the time that the run may take was used up' },
};

export function endFailure(reason: EndReason, timeout?: number): Failure {
  const ending = ENDINGS[reason];
  const message =
    reason === 'timeout' && timeout !== undefined
      ? `it took longer than ${inWords(timeout)}`
      : ending.message;
  const isLate = reason === 'timeout' && timeout !== undefined;
  return { class: ending.class, message, ...(isLate && { details: { timeout_ms: timeout } }) };
}

/** `90s`, `10m`, `1500ms`: as people write durations in workflows. */
function inWords(milliseconds: number): string {
  for (const [unit, size] of [
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const) {
    if (milliseconds >= size && milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${milliseconds}ms`;
}

/** `a, b and c` */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

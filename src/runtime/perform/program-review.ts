// program-review: what the program of a gate gave → a review, or why it is none.
// G1. A program that did not run approves nothing: not one that could not be started, that was ended, that ended with a code
//     that it does not have when it has run, or whose output cannot be read, whole.
// G2. One that says with its exit code that it found something, and names nothing, approves nothing.

import { isAbsolute, relative } from 'node:path';
import { approves, unclear } from '../../engine/review.ts';
import type { Failure } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { ProgramResult } from '../../model/workflow.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { Finding } from '../../text/findings/finding.ts';
import { type ReadResult, readResult, readValue } from '../../text/findings/read-result.ts';
import { reviewOf } from '../../text/findings/review-of.ts';

export type ProgramReview = { output: JsonObject } | { failure: Failure };

/** Of a process that ended by itself. `cut`: it printed more than is kept. */
export function reviewOfCommand(
  said: { text: Json; exitCode: number; cut: boolean },
  program: ProgramResult,
  workspace: Workspace,
): ProgramReview {
  const { text, exitCode, cut } = said;
  if (cut) return failed('it printed more than can be read', 'Let it name less, or fewer files.');
  const read = readResult(String(text ?? ''), program.format, program.levels);
  if ('problem' in read) return failed(`${read.problem} (exit code ${exitCode})`);
  const review = reviewed(read, program, workspace);
  const objection = unclear(review.output);
  if (objection !== undefined) return failed(objection);
  if (exitCode !== 0 && review.found === 0)
    return failed(
      `it ended with exit code ${exitCode}, and nothing that it printed names a problem`,
      'Look at its log: what it printed is kept there. A gate reads standard output alone: end a line with `2>&1` where the program writes to the other.',
    );
  const { output } = review;
  if (program.exitCodes.includes(exitCode) || !approves(output)) return { output };
  return failed(
    `it ended with exit code ${exitCode}: it may not have run to its end`,
    `If that is how it says that it found something, name it in the file of the gate: \`exit_codes: [${[...program.exitCodes, exitCode].join(', ')}]\`.`,
  );
}

/** Of a handler: a review, SARIF, or a text in one of the forms. */
export function reviewOfValue(value: Json, program: ProgramResult, workspace: Workspace): ProgramReview {
  const read =
    typeof value === 'string' ? readResult(value, program.format, program.levels) : readValue(value);
  if ('problem' in read) return failed(read.problem);
  const { output } = reviewed(read, program, workspace);
  const objection = unclear(output);
  return objection === undefined ? { output } : failed(objection);
}

function reviewed(
  read: Exclude<ReadResult, { problem: string }>,
  { levels }: ProgramResult,
  workspace: Workspace,
): { output: JsonObject; found: number } {
  const placed = read.findings.flatMap((finding) => placedAt(finding, read.loose === true, workspace));
  const { issues, ...review } = reviewOf(placed, levels);
  // What it says beside its issues stays its own; whether there is anything to do is made of them.
  return { output: { ...review, ...read.own, issues: issues ?? [] }, found: placed.length };
}

function placedAt(finding: Finding, isLoose: boolean, workspace: Workspace): (Finding & { file?: string })[] {
  const { files = [], ...rest } = finding;
  const found = files.flatMap((path) => pathIn(path, workspace) ?? []);
  const file = found[0] ?? (isLoose ? undefined : files.find((path) => /[./]/.test(path)));
  if (file === undefined) return isLoose ? [] : [rest];
  return [{ ...rest, file }];
}

/** From the root of the workspace, if a file is there. */
function pathIn(path: string, { root, exists, locate }: Workspace): string | undefined {
  const own = isAbsolute(path) ? relative(root, path) : path.replace(/^(?:\.\/)+/, '');
  try {
    if (!own.startsWith('..') && own !== '' && exists(own)) return own;
    // By another way to the same place: a link above the workspace.
    const { real } = locate(path);
    return !isAbsolute(real) && exists(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function failed(message: string, hint?: string): { failure: Failure } {
  return {
    failure: { class: 'output', message: `the program gave no review: ${message}`, ...(hint && { hint }) },
  };
}

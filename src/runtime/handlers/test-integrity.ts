// test-integrity: whether there are fewer tests and assertions than when the run began, or more that keeps tests from running: net
// over all test files that changed. Its output is a review.

import type { Json } from '../../model/json.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { reviewOf } from '../../text/findings/review-of.ts';
import { compareTests, countTests, type FileStates } from '../../text/test-counts/count-tests.ts';
import { testFindings } from '../../text/test-counts/test-findings.ts';
import type { Handled, HandlerCall } from './handler.ts';

/** Nobody writes tests of this size; a recording, perhaps. */
const LARGEST = 4 * 1024 * 1024;
const NO_GIT =
  'nobody can tell whether tests were taken away: this is no git repository, so what was there when the run began is not known';

export async function testIntegrity({ context: { workspace } }: HandlerCall): Promise<Handled> {
  const states = await statesOf(workspace);
  if (states === undefined) return { output: reviewOf([{ level: 'minor', message: NO_GIT }], {}) };
  const change = compareTests(states);
  const findings = testFindings(change).map(({ files, ...finding }) => ({
    ...finding,
    ...(files?.[0] !== undefined && { file: files[0] }),
  }));
  const { before, after, files } = change;
  const review = { ...reviewOf(findings, {}), counted: { files: files.length, before, after } };
  return { output: review as unknown as Json };
}

/** Undefined outside git. */
async function statesOf(workspace: Workspace): Promise<FileStates[] | undefined> {
  if ((await workspace.fingerprint()) === undefined) return undefined;
  const changed = (await workspace.changed('**')).filter((path) => countTests(path, '') !== undefined);
  const states: FileStates[] = [];
  for (const path of changed)
    states.push({
      path,
      before: textOf(await workspace.atStart(path)),
      after: textOf(readNow(path, workspace)),
    });
  return states;
}

function readNow(path: string, workspace: Workspace): Uint8Array | undefined {
  return workspace.exists(path) && workspace.locate(path).spelt === workspace.locate(path).real
    ? workspace.read(path)
    : undefined;
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes.subarray(0, LARGEST)).toString('utf8');
}

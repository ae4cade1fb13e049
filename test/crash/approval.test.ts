// E4 for approvals: a journal with an approval that was asked for twice, cut after every entry, in a real repository. The
// run goes on to the same end, and nothing is published that a person has not approved as it is.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { RunEnd } from '../../src/drivers/run/run.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Step, Workflow } from '../../src/model/workflow.ts';
import { fileStore } from '../../src/stores/file/file-store.ts';
import { type Drive, drive } from '../support/drive.ts';
import { tries } from '../support/tries.ts';
import { run, workflow } from '../support/workflow.ts';
import { scratchFolder } from './every-verb.ts';

const shell = (step: Step, line: string): Step => {
  if (step.work.kind !== 'run') throw new Error(`${step.id} is no command`);
  return { ...step, work: { ...step.work, command: { kind: 'shell', line } } };
};
const approve = { kind: 'approve' as const, ask: 'Right?', accept: [], reject: [] };
const flow: Workflow = workflow([
  shell(run('write', { done: { checks: [approve], tries: 1 } }), 'echo two >> file.txt; echo written'),
  shell(run('publish'), 'cp file.txt published.txt'),
]);

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** Approves what is asked, until the run has ended. */
async function approveAll(stage: Drive, first: RunEnd): Promise<{ end: RunEnd; approvals: number }> {
  let end = first;
  let approvals = 0;
  for (; end.state.status === 'paused' && approvals < 5; approvals += 1) {
    const asked = end.state.questions.get('write')?.asked;
    stage.store.post(end.id, {
      kind: 'answer',
      path: 'write',
      answer: 'approve',
      by: 'tester',
      ...(asked !== undefined && { asked }),
    });
    end = await stage.resume(end.id);
  }
  return { end, approvals };
}

it('SEC-APPROVE-CRASH: cut after every entry, it ends the same, and what is published was approved as it is', async () => {
  const base = scratchFolder('approval-cut');
  const stage = drive({ store: fileStore({ directory: join(base.path, 'runs') }), git: true });
  cleanups.push(stage.remove, base.remove);
  const file = join(stage.root, 'file.txt');
  writeFileSync(file, 'one\n');
  const paused = await stage.start(flow, {});
  expect(paused.state.status).toBe('paused');
  appendFileSync(file, 'by somebody else\n');
  const { end, approvals } = await approveAll(stage, paused);
  expect([end.state.status, approvals]).toEqual(['completed', 2]);
  const journal = readFileSync(join(base.path, 'runs', end.id, 'journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const entries = stage.entries(end.id);
  const begun = entries.findIndex(({ kind }) => kind === 'attempt-finished');

  let offset = journal.slice(0, begun).reduce((bytes, text) => bytes + Buffer.byteLength(text) + 1, 0);
  for (const [index, text] of journal.entries()) {
    if (index < begun) continue;
    offset += Buffer.byteLength(text) + 1;
    const last = entries[index] as Entry;
    if (last.kind === 'run-completed' || index % tries(1, 3) !== 0) continue;
    const copy = scratchFolder('approval-copy');
    const other = drive({ store: fileStore({ directory: join(copy.path, 'runs') }), git: true });
    cleanups.push(other.remove, copy.remove);
    mkdirSync(join(copy.path, 'runs'), { recursive: true });
    cpSync(join(base.path, 'runs', end.id), join(copy.path, 'runs', end.id), { recursive: true });
    rmSync(join(copy.path, 'runs', end.id, 'inbox'), { recursive: true });
    mkdirSync(join(copy.path, 'runs', end.id, 'inbox'));
    truncateSync(join(copy.path, 'runs', end.id, 'journal.jsonl'), offset);
    // A crash leaves no note of entries that it lost.
    rmSync(join(copy.path, 'runs', end.id, 'journal.head'), { force: true });
    // What had been published by then is not published again.
    const isPublished = entries
      .slice(0, index + 1)
      .some((entry) => entry.kind === 'attempt-finished' && entry.path === 'publish');
    if (!isPublished) rmSync(join(stage.root, 'published.txt'), { force: true });
    const again = await approveAll(other, await other.resume(end.id));
    const where = `after entry ${last.n} (${last.kind})`;
    expect(again.end.state.status, where).toBe('completed');
    expect(readFileSync(join(stage.root, 'published.txt'), 'utf8'), where).toBe(
      'one\ntwo\nby somebody else\n',
    );
    expectConfirmed(other.entries(end.id), where);
  }
  expect(existsSync(join(stage.root, 'published.txt'))).toBe(true);
}, 120_000);

/** The last look before the work was accepted gave the digest of the last question. */
function expectConfirmed(entries: Entry[], where: string): void {
  const accepted = entries.findIndex(({ kind }) => kind === 'work-accepted');
  const before = entries.slice(0, accepted);
  const asked = before.findLast((entry) => entry.kind === 'question-asked');
  const look = before.findLast((entry) => entry.kind === 'observed');
  expect(look?.seen, where).toMatchObject({ moment: 'answer', digest: asked?.shown?.digest });
}

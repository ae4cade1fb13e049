// When those who look on are told: everything once and in order; what only says that effects began and ended, while the
// next ones come up; everything before an effect where somebody needs that.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../test/support/drive.ts';
import { noop, step, workflow } from '../../test/support/workflow.ts';
import type { Workflow } from '../model/workflow.ts';
import { perform } from '../runtime/perform/perform.ts';
import { makeRun } from './hosting.ts';
import { type RecordOptions, USUAL_RECORDS } from './records/options.ts';

const echo = (id: string) => step(id, { kind: 'run', command: { kind: 'shell', line: `echo ${id}` } });
const noops = (count: number) => Array.from({ length: count }, (_, index) => noop(`n${index}`));

let stage: Drive;
beforeEach(() => {
  stage = drive();
});
afterEach(() => stage.remove());

interface Played {
  /** Effects as they begin (`does a`), entries as they are told (`attempt-started a`), output as it comes (`prints a`). */
  order: string[];
  told: number[];
  journaled: number[];
}

async function play(
  flow: Workflow,
  records: Partial<RecordOptions> = {},
  before = (_path: string) => {},
): Promise<Played> {
  const order: string[] = [];
  const told: number[] = [];
  const hosting = {
    ...stage.hosting,
    perform: ((command, context) => {
      order.push(`does ${command.path}`);
      before(command.path);
      return perform(command, context);
    }) as typeof perform,
  };
  const request = {
    ...{ workflow: flow, workflowFile: 'test.yaml', workspace: stage.root, inputs: {}, vars: {} },
    skips: { steps: [], checks: false, dry_run: false },
    records: { ...USUAL_RECORDS, ...records },
  };
  const run = await makeRun(hosting, request, {
    changed({ entry }) {
      told.push(entry.n);
      order.push('path' in entry ? `${entry.kind} ${entry.path}` : entry.kind);
    },
    live(event) {
      if (event.kind === 'output') order.push(`prints ${event.path}`);
    },
  });
  await run.call((held) => held.go()).catch((error: Error) => order.push(error.message));
  return { order, told, journaled: stage.entries(run.id).map(({ n }) => n) };
}

describe('LS-TOLD: who looks on', () => {
  it('T1: is told of every entry, once and in order, however many steps ended at once', async () => {
    const { told, journaled } = await play(workflow([...noops(200), echo('a'), ...noops(3).map(renamed)]));
    expect(told).toEqual(journaled);
    expect(told.length).toBeGreaterThan(400);
  });

  it('T1: is told that a command started after it was, and before anything that it prints', async () => {
    const { order } = await play(workflow([echo('a'), echo('b')]));
    expect(order.filter((what) => /^(does|attempt-started|prints) /.test(what))).toEqual([
      // Together with the first entry of the run, which is told first.
      ...['attempt-started a', 'does a', 'prints a'],
      ...['does b', 'attempt-started b', 'prints b'],
    ]);
  });

  it('T1: is told what is durable also where the run breaks', async () => {
    const { order, told } = await play(workflow([noop('a'), noop('b')]), {}, (path) => {
      if (path === 'b') throw new Error('it broke');
    });
    expect(order.slice(-2)).toEqual(['attempt-started b', 'it broke']);
    expect(told).toEqual(told.map((_, index) => index + 1));
  });

  it.each<[string, Partial<Workflow['policy']>, Partial<RecordOptions>]>([
    ['state.json is written at every step', { state: 'every-step' }, {}],
    ['debug notes follow the entries', {}, { debug: true }],
    ['the log is that detailed', {}, { logLevel: 'debug' }],
    ['a child is given its span', {}, { trace: true }],
    ['state.json is backed up', {}, { backupState: true }],
  ])('T1: is told first where %s', async (_why, policy, records) => {
    const plain = workflow([noop('a'), echo('b')]);
    const { order } = await play({ ...plain, policy: { ...plain.policy, ...policy } }, records);
    for (const path of ['a', 'b'])
      expect(order.indexOf(`attempt-started ${path}`)).toBe(order.indexOf(`does ${path}`) - 1);
  });

  it('T1: is told first of anything but that effects began and ended', async () => {
    const { order } = await play(workflow([noop('a'), { ...noop('s'), if: 'false' }, echo('b')]));
    const does = order.indexOf('does b');
    expect(order.slice(does - 2, does)).toEqual(['step-skipped s', 'attempt-started b']);
  });
});

function renamed(each: ReturnType<typeof noop>) {
  return noop(`late-${each.id}`);
}

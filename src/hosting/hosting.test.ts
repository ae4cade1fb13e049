// A run kept in hand between calls, as drives do that are asked from outside: one call takes the lease, works, and gives
// it back. Held to the same with both stores.

import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../test/support/drive.ts';
import { ask, noop, workflow } from '../../test/support/workflow.ts';
import type { Entry, EntryBody, Holder } from '../model/entry.ts';
import type { Store } from '../ports/store.ts';
import { fileStore } from '../stores/file/file-store.ts';
import { memoryStore } from '../stores/memory/memory-store.ts';
import {
  answered,
  type HeldRun,
  type HostedRun,
  hostRun,
  makeRun,
  type Observer,
  tellRun,
} from './hosting.ts';

const flow = workflow([ask('first', 'Well?'), noop('between'), ask('second', 'And?'), noop('last')]);
const folder = mkdtempSync(join(tmpdir(), 'lockstep-hosting-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const stores: [string, () => Store][] = [
  ['file', () => fileStore({ directory: join(folder, `runs-${files++}`) })],
  ['memory', () => memoryStore()],
];

describe.each(stores)('a run in hand, with the %s store', (_, makeStore) => {
  let stage: Drive;
  /** How often a journal was read from the store. */
  let reads: number;
  beforeEach(() => {
    reads = 0;
    stage = drive({ store: counting(makeStore(), () => reads++) });
    stage.hosting.holder = { user: 'tester', host: hostname(), pid: process.pid, version: '0' };
  });
  afterEach(() => stage.remove());

  const make = (observer?: Observer): HostedRun =>
    makeRun(
      stage.hosting,
      {
        ...{ workflow: flow, workflowFile: 'test.yaml', workspace: stage.root, inputs: {}, vars: {} },
        skips: { steps: [], checks: false, dry_run: false },
      },
      observer,
    );
  const start = async (observer?: Observer): Promise<HostedRun> => {
    const run = make(observer);
    await run.call((held) => held.go());
    reads = 0;
    return run;
  };
  const answerWith = (answer: string) => (run: HeldRun) =>
    run.go([
      { kind: 'run-resumed', by: stage.hosting.holder },
      answered(stage.hosting, run.state, { answer, by: 'me' }),
    ]);
  const stateOf = (run: HostedRun) => run.call(({ state }) => state);
  const signal = (data: string): EntryBody => ({ kind: 'signal-received', name: 'go', data, by: 'me' });
  const numbers = (id: string) => stage.entries(id).map(({ n }) => n);
  const holderOf = (id: string) => stage.store.read(id).holder();

  it('LS-HOSTING-WARM: H3: a second call goes on from what the first has folded, and reads nothing', async () => {
    const run = await start();
    const { state, view } = await run.call((held) => held);
    expect(state.questions.has('first')).toBe(true);
    await run.call(answerWith('one'));
    await run.call(answerWith('two'));
    const later = await run.call((held) => held);
    expect(later.state).toBe(state);
    expect(later.view).toBe(view);
    expect(reads).toBe(0);
    expect(state.status).toBe('completed');
  });

  it('LS-HOSTING-WARM: H3: warm or cold, the same entries follow, and the same views', async () => {
    const warm = await start();
    await warm.call(answerWith('one'));
    await warm.call(answerWith('two'));
    const { id } = await start();
    for (const answer of ['one', 'two']) {
      await hostRun(stage.hosting, id).call(answerWith(answer));
    }
    expect(reads).toBe(2);
    const told = (run: string) => stage.entries(run).map((entry) => ({ ...entry, at: 0, h: 0, run: 0 }));
    expect(told(warm.id)).toEqual(told(id));
    const shown = (run: string) => {
      const { steps, status } = JSON.parse(stage.store.read(run).document('state.json') ?? '') as {
        steps: Record<string, object>;
        status: string;
      };
      return { status, steps: Object.keys(steps) };
    };
    expect(shown(warm.id)).toEqual(shown(id));
    expect(shown(id).status).toBe('completed');
  });

  it('LS-HOSTING-FOREIGN: H3: what another wrote between two calls is folded before the second', async () => {
    const run = await start();
    const state = await stateOf(run);
    await tellRun(stage.hosting, run.id, { kind: 'signal', name: 'go', data: 'from elsewhere', by: 'me' });
    reads = 0;
    await run.call(answerWith('one'));
    expect(reads).toBe(1);
    const again = await stateOf(run);
    expect(again).not.toBe(state);
    expect(again.signals.get('go')).toEqual(['from elsewhere']);
    expect(numbers(run.id)).toEqual(stage.entries(run.id).map((_entry, index) => index + 1));
    // and from there on it is warm again
    await run.call(answerWith('two'));
    expect(await stateOf(run)).toBe(again);
    expect(reads).toBe(1);
    expect(again.status).toBe('completed');
  });

  it('LS-HOSTING-LEASE: H2: the lease is held for the length of a call, and given back however it ends', async () => {
    const run = make();
    expect(holderOf(run.id)).toMatchObject({ user: 'tester' });
    const held = await run.call(async (its) => {
      expect(holderOf(run.id)).toMatchObject({ user: 'tester' });
      await its.go();
      return its;
    });
    expect(holderOf(run.id)).toBeUndefined();
    const failed = run.call(() => {
      expect(holderOf(run.id)).toMatchObject({ user: 'tester' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(holderOf(run.id)).toBeUndefined();
    await expect(held.say(signal('late'))).rejects.toMatchObject({ code: 'store-misuse' });
  });

  it('LS-HOSTING-LEASE: H2: a lease that is held elsewhere is told, with who holds it; then the run is still warm', async () => {
    const run = await start();
    const state = await stateOf(run);
    const anna: Holder = { user: 'anna', host: hostname(), pid: process.ppid, version: '0' };
    const theirs = stage.store.open(run.id, anna);
    reads = 0;
    const refused = run.call(answerWith('one'));
    await expect(refused).rejects.toMatchObject({
      code: 'run-locked',
      message: expect.stringMatching(`anna \\(process ${process.ppid}`),
    });
    theirs.close();
    await run.call(answerWith('one'));
    expect(await stateOf(run)).toBe(state);
    expect(reads).toBe(0);
  });

  it('LS-HOSTING-LEASE: H2: one on another host is replaced only by a call that takes over', async () => {
    const run = await start();
    stage.store.open(run.id, { user: 'bert', host: 'another-host', pid: 4711, version: '0' });
    await expect(run.call(answerWith('one'))).rejects.toMatchObject({ code: 'run-held-elsewhere' });
    await run.call(answerWith('one'), { takeOver: true });
    expect((await stateOf(run)).questions.has('second')).toBe(true);
  });

  it('LS-HOSTING-LEASE: H2: of two calls at once the second is refused, and the first ends as if alone', async () => {
    const run = await start();
    let end = (): void => {};
    const first = run.call(async ({ say }) => {
      await new Promise<void>((resolve) => (end = resolve));
      await say(signal('first'));
    });
    await expect(run.call(({ say }) => say(signal('second')))).rejects.toMatchObject({ code: 'run-locked' });
    end();
    await first;
    expect(holderOf(run.id)).toBeUndefined();
    expect((await stateOf(run)).signals.get('go')).toEqual(['first']);
  });

  it('LS-HOSTING-WARM: H3: after a call that failed the run is folded anew, from what became durable', async () => {
    const run = await start();
    const state = await stateOf(run);
    const failed = run.call(async ({ say }) => {
      await say(signal('said'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    const again = await run.call(async ({ say, state: now }) => {
      await say(signal('again'));
      return now;
    });
    expect(reads).toBe(1);
    expect(again).not.toBe(state);
    expect(again.signals.get('go')).toEqual(['said', 'again']);
  });

  it('LS-HOSTING-OBSERVER: H4: one observer is told every entry of every call, once, in order, when it is durable', async () => {
    const told: string[] = [];
    const seen: Entry[] = [];
    const run = await start({
      opened: () => told.push('opened'),
      changed({ entry }) {
        told.push(entry.kind);
        seen.push(entry);
        expect(stage.entries(stage.store.list()[0] as string).length).toBeGreaterThanOrEqual(entry.n);
      },
    });
    await run.call(answerWith('one'));
    await run.call(({ say }) => say(signal('between')));
    await run.call(answerWith('two'));
    expect(told.slice(0, 2)).toEqual(['opened', 'run-started']);
    expect(told.filter((kind) => kind === 'opened')).toHaveLength(3);
    expect(seen.map(({ n }) => n)).toEqual(numbers(run.id));
  });

  it('LS-HOSTING-WARM: H5: state.json, report.md and the log are those of the whole run, whatever call wrote them', async () => {
    const run = await start();
    for (const answer of ['one', 'two'])
      await run.call(async (held) => {
        await answerWith(answer)(held);
        held.report();
      });
    const stored = stage.store.read(run.id);
    expect(JSON.parse(stored.document('state.json') ?? '')).toMatchObject({ status: 'completed' });
    expect(stored.document('report.md')).toContain('completed');
    const log = Buffer.from(stored.readLog('orchestrator.log', 0) ?? []).toString();
    expect(log.match(/ started: /g)).not.toBeNull();
    expect(log.trimEnd().split('\n').at(-1)).toContain('completed');
  });
});

function counting(store: Store, count: () => void): Store {
  return {
    ...store,
    open(...given) {
      const run = store.open(...given);
      const journal = () => {
        count();
        return run.journal();
      };
      return { ...run, journal };
    },
  };
}

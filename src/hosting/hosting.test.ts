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
import { answered, type HostedRun, hostRun, makeRun, type Observer, tellRun } from './hosting.ts';

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
    await run.call(() => run.go());
    reads = 0;
    return run;
  };
  const answerWith = (run: HostedRun, answer: string) => () =>
    run.go([
      { kind: 'run-resumed', by: stage.hosting.holder },
      answered(stage.hosting, run.state, { answer, by: 'me' }),
    ]);
  const signal = (data: string): EntryBody => ({ kind: 'signal-received', name: 'go', data, by: 'me' });
  const numbers = (id: string) => stage.entries(id).map(({ n }) => n);
  const holderOf = (id: string) => stage.store.read(id).holder();

  it('LS-HOSTING-WARM: H3: a second call goes on from what the first has folded, and reads nothing', async () => {
    const run = await start();
    const { state, view } = run;
    expect(state.questions.has('first')).toBe(true);
    await run.call(answerWith(run, 'one'));
    await run.call(answerWith(run, 'two'));
    expect(run.state).toBe(state);
    expect(run.view).toBe(view);
    expect(reads).toBe(0);
    expect(run.state.status).toBe('completed');
  });

  it('LS-HOSTING-WARM: H3: warm or cold, the same entries follow, and the same views', async () => {
    const warm = await start();
    await warm.call(answerWith(warm, 'one'));
    await warm.call(answerWith(warm, 'two'));
    const { id } = await start();
    for (const answer of ['one', 'two']) {
      const cold = hostRun(stage.hosting, id);
      await cold.call(() => answerWith(cold, answer)());
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
    const { state } = run;
    await tellRun(stage.hosting, run.id, () => signal('from elsewhere'));
    reads = 0;
    await run.call(answerWith(run, 'one'));
    expect(reads).toBe(1);
    expect(run.state).not.toBe(state);
    expect(run.state.signals.get('go')).toEqual(['from elsewhere']);
    expect(numbers(run.id)).toEqual(stage.entries(run.id).map((_entry, index) => index + 1));
    // and from there on it is warm again
    const again = run.state;
    await run.call(answerWith(run, 'two'));
    expect(run.state).toBe(again);
    expect(reads).toBe(1);
    expect(run.state.status).toBe('completed');
  });

  it('LS-HOSTING-LEASE: H2: the lease is held for the length of a call, and given back however it ends', async () => {
    const run = make();
    expect(holderOf(run.id)).toMatchObject({ user: 'tester' });
    await run.call(async () => {
      expect(holderOf(run.id)).toMatchObject({ user: 'tester' });
      await run.go();
    });
    expect(holderOf(run.id)).toBeUndefined();
    const failed = run.call(() => {
      expect(holderOf(run.id)).toMatchObject({ user: 'tester' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(holderOf(run.id)).toBeUndefined();
    await expect(run.say(signal('late'))).rejects.toMatchObject({ code: 'store-misuse' });
  });

  it('LS-HOSTING-LEASE: H2: a lease that is held elsewhere is told, with who holds it; then the run is still warm', async () => {
    const run = await start();
    const { state } = run;
    const anna: Holder = { user: 'anna', host: hostname(), pid: process.ppid, version: '0' };
    const theirs = stage.store.open(run.id, anna);
    reads = 0;
    const refused = run.call(answerWith(run, 'one'));
    await expect(refused).rejects.toMatchObject({
      code: 'run-locked',
      message: expect.stringMatching(`anna \\(process ${process.ppid}`),
    });
    theirs.close();
    await run.call(answerWith(run, 'one'));
    expect(run.state).toBe(state);
    expect(reads).toBe(0);
  });

  it('LS-HOSTING-LEASE: H2: one on another host is replaced only by a call that takes over', async () => {
    const run = await start();
    stage.store.open(run.id, { user: 'bert', host: 'another-host', pid: 4711, version: '0' });
    await expect(run.call(answerWith(run, 'one'))).rejects.toMatchObject({ code: 'run-held-elsewhere' });
    await run.call(answerWith(run, 'one'), { takeOver: true });
    expect(run.state.questions.has('second')).toBe(true);
  });

  it('LS-HOSTING-LEASE: H2: of two calls at once the second is refused, and the first ends as if alone', async () => {
    const run = await start();
    let end = (): void => {};
    const first = run.call(async () => {
      await new Promise<void>((resolve) => (end = resolve));
      await run.say(signal('first'));
    });
    await expect(run.call(() => run.say(signal('second')))).rejects.toMatchObject({ code: 'run-locked' });
    end();
    await first;
    expect(run.state.signals.get('go')).toEqual(['first']);
    expect(holderOf(run.id)).toBeUndefined();
  });

  it('LS-HOSTING-WARM: H3: after a call that failed the run is folded anew, from what became durable', async () => {
    const run = await start();
    const { state } = run;
    const failed = run.call(async () => {
      await run.say(signal('said'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await run.call(() => run.say(signal('again')));
    expect(reads).toBe(1);
    expect(run.state).not.toBe(state);
    expect(run.state.signals.get('go')).toEqual(['said', 'again']);
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
    await run.call(answerWith(run, 'one'));
    await run.call(() => run.say(signal('between')));
    await run.call(answerWith(run, 'two'));
    expect(told.slice(0, 2)).toEqual(['opened', 'run-started']);
    expect(told.filter((kind) => kind === 'opened')).toHaveLength(3);
    expect(seen.map(({ n }) => n)).toEqual(numbers(run.id));
  });

  it('LS-HOSTING-WARM: H5: state.json, report.md and the log are those of the whole run, whatever call wrote them', async () => {
    const run = await start();
    for (const answer of ['one', 'two'])
      await run.call(async () => {
        await answerWith(run, answer)();
        run.report();
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

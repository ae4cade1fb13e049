import { describe, expect, it } from 'vitest';
import type { Entry, Holder } from '../../model/entry.ts';
import { storeContract } from '../../ports/store.contract.ts';
import { memoryStore } from './memory-store.ts';

const holder: Holder = { user: 'anna', host: 'here', pid: 1, version: '1' };
const entry = (n: number): Entry => ({ n, at: 0, kind: 'retry-due', path: `step[${n}]` });

describe('memoryStore', () => {
  storeContract(() => memoryStore());

  it('a snapshot holds what was flushed, as a crash would leave it, and nobody holds a run made from it', () => {
    const store = memoryStore();
    const run = store.create('r', { 'workflow.json': '{}' }, holder);
    run.append(entry(1));
    run.append(entry(2));
    run.flush();
    run.append(entry(3));
    run.openLog('a.stdout').write(new Uint8Array([7]));
    run.openArtifact('b.txt').write(new Uint8Array([8]));
    store.post('r', { kind: 'cancel', by: 'x' });

    const snapshot = store.snapshot('r');
    run.flush();
    expect(snapshot).toEqual({
      id: 'r',
      documents: { 'workflow.json': '{}' },
      entries: [entry(1), entry(2)],
      logs: { 'a.stdout': new Uint8Array([7]) },
      artifacts: { 'b.txt': new Uint8Array([8]) },
      inbox: [{ id: expect.any(String), message: { kind: 'cancel', by: 'x' } }],
    });

    const resumed = memoryStore([{ ...snapshot, entries: snapshot.entries.slice(0, 1) }]).open('r', holder);
    expect(resumed.journal().entries).toEqual([entry(1)]);
    expect(resumed.takeInbox().map(({ id }) => id)).toEqual(snapshot.inbox.map(({ id }) => id));
    resumed.append(entry(2));
    resumed.flush();
    expect(store.read('r').journal().entries.length).toBe(3);
  });

  it('an artifact begins anew each time, and is there even if nothing is written', () => {
    const store = memoryStore();
    const run = store.create('r', {}, holder);
    run.openArtifact('a/b.txt').write(new Uint8Array([1, 2, 3]));
    run.openArtifact('a/b.txt').write(new Uint8Array([4]));
    run.openArtifact('empty.txt').end();
    expect(store.snapshot('r').artifacts).toEqual({
      'a/b.txt': new Uint8Array([4]),
      'empty.txt': new Uint8Array(),
    });
  });
});

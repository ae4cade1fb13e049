// The files beside the journal: that they cannot stop a run, and that they cost no more than the run.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../test/support/drive.ts';
import { ask, noop, workflow } from '../../test/support/workflow.ts';
import { fileStore } from '../stores/file/file-store.ts';
import { answered, hostRun, lookAtRun } from './hosting.ts';

const flow = workflow([ask('first', 'Well?'), noop('last')]);

describe('views on disk', () => {
  let folder: string;
  let stage: Drive;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-views-'));
    stage = drive({ store: fileStore({ directory: folder }) });
    stage.hosting.holder = { user: 'tester', host: hostname(), pid: process.pid, version: '0' };
  });
  afterEach(() => {
    stage.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const inRun = (id: string, name: string) => join(folder, id, name);
  const look = (id: string) => lookAtRun(stage.store.read(id), stage.hosting.hash);

  it.each(['state.json', 'summary.json', 'blocker.json', 'report.md'])(
    'LS-GROW-VIEWS: a run goes on and says so where %s can be neither read nor written',
    async (name) => {
      const warnings: string[] = [];
      const { id } = await stage.start(flow);
      rmSync(inRun(id, name));
      mkdirSync(join(inRun(id, name), 'in-the-way'), { recursive: true });
      const observer = { warned: (message: string) => void warnings.push(message) };
      const status = await hostRun(stage.hosting, id, { observer }).call(async (run) => {
        const answer = { path: 'first', answer: 'yes', by: 'ada' };
        await run.go([
          { kind: 'run-resumed', by: stage.hosting.holder },
          answered(stage.hosting, run.state, answer),
        ]);
        await run.report();
        return run.state.status;
      });
      expect(status).toBe('completed');
      const told = warnings.filter((message) => message.includes(`${name} could not be written`));
      expect(told.length).toBe(name === 'blocker.json' ? 0 : 1);
      expect(readdirSync(inRun(id, name))).toEqual(['in-the-way']);
    },
  );

  it('LS-GROW-LIST: a list of runs reads the short view, and neither journal nor state.json', async () => {
    const { id } = await stage.start(flow);
    const stored = stage.store.read(id);
    const read: string[] = [];
    const counted = {
      ...stored,
      journal: () => {
        read.push('journal');
        return stored.journal();
      },
      document: (name: string) => {
        read.push(name);
        return stored.document(name);
      },
    };
    expect(lookAtRun(counted, stage.hosting.hash).view).toMatchObject({ run_id: id, status: 'paused' });
    expect(read).toEqual(['summary.json']);
    expect(statSync(inRun(id, 'summary.json')).size).toBeLessThan(1000);
  });

  it('LS-GROW-LIST: a short view that is missing, damaged or older than the journal is not believed', async () => {
    const { id } = await stage.start(flow);
    const whole = look(id).view;
    rmSync(inRun(id, 'summary.json'));
    expect(look(id).view).toMatchObject({ ...whole });
    writeFileSync(inRun(id, 'summary.json'), '{"run_id"');
    expect(look(id).view).toMatchObject({ ...whole });
    rmSync(inRun(id, 'state.json'));
    expect(look(id).view).toMatchObject({ ...whole });

    const { id: other } = await stage.start(flow);
    const text = readFileSync(inRun(other, 'summary.json'), 'utf8');
    // As if the process had been killed before it wrote its views again.
    writeFileSync(inRun(other, 'summary.json'), text.replace(/"journal":"\d+/, '"journal":"1'));
    writeFileSync(
      inRun(other, 'state.json'),
      readFileSync(inRun(other, 'state.json'), 'utf8').replace('"entries":', '"entries":1'),
    );
    expect(look(other).view).toMatchObject({ status: 'paused', entries: whole?.entries });
  });

  it('LS-GROW-DAMAGE: a journal that was changed is told as damaged, whatever the views say', async () => {
    const { id } = await stage.start(flow);
    const journal = inRun(id, 'journal.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.replace('Well?', 'Hell?'));
    expect(look(id)).toMatchObject({
      damage: expect.stringContaining('does not verify'),
      view: { status: 'paused' },
    });
    writeFileSync(journal, text.split('\n').slice(0, -2).join('\n').concat('\n'));
    expect(look(id).damage).toContain('missing');
    rmSync(journal);
    expect(look(id).damage).toContain('lost');
  });
});

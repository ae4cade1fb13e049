// How long state.json may become, and what it says of what it leaves out.

import { describe, expect, it } from 'vitest';
import type { Entry } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import type { Workflow } from '../../model/workflow.ts';
import { play } from '../fixtures/play.ts';
import { command, each, workflowOf } from '../fixtures/workflow.ts';
import { createOutline, record } from '../outline.ts';
import { createStateJson, recordState, renderStateJson } from '../state-json.ts';
import type { Room } from './sheet.ts';

const ITEMS = 600;
const LONG = 'x'.repeat(10_000);

function rendered(workflow: Workflow, entries: Entry[], room?: Room): string[] {
  const outline = createOutline(workflow);
  const state = createStateJson(outline, {}, room);
  for (const entry of entries) recordState(state, record(outline, entry));
  return renderStateJson(state);
}
// biome-ignore lint/suspicious/noExplicitAny: a test looks into JSON.
const parsed = (pieces: string[]): any => JSON.parse(pieces.join(''));

const items = Array.from({ length: ITEMS }, (_, index) => index);
const workflow = workflowOf('long', [each('all', 'inputs.items', [command('one')]), command('after')]);
const playLong = (output: Json = LONG) =>
  play(workflow, {
    inputs: { items },
    outcome: (place) => ({ output: place === 'after' ? 'short' : output }),
  });

describe('the bounds of state.json', () => {
  it('LS-GROW-STATE: long outputs are whole while there is room, and then cut with a note that says where they are', () => {
    const room = { long: 100_000, all: 10_000_000 };
    const pieces = rendered(workflow, playLong(), room);
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(100_000 + ITEMS * 2_000);
    const state = parsed(pieces);
    const whole = state.steps.all.filter(({ one }: { one: { output: string } }) => one.output === LONG);
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.length).toBeLessThan(10);
    const cut = state.steps.all[ITEMS - 1].one;
    expect(cut).toMatchObject({
      status: 'completed',
      exit_code: 0,
      lockstep: {
        cut: { output: 10_002 },
        whole: `journal.jsonl, attempt-finished of all[${ITEMS - 1}]/one`,
      },
    });
    expect(LONG.startsWith(cut.output)).toBe(true);
    expect(cut.output.length).toBeGreaterThan(500);
    expect(state.lockstep.left_out).toMatchObject({ count: ITEMS - whole.length, whole: 'journal.jsonl' });
    expect(state.lockstep.left_out.first).toHaveLength(50);
    expect(state.for_each.all.completed_indices).toHaveLength(ITEMS);
    expect(state.steps.after.output).toBe('short');
  });

  it('LS-GROW-STATE: more passes than there is room for are counted, and not told', () => {
    const state = parsed(rendered(workflow, playLong('short'), { long: 10_000, all: 50_000 }));
    expect(state.steps.all).toHaveLength(ITEMS);
    expect(state.steps.all[0].one.output).toBe('short');
    expect(state.steps.all[ITEMS - 1]).toEqual({ lockstep: { left_out: true } });
    const told = state.steps.all.filter((pass: object) => 'one' in pass).length;
    // And the list of the items.
    expect(state.lockstep.left_out.count).toBe(ITEMS - told + 1);
    expect(state.for_each.all.completed_indices).toHaveLength(ITEMS);
  });

  it('LS-GROW-STATE: an input for which there is no room is not there: a part of it would be another input', () => {
    const [first, ...rest] = playLong('short');
    const start = { ...first, inputs: { small: 1, large: LONG } } as Entry;
    const state = parsed(rendered(workflow, [start, ...rest], { long: 1_000, all: 5_000 }));
    expect(state.context).toEqual({ small: 1 });
    expect(state.lockstep.left_out.first).toContain('context.large');
  });

  it('of lists and maps the beginning is shown', () => {
    const list = Array.from({ length: 5_000 }, (_, index) => index);
    const state = parsed(rendered(workflow, playLong({ list, name: 'n' }), { long: 0, all: 10_000_000 }));
    const { json } = state.steps.all[3].one;
    expect(json.list.slice(0, 3)).toEqual([0, 1, 2]);
    expect(json.list.length).toBeLessThan(1_000);
  });

  it('nothing is left out of a run of the usual size, and nothing is said of it', () => {
    const state = parsed(rendered(workflow, playLong()));
    expect(state.lockstep).not.toHaveProperty('left_out');
    expect(state.steps.all.every(({ one }: { one: { output: string } }) => one.output === LONG)).toBe(true);
  });

  it('every pass is told in its place, whichever ended first, failed and ran again', () => {
    const many = workflowOf('many', [each('all', 'inputs.items', [command('one')], { concurrency: 300 })]);
    let turn = 0;
    const entries = play(many, {
      inputs: { items },
      resumes: 1,
      pick: (length) => (turn++ * 7919) % length,
      outcome: (place, nth) =>
        place === 'all[77]/one' && nth === 0
          ? { ok: false, error: { class: 'exit', message: 'no' } }
          : { output: place },
    });
    const outline = createOutline(many);
    const state = createStateJson(outline);
    for (const entry of entries) {
      recordState(state, record(outline, entry));
      if (entry.n % 97 === 0) renderStateJson(state);
    }
    expect(outline.status).toBe('completed');
    expect(entries.filter(({ kind }) => kind === 'run-resumed')).toHaveLength(1);
    const { steps, for_each } = parsed(renderStateJson(state));
    expect(steps.all.map(({ one }: { one: { output: string } }) => one.output)).toEqual(
      items.map((index) => `all[${index}]/one`),
    );
    expect(for_each.all.completed_indices).toEqual(items);
  });

  it('what a rendering hands on does not grow with the passes that are over', () => {
    const entries = playLong('short');
    const part = (length: number) => rendered(workflow, entries.slice(0, length)).length;
    const [half, whole] = [part(entries.length / 2), part(entries.length)];
    expect(Math.abs(whole - half)).toBeLessThan(2 * 256 + 10);
    expect(whole).toBeLessThan(2 * 256 + 100);
  });
});

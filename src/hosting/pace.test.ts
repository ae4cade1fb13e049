// What is written at every step, of a run with many of them. Time is counted, and writing takes as long as the text.

import { describe, expect, it } from 'vitest';
import { each, noop, workflow } from '../../test/support/workflow.ts';
import { foldAndTell, initialState, listen } from '../engine/engine.ts';
import type { Entry } from '../model/entry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Performable } from '../runtime/perform/perform.ts';
import { createRunView } from '../views/run-view.ts';
import type { Desk } from './memory.ts';
import { createBackups } from './records/backups.ts';
import type { Records } from './records.ts';
import { createRunViews } from './views.ts';

const ITEMS = 2000;
/** Milliseconds of an entry, and of a character that is written. */
const ENTRY = 0.2;
const CHARACTER = 0.00001;

function played(options: { everyStep: boolean; backups: boolean; reader?: boolean }) {
  let time = 0;
  let timer: (() => void) | undefined;
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    after(_, callback) {
      timer = callback;
      return () => {
        timer = undefined;
      };
    },
    random: () => '',
  };
  const files = new Map<string, string>();
  const writes: string[] = [];
  let characters = 0;
  const replaceDocument = (name: string, text: string | readonly string[]): void => {
    const whole = typeof text === 'string' ? text : text.join('');
    files.set(name, whole);
    writes.push(name);
    characters += whole.length;
    time += whole.length * CHARACTER;
  };
  const run = { id: 'r', journalMark: () => 'm' } as unknown as Desk['run'];
  const desk = { run, replaceDocument, removeDocument() {}, document: () => undefined } as unknown as Desk;
  const flow = workflow([each('all', 'inputs.items', [noop('one')])]);
  flow.policy.state = options.everyStep ? 'every-step' : 'coalesced';
  const backups = options.backups ? createBackups(desk, flow, []) : undefined;
  const records = {
    before: (entry: Entry, state: () => string[]) => backups?.before(entry, state),
    hasBackups: () => backups?.areWaiting() ?? false,
    writeBackups: () => backups?.write(),
    ...{ after() {}, warn() {}, flush() {} },
  } as unknown as Records;
  const view = createRunView(flow);
  const views = createRunViews(desk, flow, clock, view, records);
  const state = listen(initialState(flow));
  const exact: boolean[] = [];
  let n = 0;
  const beforeStart: string[] = [];
  const feed = (body: object): void => {
    time += ENTRY;
    const entry = { n: ++n, at: n, ...body } as Entry;
    if (entry.kind === 'attempt-started') beforeStart.push(view.stateJson());
    if (beforeStart.length > 50) beforeStart.shift();
    views.onEntries([foldAndTell(flow, state, entry)], state, {});
    if (options.reader && entry.kind === 'attempt-started') {
      views.onPerform({ kind: 'run-command', path: entry.path } as Performable);
      exact.push(files.get('state.json') === view.stateJson());
    }
  };
  const facts = {
    ...{ inputs: {}, vars: {}, workflow_hash: '', workflow_file: '' },
    skips: { steps: [], checks: false, dry_run: false },
  };
  feed({ kind: 'run-started', run: { id: 'r' }, ...facts });
  feed({ kind: 'step-opened', path: 'all', items: Array.from({ length: ITEMS }, (_, index) => index) });
  for (let index = 0; index < ITEMS; index += 1) {
    const path = `all[${index}]/one`;
    feed({ kind: 'attempt-started', path, verb: 'call', try: 1 });
    feed({ kind: 'attempt-finished', path, outcome: { ok: true, output: null, duration_ms: 1 } });
  }
  const later = (): void => {
    time += 10_000;
    timer?.();
  };
  return {
    files,
    writes,
    view,
    beforeStart,
    later,
    total: () => time,
    characters: () => characters,
    n,
    exact,
  };
}

describe('what is written at every step', () => {
  it('LS-GROW-STEPS: takes at most about half as long as the run, however many steps there are', () => {
    const { total, characters, view, n } = played({ everyStep: true, backups: false });
    const alone = n * ENTRY;
    expect(total()).toBeLessThan(2 * alone + 400);
    // Written at each of the entries, it would have come to this.
    const each = (n * view.stateJson().length) / 2;
    expect(characters()).toBeLessThan(each / 5);
  });

  it('LS-GROW-STEPS: is exact before each step while it is cheap, and a moment later in any case', () => {
    const { files, writes, view, later } = played({ everyStep: true, backups: false });
    expect(writes.slice(0, 100).filter((name) => name === 'state.json').length).toBeGreaterThanOrEqual(99);
    later();
    expect(files.get('state.json')).toBe(view.stateJson());
  });

  it('LS-GROW-STEPS: is exact before every step that can read it, however many there were', () => {
    const { exact } = played({ everyStep: true, backups: false, reader: true });
    expect(exact).toHaveLength(ITEMS);
    expect(exact).not.toContain(false);
  });

  it('LS-GROW-STEPS: backups are of what state.json was just before their step', () => {
    const { files, total, beforeStart, later, n } = played({ everyStep: false, backups: true });
    expect(total()).toBeLessThan(2 * n * ENTRY + 400);
    later();
    expect(files.get(`state.json.step_all[${ITEMS - 1}].one.bak`)).toBe(beforeStart.at(-1));
  });
});

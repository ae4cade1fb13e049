import { expect, it } from 'vitest';
import { broke, byHand } from '../../test/support/by-hand.ts';
import { seenAt } from '../../test/support/rehearsal.ts';
import { tries } from '../../test/support/tries.ts';
import {
  ask,
  call,
  doRun,
  each,
  loop,
  parallel,
  run,
  sequence,
  workflow,
} from '../../test/support/workflow.ts';
import type { Perform } from '../model/command.ts';
import type { Entry, EntryBody } from '../model/entry.ts';
import type { Step, Workflow } from '../model/workflow.ts';

function random(seed: number) {
  let s = seed >>> 0;
  const next = () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = s;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    chance: (p: number) => next() < p,
    pick: <T>(list: T[]) => list[Math.floor(next() * list.length)] as T,
    int: (n: number) => Math.floor(next() * n),
  };
}
type R = ReturnType<typeof random>;
interface Features {
  timeouts: boolean;
  enter: boolean;
  probes: boolean;
  deps: boolean;
  askLate: boolean;
  worktrees: boolean;
}

function steps(r: R, f: Features, depth: number, outer: string[], prefix: string, inFan: boolean): Step[] {
  const count = 1 + r.int(3);
  const ids = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  return ids.map((id) => oneStep(r, f, depth, inFan ? outer : [...outer, ...ids], id));
}
function fields(r: R, f: Features, targets: string[], block: boolean): Parameters<typeof run>[1] {
  const out: Record<string, unknown> = {};
  if (r.chance(0.2)) out.onFail = r.pick(['stop', 'pause', 'continue']);
  if (f.enter && r.chance(0.15)) out.enter = [doRun('e')];
  if (r.chance(0.15)) out.exit = [doRun('x')];
  if (r.chance(0.25))
    out.next = [
      {
        when: r.pick([undefined, 'status == "failed"', 'status == "done"']),
        goto: r.chance(0.8) ? r.pick([...targets, 'end']) : undefined,
        do: r.chance(0.3) ? [doRun('d')] : [],
      },
    ];
  if (r.chance(0.1)) out.done = { checks: [{ kind: 'run', command: { kind: 'argv', argv: ['c'] } }] };
  else if (r.chance(0.05)) out.done = { checks: [{ kind: 'approve', ask: 'ok?', accept: [], reject: [] }] };
  if (!block && r.chance(0.15)) out.retry = { max: 1, delay: 1, on: [] };
  if (f.timeouts && block && r.chance(0.4)) out.timeout = 5000;
  if (f.probes && r.chance(0.2))
    out.recover = r.pick([{ kind: 'pause' }, { kind: 'probe', command: { kind: 'argv', argv: ['p'] } }]);
  if (f.worktrees && r.chance(0.3)) out.workspace = 'worktree';
  if (r.chance(0.1)) out.if = r.pick(['false', 'true', 'size(files("x")) > 0']);
  return out as Parameters<typeof run>[1];
}
function oneStep(r: R, f: Features, depth: number, targets: string[], id: string): Step {
  const kind =
    depth <= 0
      ? 'leaf'
      : r.pick(
          id.startsWith('i')
            ? ['leaf', 'sequence', 'parallel', 'loop', 'each']
            : ['leaf', 'leaf', 'sequence', 'parallel', 'loop', 'each', 'call'],
        );
  const inside = (fan = false, out = targets) => steps(r, f, depth - 1, out, `${id}_`, fan);
  switch (kind) {
    case 'sequence':
      return sequence(id, inside(), fields(r, f, targets, true));
    case 'parallel':
      return parallel(id, inside(true), fields(r, f, targets, true), r.chance(0.3) ? 1 : undefined);
    case 'loop':
      return loop(
        id,
        r.pick([{ while: 'pass.number < 3' }, { until: 'pass.number == 2' }, { until: 'false' }]),
        2,
        inside(),
        fields(r, f, targets, true),
      );
    case 'each':
      return each(
        id,
        f.deps && r.chance(0.5)
          ? '[{"id":"a"},{"id":"b","dependencies":["a"]}]'
          : '[{"id":"a"},{"id":"b"},{"id":"c"}]',
        inside(),
        {
          ...fields(r, f, targets, true),
          concurrency: 1 + r.int(2),
          order: f.deps ? 'dependencies' : 'listed',
        },
      );
    case 'call':
      return call(id, 'inner', {}, fields(r, f, targets, true));
    default:
      return r.chance(0.15)
        ? ask(id, 'Well?', undefined, fields(r, f, targets, false))
        : run(id, fields(r, f, targets, false));
  }
}
function make(r: R, f: Features): Workflow {
  const inner = workflow(steps(r, f, 1, [], 'i', false), {
    name: 'inner',
    limits: { visits: 4, stopBlocks: 5 },
  });
  return workflow(steps(r, f, 3, [], 's', false), {
    workflows: { inner },
    limits: { visits: 4, stopBlocks: 5 },
  });
}

function opened(one: Extract<Perform, { kind: 'open-worktree' }>, isThere: boolean): EntryBody {
  const { path, worktree } = one;
  return isThere
    ? { kind: 'worktree-opened', path, worktree: { ...worktree, base: 'c' } }
    : { kind: 'worktree-opened', path, error: { class: 'error', message: 'no' } };
}

/** P2: the last look before work is accepted gave the digest of the question that a person approved. */
function unconfirmed(entries: Entry[]): string | undefined {
  const shown = new Map<string, string>();
  const confirmed = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'question-asked' && entry.question === 'approve') {
      shown.set(entry.path, entry.shown?.digest ?? '');
      confirmed.delete(entry.path);
    } else if (entry.kind === 'observed' && entry.seen?.moment === 'answer') {
      if (shown.get(entry.path) === entry.seen.digest) confirmed.add(entry.path);
    } else if (entry.kind === 'work-accepted' && shown.has(entry.path) && !confirmed.delete(entry.path))
      return `accepted unconfirmed: ${entry.path}`;
  }
  return undefined;
}

function play(seed: number, f: Features, crashes: boolean): string | undefined {
  const r = random(seed);
  const w = make(r, f);
  let b: ReturnType<typeof byHand> | undefined;
  try {
    b = byHand(w, { worktrees: f.worktrees });
    for (let decision = 0; decision < 1500; decision += 1) {
      const { state } = b;
      for (const [key, place] of state.ready) if (key !== place.path) return 'ready key';
      if (state.status === 'completed') {
        const left = [
          ...state.ready.keys(),
          ...state.running.keys(),
          ...state.questions.keys(),
          ...state.timers.keys(),
        ];
        return left.length > 0 ? `left behind at completion: ${left}` : unconfirmed(b.entries);
      }
      if (state.status === 'failed') {
        if (state.ending || decision > 400) return undefined;
        b.resume();
        continue;
      }
      if (state.status === 'paused') {
        if (state.questions.size === 0) {
          b.resume();
          continue;
        }
        if (r.chance(0.1)) {
          b.resume();
          continue;
        }
        const [path, q] = r.pick([...state.questions]);
        const answer =
          q.question === 'ask'
            ? 'x'
            : q.question === 'approve'
              ? r.pick(['approve', 'reject'])
              : r.pick(['again', 'accept', 'accept', 'fail']);
        b.write({ kind: 'question-answered', path, answer, by: 'me' }).resume();
        continue;
      }
      if (crashes && r.chance(0.1)) {
        b.crash();
        continue;
      }
      if (crashes && r.chance(0.05)) {
        b.write({ kind: 'end-requested', to: 'interrupted', by: 'me' });
        for (const one of [...b.commands()]) {
          b.commands().splice(b.commands().indexOf(one), 1);
          if (one.kind === 'sleep') b.write({ kind: 'retry-due', path: one.path });
          else if (one.kind === 'observe') b.write({ kind: 'observed', path: one.path, facts: [] });
          else if (one.kind === 'open-worktree') b.write(opened(one, true));
          else b.finish(one.path, { ok: false, error: { class: 'interrupted', message: 'x' } }, one.part);
        }
        b.quiet();
        if ((state.status as string) !== 'paused') return `interrupted, and ${state.status}`;
        b.resume();
        continue;
      }
      if (f.timeouts && state.timers.size > 0 && r.chance(0.1)) {
        b.write({ kind: 'time-out-reached', path: r.pick([...state.timers.keys()]) });
        if (f.askLate && state.questions.size > 0 && r.chance(0.5)) {
          const [path, q] = r.pick([...state.questions]);
          b.write({
            kind: 'question-answered',
            path,
            answer:
              q.question === 'ask'
                ? 'x'
                : q.question === 'approve'
                  ? 'approve'
                  : r.pick(['again', 'accept', 'fail']),
            by: 'me',
          });
        }
        b.quiet();
        continue;
      }
      if (state.questions.size > 0 && r.chance(0.2)) {
        const [path, q] = r.pick([...state.questions]);
        b.write({
          kind: 'question-answered',
          path,
          answer:
            q.question === 'ask'
              ? 'x'
              : q.question === 'approve'
                ? 'approve'
                : r.pick(['again', 'accept', 'fail']),
          by: 'me',
        }).quiet();
        continue;
      }
      const pending = b.commands();
      if (pending.length === 0) return `stuck: running ${[...state.running.keys()]}`;
      const one = r.pick(pending);
      if (one.kind === 'observe') {
        pending.splice(pending.indexOf(one), 1);
        b.write({
          kind: 'observed',
          path: one.path,
          facts: one.needs.map((n) => ({ ...n, value: r.chance(0.5) ? ['x'] : [] })),
          ...(one.approval && { seen: seenAt(one.approval, r.chance(0.8) ? 'same' : 'changed') }),
        }).quiet();
      } else if (one.kind === 'open-worktree') {
        pending.splice(pending.indexOf(one), 1);
        b.write(opened(one, r.chance(0.9))).quiet();
      } else if (one.kind === 'sleep') {
        pending.splice(pending.indexOf(one), 1);
        b.write({ kind: 'retry-due', path: one.path }).quiet();
      } else b.finish(one.path, r.chance(0.2) ? broke() : { output: 1 }, one.part).quiet();
    }
    return 'does not end';
  } catch (error) {
    return `throws ${(error as Error).message}`;
  }
}

const OFF: Features = {
  timeouts: false,
  enter: false,
  probes: false,
  deps: false,
  askLate: false,
  worktrees: false,
};
const cases: [string, Features, boolean][] = [
  ['plain', OFF, false],
  ['plain with crashes', OFF, true],
  ['enter', { ...OFF, enter: true }, true],
  ['probes', { ...OFF, probes: true }, true],
  ['deps', { ...OFF, deps: true }, true],
  ['timeouts', { ...OFF, timeouts: true }, true],
  [
    'everything',
    { timeouts: true, enter: true, probes: true, deps: true, askLate: true, worktrees: true },
    true,
  ],
];
for (const [name, f, crashes] of cases) {
  it(`fuzz ${name}: decide never throws, nothing is left behind`, () => {
    const found = new Map<string, number[]>();
    for (let seed = 1; seed <= Number(process.env.SEEDS ?? tries(1500, 200)); seed += 1) {
      const problem = play(seed, f, crashes);
      if (problem === undefined) continue;
      const key = problem.replace(/[a-z]?\d[\w\][#~/.]*/g, 'N').slice(0, 100);
      found.set(key, [...(found.get(key) ?? []), seed]);
    }
    expect([...found].map(([key, seeds]) => `${key} ×${seeds.length}: ${seeds.slice(0, 5)}`)).toEqual([]);
  }, 120_000);
}

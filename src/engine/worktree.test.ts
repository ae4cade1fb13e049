import { describe, expect, it } from 'vitest';
import { broke, byHand } from '../../test/support/by-hand.ts';
import { rehearse, SITE, start, story } from '../../test/support/rehearsal.ts';
import {
  call,
  doRun,
  each,
  loop,
  parallel,
  prompt,
  run,
  sequence,
  workflow,
} from '../../test/support/workflow.ts';
import type { Perform } from '../model/command.ts';
import type { Entry } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import { fold, initialState, openWorktrees } from './engine.ts';

const own = { workspace: 'worktree' } as const;
const inner = workflow([run('deep', { title: '{{ run.branch }}' })], {
  name: 'inner',
  outputs: { where: '{{ run.workspace }}' },
});

/** Where each effect happened, by its name. */
function placesOf(commands: Perform[]): Record<string, string | undefined> {
  return Object.fromEntries(
    commands.flatMap((command) =>
      command.kind === 'run-command' || command.kind === 'run-agent' || command.kind === 'observe'
        ? [[`${command.kind === 'observe' ? 'look ' : ''}${command.path}`, command.workspace?.root]]
        : [],
    ),
  );
}

describe('workspace: worktree on a step', () => {
  const passes = workflow(
    [
      each(
        'all',
        '["a", "b"]',
        [run('work', { title: '{{ run.workspace }} {{ run.branch }}' }), call('sub', 'inner')],
        {
          ...own,
          enter: [doRun('begin')],
        },
      ),
      run('after', { title: '{{ run.workspace }}' }),
    ],
    { workflows: { inner }, outputs: { all: '{{ steps.all.output }}' } },
  );

  it('every pass of each has one, announced before it is made, and all that happens in the pass happens there', () => {
    const { entries, commands, performed, state } = rehearse(passes, { worktrees: true });
    expect(performed.slice(0, 4)).toEqual([
      'all[0] (worktree)',
      'all[0].enter[0]',
      'all[0]/work',
      'all[0]/sub/deep',
    ]);
    expect(placesOf(commands)).toEqual({
      'all[0]': '/work/.worktrees/spec-all-0',
      'all[0]/work': '/work/.worktrees/spec-all-0',
      'all[0]/sub/deep': '/work/.worktrees/spec-all-0',
      'all[1]': '/work/.worktrees/spec-all-1',
      'all[1]/work': '/work/.worktrees/spec-all-1',
      'all[1]/sub/deep': '/work/.worktrees/spec-all-1',
      after: undefined,
    });
    const [opening, opened] = entries.filter((entry) => 'path' in entry && entry.path === 'all[1]');
    expect(opening).toMatchObject({
      kind: 'worktree-opening',
      worktree: { path: '/work/.worktrees/spec-all-1', branch: 'lockstep/spec/r1-all-1' },
    });
    expect(opened).toMatchObject({ kind: 'worktree-opened' });
    expect(titles(entries)).toEqual([
      '/work/.worktrees/spec-all-0 lockstep/spec/r1-all-0',
      'lockstep/spec/r1-all-0',
      '/work/.worktrees/spec-all-1 lockstep/spec/r1-all-1',
      'lockstep/spec/r1-all-1',
      '/work',
    ]);
    expect(state.outputs.all).toEqual([
      {
        item: 'a',
        status: 'done',
        output: { where: '/work/.worktrees/spec-all-0' },
        branch: 'lockstep/spec/r1-all-0',
      },
      {
        item: 'b',
        status: 'done',
        output: { where: '/work/.worktrees/spec-all-1' },
        branch: 'lockstep/spec/r1-all-1',
      },
    ]);
  });

  it('changed() in it counts from where it began, and its condition is looked at outside', () => {
    const { commands } = rehearse(
      workflow([run('own', { ...own, if: 'size(files("outside")) == 0', title: '{{ changed("inside") }}' })]),
      { worktrees: true },
    );
    const looks = commands.filter((command) => command.kind === 'observe');
    expect(looks.map(({ needs, workspace }) => [needs[0]?.pattern, workspace])).toEqual([
      ['outside', undefined],
      ['inside', { root: '/work/.worktrees/spec-own', since: 'c'.repeat(40) }],
    ]);
  });

  it('one inside another starts from that one', () => {
    const { commands } = rehearse(
      workflow([each('outer', '[1]', [each('in', '[1]', [run('work')], own)], own)]),
      { worktrees: true },
    );
    const openings = commands.filter((command) => command.kind === 'open-worktree');
    expect(openings.map(({ from, worktree }) => [from, worktree.branch])).toEqual([
      ['/work', 'lockstep/spec/r1-outer-0'],
      ['/work/.worktrees/spec-outer-0', 'lockstep/spec/r1-outer.0+in-0'],
    ]);
  });

  it('WT1: no two places have one name, and all are fit for a branch', () => {
    const steps = (depth: number) => [
      run('a-0', own),
      each('a', '[1, 2]', [run('w')], { ...own, next: [{ when: 'steps.a.tries == 0', goto: 'a' }] }),
      sequence(
        'b',
        depth === 0 ? [run('c', own)] : [each('b', '[1]', [run('b', own), run('b-0', own)], own)],
      ),
      loop('l', { until: 'pass.number == 2' }, 2, [
        run('c', own),
        parallel('p', [run('x', own), run('x-1', own)]),
      ]),
    ];
    const twice = workflow(
      [...steps(1), run('j', { next: [{ when: 'default(steps.j.tries, 0) == 0', goto: 'a' }] })],
      {
        limits: { visits: 2, stopBlocks: 1 },
      },
    );
    const { commands } = rehearse(twice, { worktrees: true });
    const openings = commands.filter((command) => command.kind === 'open-worktree');
    const branches = openings.map(({ worktree }) => worktree.branch);
    expect(new Set(branches).size).toBe(branches.length);
    expect(new Set(openings.map(({ path }) => path)).size).toBe(branches.length);
    for (const branch of branches)
      expect(branch).toMatch(/^lockstep\/spec\/r1-[A-Za-z0-9_+-]+(\.[a-z]?[0-9]*[A-Za-z0-9_+-]*)*$/);
    for (const branch of branches) expect(branch).not.toMatch(/\.\.|\.$|\.lock$|\/\./);
  });

  it('agents in a worktree each do not run beside others in one workspace (rule 6)', () => {
    const { commands } = rehearse(
      workflow([
        each('own', '[1, 2]', [prompt('p')], { ...own, concurrency: 2 }),
        each('shared', '[1, 2]', [prompt('p'), sequence('s', [prompt('q')], own)], { concurrency: 2 }),
      ]),
      { worktrees: true },
    );
    const agents = commands.filter((command) => command.kind === 'run-agent');
    expect(Object.fromEntries(agents.map(({ path, concurrent }) => [path, concurrent]))).toEqual({
      'own[0]/p': false,
      'own[1]/p': false,
      'shared[0]/p': true,
      'shared[1]/p': true,
      'shared[0]/s/q': false,
      'shared[1]/s/q': false,
    });
  });
});

describe('where none can be made', () => {
  it('it works where the run does, and what asked for one takes turns (rule 6)', () => {
    const b = byHand(
      workflow(
        [
          parallel('two', [run('x', own), run('y', own)]),
          each('all', '[1, 2]', [run('w')], { ...own, concurrency: 2 }),
          parallel('free', [run('f'), run('g')]),
        ],
        { outputs: { all: '{{ steps.all.output }}' } },
      ),
    );
    const turns: string[][] = [];
    while (b.pending().length > 0) {
      turns.push(b.pending());
      expect(
        b.commands().every((command) => !('workspace' in command) || command.workspace === undefined),
      ).toBe(true);
      b.finish(b.pending()[0] as string).quiet();
    }
    expect(turns).toEqual([
      ['two/x'],
      ['two/y'],
      ['all[0]/w'],
      ['all[1]/w'],
      ['free/f', 'free/g'],
      ['free/g'],
    ]);
    expect((b.state.outputs.all as { branch: Json }[]).map(({ branch }) => branch)).toEqual(['', '']);
  });

  it('a step whose worktree could not be made fails with the reason, its exit is not run, and a resume asks again', () => {
    const b = byHand(workflow([run('x', { ...own, exit: [doRun('tidy')] })]), { worktrees: true });
    expect(b.pending()).toEqual(['x']);
    b.commands().length = 0;
    b.write({ kind: 'worktree-opened', path: 'x', error: { class: 'error', message: 'disk full' } }).quiet();
    expect(b.state.status).toBe('failed');
    expect(b.state.error).toMatchObject({ message: 'disk full' });
    b.resume();
    expect(b.commands().map(({ kind }) => kind)).toEqual(['open-worktree']);
  });
});

describe('crash and resume', () => {
  const two = workflow([each('all', '[1, 2]', [run('a'), run('b')], own), run('last')]);

  it('E4: cut after any entry, the same worktrees are used, each made once more at most, and no step runs twice', () => {
    const whole = rehearse(two, { worktrees: true });
    for (let cut = 1; cut < whole.entries.length; cut += 1) {
      const kept = whole.entries.slice(0, cut);
      const again = rehearse(two, { worktrees: true }, kept);
      expect(again.state.status, `cut after ${cut}`).toBe('completed');
      const places = placesOf([...whole.commands, ...again.commands]);
      for (const [path, root] of Object.entries(placesOf(again.commands))) expect(root).toBe(places[path]);
      const finished = kept.flatMap((entry) => (entry.kind === 'attempt-finished' ? [entry.path] : []));
      for (const path of finished) expect(again.performed).not.toContain(path);
      const opened = kept.flatMap((entry) => (entry.kind === 'worktree-opened' ? [entry.path] : []));
      for (const path of opened) expect(again.performed).not.toContain(`${path} (worktree)`);
    }
  });

  it('E4: a crash while it was made is on record, and it is made again', () => {
    const whole = rehearse(two, { worktrees: true });
    const at = whole.entries.findIndex(({ kind }) => kind === 'worktree-opening');
    const again = rehearse(two, { worktrees: true }, whole.entries.slice(0, at + 1));
    expect(story(again).slice(at + 1, at + 5)).toEqual([
      'run-resumed',
      'attempt-in-doubt all[0]',
      'worktree-opening all[0]',
      'worktree-opened all[0]',
    ]);
  });

  it('a failed pass that runs again has the worktree it had', () => {
    const b = byHand(two, { worktrees: true });
    const open = () => {
      const [command] = b.commands();
      if (command?.kind !== 'open-worktree') throw new Error('no worktree is asked for');
      b.commands().length = 0;
      b.write({
        kind: 'worktree-opened',
        path: command.path,
        worktree: { ...command.worktree, base: 'c' },
      }).quiet();
    };
    open();
    b.finish('all[0]/a', broke()).quiet();
    expect(b.state.status).toBe('failed');
    expect(openWorktrees(b.state)).toEqual([
      { step: 'all[0]', worktree: { path: `${SITE.path}-all-0`, branch: `${SITE.branch}-all-0`, base: 'c' } },
    ]);
    b.resume();
    expect(b.commands()).toMatchObject([
      { kind: 'run-command', path: 'all[0]/a', workspace: { root: `${SITE.path}-all-0` } },
    ]);
  });

  it('one that is being made when its block is left is let finish, and not worked in', () => {
    const b = byHand(
      workflow([parallel('p', [run('jump', { next: [{ goto: 'end' }] }), sequence('s', [run('w')], own)])]),
      { worktrees: true },
    );
    b.finish('p/jump').quiet();
    expect(b.state.status).toBe('completed');
    expect(b.entries.filter(({ kind }) => kind === 'attempt-started')).toHaveLength(1);
  });
});

it('openWorktrees: of steps that are over there are none', () => {
  const done = rehearse(workflow([each('all', '[1]', [run('a')], own)]), { worktrees: true });
  expect(openWorktrees(done.state)).toEqual([]);
  const state = initialState(workflow([run('x')]));
  fold(workflow([run('x')]), state, { n: 1, at: 1, ...start(workflow([run('x')])) } as Entry);
  expect(openWorktrees(state)).toEqual([]);
});

function titles(entries: Entry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'attempt-started' && entry.title !== undefined ? [entry.title] : [],
  );
}

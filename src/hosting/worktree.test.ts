import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../test/support/drive.ts';
import { each, prompt, type run, step, workflow } from '../../test/support/workflow.ts';
import type { Entry, EntryBody } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { Step } from '../model/workflow.ts';
import { newWorkspace, placeOf } from './moved.ts';
import { homeOf } from './worktree.ts';

let stage: Drive;
beforeEach(() => {
  stage = drive({ git: true, environment: IDENTITY });
});
afterEach(() => stage.remove());

const IDENTITY = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};
const sh = (id: string, line: string, fields?: Parameters<typeof run>[1]): Step =>
  step(id, { kind: 'run', command: { kind: 'shell', line } }, fields);
const git = (...args: string[]) => execFileSync('git', args, { cwd: stage.root, encoding: 'utf8' }).trim();
const startOf = (entries: Entry[]) => entries[0] as Extract<EntryBody, { kind: 'run-started' }>;
const of = <K extends Entry['kind']>(entries: Entry[], kind: K) =>
  entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
const own = { workspace: 'worktree', name: 'flow' } as const;

describe('a run in a worktree', () => {
  it('WR47-FR-8.1: has a branch and a path of its own, on record before they are made', async () => {
    const flow = workflow([sh('a', 'pwd; git branch --show-current')], {
      ...own,
      outputs: { said: '{{ steps.a.output }}', workspace: '{{ run.workspace }}', branch: '{{ run.branch }}' },
    });
    const end = await stage.start(flow);
    const path = join(stage.root, '.worktrees/flow');
    const branch = `lockstep/flow/${end.id}`;
    expect(end.state.outputs).toEqual({ said: `${path}\n${branch}`, workspace: path, branch });
    const entries = stage.entries(end.id);
    expect(startOf(entries)).toMatchObject({
      run: { workspace: path, branch },
      worktree: { path, branch, base: git('rev-parse', 'HEAD') },
    });
    expect(entries.slice(1, 3).map(({ kind }) => kind)).toEqual(['worktree-prepared', 'attempt-started']);
    expect(git('branch', '--show-current')).toBe('main');
    expect(end.view.stateJson()).toContain(`"branch":"${branch}"`);
  });

  it('WR47-FR-8.1: a path that is taken has a number; the branch is told apart by the run', async () => {
    const ends = [
      await stage.start(workflow([sh('a', 'true')], own)),
      await stage.start(workflow([sh('a', 'true')], own)),
    ];
    expect(ends.map(({ state }) => state.run.workspace)).toEqual([
      join(stage.root, '.worktrees/flow'),
      join(stage.root, '.worktrees/flow-2'),
    ]);
    expect(ends.map(({ state }) => state.run.branch)).toEqual(ends.map(({ id }) => `lockstep/flow/${id}`));
  });

  it('WR47-FR-8.1: where there is no repository it works in place, with a warning on record', async () => {
    const plain = drive();
    try {
      const warned: string[] = [];
      const end = await plain.start(
        workflow([sh('a', 'pwd')], { ...own, outputs: { where: '{{ steps.a.output }}' } }),
        {
          observer: { warned: (message) => warned.push(message) },
        },
      );
      expect(end.state.outputs).toEqual({ where: plain.root });
      const warning = expect.stringContaining('is not in a git repository. The run works in place');
      expect(startOf(plain.entries(end.id)).warnings).toEqual([warning]);
      expect(warned).toEqual([warning]);
      expect(end.view.summary().notes.warnings.kept).toEqual([{ message: warning }]);
      expect(startOf(plain.entries(end.id)).worktree).toBeUndefined();
    } finally {
      plain.remove();
    }
  });

  it('WR47-FR-8.2: agents, commands, checks and files are all there, and changed() counts from where it began', async () => {
    writeFileSync(join(stage.root, 'only-here'), '');
    const flow = workflow(
      [
        prompt('write', {
          done: { checks: [{ kind: 'run', command: { kind: 'argv', argv: ['test', '-f', 'new'] } }] },
        }),
        sh('look', 'echo {{ changed("**") }}; echo {{ files("*") }}', { saveTo: 'saved' }),
        step('copy', { kind: 'call', handler: 'write-file', with: { path: 'written', content: 'x' } }),
      ],
      { ...own, outputs: { looked: '{{ steps.look.output }}' } },
    );
    const script = { answers: { write: [{ write: { new: 'x' }, commit: 'implement: new', text: 'done' }] } };
    const end = await stage.start(flow, { script: script as never });
    expect(end.exitCode).toBe(0);
    expect(end.state.outputs.looked).toBe('["new"]\n["new"]');
    expect(readdirSync(end.state.run.workspace).sort()).toEqual(['.git', 'new', 'saved', 'written']);
    expect(end.report.filesChanged).toEqual(['new', 'saved', 'written']);
    expect(git('log', '--format=%s', end.state.run.branch)).toBe('implement: new\nstart');
    expect(readdirSync(stage.root).sort()).toEqual(['.git', '.worktrees', 'only-here']);
    expect(startOf(stage.entries(end.id)).warnings).toEqual([expect.stringContaining('only-here')]);
  });

  it('LS-RPT-BEFORE: what was changed before a run in place began is not among the files it changed', async () => {
    for (const name of ['left', 'touched']) writeFileSync(join(stage.root, name), 'before');
    const flow = workflow([
      sh('a', 'echo x >> touched; echo x > new; mkdir -p .lockstep/issues; echo x > .lockstep/issues/1.md'),
    ]);
    const end = await stage.start(flow);
    expect(end.report.filesChanged).toEqual(['new', 'touched']);
  });

  it('WR47-FR-8.4: the audit, the log and the summary say where', async () => {
    const end = await stage.start(workflow([sh('a', 'true')], own));
    const { path, branch } = startOf(stage.entries(end.id)).worktree ?? { path: '', branch: '' };
    expect(end.view.summary().worktree).toMatchObject({ path, branch });
    const log = Buffer.from(stage.store.read(end.id).readLog('orchestrator.log', 0) ?? []).toString();
    expect(log).toContain(`in the worktree ${path} on ${branch}`);
  });

  it('WR47-FR-8.6: it stays when the run has ended, well or not', async () => {
    for (const [line, status] of [
      ['true', 'completed'],
      ['false', 'failed'],
    ] as const) {
      const end = await stage.start(workflow([sh('a', line)], own));
      expect(end.state.status).toBe(status);
      expect(existsSync(join(end.state.run.workspace, '.git'))).toBe(true);
    }
  });

  it('another prefix for branches', async () => {
    const flow = workflow([sh('a', 'true')], own);
    const end = await stage.start({ ...flow, policy: { ...flow.policy, branchPrefix: 'wrangler' } });
    expect(end.state.run.branch).toBe(`wrangler/flow/${end.id}`);
  });

  it('a dry run makes neither worktree nor branch', async () => {
    const end = await stage.start(workflow([sh('a', 'pwd', { dryRun: true })], own), {
      skips: { steps: [], checks: false, dry_run: true },
    });
    expect(end.state.run.workspace).toBe(stage.root);
    expect(existsSync(join(stage.root, '.worktrees'))).toBe(false);
  });

  it('a run that is not made gives its place back', async () => {
    const broken = {
      ...stage.hosting,
      store: {
        ...stage.store,
        create: () => {
          throw new Fault('disk-full', 'full');
        },
      },
    };
    const { startRun } = await import('../drivers/run/run.ts');
    const request = {
      ...{
        workflow: workflow([sh('a', 'true')], own),
        workflowFile: 'w.yaml',
        workspace: stage.root,
        inputs: {},
        vars: {},
      },
      skips: { steps: [], checks: false, dry_run: false },
    };
    await expect(startRun(broken, request, {})).rejects.toMatchObject({ code: 'disk-full' });
    expect(readdirSync(join(stage.root, '.worktrees'))).toEqual(['.gitignore']);
  });
});

it('LS-WT-MOVED: a run in a worktree lies where it was started, and is told from one that was moved', () => {
  const start = {
    run: { id: 'x', root: '/p/.lockstep/runs/x', started: '', branch: 'b', workspace: '/p/.worktrees/s/app' },
    worktree: { path: '/p/.worktrees/s', branch: 'b', base: 'c' },
    worktrees: { project: '/p', path: '/p/.worktrees/s', branch: 'b', inside: 'app' },
  } as Extract<EntryBody, { kind: 'run-started' }>;
  expect(homeOf(start)).toBe('/p/app');
  const top = { ...start, worktrees: { ...start.worktrees, inside: undefined } } as typeof start;
  expect(placeOf(top)).toEqual({ workspace: '/p', root: '.lockstep/runs/x' });
  expect(newWorkspace(placeOf(top), '/p/.lockstep/runs/x')).toBeUndefined();
  expect(newWorkspace(placeOf(top), '/q/.lockstep/runs/x')).toBe('/q');
});

describe('crash and resume', () => {
  const flow = workflow(
    [sh('a', 'echo a >> done; git add .; git commit -qm a'), sh('b', 'test -f go && cat done')],
    {
      ...own,
      outputs: { said: '{{ steps.b.output }}' },
    },
  );
  const ensure = (hosting: Drive['hosting']) => hosting.worktrees as NonNullable<typeof hosting.worktrees>;

  it('LS-WT-CRASH: DW1: killed before the worktree was made, a resume makes it', async () => {
    const { worktrees } = stage.hosting;
    stage.hosting.worktrees = {
      ...ensure(stage.hosting),
      ensure: async () => {
        throw new Fault('worktree-failed', 'killed');
      },
    };
    const failed = await stage.start(workflow([sh('a', 'pwd')], own)).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'worktree-failed', hint: `The run: ${stage.store.list()[0]}` });
    stage.hosting.worktrees = worktrees;
    const [id] = stage.store.list() as [string];
    expect(stage.entries(id).map(({ kind }) => kind)).toEqual(['run-started']);
    const end = await stage.resume(id);
    expect(end.state.status).toBe('completed');
    expect(of(stage.entries(id), 'worktree-prepared').map(({ how }) => how)).toEqual(['made']);
  });

  it('LS-WT-PUT-BACK: E4: removed by somebody, it is put back from its branch, and no finished step runs twice', async () => {
    const first = await stage.start(flow);
    expect(first.state.status).toBe('failed');
    const { path, branch } = startOf(stage.entries(first.id)).worktree ?? { path: '', branch: '' };
    rmSync(path, { recursive: true });
    git('branch', 'other', branch);
    const again = await stage.resume(first.id).catch((error: unknown) => error);
    expect(again).toMatchObject({ state: { status: 'failed' } });
    writeFileSync(join(path, 'go'), '');
    const end = await stage.resume(first.id);
    expect(end.state.outputs).toEqual({ said: 'a' });
    expect(of(stage.entries(first.id), 'worktree-prepared').map(({ how }) => how)).toEqual([
      'made',
      'put-back',
    ]);
  });

  it('LS-WT-LOST: without its branch the run says so, and is as it was', async () => {
    const first = await stage.start(flow);
    const { path, branch } = startOf(stage.entries(first.id)).worktree ?? { path: '', branch: '' };
    const before = stage.entries(first.id).length;
    git('worktree', 'remove', '--force', path);
    const tip = git('rev-parse', branch);
    git('branch', '-q', '-D', branch);
    await expect(stage.resume(first.id)).rejects.toMatchObject({ code: 'worktree-lost' });
    expect(stage.entries(first.id)).toHaveLength(before);
    git('branch', branch, tip);
    expect((await stage.resume(first.id)).state.status).toBe('failed');
  });

  it('LS-WT-EACH: a pass that goes on has its worktree back, too', async () => {
    const passes = workflow(
      [
        each(
          'all',
          '["x", "y"]',
          [sh('a', 'echo {{ item }} > out; git add .; git commit -qm a'), sh('b', 'test -f ../go')],
          own,
        ),
      ],
      { name: 'passes', outputs: { all: '{{ steps.all.output }}' } },
    );
    const first = await stage.start(passes);
    expect(first.state.status).toBe('failed');
    const worktree = of(stage.entries(first.id), 'worktree-opened')[0]?.worktree;
    rmSync(worktree?.path ?? '', { recursive: true });
    writeFileSync(join(stage.root, '.worktrees/go'), '');
    const end = await stage.resume(first.id);
    expect(end.state.status).toBe('completed');
    expect(of(stage.entries(first.id), 'worktree-prepared')).toMatchObject([
      { step: 'all[0]', how: 'put-back' },
    ]);
    expect(readFileSync(join(worktree?.path ?? '', 'out'), 'utf8')).toBe('x\n');
    const branches = (end.state.outputs.all as { branch: string }[]).map(({ branch }) => branch);
    expect(branches).toEqual([0, 1].map((index) => `lockstep/passes/${first.id}-all-${index}`));
    expect(git('branch', '--show-current')).toBe('main');
  });
});

describe('each with a worktree per pass', () => {
  it('LS-WT-EACH: agents write at the same time, each on its own branch, from what the run had committed', async () => {
    const flow = workflow(
      [
        sh('before', 'echo base > base; git add .; git commit -qm base'),
        each('all', '["x", "y", "z"]', [prompt('write')], { workspace: 'worktree', concurrency: 3 }),
        sh('after', 'ls'),
      ],
      { ...own, outputs: { all: '{{ steps.all.output }}', after: '{{ steps.after.output }}' } },
    );
    const answers = Object.fromEntries(
      ['x', 'y', 'z'].map((name, index) => [
        `all[${index}]/write`,
        [{ write: { shared: name }, commit: `implement: ${name}`, text: 'ok' }],
      ]),
    );
    const end = await stage.start(flow, { script: { answers } as never });
    expect(end.state.error).toBeUndefined();
    const passes = end.state.outputs.all as { item: string; branch: string }[];
    for (const { item, branch } of passes) {
      expect(git('log', '--format=%s', branch)).toBe(`implement: ${item}\nbase\nstart`);
      expect(git('show', `${branch}:shared`)).toBe(item);
    }
    expect(end.state.outputs.after).toBe('base');
    expect(end.view.summary().notes.worktrees.count).toBe(3);
    const { branches } = end.report;
    expect(
      branches.map(({ path, branch, commits }) => [path, branch, commits?.map((one) => one.subject)]),
    ).toEqual(passes.map(({ item, branch }, index) => [`all[${index}]`, branch, [`implement: ${item}`]]));
  });
});

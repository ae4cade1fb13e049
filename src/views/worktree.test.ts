// What every view says of worktrees, from one journal.

import { describe, expect, it } from 'vitest';
import { rehearse, SITE } from '../../test/support/rehearsal.ts';
import { each, run, workflow } from '../../test/support/workflow.ts';
import { eventLine } from '../cli/screen/event-line.ts';
import type { Entry, EntryBody } from '../model/entry.ts';
import { auditRun } from './audit.ts';
import { logLines } from './log-lines.ts';
import { createOutline, record } from './outline.ts';
import { renderReport } from './render-report.ts';
import { renderSummary } from './render-summary.ts';
import { wayOn } from './report.ts';
import { createRunView } from './run-view.ts';
import { createStateJson, recordState, renderStateJson } from './state-json.ts';
import { summarize } from './summary.ts';
import { symbols } from './text/symbols.ts';

const flow = workflow([each('all', '["x"]', [run('a')], { workspace: 'worktree' })], {
  workspace: 'worktree',
});
const own = { path: '/work/.worktrees/spec', branch: 'lockstep/spec/r1', base: 'b'.repeat(40) };

/** Of a run in a worktree that was put back once, with a pass that has one too. */
function journal(): Entry[] {
  const [start, ...rest] = rehearse(flow, {
    worktrees: true,
    replies: { 'all[0]/a': { outcome: { invocation: { env_count: 1 } } } },
  }).entries as [Entry, ...Entry[]];
  const put: EntryBody = {
    kind: 'worktree-prepared',
    worktree: own,
    how: 'put-back',
    warnings: ['no submodule'],
  };
  const entries = [{ ...start, worktree: own, warnings: ['left: a.txt'] }, put, ...rest];
  return entries.map((entry, index) =>
    entry.kind === 'worktree-opened'
      ? { ...entry, warnings: ['no sub'], n: index + 1, at: index }
      : ({ ...entry, n: index + 1, at: index } as Entry),
  );
}

const entries = journal();
const pass = { path: `${SITE.path}-all-0`, branch: `${SITE.branch}-all-0` };

function told() {
  const outline = createOutline(flow);
  const state = createStateJson(outline);
  const lines: string[] = [];
  const events: string[] = [];
  for (const entry of entries) {
    const change = record(outline, entry);
    recordState(state, change);
    for (const { level, path, message } of logLines(outline, change, 'info'))
      lines.push(`${level} ${path}: ${message}`);
    const event = eventLine(outline, change, symbols(true));
    if (event) events.push(event.line.map(({ text }) => text).join(''));
  }
  return { outline, lines, events, state: JSON.parse(renderStateJson(state).join('')) };
}

describe('worktrees in the views', () => {
  it('WR47-FR-8.4: the audit says where the run works, and what a person should know', () => {
    const said = auditRun(flow, entries).map(({ text, details }) => [text, ...details].join(' | '));
    expect(said[0]).toContain(
      `works in the worktree ${own.path}, on branch ${own.branch}, from commit bbbbbbbbbbbb`,
    );
    expect(said[0]).toContain('warning: left: a.txt');
    expect(said[1]).toBe(
      `The worktree of the run had gone and was put back: ${own.path}, on branch ${own.branch}. | warning: no submodule`,
    );
    expect(said).toContain(
      `all[0] works in a worktree of its own: ${pass.path}, on branch ${pass.branch}. | warning: no sub`,
    );
  });

  it('so do the log and the lines of a live run', () => {
    const { lines, events } = told();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^info : run r1 started.*, in the worktree \/work\/\.worktrees\/spec on lockstep\/spec\/r1$/,
        ),
        'warn : left: a.txt',
        `warn : the worktree had gone and was put back: ${own.path}, on ${own.branch}`,
        'warn : no submodule',
        `info all[0]: works in a worktree of its own: ${pass.path}, on branch ${pass.branch}`,
        'warn all[0]: no sub',
      ]),
    );
    expect(events).toContainEqual(expect.stringContaining('the worktree had gone and was put back'));
    expect(events).toContainEqual(expect.stringContaining(`in a worktree of its own, on ${pass.branch}`));
  });

  it('the summary has branch, worktree, branches of passes and warnings, each path whole', () => {
    const text = renderSummary(summarize(told().outline), { width: 60, color: false, unicode: true });
    expect(text).toContain(`Branch    ${own.branch}\n`);
    expect(text).toContain(`Worktree  ${own.path}\n`);
    expect(text).toContain(`Branches  ${pass.branch} (x, all[0])`);
    expect(text).toMatch(/Warnings {2}left: a\.txt\n +no submodule\n +all\[0\]: no sub/);
  });

  it('the branches of passes have their commits, and the ways on to look at them', () => {
    const base = 'c'.repeat(40);
    const commits = [{ id: 'd'.repeat(40), subject: 'Make it small' }];
    const made = { path: 'all[0]', branch: pass.branch, worktree: pass.path, base, commits };
    const next = wayOn({ run: 'r1', status: 'completed', branches: [made] });
    expect(next.map(({ command }) => command)).toEqual([
      `git diff cccccccccccc ${pass.branch}`,
      'lockstep worktree remove r1',
    ]);
    const summary = summarize(told().outline, { branches: [made], filesChanged: [], next });
    const text = renderSummary(summary, { width: 100, color: false, unicode: true });
    expect(text).toContain(`Branches  ${pass.branch} (x, all[0]), 1 commit\n`);
    expect(text).toContain('Changed   no files where the run works; see its branches\n');
    expect(text).toContain('# look at what all[0] made');
    const empty = wayOn({ run: 'r1', status: 'completed', branches: [{ ...made, commits: [] }] });
    expect(empty.map(({ command }) => command)).toEqual(['lockstep worktree remove r1']);
    expect(wayOn({ run: 'r1', status: 'failed', branches: [made] })).toEqual([]);
    const view = createRunView(flow);
    for (const entry of entries) view.record(entry);
    const report = view.report({ branches: new Map([[pass.branch, commits]]) });
    expect(report.branches).toEqual([made]);
    expect(renderReport(report)).toContain(
      `\`${pass.branch}\` in \`${pass.path}\`: 1 commit (Make it small)`,
    );
  });

  it('state.json has them as data, and the folder that a step really ran in', () => {
    const { state } = told();
    expect(state.lockstep.worktree).toEqual(own);
    expect(state.steps.all[0].a.debug.cwd).toBe(pass.path);
    expect(state.lockstep.worktrees).toEqual([{ step: 'all[0]', ...pass, base: 'c'.repeat(40) }]);
    expect(state.lockstep.warnings).toEqual([
      { path: null, message: 'left: a.txt' },
      { path: null, message: 'no submodule' },
      { path: 'all[0]', message: 'no sub' },
    ]);
  });
});

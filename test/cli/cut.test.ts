// What is too long to be kept whole, with the built command: said everywhere, and never worked on as if it were all.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

let project: Scratch;
afterEach(() => project.remove());

const flow = (capture: string, list = 'steps.list.output') => `lockstep: 1
name: flow
steps:
  - { id: list, run: 'seq 1 150000', capture: ${capture} }
  - id: all
    each: line in ${list}
    steps: [{ id: touch, if: 'line == "1"', run: 'echo {{ line }} >> ran' }]
`;
const document = (name: string) =>
  readFileSync(join(project.root, '.lockstep/runs/latest', name), 'utf8').replace(/\s+/g, ' ');
const everywhere = () => ({
  audit: project.lockstep('audit').stdout.replace(/\s+/g, ' '),
  report: document('report.md'),
  log: document('logs/orchestrator.log'),
});
const CUT = 'its output was cut: 588,895 of 938,895 bytes were kept';

describe('an `each` over 150,000 lines', () => {
  it('SEC-CUT-EACH: fails where 100,000 were kept, starts nothing, and every view says what was cut', () => {
    project = projectWith({ 'flow.yaml': flow('lines') });
    const ended = project.lockstep('run', 'flow.yaml');
    expect(ended.exitCode).toBe(1);
    const screen = ended.stdout.replace(/\s+/g, ' ');
    expect(screen).toContain('would go over a part of its list only');
    expect(screen).toContain(CUT);
    expect(project.sh('cat ran').exitCode).not.toBe(0);
    const failure = journal(project).find(({ kind }) => kind === 'step-failed') as unknown as {
      error: { class: string; hint: string };
    };
    expect(failure.error).toMatchObject({ class: 'output', hint: expect.stringContaining('capture.limit') });
    for (const [name, text] of Object.entries(everywhere())) expect(text, name).toContain(CUT);
    expect(everywhere().report).not.toContain('Nothing: every step that was reached was executed');
  });

  it('SEC-CUT-CHOSEN: with a limit of the author it goes on, with a mark in every view', () => {
    project = projectWith({ 'flow.yaml': flow('{ as: lines, limit: 3 }') });
    const ended = project.lockstep('run', 'flow.yaml');
    expect(ended.exitCode).toBe(0);
    expect(project.sh('cat ran').stdout).toBe('1\n');
    const part = 'it goes over a part of its list only, which comes from the output of "list"';
    for (const [name, text] of Object.entries({
      ...everywhere(),
      screen: ended.stdout.replace(/\s+/g, ' '),
    })) {
      expect(text, name).toContain('6 of 938,895 bytes were kept, as its `capture.limit` says');
      expect(text, name).toContain(part);
    }
  });

  it('a limit that is high enough cuts nothing', () => {
    project = projectWith({
      'flow.yaml': flow('{ as: lines, limit: 200000 }', 'steps.list.output.filter(l, size(l) == 1)'),
    });
    expect(project.lockstep('run', 'flow.yaml').exitCode).toBe(0);
    const { report, audit } = everywhere();
    for (const text of [report, audit]) expect(text).not.toContain('bytes were kept');
  });
});

describe('SEC-CUT-SHOWN: other decisions on a part of an output', () => {
  it('are marked, and JSON that was cut is no JSON', () => {
    project = projectWith({
      'flow.yaml': `lockstep: 1
name: flow
on_fail: continue
steps:
  - { id: long, run: 'seq 1 300000' }
  - { id: decide, if: '!steps.long.output.contains("150000\\n")', run: 'echo not there' }
  - { id: json, run: 'printf "[1"; seq -f ",%g" 1 3000000; printf "]"', capture: json }
`,
    });
    project.lockstep('run', 'flow.yaml');
    const { audit, report, log } = everywhere();
    for (const text of [audit, report, log]) {
      expect(text).toContain('its output was cut: 1,048,576 of 1,988,895 bytes were kept');
      expect(text).toContain('it was given a part of the output of "long"');
    }
    expect(audit).toContain('more than the 10485760 that are read as JSON');
  });
});

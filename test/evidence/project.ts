// project: a repository with tests that pass, and work that is done on it, honest or not.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestEvidence } from '../../src/model/evidence.ts';
import { type Scratch, scratch } from '../scratch.ts';

export interface Worked {
  exitCode: number | null;
  evidence: TestEvidence;
  stdout: string;
  stderr: string;
}

export interface TestProject extends Scratch {
  /** Shell lines are the work; then the tests are looked at. */
  work(lines: string, tests?: string, ...argv: string[]): Worked;
}

export function testProject(files: Record<string, string>): TestProject {
  const project = scratch({ git: true });
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  project.sh('git add -A && git commit -qm base');
  return {
    ...project,
    work(lines, tests = '{ run: npm test, final: true }', ...argv) {
      project.write('.lockstep/work.sh', `set -e\n${lines}\ngit add -A && git commit -qm work\n`);
      project.write(
        '.lockstep/work.yaml',
        `lockstep: 1\nname: work\nsteps:\n  - id: work\n    run: [sh, .lockstep/work.sh]\n    done:\n      tests: ${tests}\n    on_fail: stop\n`,
      );
      const { exitCode, stdout, stderr } = project.lockstep('run', '.lockstep/work.yaml', ...argv);
      const evidence = evidenceOf(project);
      if (evidence === undefined) throw new Error(`no look at the tests: ${stdout}${stderr}`);
      return { exitCode, stdout, stderr, evidence };
    },
  };
}

/** Of the last look at the tests in the latest run. */
function evidenceOf(project: Scratch, run = 'latest'): TestEvidence {
  const lines = readFileSync(join(project.root, `.lockstep/runs/${run}/journal.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const ended = lines
    .map((line) => JSON.parse(line) as { kind: string; part?: string; outcome?: { output: unknown } })
    .filter(({ kind, part }) => kind === 'attempt-finished' && part?.startsWith('done'))
    .map(({ outcome }) => outcome?.output)
    .filter((output) => typeof output === 'object' && output !== null && 'findings' in output);
  return ended.at(-1) as TestEvidence;
}

export function abouts({ findings }: TestEvidence, ...kinds: string[]): string[] {
  return findings.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).map(({ about }) => about);
}

// testing: tests of workflows. Files in, results out, case by case.
// Owns: playing a case in a scratch project with scripted answers and planned faults, and judging what came of it.
// Never: prints, starts a client of whoever runs the tests, touches the project that the tests are in.
// X1. A case is played by the same driver, runtime, store and workspace as a run; only what the test names goes wrong.
// X2. A crash leaves what a SIGKILL leaves (crash-store.ts), and is followed by a resume as of another process.
// X3. A mistake in the test (a fault that never happens, a reply nobody asked for) fails the case: a test that cannot
//     fail proves nothing.
// X4. What a failed case leaves is kept; the rest is removed.

import { dirname } from 'node:path';
import { compileWorkflowTest } from '../compile/workflow-test.ts';
import { loadWorkflow } from '../drivers/run/load.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { Fault } from '../model/fault.ts';
import type { LoadedFile } from '../model/library.ts';
import type { Workflow } from '../model/workflow.ts';
import type { PlannedFault, TestCase, WorkflowTests } from '../model/workflow-test.ts';
import { compareEnds, type End } from './compare-ends.ts';
import { judge, type Mismatch } from './judge.ts';
import { unknownSteps } from './known-steps.ts';
import { type Played, play } from './play.ts';
import { remainsOf } from './remains.ts';
import { copyOf, type ScratchProject, scratchProject } from './scratch-project.ts';
import type { TestMeans } from './test-means.ts';

export interface TestFile {
  /** As shown to people. */
  path: string;
  /** Absolute. */
  id: string;
  text: string;
}

export interface CaseResult {
  file: string;
  line: number;
  name: string;
  passed: boolean;
  mismatches: Mismatch[];
  durationMs: number;
  /** How often it was killed and resumed, in all plays. */
  crashes: number;
  plays: number;
  /** What was kept of a failed case: the folder of its run. */
  kept?: string;
}

/** A file that is ready to be played, or all that is wrong with it. */
export type PreparedFile = { file: TestFile; texts: Map<string, string>; diagnostics: Diagnostic[] } & (
  | { ready: true; tests: WorkflowTests; workflow: Workflow; main: LoadedFile }
  | { ready: false }
);

export function prepareFile(means: TestMeans, file: TestFile): PreparedFile {
  const texts = new Map([[file.path, file.text]]);
  const read = compileWorkflowTest(file);
  const wrong = 'tests' in read ? [] : read.diagnostics;
  const tests = 'tests' in read ? read.tests : read.asRead;
  const refused = (more: Diagnostic[]): PreparedFile => {
    return { file, texts, diagnostics: [...wrong, ...more], ready: false };
  };
  if (tests === undefined) return refused([]);
  const main = definitionOf(means, tests, file);
  if ('code' in main) return refused([main]);
  const loaded = loadWorkflow(means, main);
  for (const [path, text] of loaded.texts) texts.set(path, text);
  const { workflow } = loaded;
  if (workflow === undefined) return refused(loaded.diagnostics);
  const unknown = unknownSteps(tests, workflow);
  if (wrong.length + unknown.length > 0) return refused(unknown);
  return { file, texts, diagnostics: [], ready: true, tests, workflow, main };
}

/** A name of the library, or a file beside the test. */
function definitionOf(means: TestMeans, tests: WorkflowTests, file: TestFile): LoadedFile | Diagnostic {
  const { workflow: name } = tests;
  const isPath = /^\.\.?\//.test(name);
  const found = isPath
    ? means.library.load({ by: 'path', kind: 'workflow', path: name, from: file.id })
    : means.library.load({ by: 'name', kind: 'workflow', name });
  if (!('missing' in found)) return found;
  return {
    code: 'workflow-not-found',
    severity: 'error',
    message: isPath
      ? `there is no workflow file \`${name}\` beside this test`
      : `there is no workflow "${name}"`,
    span: tests.at,
    hint: isPath
      ? `Looked for ${found.looked.join(', ')}.`
      : '`lockstep list` shows what there is; a file beside the test is `./name.yaml`.',
  };
}

export async function runCase(
  means: TestMeans,
  prepared: Extract<PreparedFile, { ready: true }>,
  testCase: TestCase,
  now: () => number,
): Promise<CaseResult> {
  const { file } = prepared;
  const began = now();
  const result = { file: file.path, line: testCase.at.line, name: testCase.name };
  let project: ScratchProject | undefined;
  let pristine: ScratchProject | undefined;
  try {
    project = scratchProject(testCase, dirname(file.id), means);
    pristine = testCase.crash === undefined ? undefined : copyOf(project);
    const first = await playOnce(means, prepared, testCase, project, testCase.faults);
    const again =
      pristine && first.mismatches.length === 0
        ? await crashEverywhere(means, prepared, testCase, pristine, first)
        : { mismatches: first.mismatches, kept: first.kept, plays: 0 };
    const { mismatches, kept } = again;
    const passed = mismatches.length === 0;
    if (passed || !kept?.startsWith(project.base)) void project.remove();
    return {
      ...{ ...result, passed, mismatches, plays: 1 + again.plays },
      crashes: first.played.crashes + again.plays,
      durationMs: Math.round(now() - began),
      ...(!passed && kept !== undefined && { kept }),
    };
  } catch (error) {
    void project?.remove();
    if (!(error instanceof Fault)) throw error;
    const lines = [error.message, ...(error.hint === undefined ? [] : [`hint: ${error.hint}`])];
    const mismatches = [{ about: error.code, lines }];
    return {
      ...result,
      passed: false,
      mismatches,
      durationMs: Math.round(now() - began),
      crashes: 0,
      plays: 1,
    };
  } finally {
    void pristine?.remove();
  }
}

interface PlayedOnce {
  played: Played;
  mismatches: Mismatch[];
  /** Looked at when somebody asks. */
  end: () => End;
  kept?: string;
}

async function playOnce(
  means: TestMeans,
  { workflow, main }: Extract<PreparedFile, { ready: true }>,
  testCase: TestCase,
  project: ScratchProject,
  faults: readonly PlannedFault[],
  doubtsAgain = false,
): Promise<PlayedOnce> {
  const stand = await means.stand(project.root);
  const { root, environment } = project;
  const played = await play({ workflow, main, testCase, root, environment, stand, faults, doubtsAgain });
  const remains = remainsOf(project, played.told?.workspace ?? '', means.git);
  return {
    played,
    mismatches: judge(testCase.expect, played, remains),
    end: () => ({
      ...{ told: played.told, root, exitCode: played.exitCode },
      ...{ commits: remains.commits(), files: remains.tree() },
    }),
    ...(played.location !== undefined && { kept: played.location }),
  };
}

/**
 * Where an effect of the first play ended, one more play is killed before that is on record; whatever is different then
 * is told. Several are played at once: each has a project of its own.
 */
async function crashEverywhere(
  means: TestMeans,
  prepared: Extract<PreparedFile, { ready: true }>,
  testCase: TestCase,
  pristine: ScratchProject,
  first: PlayedOnce,
): Promise<{ mismatches: Mismatch[]; kept?: string; plays: number }> {
  const { moments } = first.played;
  const whole = first.end();
  const different: { mismatch: Mismatch; kept?: string }[] = [];
  let next = 0;
  const work = async () => {
    for (let moment = moments[next++]; moment && different.length === 0; moment = moments[next++]) {
      const project = copyOf(pristine);
      const crash: PlannedFault = { ...moment, times: 1, fault: { kind: 'crash', when: 'done' } };
      const faults = [...testCase.faults, crash];
      const { end, played, kept } = await playOnce(means, prepared, testCase, project, faults, true);
      const lines = [...played.problems, ...compareEnds(whole, end())];
      if (lines.length === 0) void project.remove();
      else
        different.push({
          mismatch: { about: `after a crash at ${moment.at}`, lines },
          ...(kept && { kept }),
        });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const [one] = different;
  return {
    mismatches: one ? [one.mismatch] : [],
    plays: moments.length,
    ...(one?.kept !== undefined && { kept: one.kept }),
  };
}

/** Most of a play is waiting for git and the disk. */
const AT_ONCE = 2;

// test: tests of workflows, played and told. Exit code 0: all passed; 1: some failed; 2: a file cannot be read as one.

import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { refusesSkip } from '../../compile/prove/prove.ts';
import { findInput } from '../../drivers/run/find-inputs.ts';
import { Fault } from '../../model/fault.ts';
import type { TestCase } from '../../model/workflow-test.ts';
import { findTests } from '../../testing/find-tests.ts';
import { junit } from '../../testing/junit.ts';
import { resultLines, totalLine } from '../../testing/result-text.ts';
import type { Stand, TestMeans } from '../../testing/test-means.ts';
import { type CaseResult, type PreparedFile, prepareFile, runCase } from '../../testing/testing.ts';
import { definitionsOf } from '../find-workflow.ts';
import { resolveInputs } from '../given/inputs.ts';
import { lookOf } from '../look.ts';
import { printDiagnostics } from '../print-problems.ts';
import type { Services } from '../services.ts';

export interface TestOptions {
  name?: string;
  junit?: string;
  jobs?: string;
  json?: boolean;
}

type Ready = Extract<PreparedFile, { ready: true }>;

export async function test(services: Services, names: string[], options: TestOptions): Promise<number> {
  const began = services.clock.monotonic();
  const jobs = jobsOf(options);
  const means = await meansOf(services);
  const project = await services.projectRoot();
  const files = findTests(means.library, { names, cwd: services.cwd, project });
  if (files.length === 0)
    throw new Fault('tests-not-found', 'there are no tests in this project', {
      hint: 'A test is a file such as ship.test.yaml, beside the workflow; see docs/testing.md.',
      exitCode: 2,
    });
  const prepared = files.map((file) => prepareFile(means, file));
  for (const { diagnostics, texts } of prepared) printDiagnostics(services, diagnostics, texts, options.json);
  const ready = prepared.filter((one): one is Ready => one.ready);
  const wanted = ready.flatMap((file) => chosen(file, options.name).map((testCase) => ({ file, testCase })));
  if (wanted.length === 0 && ready.length === prepared.length)
    throw new Fault('tests-not-found', `no case has "${options.name}" in its name`, {
      hint: `There are ${ready.flatMap(({ tests }) => tests.cases.map(({ name }) => `"${name}"`)).join(', ')}.`,
      exitCode: 2,
    });
  const show = createShow(services, options.json ?? false);
  const release = endWithUs(means);
  const results = await inOrder(
    wanted.map(
      ({ file, testCase }) =>
        () =>
          runCase(means, file, testCase, services.clock.monotonic),
    ),
    jobs,
    show.one,
  ).finally(release);
  if (options.junit !== undefined) writeResults(resolve(services.cwd, options.junit), junit(results));
  show.all(results, services.clock.monotonic() - began);
  if (ready.length < prepared.length) return 2;
  return results.every(({ passed }) => passed) ? 0 : 1;
}

function chosen({ tests }: Ready, name: string | undefined): TestCase[] {
  return tests.cases.filter((one) => name === undefined || one.name.includes(name));
}

function jobsOf({ jobs }: TestOptions): number {
  if (jobs === undefined) return availableParallelism();
  const number = Number(jobs);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Fault('setting-invalid', `--jobs ${jobs} is not a number of cases that can be played at once`, {
    hint: 'For example --jobs 1.',
    exitCode: 2,
  });
}

/** Several at once; told in their order, each as soon as those before it are there. */
async function inOrder(
  tasks: (() => Promise<CaseResult>)[],
  jobs: number,
  tell: (result: CaseResult) => void,
): Promise<CaseResult[]> {
  const results: (CaseResult | undefined)[] = tasks.map(() => undefined);
  let [next, told] = [0, 0];
  const work = async () => {
    for (let index = next++; index < tasks.length; index = next++) {
      results[index] = await tasks[index]?.();
      for (let result = results[told]; result !== undefined; result = results[told]) {
        tell(result);
        told += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work));
  return results.filter((result) => result !== undefined);
}

function createShow(services: Services, json: boolean) {
  const look = lookOf(services);
  const print = (line: string) => services.stdout.write(`${line}\n`);
  let file: string | undefined;
  return {
    one(result: CaseResult) {
      if (json) return print(JSON.stringify({ kind: 'case', ...result }));
      if (result.file !== file) print(`${file === undefined ? '' : '\n'}${result.file}`);
      file = result.file;
      for (const line of resultLines(result, look)) print(line);
    },
    all(results: CaseResult[], elapsed: number) {
      const failed = results.filter(({ passed }) => !passed).length;
      if (json)
        print(
          JSON.stringify({
            kind: 'tests',
            passed: results.length - failed,
            failed,
            duration_ms: Math.round(elapsed),
          }),
        );
      else if (results.length > 0) print(`\n${totalLine(results, elapsed)}`);
    },
  };
}

function writeResults(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (cause) {
    throw new Fault('output-unwritable', `cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
}

/** What the cases have started must not outlive us. The answer takes this back. */
function endWithUs(means: OwnMeans): () => void {
  const end = () => {
    for (const { processes } of means.started) processes.killAll();
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

interface OwnMeans extends TestMeans {
  readonly started: Set<Stand['hosting']>;
}

export async function meansOf(services: Services): Promise<OwnMeans> {
  const started: OwnMeans['started'] = new Set();
  return {
    started,
    ...(await definitionsOf(services)),
    git: await services.git(),
    environment: services.environment,
    async stand(folder) {
      const stand = await standIn(services.at(folder), folder);
      started.add(stand.hosting);
      return stand;
    },
  };
}

async function standIn(there: Services, folder: string): Promise<Stand> {
  return {
    hosting: await there.hosting(join(folder, '.lockstep', 'runs')),
    async give(workflow, { inputs, vars, skips }) {
      const project = await there.projectFiles();
      const given = resolveInputs(workflow, {
        inputs: [],
        vars: Object.entries(vars).map(
          ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        ),
        file: { path: 'the inputs of the test', text: JSON.stringify(inputs) },
        find: (finder) => findInput(finder, project),
        readFile: there.readFile,
        absolute: (path) => resolve(folder, path),
      });
      return { ...given, problems: [...refusesSkip(workflow, skips), ...given.diagnostics] };
    },
  };
}

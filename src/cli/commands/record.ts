// record: a test from a run that was. It is played once before it is handed over: one that does not pass says so.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { readRun } from '../../hosting/hosting.ts';
import { maskFor } from '../../hosting/secrets.ts';
import { Fault } from '../../model/fault.ts';
import { record as recordRun } from '../../testing/record/record.ts';
import { resultLines } from '../../testing/result-text.ts';
import { prepareFile, runCase } from '../../testing/testing.ts';
import { findRun } from '../find-run.ts';
import { lookOf } from '../look.ts';
import { printDiagnostics } from '../print-problems.ts';
import type { Services } from '../services.ts';
import { meansOf } from './test.ts';

interface RecordOptions {
  output?: string;
  stateDir?: string;
}

const RECORDABLE = ['completed', 'failed', 'paused', 'cancelled'];

export async function record(services: Services, reference: string, options: RecordOptions): Promise<number> {
  const target = options.output === undefined ? undefined : resolve(services.cwd, options.output);
  if (target !== undefined) refuseThere(target, options.output ?? '');
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const { stored, pinned, view } = readRun(store, id, services.hash);
  const { status } = view.outline;
  if (!RECORDABLE.includes(status))
    throw new Fault('record-unfinished', `run ${id} is ${status}: what comes of it is not known yet`, {
      hint: `Let it go on first: lockstep resume ${id}`,
      exitCode: 2,
    });
  const { entries } = stored.journal();
  const [start] = entries;
  const worktree = start?.kind === 'run-started' ? start.worktree : undefined;
  const base = worktree?.base ?? pinned.since;
  const bench = await meansOf(services);
  const workflowFile = pinned.workflow_path ?? resolve(services.cwd, view.outline.workflowFile);
  const at = target ?? resolve(dirname(workflowFile), `${pinned.workflow.name}.test.yaml`);
  const recording = recordRun({
    id,
    workflow: pinned.workflow,
    reference: nameOf(bench.library, pinned.workflow.name, workflowFile, at),
    entries,
    ...(base !== undefined && { base }),
    git: bench.git,
    mask: maskFor(pinned.workflow, services.environment),
  });
  const { stringify } = await import('yaml');
  const text = stringify(recording.test, {
    ...{ lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false },
  });

  const prepared = prepareFile(bench, { path: options.output ?? 'the recorded test', id: at, text });
  printDiagnostics(services, prepared.diagnostics, prepared.texts);
  const [testCase] = prepared.ready ? prepared.tests.cases : [];
  const result =
    prepared.ready && testCase
      ? await runCase(bench, prepared, testCase, services.clock.monotonic)
      : undefined;
  const say = (line: string) => services.stderr.write(`${line}\n`);
  for (const note of recording.notes) say(`note: ${note}`);
  if (result && !result.passed && recording.resumedAfterFailure) {
    say(
      `The run failed and was resumed, which a test cannot do: played again, it ends where it failed. Take out what led to the failure by hand${target === undefined ? '' : ` in ${options.output}`}.`,
    );
  } else if (result && !result.passed) {
    say('The recorded test does not pass as it is; what differs has to be set right by hand:');
    for (const line of resultLines(result, lookOf(services, services.stderr))) say(line);
  }
  if (target === undefined) services.stdout.write(text);
  else {
    write(target, text, options.output ?? '');
    services.stdout.write(
      `Wrote ${options.output}: ${result?.passed ? 'it passes' : 'it does not pass yet'}.\n`,
    );
  }
  return result?.passed ? 0 : 1;
}

/** By its name where that means this very file, else by the way from the test to it. */
function nameOf(
  library: Awaited<ReturnType<Services['library']>>,
  name: string,
  file: string,
  test: string,
): string {
  const found = library.load({ by: 'name', kind: 'workflow', name });
  if (!('missing' in found) && found.id === file) return name;
  const way = relative(dirname(test), file).split(sep).join('/');
  return way.startsWith('../') ? way : `./${way}`;
}

function refuseThere(path: string, shown: string): void {
  if (existsSync(path)) throw unwritable(shown, 'there is a file already');
}

function write(path: string, text: string, shown: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    throw unwritable(shown, (cause as Error).message, cause);
  }
}

function unwritable(shown: string, problem: string, cause?: unknown): Fault {
  return new Fault('output-unwritable', `cannot write ${shown}: ${problem}`, {
    hint: 'Without -o the text goes to the standard output.',
    cause,
    exitCode: 2,
  });
}

// play: one case in its scratch project, from the start of the run to where it ends for good: killed where the test
// says so and resumed, answered where somebody is asked.

import { type RunEnd, resumeRun, startRun } from '../drivers/run/run.ts';
import { validateAnswer } from '../engine/engine.ts';
import type { HeldRun, Hosting } from '../hosting/hosting.ts';
import type { Entry } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { LoadedFile } from '../model/library.ts';
import type { OpenQuestion } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { PlannedFault, Reply, TestCase } from '../model/workflow-test.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import { duration } from '../views/text/words.ts';
import { Crashed, crashStore } from './crash-store.ts';
import { type CrashWatch, crashWatch } from './crash-watch.ts';
import { type FaultPerformer, faultPerformer, type Prompted } from './fault-performer.ts';
import { isAt } from './place.ts';
import type { Stand } from './test-means.ts';
import { type Told, tell } from './told.ts';

export interface Playing {
  workflow: Workflow;
  main: LoadedFile;
  testCase: TestCase;
  /** Root of the scratch project. */
  root: string;
  environment: Record<string, string>;
  stand: Stand;
  /** Those of the case, or one crash more. */
  faults: readonly PlannedFault[];
  /** Whether a step that is in doubt after a crash is simply done again when a person is asked about it. */
  doubtsAgain?: boolean;
}

export interface Played {
  /** Absent: no run was made, and `refused` says why. */
  told?: Told;
  refused?: { message: string; exitCode: number };
  exitCode: number;
  entries: Entry[];
  prompts: Prompted[];
  /** Mistakes in the test itself, one sentence each. */
  problems: string[];
  crashes: number;
  /** Where one more could come, to see what it changes. */
  moments: CrashWatch['moments'];
  /** The folder of the run. */
  location?: string;
}

/** More than any test needs; a circle of crashes would go on for ever. */
const MOST_DRIVES = 500;

export async function play(playing: Playing): Promise<Played> {
  const { workflow, testCase, stand } = playing;
  const skips = {
    ...{ steps: testCase.skipSteps, checks: testCase.skipChecks, dry_run: testCase.dryRun },
    ...(testCase.gates.length > 0 && { gates: testCase.gates }),
  };
  const given = await stand.give(workflow, { inputs: testCase.inputs, vars: testCase.vars, skips });
  const errors = given.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return refusal(errors.map(({ message }) => message).join('\n'), 2);

  const watch = crashWatch(playing.faults);
  const performer = faultPerformer(playing.faults, testCase.commands);
  const { clock, store } = stand.hosting;
  const hosting: Hosting = {
    ...stand.hosting,
    store: crashStore(store, watch.plan),
    perform: performer.perform,
    environment: playing.environment,
    sweep: async () => {},
    // What people say is said by this process, straight into the inbox.
    callers: undefined,
  };
  const { inputs, vars, found } = given;
  const overdue = createDeadline(clock, testCase.timeout);
  let id: string | undefined;
  const begin = () =>
    startRun(
      hosting,
      {
        ...{ workflow, workflowFile: playing.main.path, workflowPath: playing.main.id },
        ...{ workspace: playing.root, inputs, vars, found, skips },
        script: { answers: testCase.answers },
      },
      {
        opened(run) {
          id = run.id;
          overdue.watch(run);
          for (const { name, data } of testCase.signals)
            store.post(run.id, { kind: 'signal', name, data, by: 'the test' });
        },
      },
    );
  const goOn = (run: string) => resumeRun(hosting, { id: run }, { opened: overdue.watch });
  const people = createPeople(testCase.replies, playing.doubtsAgain ?? false);
  try {
    let end = await orCrashed(begin);
    for (let drives = 1; drives < MOST_DRIVES && id !== undefined; drives += 1) {
      if (overdue.problem() || (end && !people.answer(id, end, store))) break;
      const run = id;
      end = await orCrashed(() => goOn(run));
    }
    if (id === undefined || end === undefined) throw new Error('a run that crashes for ever');
    return ended(id, end, { playing, performer, watch, people, overdue });
  } catch (error) {
    if (!(error instanceof Fault) || id !== undefined) throw error;
    return refusal(error.message, error.exitCode);
  } finally {
    overdue.stop();
  }
}

interface Deadline {
  watch(run: HeldRun): void;
  /** It was reached, and what was under way then. */
  problem(): string | undefined;
  stop(): void;
}

/** A run that waits for what never comes would keep everybody waiting. */
function createDeadline(clock: Clock, milliseconds: number): Deadline {
  let current: HeldRun | undefined;
  let problem: string | undefined;
  const stop = clock.after(milliseconds, () => {
    const under = [...(current?.view.outline.byPath.values() ?? [])]
      .filter(({ status, attempts }) => (status === 'running' || status === 'waiting') && attempts.length > 0)
      .map(({ path }) => `\`${path}\``);
    const what = under.length > 0 ? `${under.join(', ')} was still under way` : 'it was still going on';
    problem = `it did not come to an end within ${duration(milliseconds)}: ${what}`;
    current?.interrupt('the test');
  });
  return {
    watch(run) {
      current = run;
      if (problem !== undefined) run.interrupt('the test');
    },
    problem: () => problem,
    stop,
  };
}

/** Undefined: the process was killed. */
async function orCrashed(drive: () => Promise<RunEnd>): Promise<RunEnd | undefined> {
  try {
    return await drive();
  } catch (error) {
    if (error instanceof Crashed) return undefined;
    throw error;
  }
}

function refusal(message: string, exitCode: number): Played {
  return {
    refused: { message, exitCode },
    exitCode,
    entries: [],
    prompts: [],
    problems: [],
    crashes: 0,
    moments: [],
  };
}

interface Used {
  playing: Playing;
  performer: FaultPerformer;
  watch: CrashWatch;
  people: People;
  overdue: Deadline;
}

function ended(id: string, end: RunEnd, { playing, performer, watch, people, overdue }: Used): Played {
  const { stand, workflow, testCase, faults } = playing;
  const late = overdue.problem();
  const { entries } = stand.hosting.store.read(id).journal();
  const never = faults.filter((fault) => !performer.used.has(fault) && !watch.used.has(fault));
  const unused = Object.keys(testCase.commands).filter((key) => !performer.used.has(key));
  return {
    told: tell(workflow, entries),
    exitCode: end.exitCode,
    entries,
    prompts: performer.prompts,
    problems:
      late !== undefined
        ? [late]
        : [
            ...performer.problems,
            ...(performer.problems.length > 0
              ? []
              : never.map(({ at, fault }) => `the fault \`${fault.kind}\` at \`${at}\` never came to pass`)),
            ...unused.map((key) => `the stand-in for the command of \`${key}\` was never used`),
            ...people.problems(),
          ],
    crashes: watch.count(),
    moments: watch.moments,
    location: end.location,
  };
}

interface People {
  /** Whether somebody had an answer to one of the questions. */
  answer(id: string, end: RunEnd, store: Store): boolean;
  problems(): string[];
}

function createPeople(replies: readonly Reply[], doubtsAgain: boolean): People {
  const left = [...replies];
  const problems: string[] = [];
  const replyTo = (path: string, question: OpenQuestion): Reply | undefined => {
    const index = left.findIndex(({ step }) => step === undefined || isAt(step, { path }));
    if (index >= 0) return left.splice(index, 1)[0];
    return doubtsAgain && question.question === 'in-doubt' ? { answer: 'again' } : undefined;
  };
  return {
    answer(id, end, store) {
      if (end.state.status !== 'paused') return false;
      for (const [path, question] of end.state.questions) {
        const reply = replyTo(path, question);
        if (reply === undefined) continue;
        const checked = validateAnswer(question, reply.answer);
        if ('problem' in checked) {
          problems.push(
            `the reply ${JSON.stringify(reply.answer)} to \`${path}\` is none: ${checked.problem}`,
          );
          return false;
        }
        store.post(id, {
          ...{ kind: 'answer', path, answer: reply.answer, by: 'the test' },
          ...(reply.note !== undefined && { note: reply.note }),
        });
        return true;
      }
      return false;
    },
    problems: () => [
      ...problems,
      ...left.map(({ step, answer }) =>
        step === undefined
          ? `the reply ${JSON.stringify(answer)} was never asked for`
          : `the reply ${JSON.stringify(answer)} was never asked for by \`${step}\``,
      ),
    ],
  };
}

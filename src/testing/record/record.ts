// record: a run that was → a test that plays it again. Agents answer as they did, commands come to what they came to
// without being run, people say what they said; and what is expected is what was.

import type { Entry, Usage } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { OwnGit } from '../../ports/git.ts';
import { type Told, tell } from '../told.ts';
import { type Attempt, attemptsIn } from './attempts.ts';
import { type Done, workDone } from './work-done.ts';

export interface RecordedRun {
  id: string;
  workflow: Workflow;
  /** How a test beside it names it. */
  reference: string;
  entries: Entry[];
  /** The commit it began at. */
  base?: string;
  git: OwnGit;
  /** Every secret hidden, in what comes from files too. */
  mask: { deep<T extends Json>(value: T): T };
}

export interface Recording {
  test: JsonObject;
  /** What the test leaves out, one sentence each. */
  notes: string[];
  /** Which no test can play. */
  resumedAfterFailure: boolean;
}

export function record(run: RecordedRun): Recording {
  const { workflow, entries } = run;
  const told = tell(workflow, entries);
  const attempts = attemptsIn(entries);
  const history = workDone({ workspace: told.workspace, base: run.base }, attempts, run.git);
  const { inputs, files } = givenTo(entries, workflow);
  const script = scriptOf(attempts, history.done);
  for (const path of filesSeen(entries)) {
    const text = Object.hasOwn(files, path) ? undefined : history.original(path);
    if (text !== undefined) files[path] = text;
  }
  const [start] = entries;
  const isResumed = (entry: Entry, index: number) =>
    entry.kind === 'run-failed' && entries.slice(index).some(({ kind }) => kind === 'run-resumed');
  const skips = start?.kind === 'run-started' ? start.skips : undefined;
  const testCase = withoutEmpty({
    name: `goes as run ${run.id} went`,
    inputs,
    vars: start?.kind === 'run-started' ? differing(start.vars, workflow.vars) : {},
    files,
    answers: script.answers,
    commands: script.commands,
    replies: repliesIn(entries),
    signals: entries.flatMap((entry) =>
      entry.kind === 'signal-received' ? [{ name: entry.name, data: entry.data }] : [],
    ),
    skip_steps: skips?.steps ?? [],
    ...(skips?.checks && { skip_checks: true }),
    ...(skips?.dry_run && { dry_run: true }),
    gates: skips?.gates ?? [],
    ...(run.base === undefined && { git: false }),
    faults: script.faults,
    expect: expectationOf(told, script.commits),
  });
  const test = { lockstep_test: 1, workflow: run.reference, cases: [testCase] };
  return {
    test: run.mask.deep(test),
    notes: [...history.missing, ...script.notes],
    resumedAfterFailure: entries.some(isResumed),
  };
}

/** Inputs as they are given; a file is given by its path, and lies in the scratch project. */
function givenTo(
  entries: readonly Entry[],
  workflow: Workflow,
): { inputs: JsonObject; files: Record<string, string> } {
  const [start] = entries;
  const files: Record<string, string> = {};
  const inputs: JsonObject = {};
  for (const [name, value] of Object.entries(start?.kind === 'run-started' ? start.inputs : {})) {
    const declaration = workflow.inputs[name];
    if (declaration?.type !== 'file') {
      if (JSON.stringify(value) !== JSON.stringify(declaration?.default)) inputs[name] = value;
      continue;
    }
    const { path, text } = value as { path: string; text: string };
    const inside = /^(?:\/|\.\.(?:\/|$))/.test(path) ? (path.split('/').at(-1) ?? name) : path;
    files[inside] = text;
    inputs[name] = inside;
  }
  return { inputs, files };
}

/** After a crash a person may be asked about what was in doubt; where there is no crash, nobody is. */
function repliesIn(entries: readonly Entry[]): JsonObject[] {
  const doubts = new Set<string>();
  return entries.flatMap((entry) => {
    if (entry.kind === 'question-asked' && entry.question === 'in-doubt') doubts.add(entry.path);
    if (entry.kind !== 'question-answered' || doubts.delete(entry.path)) return [];
    return [withoutEmpty({ step: entry.path, answer: entry.answer, note: entry.note ?? '' })];
  });
}

interface Scripted {
  answers: Record<string, JsonObject[]>;
  commands: Record<string, JsonObject[]>;
  faults: JsonObject[];
  commits: string[];
  notes: string[];
}

function scriptOf(attempts: Attempt[], work: Map<Attempt, Done[]>): Scripted {
  const script: Scripted = { answers: {}, commands: {}, faults: [], commits: [], notes: [] };
  const times = new Map<string, number>();
  const push = (to: Record<string, JsonObject[]>, place: string, value: JsonObject) => {
    to[place] = [...(to[place] ?? []), value];
  };
  for (const attempt of attempts) {
    const { place, verb, outcome } = attempt;
    const time = (times.get(place) ?? 0) + 1;
    times.set(place, time);
    const done = work.get(attempt) ?? [];
    for (const { commit } of done) {
      if (commit === undefined) continue;
      if (verb === 'prompt') script.commits.push(commit);
      else
        script.notes.push(
          `the commit "${commit}" was made by the command of ${place}, which a test does not run`,
        );
    }
    if (outcome.error?.class === 'timeout')
      script.faults.push({ at: attempt.place, timeout: true, from: time });
    else if (verb === 'prompt') push(script.answers, place, answerOf(attempt, done));
    else if (verb === 'run' || verb === 'check' || verb === 'probe')
      push(script.commands, place, standInOf(attempt, done));
  }
  return script;
}

/** Said by an agent itself; anything else is the runtime's word about it, and comes again by itself. */
const OF_THE_AGENT = new Set(['exit', 'error', 'rate-limit', 'overloaded']);

function answerOf({ outcome }: Attempt, done: Done[]): JsonObject {
  const { output, raw, usage, error, exit_code: exit, stderr } = outcome;
  const failed = error !== undefined && OF_THE_AGENT.has(error.class);
  // An answer that was nothing but JSON reads better as what it says.
  const said: JsonObject =
    raw !== undefined && !isJson(raw)
      ? { text: raw }
      : typeof output === 'string'
        ? { text: output }
        : { output };
  return withoutEmpty({
    ...workOf(done),
    ...(failed
      ? {
          error: error.class,
          exit: exit === undefined || exit === 0 ? 1 : exit,
          stderr: stderr ?? error.message,
        }
      : output === null && raw === undefined
        ? { text: '' }
        : said),
    usage: usage ? usageOf(usage) : {},
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a scripted agent says of itself unless it is told otherwise is left out. */
function usageOf({ input_tokens: input, output_tokens: output, cost, turns }: Usage): JsonObject {
  return {
    ...(input > 0 && { input }),
    ...(output > 0 && { output }),
    ...(cost !== null && cost > 0 && { cost }),
    ...(turns > 1 && { turns }),
  };
}

/** One commit is one answer's; what several had is in the last. */
function workOf(done: Done[]): JsonObject {
  const write = Object.assign({}, ...done.map((each) => each.write)) as Record<string, string>;
  const removed = done.flatMap((each) => each.remove).filter((path) => !Object.hasOwn(write, path));
  const commit = done.findLast((each) => each.commit !== undefined)?.commit;
  return withoutEmpty({
    write,
    run: removed.length > 0 ? ['rm', '-f', ...removed] : [],
    ...(commit !== undefined && { commit }),
  });
}

/** What a check prints is for people, and for the agent that it sends back to work: the last of it is enough. */
const CHECK_LINES = 20;

function standInOf({ verb, outcome }: Attempt, done: Done[]): JsonObject {
  const { output, exit_code: exit = 0, stderr = '', stdout_tail: tail } = outcome;
  const text = typeof output === 'string' ? output : Array.isArray(output) ? output.join('\n') : undefined;
  const stdout = text ?? (output === null ? (tail ?? '') : JSON.stringify(output));
  const write = Object.assign({}, ...done.map((each) => each.write)) as Record<string, string>;
  if (verb === 'run') return withoutEmpty({ exit, stdout, stderr, write });
  const last = (printed: string) => (exit === 0 ? '' : printed.split('\n').slice(-CHECK_LINES).join('\n'));
  return withoutEmpty({ exit, stdout: last(stdout), stderr: last(stderr), write });
}

/** What expressions and steps looked at. */
function filesSeen(entries: readonly Entry[]): Set<string> {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== 'observed') continue;
    for (const { kind, value } of entry.facts) if (kind === 'files') for (const path of value) seen.add(path);
  }
  return seen;
}

function expectationOf(told: Told, commits: string[]): JsonObject {
  const failed = [...told.steps.values()].filter(({ status }) => status === 'failed');
  // What is called otherwise in a scratch project: names of this run, and the branch that was checked out.
  const own = (value: Json): boolean =>
    !told.names.some((name) => JSON.stringify(value).includes(name)) && !holds(value, told.branch);
  const outputs = Object.fromEntries(
    Object.entries(told.outputs).filter(
      ([, value]) => own(value) && !JSON.stringify(value).includes(told.workspace),
    ),
  );
  const skipped = Object.fromEntries(told.skipped.map(({ path, reason }) => [path, reason]));
  const asked = told.asked.filter(({ kind }) => kind !== 'in-doubt').map(({ path }) => ({ step: path }));
  return {
    status: told.status,
    path: told.path,
    ...(failed.length > 0 && {
      steps: Object.fromEntries(failed.map(({ path }) => [path, { status: 'failed' }])),
    }),
    skipped,
    ...(Object.keys(outputs).length > 0 && { outputs }),
    ...(asked.length > 0 && { asked }),
    ...(commits.length > 0 && { commits }),
  };
}

function holds(value: Json, text: string): boolean {
  if (typeof value === 'string') return text !== '' && value === text;
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((inner) => holds(inner, text))
  );
}

function differing(values: JsonObject, usual: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name])),
  );
}

function withoutEmpty(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([key, value]) => {
    if (value === '' || (key === 'exit' && value === 0)) return key === 'text';
    return !(
      typeof value === 'object' &&
      value !== null &&
      key !== 'output' &&
      Object.keys(value).length === 0
    );
  });
  return Object.fromEntries(kept);
}

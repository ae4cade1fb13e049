// judge: what a case expects against what came of it. All that differs, each with what helps to see why.

import type { Expectation } from '../model/workflow-test.ts';
import { ANYTHING, partingOf, showParting } from './compare-path.ts';
import { differences, textProblems } from './compare-value.ts';
import type { Prompted } from './fault-performer.ts';
import { idOf, isAt } from './place.ts';
import type { Played } from './play.ts';
import type { StepTold, Told } from './told.ts';

export interface Mismatch {
  /** What it is about: `path`, `status`, `steps.verify`, `files.src/a.js`. */
  about: string;
  /** In words, for people. */
  lines: string[];
}

/** What is left on the disk. */
export interface Remains {
  /** From the folder the run worked in, else from the project. */
  read(path: string): string | undefined;
  commits(): string[];
}

export function judge(expect: Expectation, played: Played, remains: Remains): Mismatch[] {
  const found: Mismatch[] = [];
  const differ = (about: string, lines: string[]) => {
    if (lines.length > 0) found.push({ about, lines });
  };
  differ('the test', played.problems);
  const { told, refused } = played;
  differ('status', statusProblems(expect, played));
  differ('exit', expect.exit === undefined ? [] : differences(expect.exit, played.exitCode));
  if (expect.error !== undefined) differ('error', errorProblems(expect.error, told, refused?.message));
  if (told === undefined) return found;
  if (expect.path !== undefined) differ('path', pathProblems(expect.path, told));
  for (const [name, step] of Object.entries(expect.steps)) {
    const { status, output, tries, exitCode, error } = step;
    const actual = stepNamed(name, told);
    if (actual === undefined) {
      differ(`steps.${name}`, ['it never ended in this run', ...whySkipped(name, told)]);
      continue;
    }
    const lines: string[] = [];
    if (status !== undefined && status !== actual.status)
      lines.push(`expected ${status}, was ${actual.status}`, ...saidBy(actual), ...whySkipped(name, told));
    if (output !== undefined) lines.push(...differences(output, actual.output, 'output'));
    if (tries !== undefined) lines.push(...differences(tries, actual.tries, 'tries'));
    if (exitCode !== undefined) lines.push(...differences(exitCode, actual.exitCode, 'exit_code'));
    if (error !== undefined) lines.push(...failureProblems(error, actual));
    differ(`steps.${name}`, lines);
  }
  if (expect.outputs) differ('outputs', differences(expect.outputs, told.outputs));
  if (expect.vars) differ('vars', differences(expect.vars, told.vars));
  for (const [path, wanted] of Object.entries(expect.files)) {
    const text = remains.read(path);
    if ('absent' in wanted)
      differ(`files.${path}`, text === undefined ? [] : ['it is there, and must not be']);
    else if (text === undefined) differ(`files.${path}`, ['there is no such file']);
    else differ(`files.${path}`, textProblems(wanted, text));
  }
  if (expect.skipped) differ('skipped', skipProblems(expect.skipped, told));
  if (expect.asked) differ('asked', askedProblems(expect.asked, told));
  for (const [name, wanted] of Object.entries(expect.prompts))
    differ(`prompts.${name}`, promptProblems(name, wanted, played.prompts));
  if (expect.commits) differ('commits', commitProblems(expect.commits, remains.commits()));
  return found;
}

function statusProblems(expect: Expectation, { told, refused }: Played): string[] {
  const wanted = expect.status ?? 'completed';
  const actual = refused ? 'refused' : (told?.status ?? 'refused');
  if (wanted === actual) return [];
  const lines = [`expected ${wanted}, was ${actual}`];
  if (refused) lines.push(`  ${refused.message}`);
  if (told?.error) lines.push(`  ${told.failedAt ?? 'the run'}: ${told.error.message}`);
  if (told?.status === 'paused')
    for (const { path, text, reasons } of told.asked.slice(-1))
      lines.push(`  ${path} asks: ${text}`, ...reasons.map((reason) => `    ${reason}`));
  return lines;
}

function errorProblems(wanted: string, told: Told | undefined, refused: string | undefined): string[] {
  const actual = refused ?? told?.error?.message;
  if (actual === undefined) return [`expected a failure that says ${JSON.stringify(wanted)}, there was none`];
  return actual.includes(wanted) ? [] : [`expected words ${JSON.stringify(wanted)}, it says: ${actual}`];
}

function pathProblems(expected: string[], told: Told): string[] {
  const parting = partingOf(expected, told.path, (wanted, path) => isAt(wanted, { path }));
  if (parting === undefined) return [];
  const lines = [`expected and actual part after ${parting.actual} of ${told.path.length} steps`];
  lines.push(...showParting(expected, told.path, parting));
  const last = told.path[parting.actual - 1];
  const step = last === undefined ? undefined : told.steps.get(last);
  if (step) lines.push(...saidBy(step));
  const missing = expected.slice(parting.expected).find((one) => one !== ANYTHING);
  if (missing !== undefined) lines.push(...whySkipped(missing, told));
  return lines;
}

/** How a step ended, in one line, where it did not end well. */
function saidBy(step: StepTold): string[] {
  if (step.error) return [`  ${step.path} ${step.status}: ${step.error.message}`];
  return step.status === 'done' ? [] : [`  ${step.path} is ${step.status}`];
}

/** Itself, or what it stands in. */
function whySkipped(name: string, told: Told): string[] {
  const skip = told.skipped.find(({ path }) => isAt(name, { path }) || name.startsWith(`${path}/`));
  return skip ? [`  ${skip.path} was skipped: ${skip.why}`] : [];
}

function stepNamed(name: string, told: Told): StepTold | undefined {
  const exact = told.steps.get(name);
  return exact ?? [...told.steps.values()].findLast(({ path }) => isAt(name, { path }));
}

function failureProblems(wanted: string, step: StepTold): string[] {
  if (step.error === undefined)
    return [`expected a failure that says ${JSON.stringify(wanted)}, there was none`];
  if (step.error.class === wanted || step.error.message.includes(wanted)) return [];
  return [`expected words ${JSON.stringify(wanted)}, it says (${step.error.class}): ${step.error.message}`];
}

function skipProblems(expected: Record<string, string>, told: Told): string[] {
  const lines: string[] = [];
  for (const [name, words] of Object.entries(expected)) {
    const skips = told.skipped.filter(({ path }) => isAt(name, { path }));
    if (skips.length === 0) {
      const step = stepNamed(name, told);
      lines.push(`${name} was not skipped${step ? `: it is ${step.status}` : ''}`);
    }
    for (const { path, reason, why } of skips)
      if (reason !== words && !why.includes(words))
        lines.push(`${path} was skipped for another reason: ${why}`);
  }
  for (const { path, why } of told.skipped)
    if (!Object.keys(expected).some((name) => isAt(name, { path })))
      lines.push(`${path} was skipped too: ${why}`);
  return lines;
}

function askedProblems(expected: NonNullable<Expectation['asked']>, { asked }: Told): string[] {
  const lines: string[] = [];
  for (const [index, { step, text }] of expected.entries()) {
    const actual = asked[index];
    if (actual === undefined) lines.push(`${index + 1}. expected a question of ${step}, there was none`);
    else if (!isAt(step, actual))
      lines.push(`${index + 1}. expected a question of ${step}, it was of ${actual.path}: ${actual.text}`);
    else if (text !== undefined && ![actual.text, ...actual.reasons].some((one) => one.includes(text)))
      lines.push(
        `${index + 1}. expected words ${JSON.stringify(text)}, it was: ${[actual.text, ...actual.reasons].join(' / ')}`,
      );
  }
  for (const { path, text } of asked.slice(expected.length)) lines.push(`${path} asked too: ${text}`);
  return lines;
}

function promptProblems(name: string, wanted: Expectation['prompts'][string], prompts: Prompted[]): string[] {
  const given = prompts.filter((prompt) => isAt(name, prompt));
  if (given.length === 0) return [`no agent was given a prompt for \`${idOf(name)}\``];
  const problems = given.map(({ prompt }) => textProblems(wanted, prompt));
  return problems.some((lines) => lines.length === 0) ? [] : (problems.at(-1) ?? []);
}

function commitProblems(expected: string[], actual: string[]): string[] {
  const parting = partingOf(expected, actual);
  if (parting === undefined) return [];
  return ['expected and actual commits part:', ...showParting(expected, actual, parting)];
}

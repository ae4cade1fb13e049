// plan: what `--dry-run` prints: every step of a workflow, who does it, when it counts as done, what happens when it
// does not, and where its parts come from.

import type { FoundInput, Skips } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isCalled } from '../model/step-name.ts';
import type { Action, Next, Step, Workflow } from '../model/workflow.ts';
import {
  checkText,
  commandText,
  onFailText,
  performerText,
  sourceText,
  stepsInside,
  workText,
} from './definition/describe.ts';
import { type TreeNode, treeLines } from './definition/tree.ts';
import { isBlock, staticTitle } from './step-record.ts';
import { type Line, type Look, type Piece, piece, renderLines, wrapLine } from './text/line.ts';
import { plain } from './text/plain.ts';
import { type Symbols, symbols } from './text/symbols.ts';
import { truncate } from './text/width.ts';
import { count, duration } from './text/words.ts';

export interface PlannedStep {
  /** Without items and passes: where it stands in the definition. */
  place: string;
  id: string;
  title: string;
  verb: Step['work']['kind'];
  work: string;
  who: string;
  /** Why it will be left out, where that is known before anything runs. */
  skipped?: string;
  details: { label: string; text: string }[];
  children: PlannedStep[];
}

export interface Plan {
  workflow: string;
  description: string;
  sources: { kind: string; name: string; from: string; hash: string }[];
  inputs: {
    name: string;
    type: string;
    required: boolean;
    default?: Json;
    choices?: Json[];
    /** Looked up in the project where it is not given. */
    find?: string;
    /** What was found, and where. */
    found?: { value: Json; from: string };
    description: string;
  }[];
  /** Present where runs have a worktree of their own. */
  workspace?: 'worktree';
  steps: PlannedStep[];
}

const NO_SKIPS: Skips = { steps: [], checks: false, dry_run: false };

/** What a run would be given, as far as it was not said by a person. */
export interface PlannedInputs {
  inputs: JsonObject;
  found: Record<string, FoundInput>;
}

export function planWorkflow(workflow: Workflow, skips: Skips = NO_SKIPS, given?: PlannedInputs): Plan {
  const inputs = Object.entries(workflow.inputs).map(([name, input]) => ({
    name: plain(name),
    type: input.type,
    required: input.default === undefined && input.required !== false,
    ...(input.default !== undefined && { default: input.default }),
    ...(input.choices && { choices: input.choices }),
    ...(input.find && { find: input.find }),
    ...foundInput(name, given),
    description: plain(input.description ?? ''),
  }));
  const found = Object.fromEntries(
    inputs.flatMap((input) => (input.found ? [[input.name, plain(String(input.found.value))]] : [])),
  );
  const sources = workflow.sources.map(({ kind, name, path, layer, hash }) => ({
    kind,
    name: plain(name),
    from: `${plain(path)} (${layer === 'builtin' ? 'built in' : layer})`,
    hash: hash.slice(0, 12),
  }));
  return {
    workflow: plain(workflow.name),
    description: plain(workflow.description ?? ''),
    sources,
    inputs,
    ...(workflow.workspace === 'worktree' && { workspace: 'worktree' }),
    steps: workflow.steps.map((step) => planStep({ root: workflow, workflow, skips, found }, step, '')),
  };
}

function foundInput(
  name: string,
  given: PlannedInputs | undefined,
): { found?: { value: Json; from: string } } {
  const found = given?.found[name];
  const value = given?.inputs[name];
  return found === undefined || value === undefined
    ? {}
    : { found: { value, from: found.from ?? found.by ?? '' } };
}

interface Planning {
  root: Workflow;
  workflow: Workflow;
  skips: Skips;
  /** Commands that were found, by the name of the input. */
  found: Record<string, string>;
}

function planStep(planning: Planning, step: Step, prefix: string): PlannedStep {
  const { root, skips } = planning;
  const place = prefix + step.id;
  const { work } = step;
  const called = work.kind === 'workflow' ? root.workflows[work.workflow] : undefined;
  // A called workflow has inputs of its own.
  const inside = { ...planning, workflow: called ?? planning.workflow, ...(called && { found: {} }) };
  const planned: PlannedStep = {
    place,
    id: step.id,
    title: staticTitle(step),
    verb: work.kind,
    work: workText(work),
    who: performerText(work, planning.workflow.sources),
    details: detailsOf(planning, step),
    children: stepsInside(work, root).map((child) => planStep(inside, child, `${place}/`)),
  };
  const why = skippedBefore(step, place, skips);
  if (why !== undefined) planned.skipped = why;
  return planned;
}

function skippedBefore(step: Step, place: string, skips: Skips): string | undefined {
  const skipped = skips.steps.find((name) => isCalled(step, name) || name === place);
  if (skipped !== undefined) return `--skip-step ${skipped}`;
  if (skips.checks && step.check) return '--skip-checks';
  if (step.gate?.enabled === false) return `enabled: false in ${plain(step.at.file)}`;
  const isAskedFor = skips.gates?.some((name) => name === step.gate?.name || name === step.id);
  if (step.gate?.run === 'manual' && !isAskedFor)
    return `manual gate: run with --gate ${plain(step.gate.name)}`;
  return step.if?.trim() === 'false' ? 'disabled in workflow definition' : undefined;
}

/** What is made of a gate is ours, and longer than what it means. */
const GATE_CHECK = 'a verdict against the work names what is critical or important';

function detailsOf({ workflow, skips, found }: Planning, step: Step): PlannedStep['details'] {
  const details: PlannedStep['details'] = [];
  /** A command that was found is shown as it is. */
  const filled = (text: string): string =>
    Object.entries(found).reduce((all, [name, value]) => all.replaceAll(`{{ inputs.${name} }}`, value), text);
  const say = (label: string, text: string): void => void details.push({ label, text });
  const { work, done, retry, onFail } = step;
  if (skips.dry_run && step.dryRun) say('dry run', 'this one runs');
  if (step.if !== undefined && step.if.trim() !== 'false') say('if', plain(step.if));
  if (step.gate?.run === 'changed-files')
    say('if', `one of ${plain(step.gate.files.join(', '))} has changed`);
  if (step.gate?.again === 'changed')
    say('again', `only if something in ${plain(step.gate.files.join(', '))} has changed since it approved`);
  if (step.workspace === 'worktree')
    say('works in', `a worktree of its own${work.kind === 'each' ? ', every pass' : ''}`);
  for (const action of step.enter) say('enter', actionText(action));
  for (const check of done?.checks ?? [])
    say('done when', step.gate && check.kind === 'that' ? GATE_CHECK : filled(checkText(check)));
  if (done && done.tries > 1) say('tries', `at most ${done.tries}, each sent back with the reasons`);
  if (retry.max > 0) say('retry', retryText(step));
  if (step.timeout !== undefined) say('time-out', duration(step.timeout));
  for (const action of step.exit) say('exit', actionText(action));
  for (const next of step.next) say('next', nextText(next));
  if (onFail !== undefined) say('if it fails', onFailText(onFail));
  if (step.recover.kind === 'pause') say('after a crash', 'a person is asked');
  if (step.recover.kind === 'probe')
    say('after a crash', `${commandText(step.recover.command)} says whether it happened`);
  if (work.kind === 'prompt' && work.prompt.kind === 'template' && work.prompt.source !== undefined) {
    say('prompt from', sourceText(workflow.sources[work.prompt.source]));
  }
  return details;
}

function retryText(step: Step): string {
  const { max, delay, on } = step.retry;
  const when = on.length === 0 ? '' : ` on ${on.map(String).join(', ')}`;
  return `${count(max, 'more time')}${when}, after ${duration(delay)}`;
}

function actionText(action: Action): string {
  const { work } = action;
  const when = action.when === undefined ? '' : `, when ${plain(action.when)}`;
  if (work.kind === 'set') return `set ${plain(Object.keys(work.values).join(', '))}${when}`;
  if (work.kind === 'say') return `say: ${plain(work.text)}${when}`;
  return workText(work) + when;
}

export function nextText(next: Next): string {
  const where = next.goto === undefined ? 'go on' : `goto ${plain(next.goto)}`;
  const when = next.when === undefined ? '' : `, when ${plain(next.when)}`;
  const actions = next.do.length === 0 ? '' : `, after ${count(next.do.length, 'action')}`;
  return where + when + actions;
}

// ── As text ─────────────────────────────────────────────────────────────────────────────────────

const LONGEST_WORK = 160;
const LONGEST_DEFAULT = 60;

function treeOf(planned: PlannedStep, marks: Symbols): TreeNode {
  const line: Piece[] = [piece(planned.id, planned.skipped === undefined ? 'strong' : 'dim')];
  if (planned.title !== planned.id) line.push(piece(`  ${planned.title}`));
  line.push(piece(`  ${truncate(planned.work, LONGEST_WORK, marks.ellipsis)}`, 'dim'));
  const details = [
    ...(planned.skipped === undefined ? [] : [`${marks.skipped} skipped: ${planned.skipped}`]),
    ...(planned.who === '' ? [] : [planned.who]),
    ...planned.details.map(({ label, text }) => `${label}: ${text}`),
  ];
  return { line, details, children: planned.children.map((child) => treeOf(child, marks)) };
}

export function countSteps(steps: PlannedStep[]): number {
  return steps.reduce((sum, step) => sum + (isBlockVerb(step) ? 0 : 1) + countSteps(step.children), 0);
}

function isBlockVerb(step: PlannedStep): boolean {
  return isBlock({ kind: step.verb } as Step['work']);
}

function needText({ required, default: value, choices, find, found }: Plan['inputs'][number]): string {
  const short = (json: Json) => truncate(plain(JSON.stringify(json)), LONGEST_DEFAULT, '…');
  if (found) return `${short(found.value)} from ${plain(found.from)}`;
  const otherwise = required
    ? 'required'
    : value === undefined
      ? 'may be left out'
      : `default ${short(value)}`;
  const need = find === undefined ? otherwise : `found in the project (${find}), else ${otherwise}`;
  return choices ? `${need}, one of ${choices.map((choice) => plain(String(choice))).join(', ')}` : need;
}

/** `ending` says what came of it; empty where nothing could have. */
export function renderPlan(plan: Plan, look: Look, ending = 'Nothing was run.'): string {
  const marks = symbols(look.unicode);
  const lines: Line[] = [
    [piece(plan.workflow, 'strong'), piece(plan.description === '' ? '' : `  ${plan.description}`)],
  ];
  const own = plan.sources.find((source) => source.kind === 'workflow');
  if (own) lines.push([piece(`from ${own.from}, sha256 ${own.hash}`, 'dim')]);
  if (plan.workspace) lines.push([piece('every run works in a worktree and on a branch of its own', 'dim')]);
  for (const input of plan.inputs) {
    const words = `input ${input.name}: ${input.type}, ${needText(input)}`;
    lines.push([piece(input.description === '' ? words : `${words}  ${input.description}`, 'dim')]);
  }
  lines.push([]);
  lines.push(
    ...treeLines(
      plan.steps.map((step) => treeOf(step, marks)),
      marks,
      look.width,
    ),
  );
  lines.push([], [piece(`${count(countSteps(plan.steps), 'step')} in the definition. ${ending}`.trimEnd())]);
  return renderLines(
    lines.flatMap((line) => wrapLine(line, look.width, '  ')),
    look,
  );
}

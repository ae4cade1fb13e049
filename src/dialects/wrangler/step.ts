// step: one step of theirs → one of ours.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { carryOut, translateGates, translateLoop, translateTasks } from './block.ts';
import { translateCode } from './code.ts';
import { nativeName } from './names.ts';
import type { ForeignList, ForeignStep } from './outline.ts';
import { type AfterFailure, afterFailure } from './run-on.ts';
import { schemaOf, translateAgent, translatePrompt } from './task.ts';
import { conditionOf, keyOf, type Translation } from './translation.ts';

/** How often a task is given in all, where the answer is held against a schema (001, "Error Handling"). */
const TRIES = 2;

/** The steps, and what to do with them once all of the workflow is translated. */
export function translateSteps(
  list: ForeignList,
  at: Node,
  translation: Translation,
  later: (() => void)[],
): Node {
  // That a list is empty was reported; ours would report it again.
  if (list.steps.length === 0) return built(at).node([{ id: 'nothing', ...NOTHING }]);
  const failure = afterFailure(list, translation);
  const steps = list.steps.map((step) => translateStep(step, failure, translation, later));
  const end = failure.end(at);
  return built(at).list(end ? [...steps, end] : steps);
}

const NOTHING = { call: 'noop' };

function translateStep(
  step: ForeignStep,
  failure: AfterFailure,
  translation: Translation,
  later: (() => void)[],
): MapNode {
  const { to, marks, names, reports, safety } = translation;
  const name = to.get(step.node, 'name') ?? step.node;
  const make = built(step.node);
  const called: BuiltEntry = ['name', step.name === step.id ? undefined : make.at(name).scalar(step.name)];
  const labels = [called, ...reports.labels(step)].filter(([, value]) => value !== undefined);
  const node = make.map([
    ['id', make.at(name).scalar(step.id), keyOf(step, 'name', translation)],
    ['labels', labels.length === 0 ? undefined : make.map(labels)],
    translateIf(step, failure, translation),
    ['check', marks.isCheck(step) ? true : undefined],
    ['dry_run', marks.runsDry(step) ? true : undefined],
    ...work(step, translation, later),
    ['output', outputOf(step, translation), keyOf(step, 'output', translation)],
    translateDone(step, translation),
    ['publishes', marks.publishes(step) ? true : undefined],
    ['recover', marks.publishes(step) ? 'pause' : undefined],
    ['on_fail', safety.onFail(step)],
    failure.next(step),
  ]);
  later.push(() => carryOut(step, node, names));
  return node;
}

function outputOf(step: ForeignStep, { to }: Translation): Node | undefined {
  const node = to.get(step.node, 'output');
  const name = stringOf(node);
  return node === undefined || !name?.includes('-') ? node : built(node).scalar(nativeName(name));
}

/** The condition of a loop is when it goes on, not whether it begins. */
function translateIf(step: ForeignStep, failure: AfterFailure, translation: Translation): BuiltEntry {
  const enabled = translation.to.get(step.node, 'enabled');
  const condition = step.kind === 'loop' ? undefined : conditionOf(step, 'condition', translation);
  if (enabled?.kind === 'scalar' && enabled.value === false)
    return ['if', built(enabled).scalar('false'), keyOf(step, 'enabled', translation)];
  const test = failure.test(step);
  if (test !== undefined) {
    const both = condition && [{ text: ') && (' }, ...condition.pieces, { text: ')' }];
    return [
      'if',
      built(condition?.at ?? step.node).text(both ? [{ text: '(' }, ...test, ...both] : test),
      keyOf(step, 'runOn', translation),
    ];
  }
  if (condition === undefined) return ['if', undefined];
  return ['if', built(condition.at).text(condition.pieces), keyOf(step, 'condition', translation)];
}

function work(step: ForeignStep, translation: Translation, later: (() => void)[]): BuiltEntry[] {
  const inside = () => translateSteps(step.body ?? { steps: [] }, step.node, translation, later);
  switch (step.kind) {
    case 'agent':
      return translateAgent(step, translation);
    case 'prompt':
      return translatePrompt(step, translation);
    case 'code':
      return translateCode(step, translation);
    case 'gate-group':
      return translateGates(step, translation);
    case 'loop':
      return translateLoop(step, inside(), translation);
    case 'per-task':
      return translateTasks(step, inside(), translation);
    case 'parallel':
      return [
        ['parallel', true, keyOf(step, 'type', translation)],
        ['steps', inside(), keyOf(step, 'steps', translation)],
      ];
    case undefined:
      // That there is none was reported too.
      return Object.entries(NOTHING);
  }
}

/** `failWhen`: what would make it hold must be false, and must be there. It is not sent back: it has failed. */
function translateDone(step: ForeignStep, translation: Translation): BuiltEntry {
  const schema = schemaOf(step, translation);
  const fails = conditionOf(step, 'failWhen', translation);
  const at = fails?.at ?? schema;
  if (at === undefined) return ['done', undefined];
  const make = built(at);
  const that =
    fails &&
    built(fails.at).map([
      ['is', built(fails.at).text([{ text: '!(' }, ...fails.pieces, { text: ')' }])],
      ['else', reason(fails.at)],
      ['final', true],
    ]);
  return [
    'done',
    make.map([
      ['schema', schema],
      ['that', that && make.list([that]), keyOf(step, 'failWhen', translation)],
      ['tries', schema === undefined ? undefined : TRIES],
    ]),
  ];
}

/** As it is written, unless it would be read as a template. */
function reason(at: Node): string {
  const written = at.kind === 'scalar' ? String(at.value) : '';
  return /\{[{%]/.test(written) ? '`failWhen` holds' : `failWhen: ${written}`;
}

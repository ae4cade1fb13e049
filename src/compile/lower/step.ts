// step: a whole step, nothing left to be filled in later.

import { WRITING_TOOLS } from '../../model/tool-policy.ts';
import type { Merge, PromptWork, Step, WorkspaceMode } from '../../model/workflow.ts';
import {
  headSpan,
  type MapNode,
  type Node,
  nodeSpan,
  setKey,
  stringOf,
  toJson,
} from '../../source/read/node.ts';
import type { Moment } from '../site.ts';
import { lowerActions } from './action.ts';
import {
  lowerCapture,
  lowerDone,
  lowerNext,
  lowerOnFail,
  lowerReads,
  lowerRecover,
  lowerRetry,
  lowerRules,
} from './around.ts';
import type { Lowering, Place } from './lowering.ts';
import { booleanOf, choiceOf, durationOf, itemsOf, present, writtenOf } from './values.ts';
import { lowerWork } from './work.ts';

export function lowerSteps(list: Node | undefined, path: string, lowering: Lowering): Step[] {
  return itemsOf(list).flatMap((item, index) => {
    if (item.kind !== 'map') return [];
    return [lowerStep(item, index, path, lowering)];
  });
}

function lowerStep(node: MapNode, index: number, parent: string, lowering: Lowering): Step {
  const { to, compilation, workflow } = lowering;
  const get = (key: string) => to.get(node, key);
  const idNode = to.entry(node, 'id')?.value;
  const id = stringOf(idNode) ?? `step-${index + 1}`;
  const path = parent === '' ? id : `${parent}/${id}`;
  const { file, line, column } = idNode === undefined ? headSpan(node) : nodeSpan(idNode);
  // The sites need the step before it is whole: they refer to it.
  const step = { id, at: { file, line, column } } as Step;
  const at = (moment: Moment): Place & { step: Step } => ({ step, node, path, moment });
  compilation.place(step, node);

  const { work, schema } = lowerWork(node, at('work'), lowering);
  compilation.place(work, node);
  const rules = lowerRules(get('rules'), at('rule'), lowering);
  const publishes = lowerPublishes(get('publishes'));
  if (publishes !== undefined && work.kind === 'prompt') withholdWriting(work);
  const workspace = choiceOf<WorkspaceMode>(get('workspace')) ?? 'here';

  return Object.assign(
    step,
    present<Omit<Step, 'id' | 'at'>>({
      title: lowering.text(get('title'), at('work')),
      labels: labelsOf(get('labels')),
      if: lowering.cel(get('if'), at('if')),
      check: booleanOf(get('check')) ?? get('gates') !== undefined,
      dryRun: booleanOf(get('dry_run')) ?? false,
      work,
      ...lowerOutput(get('output'), lowering),
      capture: lowerCapture(get('capture'), lowering),
      saveTo: lowering.text(get('save_to'), at('work')),
      reads: lowerReads(get('reads'), at('work'), lowering),
      env: environmentOf(get('env'), lowering),
      secrets: itemsOf(get('secrets')).flatMap((item) => (to.fits(item) ? (stringOf(item) ?? []) : [])),
      timeout: durationOf(get('timeout')),
      retry: lowerRetry(get('retry'), work.kind, lowering),
      rules,
      workspace,
      publishes,
      branch: lowering.text(get('branch'), at('enter')),
      enter: lowerActions(get('enter'), at('enter'), lowering),
      exit: lowerActions(get('exit'), at('exit'), lowering),
      done: lowerDone(get('done'), schema, work.kind, at('done'), lowering),
      onFail: lowerOnFail(get('on_fail')) ?? workflow.onFail,
      onFailInherited: get('on_fail') === undefined && workflow.onFail !== undefined ? true : undefined,
      recover: lowerRecover(get('recover'), at('work'), lowering),
      next: lowerNext(get('next'), at('next'), lowering),
    }),
  );
}

/** `false` is as if it were not said. */
function lowerPublishes(node: Node | undefined): Step['publishes'] {
  const named = stringOf(node);
  return named ?? (booleanOf(node) === true ? true : undefined);
}

/** What is published is there already: nothing is written on the way. */
function withholdWriting({ performer }: PromptWork): void {
  const { tools } = performer;
  const more = WRITING_TOOLS.filter((tool) => !tools.deny.includes(tool));
  performer.tools = { ...tools, deny: [...tools.deny, ...more] };
}

/** A name, or `{ vars, extra }`. */
function lowerOutput(node: Node | undefined, { to }: Lowering): Pick<Step, 'output' | 'merge'> {
  if (node?.kind !== 'map') return present({ output: stringOf(node) });
  const path = (stringOf(to.get(node, 'vars')) ?? '').split('.');
  return {
    output: 'vars',
    merge: { path, extra: choiceOf<Merge['extra']>(to.get(node, 'extra')) ?? 'refuse' },
  };
}

function labelsOf(node: Node | undefined): Step['labels'] {
  return node === undefined ? {} : (toJson(node) as Step['labels']);
}

function environmentOf(node: Node | undefined, { to }: Lowering): Record<string, string> {
  const values: Record<string, string> = {};
  if (node?.kind !== 'map') return values;
  for (const { key, value } of node.entries.values()) {
    const text = to.fits(value) ? writtenOf(value) : undefined;
    if (text !== undefined) setKey(values, key, text);
  }
  return values;
}

// work: the verb of a step.

import { isSoleExpression } from '../../expressions/expressions.ts';
import type { EachWork, OnFail, Step, WaitWork, Work } from '../../model/workflow.ts';
import { parseEach } from '../../source/grammar/each.ts';
import { valueHint } from '../../source/grammar/value-habits.ts';
import { headSpan, type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { resolvePerformer } from '../resolve/agent.ts';
import { refuseHandler } from './action.ts';
import { lowerCalled } from './called.ts';
import { lowerCommand } from './command.ts';
import { lowerGates } from './gates.ts';
import type { Lowering, Place } from './lowering.ts';
import { lowerPrompt } from './prompt.ts';
import { booleanOf, branchesAtOnce, choiceOf, durationOf, itemsOf, numberOf, present } from './values.ts';

const WAIT_EVERY = 1000;

export interface LoweredWork {
  work: Work;
  /** Of a library prompt. */
  schema?: Node;
}

export function lowerWork(node: MapNode, place: Place & { step: Step }, lowering: Lowering): LoweredWork {
  const { to, compilation } = lowering;
  const get = (key: string) => to.get(node, key);
  const [prompt, run, handler] = [get('prompt'), get('run'), stringOf(get('call'))];
  if (prompt !== undefined)
    return lowerPrompt(node, resolvePerformer(node, lowering.root, compilation), place, lowering);
  if (run !== undefined) {
    const command = lowerCommand(run, place, lowering);
    const stdin = lowering.text(to.get(get('stdin'), 'file'), place);
    if (command !== undefined) return { work: present({ kind: 'run' as const, command, stdin }) };
  }
  if (handler !== undefined) {
    refuseHandler(handler, node, place, lowering);
    return { work: { kind: 'call', handler, with: lowering.record(get('with'), place) } };
  }
  const [wait, ask, gates, workflow] = [get('wait'), get('ask'), get('gates'), get('workflow')];
  if (wait !== undefined) return { work: lowerWait(wait, place, lowering) };
  if (ask !== undefined) return { work: lowerAsk(ask, get('choices'), place, lowering) };
  if (gates !== undefined) return { work: lowerGates(node, place, lowering) };
  if (workflow !== undefined) return { work: lowerCalled(workflow, get('with'), place, lowering) };
  if (get('steps') !== undefined) return { work: lowerBlock(node, place, lowering) };
  // The verb is missing or wrong, which was reported.
  return { work: { kind: 'call', handler: 'noop', with: {} } };
}

function lowerWait(node: Node, place: Place, lowering: Lowering): WaitWork {
  const get = (key: string) => lowering.to.get(node, key);
  const [files, signal] = [get('files'), get('signal')];
  const timeout = durationOf(get('timeout'));
  if (files !== undefined) {
    return present({
      kind: 'wait' as const,
      for: 'files' as const,
      files: lowering.texts(files, place),
      min: numberOf(get('min')) ?? 1,
      timeout,
      every: durationOf(get('every')) ?? WAIT_EVERY,
    });
  }
  if (signal !== undefined) {
    return present({
      kind: 'wait' as const,
      for: 'signal' as const,
      signal: lowering.text(signal, place) ?? '',
      timeout,
    });
  }
  return { kind: 'wait', for: 'time', duration: durationOf(get('for')) ?? 0 };
}

function lowerAsk(node: Node, choices: Node | undefined, place: Place, lowering: Lowering): Work {
  const named = stringOf(choices);
  // Any other text is never a list.
  if (choices !== undefined && named !== undefined && isSoleExpression(named.trim()) === undefined)
    lowering.compilation.report.error(
      'wrong-type',
      headSpan(choices),
      '`choices` must be a list, or one `{{ }}` that gives a list',
      valueHint('choices', choices),
    );
  return present({
    kind: 'ask' as const,
    question: lowering.text(node, place) ?? '',
    choices:
      choices?.kind === 'list'
        ? itemsOf(choices).map((choice) => lowering.templated(choice, place))
        : lowering.text(choices, place),
  });
}

function lowerBlock(node: MapNode, place: Place & { step: Step }, lowering: Lowering): Work {
  const { to } = lowering;
  const steps = (): Step[] => lowering.inner.steps(to.get(node, 'steps'), place.path, lowering);
  const [loop, each] = [to.get(node, 'loop'), to.get(node, 'each')];
  const concurrency = to.get(node, 'concurrency');
  if (loop !== undefined) {
    const until = to.get(loop, 'until');
    const test: Place = { ...place, moment: 'until' };
    const cel = lowering.cel(until ?? to.get(loop, 'while'), test) ?? 'false';
    return present({
      kind: 'loop' as const,
      test: { kind: until === undefined ? ('while' as const) : ('until' as const), cel },
      max: numberOf(to.get(loop, 'max')) ?? 1,
      exhausted: choiceOf<OnFail>(to.get(loop, 'exhausted')),
      steps: steps(),
    });
  }
  if (each !== undefined)
    return lowerEach(each, to.get(node, 'order'), numberOf(concurrency), steps, place, lowering);
  if (booleanOf(to.get(node, 'parallel')) === true) {
    const branches = steps();
    return present({
      kind: 'parallel' as const,
      steps: branches,
      concurrency: branchesAtOnce(concurrency, branches.length),
    });
  }
  return { kind: 'sequence', steps: steps() };
}

function lowerEach(
  node: Node,
  order: Node | undefined,
  concurrency: number | undefined,
  steps: () => Step[],
  place: Place,
  lowering: Lowering,
): EachWork {
  const parts = parseEach(stringOf(node) ?? '');
  const list =
    parts && node.kind === 'scalar'
      ? lowering.celWithin(node, parts.list, parts.listAt, place, 'list')
      : '[]';
  return {
    kind: 'each',
    name: parts?.name ?? 'item',
    list,
    order: choiceOf<EachWork['order']>(order) ?? 'listed',
    concurrency: concurrency ?? 1,
    steps: steps(),
  };
}

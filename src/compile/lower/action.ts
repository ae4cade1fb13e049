// action: what is done around a step or on an event.

import { HANDLERS } from '../../model/handlers.ts';
import type { Action, PromptWork } from '../../model/workflow.ts';
import type { Node } from '../../source/read/node.ts';
import { stringOf } from '../../source/read/node.ts';
import { resolvePerformer } from '../resolve/agent.ts';
import { lowerCommand } from './command.ts';
import type { Lowering, Place } from './lowering.ts';
import { lowerPrompt } from './prompt.ts';
import { itemsOf, present } from './values.ts';

export function lowerActions(node: Node | undefined, place: Place, lowering: Lowering): Action[] {
  return itemsOf(node).flatMap((item) => {
    if (!lowering.to.fits(item)) return [];
    const work = lowerActionWork(item, place, lowering);
    if (work === undefined) return [];
    const action: Action = present({
      when: lowering.cel(lowering.to.get(item, 'when'), place),
      work,
      output: stringOf(lowering.to.get(item, 'output')),
    });
    lowering.compilation.place(work, item);
    return [lowering.compilation.place(action, item)];
  });
}

function lowerActionWork(item: Node, place: Place, lowering: Lowering): Action['work'] | undefined {
  const { to, compilation } = lowering;
  const get = (key: string) => to.get(item, key);
  const [say, set, handler] = [get('say'), get('set'), stringOf(get('call'))];
  if (say !== undefined) {
    compilation.needsSession('`say`', item, place.path);
    return { kind: 'say', text: lowering.text(say, place) ?? '' };
  }
  if (set !== undefined) return { kind: 'set', values: lowering.record(set, place) };
  if (handler !== undefined) {
    refuseHandler(handler, item, place, lowering);
    return { kind: 'call', handler, with: lowering.record(get('with'), place) };
  }
  const command = lowerCommand(get('run'), place, lowering);
  if (command !== undefined) return { kind: 'run', command };
  if (get('prompt') === undefined) return undefined;
  return actionPrompt(item, place, lowering);
}

function actionPrompt(item: Node, place: Place, lowering: Lowering): PromptWork {
  const resolved = resolvePerformer(place.node, lowering.root, lowering.compilation);
  return lowerPrompt(item, resolved, place, lowering).work;
}

export function refuseHandler(handler: string, node: Node, place: Place, { compilation }: Lowering): void {
  const needs = Object.hasOwn(HANDLERS, handler) ? HANDLERS[handler]?.needs : undefined;
  if (needs === undefined) return;
  compilation.needsSession(`\`call: ${handler}\``, node, place.path);
}

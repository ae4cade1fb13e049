// prompt: the task of an agent, with the agent's own text, each checked with the names that it will see.

import type { PromptFile, PromptTemplate, PromptWork } from '../../model/workflow.ts';
import { isTask } from '../../source/grammar/name.ts';
import type { Node, ScalarNode } from '../../source/read/node.ts';
import { stringOf } from '../../source/read/node.ts';
import type { ResolvedPerformer } from '../resolve/agent.ts';
import { findPrompt, findTemplate } from '../resolve/prompt.ts';
import type { Lowering, Place } from './lowering.ts';
import { present } from './values.ts';

export interface LoweredPrompt {
  work: PromptWork;
  /** Of a library prompt. */
  schema?: Node;
}

/** `item` is the map that has `prompt`: a step or an action. */
export function lowerPrompt(
  item: Node,
  { performer, system, params }: ResolvedPerformer,
  place: Place,
  lowering: Lowering,
): LoweredPrompt {
  const given = lowering.to.get(item, 'with');
  const values = lowering.record(given, place);
  const inside: Place = { ...place, local: Object.keys(values) };
  if (system !== undefined) lowering.text(system, inside);
  const { prompt, schema } = promptOf(lowering.to.get(item, 'prompt'), { given, system }, inside, lowering);
  const work: PromptWork = present({
    kind: 'prompt' as const,
    prompt,
    // fromEntries defines: `__proto__` is a key like any other.
    performer: {
      ...performer,
      params: Object.fromEntries(params.map(([key, value]) => [key, lowering.templated(value, place)])),
    },
    session: stringOf(lowering.to.get(item, 'session')),
    with: values,
  });
  return schema === undefined ? { work } : { work, schema };
}

function promptOf(
  node: Node | undefined,
  { given, system }: { given: Node | undefined; system: ScalarNode | undefined },
  place: Place,
  lowering: Lowering,
): { prompt: PromptTemplate | PromptFile; schema?: Node } {
  const { to } = lowering;
  const file = to.get(node, 'file');
  if (file !== undefined) return { prompt: { kind: 'file', path: lowering.text(file, place) ?? '' } };
  const text = to.get(node, 'text') ?? (isTask(stringOf(node) ?? '') ? node : undefined);
  if (text !== undefined) return { prompt: { kind: 'template', text: lowering.text(text, place) ?? '' } };
  const found =
    node &&
    (to.entry(node, 'template') === undefined
      ? (lowering.compilation.prepared.get(node) ?? findPrompt(node, given, lowering.compilation, system))
      : findTemplate(node, lowering.compilation));
  if (found === undefined) return { prompt: { kind: 'template', text: '' } };
  const { name, source, body, inputs, schema } = found;
  lowering.text(body, inputs === undefined ? place : { ...place, local: inputs, only: true });
  const prompt: PromptTemplate = present({
    kind: 'template' as const,
    name,
    source,
    text: String(body.value),
    inputs,
  });
  return schema === undefined ? { prompt } : { prompt, schema };
}

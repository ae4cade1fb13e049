// block: steps that hold others, and groups of gates.

import { type BuiltEntry, built } from '../../source/build-nodes.ts';
import { type MapNode, type Node, stringOf } from '../../source/read/node.ts';
import { member } from '../native-text.ts';
import { type Names, nativeName } from './names.ts';
import type { ForeignStep } from './outline.ts';
import { parsePath } from './path.ts';
import { beside, givenToGates } from './task.ts';
import { conditionOf, keyOf, type Translation } from './translation.ts';

const EXHAUSTED: Readonly<Record<string, string>> = { escalate: 'pause', warn: 'continue', fail: 'stop' };

export function translateLoop(step: ForeignStep, steps: Node, translation: Translation): BuiltEntry[] {
  const { to, safety } = translation;
  const test = conditionOf(step, 'condition', translation);
  const exhausted = to.get(step.node, 'onExhausted');
  const policy = EXHAUSTED[stringOf(exhausted) ?? 'escalate'] ?? 'pause';
  const make = built(test?.at ?? step.node);
  const loop = make.map([
    ['while', test ? make.text(test.pieces) : 'false', keyOf(step, 'condition', translation)],
    ['max', safety.passes(step), keyOf(step, 'maxRetries', translation)],
    ['exhausted', built(exhausted ?? step.node).scalar(policy), keyOf(step, 'onExhausted', translation)],
  ]);
  return [
    ['loop', loop, keyOf(step, 'type', translation)],
    ['steps', steps, keyOf(step, 'steps', translation)],
  ];
}

export function translateTasks(step: ForeignStep, steps: Node, translation: Translation): BuiltEntry[] {
  const { to, names } = translation;
  const source = to.get(step.node, 'source');
  const path = source?.kind === 'scalar' ? parsePath(source, 'source', to.report) : undefined;
  const list = path && source?.kind === 'scalar' ? names.resolve(path, step, source, 'source') : undefined;
  const make = built(source ?? step.node);
  const each =
    path && list
      ? make.text([{ text: 'task in ' }, { text: list, from: [path.start, path.end] }])
      : // In place of one that was reported: what is inside can still be looked at.
        make.scalar('task in [{}]');
  return [
    ['each', each, keyOf(step, 'source', translation)],
    ['order', 'dependencies'],
    ['steps', steps, keyOf(step, 'steps', translation)],
  ];
}

/** What is read after a `per-task` is kept by the steps in it; the `per-task` itself holds what every task came to. */
export function carryOut(step: ForeignStep, node: MapNode, { carried }: Names): void {
  const names = [...(carried.get(step) ?? [])].map(nativeName);
  if (names.length === 0) return;
  const isTasks = step.kind === 'per-task';
  // A group that failed has put out what its other steps said.
  const isGroup = step.kind === 'parallel' || step.kind === 'gate-group';
  const kept = (name: string) => {
    const before = member('vars', name);
    return isTasks ? `default(${name}, ${before})` : isGroup ? `default(output, ${before})` : 'output';
  };
  const set = Object.fromEntries(names.map((name) => [name, `{{ ${kept(name)} }}`]));
  const made = built(step.node).map([
    ['exit', [{ ...(!isTasks && !isGroup && { when: 'status == "done"' }), set }]],
  ]);
  for (const [key, entry] of made.entries) node.entries.set(key, entry);
}

export function translateGates(step: ForeignStep, translation: Translation): BuiltEntry[] {
  const { to, pages } = translation;
  const node = to.get(step.node, 'gates');
  const written = stringOf(node);
  if (node === undefined || written === undefined) return [['call', 'noop']];
  const path = `${beside(written).replace(/\/+$/, '')}/`;
  return [
    ['gates', built(node).scalar(path), keyOf(step, 'gates', translation)],
    ['syntax', 'handlebars'],
    ['with', givenToGates(step, pages.gates(path, node), translation), keyOf(step, 'input', translation)],
  ];
}

// merge: a workflow that extends another. Maps merge, lists replace, steps merge by id with the new ones last.
// What can only be one of several things (a verb, a test, where a prompt comes from) is replaced by the child's.

import { stepShape } from '../../source/grammar/step-shape.ts';
import type { ListNode, MapEntry, MapNode, Node } from '../../source/read/node.ts';
import { child, stringOf } from '../../source/read/node.ts';

const VERBS = [...new Set(stepShape.branches.flatMap(({ marks }) => marks))];
const LEAVES = VERBS.filter((verb) => !['steps', 'parallel', 'loop', 'each'].includes(verb));

/** Fields of which a child's takes the place of the parent's others. */
const EXCLUSIVE: Record<string, readonly string[][]> = {
  prompt: [['text', 'file']],
  wait: [['files', 'min', 'every', 'timeout', 'signal', 'for']],
  loop: [['while', 'until']],
};
/** Taken whole: halves of two schemas, or of two values, make none. */
const WHOLE = new Set(['schema', 'default']);

export function mergeWorkflows(parent: MapNode, over: MapNode): MapNode {
  return mergeMaps(parent, over);
}

function mergeMaps(parent: MapNode, over: MapNode, exclusive: readonly string[][] = []): MapNode {
  const entries = new Map(parent.entries);
  for (const group of exclusive) {
    if (group.some((key) => over.entries.has(key))) for (const key of group) entries.delete(key);
  }
  for (const [key, entry] of over.entries) {
    const before = entries.get(key);
    entries.set(key, before === undefined ? entry : mergeEntries(key, before, entry));
  }
  return { ...over, entries };
}

function mergeEntries(key: string, before: MapEntry, after: MapEntry): MapEntry {
  return { ...after, value: mergeValues(key, before.value, after.value) };
}

function mergeValues(key: string, before: Node, after: Node): Node {
  if (key === 'steps' && before.kind === 'list' && after.kind === 'list') return mergeSteps(before, after);
  if (WHOLE.has(key) || before.kind !== 'map' || after.kind !== 'map') return after;
  return mergeMaps(before, after, Object.hasOwn(EXCLUSIVE, key) ? EXCLUSIVE[key] : []);
}

function mergeSteps(before: ListNode, after: ListNode): ListNode {
  const items = [...before.items];
  const placeOf = new Map<string, number>();
  items.forEach((item, index) => {
    const id = stringOf(child(item, 'id'));
    if (id !== undefined && !placeOf.has(id)) placeOf.set(id, index);
  });
  for (const item of after.items) {
    const id = stringOf(child(item, 'id'));
    const place = id === undefined ? undefined : placeOf.get(id);
    const known = place === undefined ? undefined : items[place];
    if (place !== undefined && known?.kind === 'map' && item.kind === 'map') {
      items[place] = mergeStep(known, item);
      // A second one with this id is a duplicate, which is reported as such.
      placeOf.delete(id ?? '');
    } else {
      items.push(item);
    }
  }
  return { ...after, items };
}

function mergeStep(parent: MapNode, over: MapNode): MapNode {
  const leaf = LEAVES.some((verb) => over.entries.has(verb) && !parent.entries.has(verb));
  const block = over.entries.has('steps') && !parent.entries.has('steps');
  const kinds = ['parallel', 'loop', 'each'];
  const other = kinds.some((kind) => over.entries.has(kind) && !parent.entries.has(kind));
  return mergeMaps(parent, over, [...(leaf || block ? [VERBS] : []), ...(other ? [kinds] : [])]);
}

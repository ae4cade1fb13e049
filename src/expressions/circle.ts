// circle: whether things that name what they need, as `each … order: dependencies` reads them, can be put in order.

import { type Run, spend } from './code.ts';
import { Trouble } from './trouble.ts';
import { described, Items, member, textOf, type Value } from './value.ts';

/** The ids of one circle, the first once more at the end; none where each can come after those it needs. */
export function circleOf(list: Value, run: Run): Value {
  if (!Array.isArray(list)) throw new Trouble(`circle() needs a list, not ${described(list)}`);
  const needs = new Map<string, string[]>();
  for (const item of list) {
    const [id, needed] = [member(item, 'id'), member(item, 'dependencies')];
    const names = Array.isArray(needed) ? needed.map(textOf) : [];
    spend(run, names.length + 1);
    if (id !== undefined) needs.set(textOf(id), names);
  }
  const circle = new Items();
  for (const id of firstCircle(needs)) circle.push(id);
  return circle;
}

/** Depth first, without recursion: a chain of 10,000 is as good as any. */
function firstCircle(needs: ReadonlyMap<string, string[]>): string[] {
  const settled = new Set<string>();
  for (const start of needs.keys()) {
    const path = settled.has(start) ? [] : [{ id: start, at: 0 }];
    const onPath = new Set(path.map(({ id }) => id));
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = needs.get(top.id)?.[top.at++];
      if (next === undefined) {
        settled.add(top.id);
        onPath.delete(top.id);
        path.pop();
      } else if (onPath.has(next)) {
        const ids = path.map(({ id }) => id);
        return [...ids.slice(ids.indexOf(next)), next];
      } else if (!settled.has(next)) {
        path.push({ id: next, at: 0 });
        onPath.add(next);
      }
    }
  }
  return [];
}

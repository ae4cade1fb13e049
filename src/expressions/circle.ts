// circle: whether things that name what they need, as `each … order: dependencies` reads them, can be put in order.

import { orderByNeeds } from '../model/needs.ts';
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
  const { circles } = orderByNeeds(needs.keys(), (id) => needs.get(id) ?? [], 'first');
  for (const id of circles[0] ?? []) circle.push(id);
  return circle;
}

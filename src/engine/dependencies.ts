// dependencies: `each … order: dependencies` reads `id` and `dependencies` of its items (rule 6).

import type { Json } from '../model/json.ts';
import { orderByNeeds } from '../model/needs.ts';

function idOf(item: Json): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  return typeof item.id === 'string' || typeof item.id === 'number' ? String(item.id) : undefined;
}

function neededBy(item: Json): string[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return [];
  return Array.isArray(item.dependencies) ? item.dependencies.map(String) : [];
}

/** For each item, the numbers of those it needs. Unknown ones are left out: `orderByDependencies` refused them before. */
export function dependencyNumbers(items: Json[]): number[][] {
  const numbers = new Map(items.map((item, index) => [idOf(item), index]));
  return items.map((item) => neededBy(item).flatMap((id) => numbers.get(id) ?? []));
}

export type Ordering = { items: Json[] } | { problem: string };

/** Each after those it needs, else as listed. A circle or an unknown dependency is named. */
export function orderByDependencies(items: Json[]): Ordering {
  const byId = new Map<string, Json>();
  for (const [index, item] of items.entries()) {
    const id = idOf(item);
    if (id === undefined)
      return { problem: `item ${index} has no \`id\`, which \`order: dependencies\` needs` };
    if (byId.has(id)) return { problem: `two items have the id "${id}"` };
    byId.set(id, item);
  }
  for (const [id, item] of byId) {
    const unknown = neededBy(item).filter((needed) => !byId.has(needed));
    if (unknown.length > 0) {
      return {
        problem: `"${id}" depends on ${unknown.map((name) => `"${name}"`).join(', ')}, which is not in the list`,
      };
    }
  }
  const needsOf = (id: string) => neededBy(byId.get(id) as Json);
  const { order, circles } = orderByNeeds(byId.keys(), needsOf, 'first');
  const [circle] = circles;
  if (circle) return { problem: `the dependencies go round in a circle: ${circle.join(' → ')}` };
  return { items: order.map((id) => byId.get(id) as Json) };
}

// dependencies: `each … order: dependencies` reads `id` and `dependencies` of its items (rule 6).

import type { Json } from '../model/json.ts';

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
  return sorted(byId);
}

/** Depth first in listed order, without recursion: a chain of 10,000 is as good as any. */
function sorted(byId: Map<string, Json>): Ordering {
  const placed = new Set<string>();
  const items: Json[] = [];
  for (const start of byId.keys()) {
    const path = placed.has(start) ? [] : [start];
    const onPath = new Set(path);
    while (path.length > 0) {
      const id = path[path.length - 1] as string;
      const needed = neededBy(byId.get(id) as Json).find((name) => !placed.has(name));
      if (needed === undefined) {
        path.pop();
        onPath.delete(id);
        placed.add(id);
        items.push(byId.get(id) as Json);
      } else if (onPath.has(needed)) {
        const circle = [...path.slice(path.indexOf(needed)), needed];
        return { problem: `the dependencies go round in a circle: ${circle.join(' → ')}` };
      } else {
        path.push(needed);
        onPath.add(needed);
      }
    }
  }
  return { items };
}

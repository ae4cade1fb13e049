// needs: things that name what they need, put in an order in which each comes after those; and where that cannot be,
// because they need each other in a circle. Items of `each`, tasks, issues and `circle()` are all asked this here.
// (compile/flow/reachability.ts answers another question: which of all nodes share a circle, asked often of one graph.)

export interface Ordered<Id> {
  /** Each after those it needs, else as given; of a circle, as far as it could be told. */
  order: Id[];
  /** Each from where it was first met, with that one once more at its end. */
  circles: Id[][];
}

/**
 * Depth first, without recursion: a chain of 10,000 is as good as any. What is not among `ids` is passed over.
 * `circles`: all that are met, or only the first, where the walk then ends.
 */
export function orderByNeeds<Id>(
  ids: Iterable<Id>,
  needsOf: (id: Id) => readonly Id[],
  circles: 'all' | 'first',
): Ordered<Id> {
  const known = new Set(ids);
  const ordered: Ordered<Id> = { order: [], circles: [] };
  const placed = new Set<Id>();
  for (const start of known) {
    const path = placed.has(start) ? [] : [{ id: start, needs: needsOf(start), at: 0 }];
    const onPath = new Set(path.map(({ id }) => id));
    for (let top = path.at(-1); top; top = path.at(-1)) {
      if (top.at === top.needs.length) {
        path.pop();
        onPath.delete(top.id);
        placed.add(top.id);
        ordered.order.push(top.id);
        continue;
      }
      const next = top.needs[top.at++] as Id;
      if (onPath.has(next)) {
        const round = path.map(({ id }) => id);
        ordered.circles.push([...round.slice(round.indexOf(next)), next]);
        if (circles === 'first') return ordered;
      } else if (known.has(next) && !placed.has(next)) {
        path.push({ id: next, needs: needsOf(next), at: 0 });
        onPath.add(next);
      }
    }
  }
  return ordered;
}

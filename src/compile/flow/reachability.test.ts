import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlowNode, reach } from './graph.ts';
import { Reachability } from './reachability.ts';

function graph(size: number, pairs: [number, number][]): FlowNode[] {
  const nodes: FlowNode[] = Array.from({ length: size }, (_, index) => ({
    index,
    kind: 'start',
    out: [],
    in: [],
  }));
  for (const [from, to] of pairs) {
    const [one, other] = [nodes[from % size], nodes[to % size]];
    if (one && other)
      one.out.push({ from: one, to: other, how: (from + to) % 5 === 0 ? 'again' : 'on', knows: [] });
  }
  return nodes;
}

describe('reachability', () => {
  it('says what a plain walk says, for any two nodes of any graph', () => {
    const pair = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), fc.array(pair, { maxLength: 40 }), (size, pairs) => {
        const nodes = graph(size, pairs);
        const lets = ({ how }: { how: string }) => how !== 'again';
        const numbered = new Reachability(nodes, lets);
        const walked = nodes.map((from) => reach(from, 'out', lets));
        for (const [i, from] of nodes.entries()) {
          for (const [j, to] of nodes.entries()) {
            expect(numbered.leads(from, to)).toBe(walked[i]?.has(to));
            expect(numbered.inCircle(from, to)).toBe(walked[i]?.has(to) && walked[j]?.has(from));
          }
        }
      }),
    );
  });

  it('knows nothing of nodes it was not given', () => {
    const [a, b, c] = graph(3, [
      [0, 1],
      [1, 2],
    ]) as [FlowNode, FlowNode, FlowNode];
    const numbered = new Reachability([a, c], () => true);
    expect([numbered.leads(a, b), numbered.leads(a, c), numbered.leads(a, a)]).toEqual([false, false, true]);
  });
});

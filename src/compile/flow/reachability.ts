// reachability: whether a path leads from one node to another, asked often of one graph.
// The nodes are numbered once so that most questions are answered by comparing numbers: strongly connected components
// in reverse topological order, and the tree of a depth-first walk. What is left is walked, between the two only.

import type { FlowEdge, FlowNode } from './graph.ts';

interface Numbers {
  /** When the walk came to it, and the last that it came to from it. */
  first: number;
  last: number;
  /** Nodes of one circle share it; an edge never leads to a higher one. */
  component: number;
}

export class Reachability {
  readonly #numbers = new Map<FlowNode, Numbers>();
  readonly #lets: (edge: FlowEdge) => boolean;

  /** Of the nodes given, along the edges let through. */
  constructor(nodes: Iterable<FlowNode>, lets: (edge: FlowEdge) => boolean) {
    const inside = new Set(nodes);
    this.#lets = (edge) => inside.has(edge.to) && lets(edge);
    const counter = { visits: 0, components: 0 };
    for (const node of inside) if (!this.#numbers.has(node)) this.#number(node, counter);
  }

  leads(from: FlowNode, to: FlowNode): boolean {
    const [start, goal] = [this.#numbers.get(from), this.#numbers.get(to)];
    if (!start || !goal) return false;
    const seen = new Set([from]);
    for (const node of seen) {
      const at = this.#numbers.get(node);
      if (!at || at.component < goal.component) continue;
      if (at.component === goal.component || (at.first <= goal.first && goal.first <= at.last)) return true;
      for (const edge of node.out) if (this.#lets(edge)) seen.add(edge.to);
    }
    return false;
  }

  /** Whether each leads to the other. */
  inCircle(one: FlowNode, other: FlowNode): boolean {
    const component = this.#numbers.get(one)?.component;
    return component !== undefined && component === this.#numbers.get(other)?.component;
  }

  /** Tarjan's walk, without recursion: a workflow may be long. */
  #number(root: FlowNode, counter: { visits: number; components: number }): void {
    const open: FlowNode[] = [];
    const lows = new Map<FlowNode, number>();
    const path: { node: FlowNode; next: number }[] = [];
    const enter = (node: FlowNode): void => {
      const first = counter.visits++;
      this.#numbers.set(node, { first, last: first, component: Number.POSITIVE_INFINITY });
      lows.set(node, first);
      open.push(node);
      path.push({ node, next: 0 });
    };
    const low = (node: FlowNode, value: number): void => {
      if (value < (lows.get(node) ?? 0)) lows.set(node, value);
    };
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { node } = top;
      const edge = node.out[top.next++];
      if (edge) {
        if (!this.#lets(edge)) continue;
        const known = this.#numbers.get(edge.to);
        if (!known) enter(edge.to);
        else if (known.component === Number.POSITIVE_INFINITY) low(node, known.first);
        continue;
      }
      path.pop();
      const numbers = this.#numbers.get(node) as Numbers;
      numbers.last = counter.visits - 1;
      if (lows.get(node) === numbers.first) this.#close(node, open, counter.components++);
      const parent = path.at(-1);
      if (parent) low(parent.node, lows.get(node) ?? 0);
    }
  }

  #close(node: FlowNode, open: FlowNode[], component: number): void {
    for (let member = open.pop(); member; member = open.pop()) {
      (this.#numbers.get(member) as Numbers).component = component;
      if (member === node) return;
    }
  }
}

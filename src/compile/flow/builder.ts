// builder: what the parts of build have in hand while they put a graph together.

import type { Step } from '../../model/workflow.ts';
import type { FlowNode, How, NodeKind } from './graph.ts';
import type { Outline, Spot } from './outline.ts';

/** Where a step goes on, seen from its place in a list. */
export interface Exits {
  /** The following step, or what comes after the list. */
  follow: FlowNode;
  /** What fails when it fails and its failure is not caught. */
  fail: FlowNode;
}

export interface Builder {
  outline: Outline;
  /** Also the inside of what its own text switches off (`if: false`): a way that no run takes. */
  throughSwitchedOff: boolean;
  node(kind: NodeKind, spot?: Spot): FlowNode;
  /** The one node of its kind that the step has. */
  the(kind: NodeKind, spot: Spot): FlowNode;
  edge(from: FlowNode, to: FlowNode, how: How, more?: { says?: string; knows?: readonly string[] }): void;
  step(spot: Spot, exits: Exits): void;
  /** Puts the steps of a list in a row; answers with where it begins. */
  list(steps: readonly Step[], exits: Exits): FlowNode;
}

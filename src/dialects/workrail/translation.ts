// translation: what the parts of one translation share.

import type { Conforming } from '../../source/grammar/conform.ts';
import type { MapNode, Node } from '../../source/read/node.ts';
import type { Names } from './names.ts';
import type { ForeignStep } from './outline.ts';

export interface Translation {
  to: Conforming;
  names: Names;
  document: MapNode;
  /** The first step that an agent does. */
  first: ForeignStep | undefined;
}

export function keyOf(step: ForeignStep, key: string, { to }: Translation): Node | undefined {
  return to.entry(step.node, key)?.keyNode;
}

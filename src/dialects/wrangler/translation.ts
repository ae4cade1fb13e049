// translation: what the parts of one translation share.

import type { Piece } from '../../source/build-nodes.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import type { Node } from '../../source/read/node.ts';
import { type Absence, translateCondition } from './condition.ts';
import type { Generation } from './grammar.ts';
import type { Marks } from './marks.ts';
import type { Names } from './names.ts';
import type { ForeignStep } from './outline.ts';
import type { Pages } from './pages.ts';
import type { Reports } from './reports.ts';
import type { Safety } from './safety.ts';

export interface Translation {
  version: Generation;
  to: Conforming;
  names: Names;
  pages: Pages;
  safety: Safety;
  marks: Marks;
  reports: Reports;
  /** Who does what names nobody. */
  agent: Node | undefined;
}

export function keyOf(step: ForeignStep, key: string, { to }: Translation): Node | undefined {
  return to.entry(step.node, key)?.keyNode;
}

/** `condition` and `failWhen`. undefined: there is none, or it is wrong, which was reported. */
export function conditionOf(
  step: ForeignStep,
  field: 'condition' | 'failWhen',
  { to, names }: Translation,
): { at: Node; pieces: Piece[] } | undefined {
  const at = to.get(step.node, field);
  if (at?.kind !== 'scalar') return undefined;
  const own = field === 'failWhen';
  const absence: Absence = own ? 'is-an-error' : 'is-false';
  const resolve = (path: Parameters<Names['resolve']>[0]) => names.resolve(path, step, at, field, own);
  const pieces = translateCondition(at, field, {
    report: to.report,
    resolve,
    absence,
    ...(!own && { isThere: (root) => names.canBeThere(root, step) }),
  });
  return pieces && { at, pieces };
}

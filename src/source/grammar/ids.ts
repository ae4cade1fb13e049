// ids: within a list of steps each id stands for one step.

import { type ListNode, nodeSpan, type ScalarNode, stringOf } from '../read/node.ts';
import type { Conforming } from './conform.ts';

export function checkIds(list: ListNode, to: Conforming): void {
  const first = new Map<string, ScalarNode>();
  for (const item of list.items) {
    const node = to.get(item, 'id');
    const id = stringOf(node);
    if (id === undefined || node?.kind !== 'scalar') continue;
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, node);
      continue;
    }
    const at = nodeSpan(before);
    to.report.error(
      'duplicate-id',
      nodeSpan(node),
      `two steps of this list have the id "${id}"; the other is at ${at.file}:${at.line}:${at.column}`,
      'Give one of them another id.',
    );
  }
}

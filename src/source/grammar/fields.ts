// fields: which fields a map has that it should not, and which it has not that it should.

import { closest } from '../../text/closest-name.ts';
import { headSpan, type MapEntry, type MapNode, nodeSpan } from '../read/node.ts';
import type { Conforming } from './conform.ts';
import { orList } from './expectation.ts';
import { shorten } from './name.ts';
import type { Fields } from './shape.ts';

export interface FieldSet {
  /** For messages: `a \`run\` step`. */
  name: string;
  fields: Fields;
  /** The branches that would have the field. */
  elsewhere?: (key: string) => string[];
}

/** What people know from other tools. */
const KNOWN_ELSEWHERE: Record<string, string> = {
  command: 'run',
  script: 'run',
  shell: 'run',
  cmd: 'run',
  when: 'if',
  condition: 'if',
  foreach: 'each',
  for_each: 'each',
  uses: 'workflow',
  on_error: 'on_fail',
  max_retries: 'retry',
  args: 'with',
  environment: 'env',
  needs: 'next',
  depends_on: 'reads',
  variables: 'vars',
  context: 'vars',
};

export function checkFields(node: MapNode, set: FieldSet, to: Conforming): void {
  for (const entry of node.entries.values()) {
    if (!Object.hasOwn(set.fields, entry.key)) unknownField(node, entry, set, to);
  }
  for (const [key, field] of Object.entries(set.fields)) {
    if (field.required && to.entry(node, key) === undefined) {
      to.report.error('missing-field', headSpan(node), `${set.name} needs \`${key}\``, field.description);
    }
  }
}

/** The field that was probably meant, if the map does not have it already. */
export function meantField(node: MapNode, key: string, fields: Iterable<string>): string | undefined {
  const known = [...fields];
  if (known.includes(key)) return undefined;
  return closest(
    key,
    known.filter((field) => !node.entries.has(field)),
  );
}

function unknownField(node: MapNode, entry: MapEntry, set: FieldSet, to: Conforming): void {
  const { key, keyNode } = entry;
  const span = nodeSpan(keyNode);
  const shown = `\`${shorten(key)}\``;
  const others = set.elsewhere?.(key) ?? [];
  if (others.length > 0) {
    to.report.error(
      'field-not-here',
      span,
      `${shown} does not belong to ${set.name}`,
      `It belongs to ${orList(others.map((other) => `\`${other}\``))}.`,
    );
    return;
  }
  const meant = meantField(node, key, Object.keys(set.fields));
  if (meant !== undefined) to.meant(node, meant, entry);
  to.report.error('unknown-field', span, `${set.name} has no field ${shown}`, hintFor(node, key, meant, set));
}

function hintFor(
  node: MapNode,
  key: string,
  meant: string | undefined,
  { fields }: FieldSet,
): string | undefined {
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const known = Object.hasOwn(KNOWN_ELSEWHERE, key) ? KNOWN_ELSEWHERE[key] : undefined;
  if (known !== undefined && Object.hasOwn(fields, known) && !node.entries.has(known))
    return `Did you mean "${known}"?`;
  const names = Object.keys(fields);
  return names.length > 8 || names.length === 0
    ? undefined
    : `It has ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

// fields: which fields a map has that it should not, and which it has not that it should.

import { closest } from '../../text/closest-name.ts';
import { headSpan, type MapEntry, type MapNode, nodeSpan } from '../read/node.ts';
import type { Conforming } from './conform.ts';
import { orList } from './expectation.ts';
import { habitHint } from './habits.ts';
import { shorten } from './name.ts';
import type { Fields } from './shape.ts';

export interface FieldSet {
  /** For messages: `a \`run\` step`. */
  name: string;
  fields: Fields;
  /** The branches that would have the field. */
  elsewhere?: (key: string) => string[];
}

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
  const habit = habitHint(placeOf(set.name), entry, node);
  const meant = habit === undefined ? meantField(node, key, Object.keys(set.fields)) : undefined;
  if (meant !== undefined) to.meant(node, meant, entry);
  const hint = habit ?? hintFor(meant, set);
  to.report.error('unknown-field', span, `${set.name} has no field ${shown}`, hint);
}

/** `step`, `workflow`, `input`; else the field that holds the map. */
function placeOf(name: string): string {
  return name.replaceAll('`', '').replace(/^.* (?=\w+$)/, '');
}

function hintFor(meant: string | undefined, { fields }: FieldSet): string | undefined {
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const names = Object.keys(fields);
  return names.length > 8 || names.length === 0
    ? undefined
    : `It has ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

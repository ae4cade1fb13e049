// print: a native document as the YAML that a person would have written: fields in the order of docs/language.md, what
// is short on one line, several lines as a block, expressions in quotes, a blank line between steps.
// P1. Reading what was printed gives the same tree.   P2. The same tree gives the same text.

import type { Shape } from '../../source/grammar/shape.ts';
import { workflowShape } from '../../source/grammar/workflow-shape.ts';
import type { ListNode, MapNode, Node } from '../../source/read/node.ts';
import { isStep, orderedFields, type PlacedField, shapeFor } from './print-order.ts';
import { keyText, scalarText } from './print-scalar.ts';

/** Longer lines are broken up where they can be. */
const WIDEST = 100;

export function printWorkflow(document: MapNode, comment: string): string {
  const lines: string[] = comment.split(/[\r\n]+/).map((line) => `# ${line}`);
  let before = 2;
  for (const field of orderedFields(document, workflowShape)) {
    const printed = fieldLines(field, 0);
    // What takes more than a line stands apart.
    if (before > 1 || printed.length > 1) lines.push('');
    lines.push(...printed);
    before = printed.length;
  }
  return `${lines.join('\n')}\n`;
}

/** `indent`: how far in it will stand; lines come without it. */
function mapLines(map: MapNode, shape: Shape | undefined, indent: number): string[] {
  return orderedFields(map, shape).flatMap((field) => fieldLines(field, indent));
}

function fieldLines({ entry, shape }: PlacedField, indent: number): string[] {
  const key = `${keyText(entry.key)}:`;
  const { value } = entry;
  const fitting = shapeFor(value, shape);
  if (value.kind === 'scalar') return scalarLines(`${key} `, value, fitting);
  const flow = flowText(value, fitting, indent + key.length + 1);
  if (flow !== undefined) return [`${key} ${flow}`];
  const inner =
    value.kind === 'map' ? mapLines(value, fitting, indent + 2) : listLines(value, fitting, indent + 2);
  return [key, ...inner.map(indented)];
}

function listLines(list: ListNode, shape: Shape | undefined, indent: number): string[] {
  const of = shape?.kind === 'list' ? shape.of : undefined;
  return list.items.flatMap((item, index) => {
    const fitting = shapeFor(item, of);
    const lines = itemLines(item, fitting, indent);
    return index > 0 && isStep(fitting) ? ['', ...lines] : lines;
  });
}

function itemLines(item: Node, shape: Shape | undefined, indent: number): string[] {
  if (item.kind === 'scalar') return scalarLines('- ', item, shape);
  const flow = isStep(shape) ? undefined : flowText(item, shape, indent + 2);
  if (flow !== undefined) return [`- ${flow}`];
  const inner = item.kind === 'map' ? mapLines(item, shape, indent + 2) : listLines(item, shape, indent + 2);
  const [first = '', ...rest] = inner;
  return [`- ${first}`, ...rest.map(indented)];
}

function scalarLines(
  before: string,
  node: Extract<Node, { kind: 'scalar' }>,
  shape: Shape | undefined,
): string[] {
  const { head, body = [] } = scalarText(node, isExpression(shape));
  return [before + head, ...body.map(indented)];
}

/** On one line, if it fits there and a person would write it so: values, and lists of values, not maps in maps. */
function flowText(node: ListNode | MapNode, shape: Shape | undefined, column: number): string | undefined {
  if (isStepList(shape) && node.kind === 'list' && node.items.length > 0) return undefined;
  const text = node.kind === 'list' ? flowList(node, shape) : flowMap(node, shape);
  const isEmpty = text === '[]' || text === '{}';
  return isEmpty || (text !== undefined && column + text.length <= WIDEST) ? text : undefined;
}

function flowList({ items }: ListNode, shape: Shape | undefined): string | undefined {
  const of = shape?.kind === 'list' ? shape.of : undefined;
  return joined(
    '[',
    items.map((item) => flowValue(item, shapeFor(item, of), false)),
    ']',
  );
}

function flowMap(map: MapNode, shape: Shape | undefined): string | undefined {
  const parts = orderedFields(map, shape).map(({ entry, shape: of }) => {
    const text = flowValue(entry.value, shapeFor(entry.value, of), true);
    return text === undefined ? undefined : `${keyText(entry.key)}: ${text}`;
  });
  return parts.length === 0 ? '{}' : joined('{ ', parts, ' }');
}

function flowValue(node: Node, shape: Shape | undefined, lists: boolean): string | undefined {
  if (node.kind === 'scalar') {
    const { head, body } = scalarText(node, isExpression(shape));
    return body === undefined ? head : undefined;
  }
  if (node.kind === 'list') return lists || node.items.length === 0 ? flowList(node, shape) : undefined;
  return node.entries.size === 0 ? '{}' : undefined;
}

function joined(open: string, parts: (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`;
}

function isExpression(shape: Shape | undefined): boolean {
  return shape?.kind === 'cel' || shape?.kind === 'each';
}

function isStepList(shape: Shape | undefined): boolean {
  if (shape?.kind !== 'list') return false;
  return isStep(shape.of.kind === 'later' ? shape.of.shape() : shape.of);
}

/** An empty line stays one. */
function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

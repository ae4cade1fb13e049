// print-order: which field a part of a native document has where, what each field holds, and in which order a person
// wants to read them. The grammar knows the fields; only a step is told otherwise: who, what, around, where next, inside.

import { accepts } from '../../source/grammar/expectation.ts';
import type { Fields, Shape } from '../../source/grammar/shape.ts';
import type { MapEntry, MapNode, Node } from '../../source/read/node.ts';

const STEP = [
  ...['id', 'title', 'labels', 'if', 'check', 'dry_run', 'each', 'order', 'loop', 'parallel', 'concurrency'],
  ...['agent', 'model', 'provider', 'params', 'session', 'prompt', 'run', 'stdin', 'call', 'wait', 'ask'],
  ...[
    'choices',
    'gates',
    'prompts',
    'syntax',
    'workflow',
    'with',
    'output',
    'capture',
    'save_to',
    'reads',
    'env',
    'secrets',
  ],
  ...[
    'timeout',
    'retry',
    'tools',
    'rules',
    'enter',
    'exit',
    'done',
    'workspace',
    'publishes',
    'recover',
    'on_fail',
    'next',
  ],
];

export interface PlacedField {
  entry: MapEntry;
  /** What it holds; undefined: anything. */
  shape: Shape | undefined;
}

export function orderedFields(map: MapNode, shape: Shape | undefined): PlacedField[] {
  const entries = [...map.entries.values()];
  if (shape?.kind === 'record') return entries.map((entry) => ({ entry, shape: shape.of }));
  const fields = shape === undefined ? {} : fieldsOf(map, shape);
  const order = isStep(shape) ? STEP : Object.keys(fields);
  const rank = ({ key }: MapEntry) => {
    // The steps inside of a step come last: what is said after them would not be found.
    if (key === 'steps') return order.length + 1;
    const at = order.indexOf(key);
    return at < 0 ? order.length : at;
  };
  return entries
    .map((entry) => ({
      entry,
      shape: Object.hasOwn(fields, entry.key) ? fields[entry.key]?.shape : undefined,
    }))
    .sort((a, b) => rank(a.entry) - rank(b.entry));
}

export function isStep(shape: Shape | undefined): boolean {
  return shape?.kind === 'variants' && shape.name === 'step';
}

/** The one that is meant, of those that a field may hold. */
export function shapeFor(node: Node, shape: Shape | undefined): Shape | undefined {
  if (shape?.kind === 'later') return shapeFor(node, shape.shape());
  if (shape?.kind !== 'either') return shape;
  const one = shape.of.find((option) => accepts(option, node));
  return one && shapeFor(node, one);
}

function fieldsOf(map: MapNode, shape: Shape): Fields {
  if (shape.kind === 'object') return shape.fields;
  if (shape.kind === 'open') return shape.known;
  if (shape.kind !== 'variants') return {};
  const branches = shape.branches.filter(({ marks }) => marks.every((mark) => map.entries.has(mark)));
  return Object.assign({}, shape.common, ...branches.map(({ fields }) => fields));
}

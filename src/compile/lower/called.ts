// called: `workflow: name`. Each file is lowered once, into `workflows` of the root; a circle is an error that shows it.

import type { Work, Workflow } from '../../model/workflow.ts';
import { headSpan, type Node, stringOf, toJson } from '../../source/read/node.ts';
import { needFor } from '../compilation.ts';
import { checkGiven } from '../resolve/given.ts';
import type { Lowering, Place } from './lowering.ts';
import { isOfType } from './settings.ts';

const NOTHING: Work = { kind: 'call', handler: 'noop', with: {} };

export function lowerCalled(node: Node, given: Node | undefined, place: Place, lowering: Lowering): Work {
  const { compilation } = lowering;
  const values = lowering.record(given, place);
  const reference = stringOf(node);
  if (reference === undefined) return { ...NOTHING };
  const file = compilation.want(needFor('workflow', reference, node), node, 'missing-workflow');
  const called = file && lowering.inner.workflow(file, reference, node);
  if (called === undefined) return { ...NOTHING };
  checkInputs(reference, called.workflow, given, node, lowering);
  return { kind: 'workflow', workflow: called.key, with: values };
}

function checkInputs(
  name: string,
  { inputs }: Workflow,
  given: Node | undefined,
  at: Node,
  lowering: Lowering,
): void {
  const { report } = lowering.compilation;
  const names = Object.keys(inputs);
  const needed = names.filter(
    (input) => inputs[input]?.default === undefined && inputs[input]?.required !== false,
  );
  checkGiven({ what: `the workflow "${name}"`, names, needed, otherwise: '' }, given, at, report);
  if (given?.kind !== 'map') return;
  for (const { key, value } of given.entries.values()) {
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (input === undefined || mayBeTemplate(value) || isOfType(toJson(value), input.type)) continue;
    const message = `the input "${key}" of "${name}" is a ${input.type}, and this is not`;
    report.error('wrong-type', headSpan(value), message);
  }
}

function mayBeTemplate(node: Node): boolean {
  return node.kind === 'scalar' && (node.broken === true || String(node.value).includes('{{'));
}

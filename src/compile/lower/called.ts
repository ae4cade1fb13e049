// called: `workflow: name`. Each file is lowered once, into `workflows` of the root; a circle is an error that shows it.

import type { Work, Workflow } from '../../model/workflow.ts';
import { didYouMean, meantKeys } from '../closest.ts';
import { needFor } from '../compilation.ts';
import { headSpan, type Node, nodeSpan, type ScalarNode, stringOf, toJson } from '../read/node.ts';
import type { Lowering, Place } from './lowering.ts';
import { isOfType } from './settings.ts';
import { calledWorkflow } from './workflow.ts';

const NOTHING: Work = { kind: 'call', handler: 'noop', with: {} };

export function lowerCalled(node: Node, given: Node | undefined, place: Place, lowering: Lowering): Work {
  const { compilation } = lowering;
  const values = lowering.record(given, place);
  const reference = stringOf(node);
  if (reference === undefined) return { ...NOTHING };
  const file = compilation.want(needFor('workflow', reference, node), node, 'missing-workflow');
  const called = file && calledWorkflow(file, reference, node, lowering);
  if (called === undefined) return { ...NOTHING };
  checkInputs(reference, called.workflow, given, node, lowering);
  return { kind: 'workflow', workflow: called.key, with: values };
}

function checkInputs(
  name: string,
  { inputs }: Workflow,
  given: Node | undefined,
  at: Node,
  { compilation: { report } }: Lowering,
): void {
  const entries =
    given?.kind === 'map' ? given.entries : new Map<string, { keyNode: ScalarNode; value: Node }>();
  for (const [key, { keyNode, value }] of entries) {
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (input === undefined) {
      const names = Object.keys(inputs);
      const hint =
        didYouMean(key, names) ?? (names.length > 0 ? `It has ${names.join(', ')}.` : 'It has none.');
      report.error('unknown-input', nodeSpan(keyNode), `the workflow "${name}" has no input "${key}"`, hint);
    } else if (!mayBeTemplate(value) && !isOfType(toJson(value), input.type)) {
      report.error(
        'wrong-type',
        headSpan(value),
        `the input "${key}" of "${name}" is a ${input.type}, and this is not`,
      );
    }
  }
  const meant = meantKeys(entries.keys(), Object.keys(inputs));
  for (const [key, input] of Object.entries(inputs)) {
    if (input.default !== undefined || entries.has(key) || meant.has(key)) continue;
    report.error(
      'missing-input',
      nodeSpan(at),
      `the workflow "${name}" needs the input "${key}"`,
      `Give it with \`with: { ${key}: … }\`.`,
    );
  }
}

function mayBeTemplate(node: Node): boolean {
  return node.kind === 'scalar' && (node.broken === true || String(node.value).includes('{{'));
}

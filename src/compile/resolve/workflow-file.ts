// workflow-file: a workflow's text, read, recognised, merged with what it extends, and held against the grammar.

import type { LoadedFile } from '../../model/library.ts';
import { type Compilation, needFor } from '../compilation.ts';
import { checkDialect } from '../dialects/detect.ts';
import { conform } from '../grammar/conform.ts';
import { workflowShape } from '../grammar/workflow-shape.ts';
import { child, headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../read/node.ts';
import { readDocument } from './document.ts';
import { mergeWorkflows } from './merge.ts';

/** Longer chains than this are nobody's intention. */
const LONGEST_CHAIN = 30;

/** undefined: it cannot be read as a workflow at all, and that was reported. */
export function workflowNode(file: LoadedFile, compilation: Compilation): MapNode | undefined {
  return compilation.once('workflow', file, () => {
    const merged = withParents(file, compilation, []);
    if (merged !== undefined) conform(merged, workflowShape, 'the workflow', compilation.to);
    return merged;
  });
}

interface Link {
  file: LoadedFile;
  name: string;
}

function withParents(
  file: LoadedFile,
  compilation: Compilation,
  chain: readonly Link[],
): MapNode | undefined {
  const node = ownNode(file, compilation);
  const parent = child(node, 'extends');
  const reference = stringOf(parent);
  if (node === undefined || parent === undefined || reference === undefined) return node;
  const links = [...chain, { file, name: nameOf(node, file) }];
  const need = needFor('workflow', reference, parent);
  const found = compilation.want(need, parent, 'missing-parent');
  if (found === undefined) return node;
  if (links.some((link) => link.file.id === found.id) || links.length > LONGEST_CHAIN) {
    reportCircle(links, found, parent, compilation);
    return node;
  }
  compilation.source('workflow', reference, found);
  const merged = withParents(found, compilation, links);
  if (merged === undefined) return node;
  if (!node.entries.has('name')) {
    compilation.report.error(
      'missing-field',
      headSpan(node),
      'a workflow needs a `name` of its own, also where it extends another',
    );
  }
  return mergeWorkflows(merged, node);
}

function reportCircle(links: readonly Link[], found: LoadedFile, at: Node, { report }: Compilation): void {
  const first = links.findIndex((link) => link.file.id === found.id);
  if (first < 0) {
    report.error('extends-circle', nodeSpan(at), `more than ${LONGEST_CHAIN} workflows extend each other`);
    return;
  }
  const names = links.slice(first).map((link) => `${link.name} (${link.file.path})`);
  report.error(
    'extends-circle',
    nodeSpan(at),
    `workflows extend each other in a circle: ${[...names, links[first]?.name].join(' → ')}`,
    'Take `extends` out of one of them.',
  );
}

/** The text of this file alone. */
function ownNode(file: LoadedFile, compilation: Compilation): MapNode | undefined {
  return compilation.once('own', file, () => {
    const node = readDocument(file, compilation.report);
    if (node === undefined) return undefined;
    if (node.kind !== 'map') {
      if (node.kind !== 'scalar' || !node.broken) {
        compilation.report.error(
          'wrong-type',
          headSpan(node),
          'a workflow must be a map',
          'It starts with `lockstep: 1`.',
        );
      }
      return undefined;
    }
    if (!checkDialect(node, compilation.report)) return undefined;
    // Of a parent too: what the child says here would hide it.
    const version = workflowShape.fields.lockstep;
    const given = child(node, 'lockstep');
    if (version !== undefined && given !== undefined)
      conform(given, version.shape, '`lockstep`', compilation.to);
    return node;
  });
}

export function nameOf(node: MapNode | undefined, file: LoadedFile): string {
  return stringOf(child(node, 'name')) ?? file.path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
}

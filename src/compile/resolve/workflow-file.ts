// workflow-file: a workflow's text, read, recognised, merged with what it extends, and held against the grammar.

import type { DialectName } from '../../model/dialect.ts';
import type { LoadedFile } from '../../model/library.ts';
import { conform } from '../../source/grammar/conform.ts';
import { workflowShape } from '../../source/grammar/workflow-shape.ts';
import { readDocument } from '../../source/read/document.ts';
import { child, headSpan, type MapNode, type Node, nodeSpan, stringOf } from '../../source/read/node.ts';
import { type Compilation, needFor } from '../compilation.ts';
import { detect } from '../detect.ts';
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
  const { node } = ownDocument(file, compilation);
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
  if (reportForeign(found, parent, compilation)) return node;
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

/** Only native workflows can be merged: the parts of a translated one have names that nobody wrote. */
function reportForeign(parent: LoadedFile, at: Node, compilation: Compilation): boolean {
  const { dialect } = ownDocument(parent, compilation);
  if (dialect === undefined || dialect === 'native') return false;
  compilation.report.error(
    'extends-dialect',
    nodeSpan(at),
    `"${parent.path}" is written in ${dialect}, and only a native workflow can be extended`,
    `Call it as a step (\`workflow:\`), or extend what \`lockstep convert ${parent.path}\` prints.`,
  );
  return true;
}

interface OwnDocument {
  /** Native, whatever the file is written in. Absent: it cannot be read as a workflow, and that was reported. */
  node?: MapNode;
  dialect?: DialectName;
}

/** The text of this file alone. */
function ownDocument(file: LoadedFile, compilation: Compilation): OwnDocument {
  return compilation.once('own', file, () => {
    const document = readMap(file, compilation);
    const said = compilation.dialectSaid(file);
    const row = document && detect(document, compilation.report, compilation.dialects, said);
    if (document === undefined || row === undefined) return {};
    const dialect = row.name;
    const node = row.translate?.(document, file, compilation.report, compilation);
    if (dialect !== 'native') compilation.translated(file, dialect);
    if (node === undefined) return { dialect };
    // Of a parent too: what the child says here would hide it.
    const version = workflowShape.fields.lockstep;
    const given = child(node, 'lockstep');
    if (version !== undefined && given !== undefined)
      conform(given, version.shape, '`lockstep`', compilation.to);
    return { node, dialect };
  });
}

function readMap(file: LoadedFile, { report }: Compilation): MapNode | undefined {
  const node = readDocument(file, report);
  if (node === undefined || node.kind === 'map') return node;
  if (node.kind !== 'scalar' || !node.broken) {
    const hint = 'It starts with `lockstep: 1`.';
    report.error('wrong-type', headSpan(node), 'a workflow must be a map', hint);
  }
  return undefined;
}

export function nameOf(node: MapNode | undefined, file: LoadedFile): string {
  return stringOf(child(node, 'name')) ?? file.path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
}

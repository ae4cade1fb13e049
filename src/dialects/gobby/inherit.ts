// inherit: a workflow that extends another, as one. Maps merge, phases merge by their names, other lists replace; the child wins.

import type { LoadedFile } from '../../model/library.ts';
import type { Report } from '../../source/diagnostics.ts';
import type { NamedFiles } from '../../source/dialect.ts';
import { readDocument } from '../../source/read/document.ts';
import {
  child,
  type ListNode,
  type MapEntry,
  type MapNode,
  type Node,
  nodeSpan,
  stringOf,
} from '../../source/read/node.ts';

const LONGEST_CHAIN = 30;

export interface Inherited {
  /** With what it inherits. */
  document: MapNode;
  /** The parent, where it is a workflow of ours: that one is not merged here. */
  native?: Node;
}

export function inherited(document: MapNode, file: LoadedFile, report: Report, files: NamedFiles): Inherited {
  const links = [{ id: file.id, name: nameOf(document, file) }];
  let [merged, from] = [document, file];
  for (;;) {
    const parent = child(merged, 'extends');
    const reference = stringOf(parent);
    merged = without(merged, 'extends');
    if (parent === undefined || reference === undefined) return { document: merged };
    const isPath = /\/|\.(?:ya?ml|json)$/.test(reference);
    const found = files.want(
      isPath
        ? { by: 'path', kind: 'workflow', path: reference, from: from.id }
        : { by: 'name', kind: 'workflow', name: reference },
      parent,
      'missing-parent',
    );
    if (found === undefined) return { document: merged };
    if (links.some(({ id }) => id === found.id) || links.length > LONGEST_CHAIN) {
      const names = [...links.map(({ name }) => name), reference].join(' → ');
      report.error(
        'extends-circle',
        nodeSpan(parent),
        `workflows extend each other in a circle: ${names}`,
        'Take `extends` out of one of them.',
      );
      return { document: merged };
    }
    const read = readDocument(found, report);
    if (read?.kind !== 'map') return { document: merged };
    if (read.entries.has('lockstep')) return { document: merged, native: parent };
    if (read.entries.has('steps')) {
      report.error(
        'extends-dialect',
        nodeSpan(parent),
        `"${found.path}" is no gobby workflow, and no native one`,
        `Extend what \`lockstep convert ${found.path}\` prints.`,
      );
      return { document: merged };
    }
    links.push({ id: found.id, name: nameOf(read, found) });
    merged = mergedMaps(read, merged);
    from = found;
  }
}

function nameOf(document: MapNode, file: LoadedFile): string {
  return stringOf(child(document, 'name')) ?? file.path;
}

function without(map: MapNode, key: string): MapNode {
  return { ...map, entries: new Map([...map.entries].filter(([each]) => each !== key)) };
}

/** What the parent alone has keeps its place; `extends` is the parent's own. */
function mergedMaps(parent: MapNode, own: MapNode): MapNode {
  const entries = new Map<string, MapEntry>(parent.entries);
  for (const [key, entry] of own.entries) {
    const old = entries.get(key);
    entries.set(
      key,
      old === undefined ? entry : { ...entry, value: mergedNodes(key, old.value, entry.value) },
    );
  }
  return { ...own, entries };
}

function mergedNodes(key: string, parent: Node, own: Node): Node {
  if (parent.kind === 'map' && own.kind === 'map') return mergedMaps(parent, own);
  if (key === 'phases' && parent.kind === 'list' && own.kind === 'list') return mergedPhases(parent, own);
  return own;
}

function mergedPhases(parent: ListNode, own: ListNode): ListNode {
  const named = (list: ListNode) => new Map(list.items.map((item) => [stringOf(child(item, 'name')), item]));
  const changes = named(own);
  const known = named(parent);
  const items = parent.items.map((item) => {
    const name = stringOf(child(item, 'name'));
    const change = name === undefined ? undefined : changes.get(name);
    return item.kind === 'map' && change?.kind === 'map' ? mergedMaps(item, change) : item;
  });
  const added = own.items.filter((item) => {
    const name = stringOf(child(item, 'name'));
    return name === undefined || !known.has(name);
  });
  return { ...own, items: [...items, ...added] };
}

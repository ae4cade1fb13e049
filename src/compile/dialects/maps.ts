// maps: the items of a list of the document that are maps, for telling what kind of document it is.

import { child, type MapNode } from '../read/node.ts';

export function maps(document: MapNode, key: string): MapNode[] {
  const node = child(document, key);
  return node?.kind === 'list' ? node.items.filter((item): item is MapNode => item.kind === 'map') : [];
}

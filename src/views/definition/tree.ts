// tree: lines with branches drawn in front of them.

import { type Line, type Piece, piece } from '../text/line.ts';
import type { Symbols } from '../text/symbols.ts';
import { wrap } from '../text/width.ts';

export interface TreeNode {
  line: Line;
  /** Under the line, before the children; wrapped to the width. */
  details: string[];
  children: TreeNode[];
}

const NARROWEST = 20;

/** What does not fit on its first line goes on two columns further in. */
function hanging(text: string, room: number): string[] {
  const words = text.trim().replace(/ +/g, ' ');
  const [first = '', ...more] = wrap(words, room);
  if (more.length === 0) return [first];
  return [first, ...wrap(words.slice(first.length), room - 2).map((line) => `  ${line}`)];
}

export function treeLines(nodes: TreeNode[], marks: Symbols, width: number, indent = ''): Line[] {
  const lines: Line[] = [];
  nodes.forEach((node, index) => {
    const isLast = index === nodes.length - 1;
    const trunk = indent + (isLast ? ' '.repeat(marks.trunk.length) : marks.trunk);
    const branch: Piece = piece(indent + (isLast ? marks.lastBranch : marks.branch), 'dim');
    lines.push([branch, ...node.line]);
    const inner = trunk + (node.children.length > 0 ? marks.trunk : ' '.repeat(marks.trunk.length));
    for (const detail of node.details) {
      for (const text of hanging(detail, Math.max(NARROWEST, width - inner.length)))
        lines.push([piece(inner, 'dim'), piece(text, 'dim')]);
    }
    lines.push(...treeLines(node.children, marks, width, trunk));
  });
  return lines;
}

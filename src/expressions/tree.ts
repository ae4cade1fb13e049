// tree: the parts of a parsed expression, whatever it is.

import type { ASTNode } from '@marcbachmann/cel-js';

export function partsOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case '!_':
    case '-_':
      return [node.args];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    default:
      return node.args;
  }
}

/** Whether it has more than `levels` levels, found without recursion: that is what it guards. */
export function isDeeper(root: ASTNode, levels: number): boolean {
  let level: ASTNode[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= levels) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

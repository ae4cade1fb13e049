// path: an expression as people write it, for messages: `steps["a-b"].output.tasks`.

import type { ASTNode } from '@marcbachmann/cel-js';

/** What is neither a name, a member nor a call is shown as `(…)`. */
export function pathOf(node: ASTNode): string {
  switch (node.op) {
    case 'id':
      return node.args;
    case '.':
      return `${pathOf(node.args[0])}.${node.args[1]}`;
    case '[]':
      return `${pathOf(node.args[0])}[${indexText(node.args[1])}]`;
    case 'call':
      return `${node.args[0]}(${node.args[1].length > 0 ? '…' : ''})`;
    case 'rcall':
      return `${pathOf(node.args[1])}.${node.args[0]}(${node.args[2].length > 0 ? '…' : ''})`;
    default:
      return '(…)';
  }
}

const LONGEST_INDEX = 40;

function indexText(node: ASTNode): string {
  if (node.op === 'value' && typeof node.args === 'string') return JSON.stringify(node.args);
  const text = node.input.slice(node.start, node.end);
  return text.length > LONGEST_INDEX ? '…' : text;
}

/** The key that a member is read by, where the text says it outright. */
export function staticKey(node: ASTNode): string | undefined {
  if (node.op === '.') return node.args[1];
  if (node.op === '[]' && node.args[1].op === 'value' && typeof node.args[1].args === 'string')
    return node.args[1].args;
  return undefined;
}

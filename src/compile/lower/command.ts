// command: a `run` line or list. A line that is one `{{ }}` is the command itself, and may name an input only:
// anything else could put what an agent said into a shell.

import { isInput, isSoleExpression } from '../../expressions/expressions.ts';
import type { CommandLine } from '../../model/workflow.ts';
import { type Node, nodeSpan, type ScalarNode } from '../../source/read/node.ts';
import { scriptWord } from '../../text/shell/shell.ts';
import type { Lowering, Place } from './lowering.ts';
import { writtenOf } from './values.ts';

export function lowerCommand(
  node: Node | undefined,
  place: Place,
  lowering: Lowering,
): CommandLine | undefined {
  if (node === undefined) return undefined;
  const { compilation } = lowering;
  if (node.kind === 'list') {
    const argv = lowering.commandWords(node, place);
    const script = compilation.isForeign(node) ? undefined : scriptWord(argv);
    return compilation.place<CommandLine>(
      { kind: 'argv', argv, ...(script !== undefined && { script }) },
      node,
    );
  }
  const line = writtenOf(node);
  if (node.kind !== 'scalar' || line === undefined) return undefined;
  if (line.trim() === '') {
    compilation.report.error('wrong-type', nodeSpan(node), '`run` is empty, and must not be');
    return undefined;
  }
  const expression = isSoleExpression(line.trim());
  return compilation.place<CommandLine>(
    expression === undefined
      ? { kind: 'shell', line: lowering.shellLine(node, place) }
      : wholeCommand(node, line, expression, place, lowering),
    node,
  );
}

function wholeCommand(
  node: ScalarNode,
  line: string,
  expression: string,
  place: Place,
  lowering: Lowering,
): CommandLine {
  const offset = line.indexOf(expression);
  if (!isInput(expression)) {
    lowering.compilation.report.error(
      'run-template',
      nodeSpan(node),
      'a `run` that is one `{{ }}` and nothing else is the command itself, and may name an input only',
      "Write the command out and put values into it: run: 'deploy {{ vars.target }}'",
    );
    // Checked all the same, so that a misspelt name is not reported on the next run only.
    return { kind: 'shell', line: lowering.shellLine(node, place) };
  }
  return { kind: 'input', expression: lowering.celWithin(node, expression, offset, place, 'any') };
}

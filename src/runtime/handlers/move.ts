// move: { from, to }. A `to` that ends in `/` is a folder and the name stays. Gives the new path.
// A crash may have come after the file was moved and before that was journaled: moved again, what is gone here and
// there at the goal was moved by us. Otherwise a file that is missing is missing, whatever lies at the goal.

import { basename } from 'node:path/posix';
import { Fault } from '../../model/fault.ts';
import { textArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';

export function move({ command, with: given, context }: HandlerCall): Handled {
  const from = textArgument(given, 'from');
  const wanted = textArgument(given, 'to');
  const to = wanted.endsWith('/') ? `${wanted}${basename(from)}` : wanted;
  context.changes.wrote(from);
  context.changes.wrote(to);
  try {
    context.workspace.move(from, to);
  } catch (error) {
    const isGone = error instanceof Fault && error.code === 'file-not-found';
    if (!isGone || !command.again || !context.workspace.exists(to)) throw error;
  }
  context.debug?.(command, 'files', `moved ${from} to ${to}`);
  return { output: to };
}

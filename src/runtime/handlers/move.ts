// move: { from, to }. A `to` that ends in `/` is a folder and the name stays. Gives the new path.

import { basename } from 'node:path/posix';
import { textArgument } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';

export function move({ with: given, context }: HandlerCall): Handled {
  const from = textArgument(given, 'from');
  const wanted = textArgument(given, 'to');
  const to = wanted.endsWith('/') ? `${wanted}${basename(from)}` : wanted;
  context.changes.wrote(from);
  context.changes.wrote(to);
  context.workspace.move(from, to);
  return { output: to };
}

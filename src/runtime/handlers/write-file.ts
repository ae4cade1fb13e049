// write-file: { path, content }. Text as it is, anything else as JSON. Gives the path.

import { textArgument, wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';

export function writeFile({ command, with: given, context }: HandlerCall): Handled {
  const path = textArgument(given, 'path');
  const content = given.content;
  if (content === undefined) throw wrong('content', 'there', content);
  context.changes.wrote(path);
  context.workspace.write(
    path,
    typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
  );
  context.debug?.(command, 'files', `wrote ${path}`);
  return { output: path };
}

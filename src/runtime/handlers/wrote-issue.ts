// wrote-issue: an issue is a file of the project. Where the run works in the project itself, no agent that runs at the
// same time is to be blamed for it (rule 6).

import { placeName } from '../../model/place-name.ts';
import type { Issue } from '../../ports/tracker.ts';
import type { HandlerCall } from './handler.ts';

export function wroteIssue({ command, context }: HandlerCall, { id, path }: Issue): void {
  context.changes.wrote(path);
  context.debug?.(command, 'files', `${placeName(command.path, command.part)}: wrote issue ${id}, ${path}`);
}

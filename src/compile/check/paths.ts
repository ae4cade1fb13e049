// paths: those that are written out must stay in the workspace (S4), by what they say and by where links on the disk
// lead now. What a template gives is looked at when it has.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { OWN_PLACE_WORDS, ownPlaceOf } from '../../model/own-place.ts';
import { placeOf, type WrittenPath, whyOutside, writtenPaths } from './places.ts';
import type { Subject } from './subject.ts';

export function checkPaths({ workflow, draft }: Subject): Diagnostic[] {
  return writtenPaths(workflow, draft).flatMap((written) => {
    const why = whyOutside(written.path);
    if (why !== undefined)
      return [outside(written, `"${shown(written)}" ${why}`, 'Write it relative to the workspace.')];
    const refused = whyProtected(written);
    if (refused !== undefined) return [refused];
    const need = placeOf(written, draft);
    return (
      (need && draft.found(need)?.outside.slice(0, MOST))?.map(({ path, leads }) => {
        const met = path === written.path ? `"${path}"` : `"${shown(written)}" meets "${path}", which`;
        return outside(written, `${met} leads to ${leads}`, 'A symlink on the way points there.');
      }) ?? []
    );
  });
}

/** What a template fills in stands for one name: what is around it is known all the same. */
function whyProtected({ path, field = 'this', isWritten, span }: WrittenPath): Diagnostic | undefined {
  const own = isWritten ? ownPlaceOf(path.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, '\u0001')) : undefined;
  if (own === undefined) return undefined;
  return {
    code: 'path-protected',
    severity: 'error',
    message: `\`${field}\` cannot be "${path}": ${OWN_PLACE_WORDS[own]}`,
    span: span(),
    hint: 'Write it to another place of the workspace.',
    context: { field, path },
  };
}

/** A pattern may meet hundreds of links. */
const MOST = 3;

function outside({ field, span, path }: WrittenPath, how: string, hint: string): Diagnostic {
  const what = field === undefined ? 'this pattern' : `\`${field}\``;
  const context = { ...(field !== undefined && { field }), path };
  const message = `${what} must stay in the workspace, and ${how}`;
  return { code: 'path-outside', severity: 'error', message, span: span(), hint, context };
}

/** Of what is put together by an expression, the beginning. */
function shown({ path }: WrittenPath): string {
  return path.replace(/\{\{ \}\}$/, '…');
}

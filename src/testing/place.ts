// place: how a test names a step: by its path (`execute[1]/implement`), with or without the number of the visit, or by
// its id; and with a dot and a part, what surrounds it.

import { placeName } from '../views/step-path.ts';

const MARKS = /~\d+|\[\d+\]|#\d+/g;

export function isAt(named: string, { path, part }: { path: string; part?: string | undefined }): boolean {
  return (
    named === placeName(path, part) ||
    named === placeName(withoutVisits(path), part) ||
    named === placeName(idOf(path), part)
  );
}

function withoutVisits(path: string): string {
  return path.replace(/~\d+/g, '');
}

/** `execute[1]/implement~2` → `implement`. */
export function idOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(MARKS, '');
}

/** The ids that a name speaks of, from the outside in; a part is left out. */
export function idsIn(named: string): string[] {
  return named
    .replace(/\.[a-z_]+(?:\[\d+\])?$/, '')
    .split('/')
    .map((segment) => segment.replace(MARKS, ''));
}

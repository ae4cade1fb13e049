// note: keeping the first few of what there may be many of.

import type { Noted } from './shape.ts';

const MOST = 50;

export function note<T>(noted: Noted<T>, item: T): void {
  noted.count += 1;
  if (noted.kept.length < MOST) noted.kept.push(item);
}

/** All that the other has counted, and of its first ones those for which there is room. */
export function noteAll<T>(noted: Noted<T>, more: Noted<T>): void {
  for (const item of more.kept) note(noted, item);
  noted.count += more.count - more.kept.length;
}

/** The place in the definition: the same for every visit, item and pass. */
export function placeOf(path: string): string {
  return path.replace(/[~#]\d+|\[\d+\]/g, '');
}

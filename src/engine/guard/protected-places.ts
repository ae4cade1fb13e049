// protected-places: why a file must not be written whatever the lists say of tools. `.git` and the folder of runs never;
// definitions and clients' settings only where `tools.allow` names them, because who may change these may change what
// binds the next step. Told by every name the file has: as spelt, as where links lead, and by what the disk says.

import { OWN_PLACE_WORDS, ownPlaceOf, PROTECTED_NAMES, settingNameOf } from '../../model/own-place.ts';
import type { ToolAct } from '../../model/tool-call.ts';

/** A path that is settled: relative to the workspace where inside, else absolute; no `.` or `..` in it. */
export interface SettledPlace extends Pick<ToolAct, 'real' | 'others' | 'glob' | 'inside'> {
  /** As it is spelt. */
  file: string;
}

/** All names that are judged, each once, the spelling first. */
export function namesOf({ file, real, others = [] }: SettledPlace): string[] {
  return [...new Set([file, real ?? file, ...others])];
}

/** `.g*` below a folder may be `.git`. */
function reachedBelow(folder: string, glob: string | undefined): string[] {
  const [begun = ''] = /^\.[^/*]*/.exec(glob ?? '') ?? [];
  if (begun === '' || !/[*?]/.test(glob ?? '')) return [];
  return PROTECTED_NAMES.filter((name) => name.startsWith(begun)).map((name) => `${folder}/${name}`);
}

/** `isNamed`: whether an item of `tools.allow` lets this path be written and names `.claude` or whatever it is. */
export function whyProtected(
  place: SettledPlace,
  isNamed: (setting: { name: string; path: string }) => boolean,
): string | undefined {
  const names = namesOf(place).flatMap((name) => [name, ...reachedBelow(name, place.glob)]);
  const own = place.inside ?? names.map(ownPlaceOf).find((found) => found !== undefined);
  if (own !== undefined) return `${place.file} cannot be written: ${OWN_PLACE_WORDS[own]}`;
  for (const path of names) {
    const name = settingNameOf(path);
    if (name === undefined || isNamed({ name, path })) continue;
    return `${path} says how agents and Lockstep behave: an item of \`tools.allow\` has to name \`${name}\` for it to be written`;
  }
  return undefined;
}

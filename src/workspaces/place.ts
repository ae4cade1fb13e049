// place: whether a path or pattern of the workspace leads outside as things are now (S4). Asked when a workflow is
// loaded, so that a person hears of it before anything runs; the check that counts is made just before each use.

import { Fault } from '../model/fault.ts';
import type { PlaceFound, PlaceNeed } from '../model/library.ts';
import { type Boundary, leadsOutside, openBoundary } from './boundary.ts';
import { glob } from './glob.ts';

const WILD = /[*?[\]{}\\!]/;

export function lookAtPlace(root: string, { path, glob: syntax }: PlaceNeed): PlaceFound {
  try {
    const boundary = openBoundary(root);
    if (syntax === undefined) return { outside: outsideOf(boundary, [path]) };
    // The folder that the pattern spells out is looked at even where nothing matches.
    const segments = path.split('/');
    const wild = segments.findIndex((segment) => WILD.test(segment));
    const folder = (wild < 0 ? segments : segments.slice(0, wild)).join('/');
    const outside = folder === '' ? [] : outsideOf(boundary, [folder]);
    // All that a `**` might find in a large tree is too much to look at for a word that comes early.
    if (outside.length > 0 || segments.includes('**')) return { outside };
    return { outside: outsideOf(boundary, glob(boundary, path, syntax)) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { outside: error.code === 'path-outside' ? [{ path, leads: 'a place outside' }] : [] };
  }
}

function outsideOf(boundary: Boundary, paths: readonly string[]): PlaceFound['outside'] {
  return paths.flatMap((path) => {
    const leads = leadsOutside(boundary, path);
    return leads === undefined ? [] : [{ path, leads }];
  });
}

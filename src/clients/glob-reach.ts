// glob-reach: what a glob that a model wrote can reach: each of its alternatives as a folder or file that is spelt out, and
// a pattern below it. Rather more than the client would find than less; where that cannot be told, nothing is said.

import { braceAlternatives } from '../text/brace-alternatives.ts';

export interface Reached {
  /** Spelt out, as from where the glob is: a folder where there is a `glob`. */
  file: string;
  glob?: string;
}

/** `folder`: what the glob is relative to; absent: where the agent works. Undefined: nobody can tell. */
export function globReach(pattern: string, folder?: string): Reached[] | undefined {
  // Clients differ in what an escaped brace is.
  if (/\\[{},]/.test(pattern)) return undefined;
  if (pattern.startsWith('!')) return [placed('', '**', folder)];
  const plain = withoutGroups(pattern.replace(/\{[^{},]*\.\.[^{},]*\}/g, '*'));
  const alternatives = plain === undefined ? undefined : braceAlternatives(plain);
  const reached = alternatives?.map((one) => reachOf(one, folder));
  return reached?.every((one) => one !== undefined) ? (reached as Reached[]) : undefined;
}

/** `@(a|b)` and the like stand for a part of a name; one that holds a path is too much. */
function withoutGroups(pattern: string): string | undefined {
  let left = pattern;
  for (let found = GROUP.exec(left); found !== null; found = GROUP.exec(left)) {
    if (/\/|\.\.|~/.test(found[0])) return undefined;
    left = `${left.slice(0, found.index)}*${left.slice(found.index + found[0].length)}`;
  }
  return /[@!+*?]\(/.test(left) ? undefined : left;
}

const GROUP = /[@!+*?]\([^()]*\)/;

function reachOf(alternative: string, folder: string | undefined): Reached | undefined {
  const names = alternative.trim().split('/');
  const first = names.findIndex((name) => /(^|[^\\])[*?[]/.test(name));
  const spelt = (first === -1 ? names : names.slice(0, first)).map((name) => name.replace(/\\(.)/g, '$1'));
  const rest = first === -1 ? [] : names.slice(first).filter((name) => name !== '.' && name !== '');
  // What lies above a folder that is not spelt out nobody knows.
  if (rest.some((name) => name.replaceAll('\\', '') === '..')) return undefined;
  const glob = rest.length === 0 ? undefined : rest.join('/').replace(/\[[!^]?\]?[^\]/]*\]+/g, '?');
  const file = first > 0 && spelt.every((name) => name === '') ? '/' : spelt.join('/');
  return placed(file, glob, folder);
}

function placed(file: string, glob: string | undefined, folder: string | undefined): Reached {
  const isElsewhere = folder === undefined || file.startsWith('/') || file === '~' || file.startsWith('~/');
  const place = isElsewhere ? file : file === '' ? folder : `${folder}/${file}`;
  return { file: place === '' ? '.' : place, ...(glob !== undefined && { glob }) };
}

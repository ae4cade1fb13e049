// files-written: the files that a shell line visibly writes: targets of redirections, and arguments of programs that are
// known to write them. What a program writes by itself does not show in the line.
//
// F1. Whether the commands of the line can be told does not matter: what it shows it writes.
// F2. A path is tried with every value that the line may give it, and from every folder that the line may stand in.
// F3. Of a path whose end is not known (`docs/*.md`, `docs/$x`) the folder counts, with a pattern for the rest.

import { type Place, placesIn } from './commands-run.ts';
import type { Piece, Possible } from './possible-words.ts';
import { writtenBy } from './writing-programs.ts';

/** `glob`: what is written below `file`; absent: the file itself. */
export interface WrittenFile {
  file: string;
  glob?: string;
}

export function filesWritten(line: string): WrittenFile[] {
  const places = placesIn(line);
  const files = places === undefined ? shownTargets(line) : places.flatMap(placed);
  const all = files.filter(({ file }) => !NO_FILE.test(file));
  return all.filter(
    ({ file, glob }, index) => all.findIndex((one) => one.file === file && one.glob === glob) === index,
  );
}

/** The folders that the line goes to. */
export function foldersVisited(line: string): string[] {
  return [...new Set((placesIn(line) ?? []).flatMap(({ folders }) => folders))].filter((one) => one !== '');
}

const NO_FILE = /^(?:\/dev\/(?:null|zero|full|tty|std(?:in|out|err)|fd\/\d+))$/;

/** Of a line that cannot be read: what stands behind a `>`. */
function shownTargets(line: string): WrittenFile[] {
  const targets = line.matchAll(/>[>|&]?\s*(?:"([^"]*)"|'([^']*)'|([^\s"';&|<>()]+))/g);
  return [...targets]
    .map(([, double, single, bare]) => ({ file: double ?? single ?? bare ?? '' }))
    .filter(({ file }) => file !== '' && !/^\d+-?$|^-$|[$`]/.test(file));
}

function placed({ words, isTarget, folders }: Place): WrittenFile[] {
  const written = isTarget
    ? words.flat().filter((possible) => !/^(?:\d+-?|-)$/.test(possible.pieces.join('')))
    : writtenBy(words);
  return written.flatMap(pathOf).flatMap(({ file, ...rest }) => {
    if (/^[/~]/.test(file)) return [{ file, ...rest }];
    return folders.map((folder) => ({ file: folder === '' ? file : `${folder}/${file}`, ...rest }));
  });
}

/** Texts that stand beside each other are one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') found[found.length - 1] = last + piece;
    else if (piece !== '') found.push(piece);
  }
  return found;
}

/** Nothing of it is known: no path. */
function pathOf(possible: Possible): WrittenFile[] {
  const pieces = joined(possible.pieces);
  const [first] = pieces;
  if (first === null || first === undefined) return [];
  if (!pieces.includes(null)) {
    const file = pieces.join('');
    return file === '' ? [] : [{ file }];
  }
  const slash = first.lastIndexOf('/');
  const names = [first.slice(slash + 1), ...pieces.slice(1)];
  const glob = names.map((piece) => (piece === null ? '*' : piece.replace(/[*?[\]{}\\]/g, '\\$&'))).join('');
  // A wildcard takes no name that begins with a dot.
  const shown = glob.replace(/(^|\/)\*/g, '$1[!.]*');
  return [{ file: slash === -1 ? '.' : slash === 0 ? '/' : first.slice(0, slash), glob: shown }];
}

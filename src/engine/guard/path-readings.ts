// path-readings: what a client may take a path for before it opens it. Clients do different things to a path that a model
// wrote: Claude trims it, takes `~` for the home folder and composes its accents; others take it as it is. The guard does
// not know which, so it looks at all of them.

export interface ReadingPlace {
  /** The folder that relative paths are from. */
  cwd?: string;
  /** Of whoever the client runs as; absent: not known. */
  home?: string;
  /** The workspace has a folder that is called `~`: a client that expands nothing would take it for that. */
  hasTildeFolder?: boolean;
}

/** All different, the plainest first: it is the one that people are shown. Absolute or relative to the workspace. */
export function pathReadings(path: string, { cwd, home, hasTildeFolder }: ReadingPlace): string[] {
  const trimmed = path.trim();
  const readings = [expandedHome(trimmed, home) ?? trimmed, path];
  // Where nobody makes `~` a home it is a folder like any other, and `..` after it leads back.
  if (isOfHome(trimmed) && (hasTildeFolder || trimmed.split('/').includes('..')))
    readings.push(`./${trimmed}`);
  const placed = readings
    .filter((reading) => !isOfHome(reading))
    .flatMap((reading) => [reading, reading.normalize('NFC')])
    .map((reading) => (cwd === undefined || reading.startsWith('/') ? reading : `${cwd}/${reading}`));
  return [...new Set(placed)];
}

function isOfHome(path: string): boolean {
  return path === '~' || path.startsWith('~/');
}

function expandedHome(path: string, home: string | undefined): string | undefined {
  if (!isOfHome(path)) return undefined;
  return home === undefined ? `./${path}` : `${home.replace(/\/$/, '')}${path.slice(1)}`;
}

// terminal: what the place we write to can show.

/** As much of a writable stream as the screen needs. */
export interface Output {
  write(text: string): boolean;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  writableNeedDrain?: boolean;
  getWindowSize?(): [number, number];
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

export interface Size {
  columns: number;
  rows: number;
}

const USUAL: Size = { columns: 80, rows: 24 };

/** Asked anew for every frame: the event that tells of a change may come late. */
export function sizeOf(stream: Output): Size {
  let columns = stream.columns;
  let rows = stream.rows;
  try {
    if (stream.getWindowSize) [columns, rows] = stream.getWindowSize();
  } catch {
    // A terminal that is gone has no size; what was known last will do.
  }
  return { columns: positive(columns) ?? USUAL.columns, rows: positive(rows) ?? USUAL.rows };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

export interface Abilities {
  /** A live display makes sense. */
  interactive: boolean;
  color: boolean;
  unicode: boolean;
}

type Environment = Record<string, string | undefined>;

export function detectTerminal(stream: Output, env: Environment, platform: string): Abilities {
  const isTerminal = stream.isTTY === true;
  const isDumb = env.TERM === 'dumb';
  return {
    interactive: isTerminal && !isDumb && !isSet(env.CI),
    color: wantsColor(env, isTerminal && !isDumb),
    unicode: showsUnicode(env, isTerminal, platform),
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** https://no-color.org: set and not empty means none, whatever else is set. */
function wantsColor(env: Environment, capable: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined) return isSet(env.FORCE_COLOR);
  return capable;
}

function showsUnicode(env: Environment, isTerminal: boolean, platform: string): boolean {
  if (env.TERM === 'linux') return false;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '');
  if (locale !== undefined) return /utf-?8/i.test(locale);
  if (platform === 'win32') return isSet(env.WT_SESSION) || env.TERM_PROGRAM === 'vscode';
  return platform === 'darwin' || !isTerminal;
}

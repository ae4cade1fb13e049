// look: how wide and how colourful what we print may be.

import type { Look } from '../views/text/line.ts';
import type { Services } from './services.ts';

const DEFAULT_WIDTH = 80;

export function lookOf(services: Services, stream: NodeJS.WriteStream = services.stdout): Look {
  const { environment } = services;
  const isTerminal = stream.isTTY === true;
  const isDumb = environment.TERM === 'dumb';
  const { FORCE_COLOR: force, NO_COLOR: none } = environment;
  const color = force === undefined ? isTerminal && !isDumb : force !== '0';
  return {
    // A pipe has no width; what is read by a program should not be cut to fit a screen.
    width: isTerminal ? stream.columns || DEFAULT_WIDTH : Math.max(Number(environment.COLUMNS) || 0, 100),
    color: none ? false : color,
    unicode: /utf-?8/i.test(environment.LC_ALL || environment.LC_CTYPE || environment.LANG || 'utf-8'),
  };
}

/** Of the terminal; undefined where the output is none, and nothing is cut. */
export function terminalWidth({ stdout }: Services): number | undefined {
  return stdout.isTTY ? stdout.columns || DEFAULT_WIDTH : undefined;
}

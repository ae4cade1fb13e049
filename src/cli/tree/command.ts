// command: how a command is put on the tree of commands, whichever group it belongs to.

import type { Command } from 'commander';
import type { Services } from '../services.ts';

export interface CommandTree {
  program: Command;
  services: Services;
  /** What the process ends with. */
  ended(exitCode: number): void;
}

export const RUN = 'a run: its id, the beginning of it, its last six letters, or "latest"';

export function command({ program }: CommandTree, name: string, summary: string, more = ''): Command {
  return program
    .command(name)
    .summary(summary)
    .description(more === '' ? `${sentence(summary)}.` : `${sentence(summary)}. ${more}`);
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

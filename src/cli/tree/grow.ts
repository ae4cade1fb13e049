// grow: what the four groups of commands have in common when they are put on the tree.

import { type Command, Option } from 'commander';
import type { Services } from '../services.ts';

export interface Growing {
  program: Command;
  services: Services;
  /** What the process ends with. */
  ended(exitCode: number): void;
}

export const RUN = 'a run: its id, the beginning of it, its last six letters, or "latest"';

export function command({ program }: Growing, name: string, summary: string, more = ''): Command {
  return program
    .command(name)
    .summary(summary)
    .description(more === '' ? `${sentence(summary)}.` : `${sentence(summary)}. ${more}`);
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of an option that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function stateDirectory(): Option {
  return new Option('--state-dir <dir>', 'where runs are kept (default: .lockstep/runs of the project)');
}

/** How a run that goes on in this process is shown. */
export function displayOptions(to: Command): Command {
  return to
    .addOption(stateDirectory())
    .option('--json', 'print every journal entry as a line of JSON, then the summary')
    .option('-q, --quiet', 'print questions, errors and the outcome only')
    .option('-v, --verbose', 'print commands, checks and output lines too');
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

// options: those that several commands have, each written once.

import { type Command, Option } from 'commander';
import { LOG_LEVELS } from '../../hosting/records/options.ts';
import { DIALECT_NAMES } from '../../model/dialect.ts';

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

/** What a new run is given. */
export function givenOptions(to: Command): Command {
  return to
    .option('-i, --input <name=value>', 'an input of the workflow; repeatable', collect)
    .option('--input-file <file>', 'inputs as a YAML or JSON map; --input goes before it')
    .option('--context <name=value>', 'as --input, but of any name; repeatable', collect)
    .option('--context-file <file>', 'the same as a YAML or JSON map; --context goes before it')
    .option('--var <name=value>', 'another initial value for a var; repeatable', collect)
    .option('--script <file>', 'let the scripted agent answer every prompt from this file')
    .option('--model <model>', 'for prompts where neither the step nor its agent names one')
    .addOption(dialectOption());
}

export function dialectOption(): Option {
  const option = new Option('--dialect <name>', 'what the file is written in, where its shape does not tell');
  return option.choices(DIALECT_NAMES);
}

/** What is done around a new run with the folder of finished work. */
export function processedOptions(to: Command): Command {
  return to
    .option('--clean-processed', 'empty the folder of processed items before the run')
    .option('--archive-processed [dest]', 'zip that folder once the run is completed');
}

/** How failures are met, and what is written down; of this drive, not of the workflow. */
export function driveOptions(to: Command): Command {
  return to
    .addOption(
      new Option('--on-error <what>', 'for failures that the step itself does not deal with').choices([
        'stop',
        'continue',
        'interactive',
      ]),
    )
    .option('--max-retries <number>', 'of prompts that say nothing about it themselves')
    .option('--retry-delay <ms>', 'before each of these retries, in milliseconds')
    .option(
      '--without <check>',
      'a check against git that does not count in this run; on record; repeatable',
      collect,
    )
    .option('--progress', 'one line per running step, with the time and the item it is at')
    .option('--debug', 'keep what each step was given, and write the log in full')
    .option('--trace', 'a trace id in every log line, and in TRACEPARENT of commands')
    .option('--backup-state', 'keep state.json as it was before each step, the last three')
    .addOption(new Option('--log-level <level>', 'how much the log of the run holds').choices(LOG_LEVELS));
}

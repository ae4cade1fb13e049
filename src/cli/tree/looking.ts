// looking: the commands that show runs, and the one that removes them.

import { Option } from 'commander';
import { type CommandTree, command, examples, RUN } from './command.ts';
import { stateDirectory } from './options.ts';

const STATUSES = [
  'running',
  'stopped',
  'paused',
  'interrupted',
  'completed',
  'failed',
  'cancelled',
  'damaged',
];

/** Who takes the turns: Lockstep, a client that is led, a person's live session. */
const DRIVES = ['run', 'guide', 'guard'];

export function addLookingCommands(tree: CommandTree): void {
  const { program, services, ended } = tree;
  program.commandsGroup('Look at runs:');

  command(tree, 'runs', 'list the runs there are', 'The newest come last.')
    .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
    .addOption(new Option('--drive <drive>', 'only these').choices(DRIVES))
    .option('--limit <number>', 'the newest ones only', '20')
    .addOption(stateDirectory())
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep runs', 'lockstep runs --status paused --json'))
    .action(async (options) => ended(await (await import('../commands/runs.ts')).runs(services, options)));

  command(tree, 'status', 'show where a run stands, and how to go on')
    .argument('[run]', RUN, 'latest')
    .addOption(stateDirectory())
    .option('--at <entry>', 'as it was when this entry of the journal had been written')
    .option('--json', 'its state.json, up to date')
    .addHelpText(
      'after',
      examples('lockstep status', 'lockstep status 20261115T10 --json', 'lockstep status latest --at 40'),
    )
    .action(async (run, options) =>
      ended(await (await import('../commands/status.ts')).status(services, run, options)),
    );

  command(tree, 'logs', 'print what the steps of a run wrote', 'In the order in which they began.')
    .argument('[run]', RUN, 'latest')
    .argument('[step]', 'a step path, or the name of a log; without, all of them')
    .option('-f, --follow', 'go on printing until the run ends')
    .option('--prompts', 'what agents were given, too')
    .option('--raw', 'as it was printed: of agents, by their clients; on a terminal, with escape sequences')
    .option('--list', 'the names of the logs only')
    .addOption(stateDirectory())
    .addHelpText('after', examples('lockstep logs latest build', 'lockstep logs --follow'))
    .action(async (run, step, options) =>
      ended(await (await import('../commands/logs.ts')).logs(services, run, step, options)),
    );

  command(
    tree,
    'report',
    'say what a run came to',
    'Tests, reviews, fixes, what was left out, who decided what, commits, cost, and how to go on.',
  )
    .argument('[run]', RUN, 'latest')
    .addOption(stateDirectory())
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep report', 'lockstep report 20261115T10 --json'))
    .action(async (run, options) =>
      ended(await (await import('../commands/report.ts')).report(services, run, options)),
    );

  command(
    tree,
    'audit',
    "verify a run's journal, and tell it as a story",
    'Every entry is chained to the one before: a changed byte is found.',
  )
    .argument('[run]', RUN, 'latest')
    .addOption(stateDirectory())
    .option('--rescued', 'the journal that was rescued when the run stopped')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep audit', 'lockstep audit 20261115T10 --json'))
    .action(async (run, options) =>
      ended(await (await import('../commands/audit.ts')).audit(services, run, options)),
    );

  command(tree, 'clean', 'remove old runs', 'Never one that runs; one that has not ended only with --paused.')
    .option('--older-than <duration>', 'by when they started: 30d, 2w, 12h; without: LOCKSTEP_KEEP_RUNS')
    .addOption(
      new Option(
        '--drive <drive>',
        'only these; without an age, guard goes by LOCKSTEP_KEEP_GUARD_RUNS',
      ).choices(DRIVES),
    )
    .option('--paused', 'those that are paused, interrupted or killed too')
    .option('--dry-run', 'say what would be removed')
    .addOption(stateDirectory())
    .addHelpText(
      'after',
      examples('lockstep clean --older-than 30d --dry-run', 'lockstep clean --older-than 12h'),
    )
    .action(async (options) => ended(await (await import('../commands/clean.ts')).clean(services, options)));
}

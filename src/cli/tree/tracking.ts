// tracking: the commands for issues.

import { type Command, Option } from 'commander';
import { ISSUE_PRIORITIES, ISSUE_STATUSES } from '../../ports/tracker.ts';
import { type CommandTree, command, examples } from './command.ts';
import { collect } from './options.ts';
import { addWorktreeCommands } from './worktrees.ts';

const ISSUE = 'the number of an issue: 7';

export function addTrackingCommands(tree: CommandTree): void {
  const { program, services, ended } = tree;
  program.commandsGroup('Keep track of work:');
  addWorktreeCommands(tree);
  const issues = command(
    tree,
    'issues',
    'list, make and change the issues of the project',
    'They are Markdown files in .lockstep/issues/. Runs make and complete them, too.',
  ).addHelpText(
    'after',
    examples('lockstep issues list', 'lockstep issues create "Read dates" --label parser'),
  );
  const below: CommandTree = { program: issues, services, ended };
  const commands = () => import('../commands/issues.ts');

  filters(command(below, 'list', 'list issues', 'Those that are open or in progress, unless told otherwise.'))
    .option('--all', 'those that are done or cancelled too')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples('lockstep issues list --label parser', 'lockstep issues list --all --json'),
    )
    .action(async (options) => ended(await (await commands()).listIssues(services, options)));

  command(below, 'show', 'show an issue, and what it waits for')
    .argument('<issue>', ISSUE)
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep issues show 7'))
    .action(async (issue, options) => ended(await (await commands()).showIssue(services, issue, options)));

  fields(command(below, 'create', 'make an issue'))
    .argument('<title>', 'what is to be done, in a few words')
    .option('--label <label>', 'a label; may be repeated', collect)
    .option('--depends-on <issue>', 'must be done first; may be repeated', collect)
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'lockstep issues create "Print dates" --depends-on 7',
        'lockstep issues create x --body - < x.md',
      ),
    )
    .action(async (title, options) => ended(await (await commands()).createIssue(services, title, options)));

  fields(command(below, 'update', 'change an issue', 'Only what is given is changed.'))
    .argument('<issue>', ISSUE)
    .option('--title <title>', 'what is to be done')
    .option('--label <label>', 'a further label; may be repeated', collect)
    .option('--remove-label <label>', 'takes a label away; may be repeated', collect)
    .option('--depends-on <issue>', 'must be done first, too; may be repeated', collect)
    .option('--remove-depends-on <issue>', 'takes a dependency away; may be repeated', collect)
    .option('--note <text>', 'adds a paragraph to the description')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep issues update 7 --status in-progress --assignee anna'))
    .action(async (issue, options) => ended(await (await commands()).updateIssue(services, issue, options)));

  command(below, 'complete', 'mark issues as done')
    .argument('<issue...>', 'numbers of issues')
    .option('--note <text>', 'adds a paragraph to the description')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep issues complete 7 --note "Released with 1.2"'))
    .action(async (numbers, options) =>
      ended(await (await commands()).completeIssues(services, numbers, options)),
    );

  filters(
    command(below, 'search', 'find issues by words', 'All of them, in the title, the labels or the text.'),
  )
    .argument('<word...>', 'what to look for')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep issues search time zone'))
    .action(async (words, options) => ended(await (await commands()).searchIssues(services, words, options)));

  command(below, 'ready', 'list what can be begun, and what the rest waits for')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep issues ready'))
    .action(async (options) => ended(await (await commands()).readyIssues(services, options)));
}

function filters(to: Command): Command {
  return to
    .addOption(new Option('--status <status>', 'only these').choices(ISSUE_STATUSES))
    .option('--label <label>', 'only with this label; may be repeated', collect)
    .addOption(new Option('--priority <priority>', 'only these').choices(ISSUE_PRIORITIES))
    .option('--assignee <name>', 'only those of somebody')
    .option('--run <run>', 'only those that a run made');
}

function fields(to: Command): Command {
  return to
    .addOption(new Option('--status <status>', 'where it stands').choices(ISSUE_STATUSES))
    .addOption(new Option('--priority <priority>', 'how much it matters').choices(ISSUE_PRIORITIES))
    .option('--assignee <name>', 'who does it')
    .option('--body <text>', 'the description; "-" reads it from standard input');
}

// worktrees: the commands for worktrees.

import { type CommandTree, command, examples } from './command.ts';
import { stateDirectory } from './options.ts';

export function addWorktreeCommands(tree: CommandTree): void {
  const { services, ended } = tree;
  const worktree = command(
    tree,
    'worktree',
    'list and remove the worktrees of runs',
    'A run that works in a worktree leaves it, and its branch, when it ends.',
  ).addHelpText('after', examples('lockstep worktree list', 'lockstep worktree remove latest'));
  const below: CommandTree = { program: worktree, services, ended };
  const commands = () => import('../commands/worktree.ts');

  command(below, 'list', 'list worktrees', 'With their branch, their run, and what only they have.')
    .addOption(stateDirectory())
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep worktree list', 'lockstep worktree list --json'))
    .action(async (options) => ended(await (await commands()).listWorktrees(services, options)));

  command(
    below,
    'remove',
    'remove a worktree',
    'Not if that loses work: changes that are not committed, or commits that nothing else has.',
  )
    .argument('<worktree>', 'its path or its name, or a run: then all that the run made')
    .addOption(stateDirectory())
    .option('--branch', 'remove its branch, too')
    .option('--force', 'also if work is lost')
    .addHelpText(
      'after',
      examples('lockstep worktree remove .worktrees/spec', 'lockstep worktree remove latest --branch'),
    )
    .action(async (reference, options) =>
      ended(await (await commands()).removeWorktrees(services, reference, options)),
    );
}

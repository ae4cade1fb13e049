// guarding: the commands for live sessions.

import { type CommandTree, command, examples } from './command.ts';
import { collect } from './options.ts';

const SESSION = 'which session, by its id or the beginning of it, or the run that holds it';

export function addGuardingCommands(tree: CommandTree): void {
  const { services, ended } = tree;
  const workflow = command(
    tree,
    'workflow',
    'hold the live sessions of this project to a workflow',
    'A person works in Claude Code, Codex or Gemini CLI as always; `lockstep init --client` sets the hooks up.',
  ).addHelpText(
    'after',
    examples('lockstep workflow set plan-execute', 'lockstep workflow status', 'lockstep workflow disable'),
  );
  const below: CommandTree = { program: workflow, services, ended };
  const commands = () => import('../commands/workflow.ts');

  command(below, 'list', 'list workflows', 'The same as `lockstep list workflows`.')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep workflow list'))
    .action(async (options) =>
      ended(await (await import('../commands/list.ts')).list(services, 'workflows', options)),
    );

  command(below, 'show', 'show a workflow', 'The same as `lockstep show`.')
    .argument('<workflow>', 'a name or a file')
    .addHelpText('after', examples('lockstep workflow show plan-execute'))
    .action(async (name, options) =>
      ended(
        await (await import('../commands/show.ts')).show(services, name, { ...options, kind: 'workflow' }),
      ),
    );

  command(
    below,
    'set',
    'choose the workflow that holds sessions of this project',
    'From their next event on.',
  )
    .argument('<workflow>', 'a name or a file')
    .option('--lifecycle', 'a workflow without steps, which runs on events beside the one with steps')
    .option('--input <name=value>', 'an input of the workflow; repeatable', collect)
    .option('--var <name=value>', 'an initial value of a var; repeatable', collect)
    .addHelpText(
      'after',
      examples('lockstep workflow set plan-execute', 'lockstep workflow set session-handoff --lifecycle'),
    )
    .action(async (name, options) => ended(await (await commands()).setWorkflow(services, name, options)));

  command(below, 'clear', 'let the sessions of this project go', 'Runs that hold one are ended, on record.')
    .option('--lifecycle <workflow>', 'only this one of those that run on events')
    .option('--all', 'those that run on events, too')
    .option('--why <text>', 'why; on record')
    .addHelpText(
      'after',
      examples('lockstep workflow clear', 'lockstep workflow clear --all --why "not needed here"'),
    )
    .action(async (options) => ended(await (await commands()).clearWorkflow(services, options)));

  command(below, 'status', 'show what holds sessions here, and where each is')
    .option('--all', 'all sessions that have ended and may be resumed')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep workflow status', 'lockstep workflow status --json'))
    .action(async (options) => ended(await (await commands()).workflowStatus(services, options)));

  command(
    below,
    'phase',
    'move a session to a step',
    'Only if the step that it is at is done: its checks are run. With --force whatever they say.',
  )
    .argument('<step>', 'the id of a step, or "end"')
    .option('--force', 'whatever is not met; on record')
    .option('--session <id>', SESSION)
    .option('--why <text>', 'why; on record')
    .addHelpText(
      'after',
      examples(
        'lockstep workflow phase execute',
        'lockstep workflow phase execute --force --why "the plan is in the issue"',
      ),
    )
    .action(async (step, options) => ended(await (await commands()).movePhaseOf(services, step, options)));

  command(
    below,
    'reset',
    'begin anew with a session, from the definition as it is now',
    'A run is pinned to the definition that it began with: this is how a changed one comes to count.',
  )
    .option('--session <id>', SESSION)
    .option('--why <text>', 'why; on record')
    .addHelpText('after', examples('lockstep workflow reset', 'lockstep workflow reset --session 4f2a'))
    .action(async (options) => ended(await (await commands()).resetWorkflow(services, options)));

  command(
    below,
    'handoff',
    'leave notes for the next session of this project',
    'The next session gets them once, with what the session has done so far.',
  )
    .argument('<notes>', 'what the next session has to know')
    .option('--session <id>', SESSION)
    .option('--task <text>', 'something that is left to do; repeatable', collect)
    .addHelpText('after', examples('lockstep workflow handoff "The parser is done; the tests are not"'))
    .action(async (notes, options) =>
      ended(await (await import('../commands/workflow/handoff.ts')).handoff(services, notes, options)),
    );

  command(
    below,
    'import',
    'bring a workflow into this project',
    'From a file or an address. It is checked and shown, and written when you agree.',
  )
    .argument('<source>', 'a file, or an address (https://…)')
    .option('--name <name>', 'what to call it; without, what its file is called')
    .option('--yes', 'do not ask')
    .option('--force', 'also over one that is there')
    .addHelpText(
      'after',
      examples(
        'lockstep workflow import ./my-workflow.yaml',
        'lockstep workflow import https://example.com/tdd.yaml --name tdd',
      ),
    )
    .action(async (source, options) =>
      ended(await (await import('../commands/workflow/import.ts')).importWorkflow(services, source, options)),
    );

  command(below, 'disable', 'hold nothing in this project for now', 'At once, in open sessions too.')
    .option('--why <text>', 'why; on record')
    .addHelpText('after', examples('lockstep workflow disable --why "a hot fix"'))
    .action(async (options) => ended(await (await commands()).switchGuard(services, false, options)));

  command(below, 'enable', 'hold sessions again, where they were')
    .option('--why <text>', 'why; on record')
    .addHelpText('after', examples('lockstep workflow enable'))
    .action(async (options) => ended(await (await commands()).switchGuard(services, true, options)));
}

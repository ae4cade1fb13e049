// serving: the commands that other programs talk to.

import { Option } from 'commander';
import { CLIENTS } from '../../model/live-session.ts';
import { type CommandTree, command, examples } from './command.ts';
import { stateDirectory } from './options.ts';

export function addServingCommands(tree: CommandTree): void {
  const { program, services, ended } = tree;
  program.commandsGroup('Serve clients:');

  command(
    tree,
    'mcp',
    'lead any MCP client through workflows',
    'An MCP server over standard input and output, which a client starts; or over HTTP on this machine.',
  )
    .option('--http', 'Streamable HTTP on loopback; prints the address and the token that requests need')
    .option('--port <number>', 'with --http: which port; without, one that is free')
    .option('--toolsets <names>', 'only these of workflow, session, issues, runs; separated by commas')
    .option('--workspace <dir>', 'the project; without, the folder it is started in')
    .addOption(stateDirectory())
    // What Lockstep itself gives to an agent of a run: no use to a person.
    .addOption(new Option('--for-run <run>').hideHelp())
    .addOption(new Option('--tools <names>').hideHelp())
    .addHelpText(
      'after',
      examples(
        'claude mcp add lockstep -- lockstep mcp',
        'lockstep mcp --toolsets workflow,issues',
        'lockstep mcp --http --port 7777',
      ),
    )
    .action(async (options) => ended(await (await import('../commands/mcp.ts')).mcp(services, options)));

  command(
    tree,
    'ui',
    'show all runs on a page in the browser',
    'On this machine only. For reading, unless it is started with --answer. Ends with Ctrl-C.',
  )
    .argument('[run]', 'open it at this run')
    .option('--answer', 'questions can be answered on the page')
    .option('--port <number>', 'which port; without, one that is free')
    .option('--no-open', 'only print the address')
    .option('--export <file>', 'write the run into one HTML file that needs no server, and end')
    .addOption(stateDirectory())
    .addHelpText(
      'after',
      examples('lockstep ui', 'lockstep ui --answer', 'lockstep ui --export run.html latest'),
    )
    .action(async (run, options) =>
      ended(await (await import('../commands/ui.ts')).ui(services, run, options)),
    );

  command(
    tree,
    'hook',
    'hand one event of a live session to the guard',
    'What an installed hook starts. The event comes on standard input, the answer in the words of the client. A session that no workflow binds gets none.',
  )
    .addArgument(program.createArgument('<client>', 'who sends it').choices(CLIENTS))
    .argument('[line]', 'the number of the installed line', '1')
    .addHelpText('after', examples('lockstep hook claude < event.json'))
    .action(async (client, line) =>
      ended(await (await import('../commands/hook.ts')).hook(services, client, line)),
    );

  command(
    tree,
    'daemon',
    'answer the hooks of live sessions',
    'Starts by itself with the first event of a bound session, and ends when nothing happens for half an hour.',
  )
    .option('--status', 'say which daemons run')
    .option('--stop', 'end them; what they are at is finished first')
    .option('--json', 'with --status: as JSON')
    .addHelpText('after', examples('lockstep daemon --status', 'lockstep daemon --stop'))
    .action(async (options) =>
      ended(await (await import('../commands/daemon.ts')).daemon(services, options)),
    );
}

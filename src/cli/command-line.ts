// command-line: what can be typed, and what it ends with. Commands are imported when they are called.
// Owns: arguments, options, help, exit codes. Never: does any of it.
// Exit codes: 0 done, 1 failed, 2 wrong input, 3 paused for a person, 130 interrupted.

import { type Argument, Command, CommanderError } from 'commander';
import { withPlainStreams } from './plain-output.ts';
import { printFailure } from './print-problems.ts';
import type { Services } from './services.ts';
import { addDefiningCommands, addSettingUpCommands } from './tree/defining.ts';
import { addGuardingCommands } from './tree/guarding.ts';
import { addLookingCommands } from './tree/looking.ts';
import { addRunningCommands } from './tree/running.ts';
import { addServingCommands } from './tree/serving.ts';
import { addTrackingCommands } from './tree/tracking.ts';
import { wordHint } from './word-habits.ts';

export async function runCommandLine(args: string[], services: Services): Promise<number> {
  let exitCode = 0;
  let unwritten: Error | undefined;
  for (const stream of [services.stdout, services.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever read it is gone (`| head`), or the terminal is: there is nobody to tell. A run goes on in any case.
      if (error.code !== 'EPIPE' && error.code !== 'EIO') unwritten = error;
    });
  }
  const program = commandTree(services, (code) => {
    exitCode = code;
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(meant(program, args), { from: 'user' });
  } catch (error) {
    exitCode = failed(services, args, error);
  }
  await new Promise((resolve) => setImmediate(resolve)); // a write that failed is told in the next turn
  if (!unwritten) return exitCode;
  services.stderr.write(`error: what was to be printed could not be written: ${unwritten.message}\n`);
  return exitCode === 0 ? 1 : exitCode;
}

/** `help CODE` is `explain CODE`, where no command is called so. */
function meant(program: Command, args: string[]): string[] {
  const [first, what, ...more] = args;
  const isCode = first === 'help' && what !== undefined && more.length === 0 && !what.startsWith('-');
  return isCode && !program.commands.some((command) => command.name() === what) ? ['explain', what] : args;
}

function failed(services: Services, args: string[], error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    const hint = wordHint(args, error);
    if (hint !== undefined) services.stderr.write(`${hint}\n`);
    return 2;
  }
  const style = { verbose: args.includes('--verbose') || args.includes('-v'), json: args.includes('--json') };
  return printFailure(services, error, style);
}

/** The whole tree, also for `docs/cli.md` and shell completion to be checked against. */
export function commandTree(services: Services, ended: (exitCode: number) => void): Command {
  const program = new Command('lockstep')
    .usage('<command> [options]')
    .description(
      'Runs workflows for coding agents, step by step, with nothing skipped.\nThe process is code; the agent only does the work inside a step.',
    )
    .version(services.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
    })
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => services.stdout.write(text),
      writeErr: (text) => services.stderr.write(text),
    })
    .exitOverride()
    .addHelpText('after', HELP_END);
  // Those that run something paint and ask on the terminal itself.
  addRunningCommands({ program, services, ended });
  const tree = { program, services: withPlainStreams(services), ended };
  addLookingCommands(tree);
  addTrackingCommands(tree);
  addServingCommands({ program, services, ended });
  addGuardingCommands(tree);
  addDefiningCommands(tree);
  addSettingUpCommands(tree);
  polish(program, 'lockstep');
  return program.showHelpAfterError('(lockstep --help lists the commands)');
}

/** What every command has in common, those below another too. */
function polish(parent: Command, words: string): void {
  for (const command of parent.commands) {
    if (command.name().startsWith('_')) continue;
    const typed = `${words} ${command.name()}`;
    command
      .helpOption('-h, --help', 'show help')
      .showHelpAfterError(`(${typed} --help says what can be typed)`);
    if (command.commands.length > 0) command.usage('<command> [options]').helpCommand(false);
    polish(command, typed);
  }
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const HELP_END = `
Start here:
  lockstep run SPEC.md         from a specification to a reviewed branch
  lockstep run SPEC.md --dry-run
                               what that would do, and with what
  lockstep init                a small workflow of your own, and how to try it

Environment:
  LOCKSTEP_STATE_DIR           where runs are kept (default: .lockstep/runs)
  LOCKSTEP_HOME                your own library (default: ~/.lockstep)
  LOCKSTEP_DEBUG               1: the same as --debug
  LOCKSTEP_LOG_LEVEL           the same as --log-level
  LOCKSTEP_MCP_TOKEN           the token that mcp --http asks for
  LOCKSTEP_KEEP_RUNS           days after which a run that has ended is removed
  LOCKSTEP_KEEP_GUARD_RUNS     the same, of live sessions (30)
  LOCKSTEP_KEEP_SESSIONS       days for which records of sessions are kept (90)
  ORCHESTRATE_…                STATE_DIR, DEBUG, LOG_LEVEL and KEEP_RUNS are
                               read too; LOCKSTEP_… goes before them
  NO_COLOR, FORCE_COLOR        no colours, or colours in any case
  TERM=dumb                    plain lines instead of the live tree

Exit codes: 0 completed, 1 failed, 2 wrong input, 3 paused for a person,
130 interrupted.
`;

// command-line: what can be typed, and what it ends with. Commands are imported when they are called.
// Owns: arguments, options, help, exit codes. Never: does any of it.
// Exit codes: 0 done, 1 failed, 2 wrong input, 3 paused for a person, 130 interrupted.

import { Command, CommanderError, Option } from 'commander';
import { printFailure } from './report.ts';
import type { Services } from './services.ts';

export async function runCommandLine(args: string[], services: Services): Promise<number> {
  let exitCode = 0;
  const program = commandTree(services, (code) => {
    exitCode = code;
  });
  try {
    if (args.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return printFailure(services, error, args.includes('--verbose'));
  }
}

/** The whole tree, also for `docs/cli.md` and shell completion to be checked against. */
export function commandTree(services: Services, ended: (exitCode: number) => void): Command {
  const program = new Command('lockstep')
    .description(
      'Runs workflows for coding agents, step by step, with nothing skipped.\nThe process is code; the agent only does the work inside a step.',
    )
    .version(services.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .showHelpAfterError('(lockstep --help lists what can be typed)')
    .configureOutput({
      writeOut: (text) => services.stdout.write(text),
      writeErr: (text) => services.stderr.write(text),
    })
    .exitOverride()
    .addHelpText('after', HELP_END);

  const command = (name: string, summary: string) => program.command(name).description(summary);
  const collect = (value: string, before: string[]) => [...before, value];
  const stateDir = () => new Option('--state-dir <dir>', 'where runs are kept (default: .lockstep/runs)');
  const RUN = 'a run: its id, the beginning of it, or "latest"';

  program.commandsGroup('Run a workflow:');
  command('run', 'run a workflow from the library, or from a file')
    .argument('<workflow>', 'a name (see `lockstep list`) or a file')
    .option('-i, --input <name=value>', 'an input of the workflow; repeatable', collect, [])
    .option('--var <name=value>', 'another initial value for a var; repeatable', collect, [])
    .option('--input-file <file>', 'inputs as a YAML or JSON map')
    .option('--script <file>', 'let the scripted agent answer every prompt from this file')
    .option('--dry-run', 'check everything, print the plan, run nothing')
    .option('--skip-step <id>', 'leave a step out, on record; repeatable', collect, [])
    .option('--skip-checks', 'leave out the steps marked `check: true`, on record')
    .addOption(stateDir())
    .option('--json', 'print every journal entry as a line of JSON')
    .option('-q, --quiet', 'print questions, errors and the outcome only')
    .option('-v, --verbose', 'print commands, checks and output lines too')
    .addHelpText(
      'after',
      examples([
        'lockstep run hello --input name=Ada',
        'lockstep run fix.yaml --script answers.yaml --dry-run',
      ]),
    )
    .action(async (workflow, options) =>
      ended(await (await import('./commands/run.ts')).run(services, workflow, options)),
    );
  command('resume', 'go on with a run that was paused, interrupted, killed, or failed')
    .argument('[run]', RUN, 'latest')
    .option('--take-over', 'take the run from a holder on another machine that is known to be dead')
    .option(
      '--limit <name=value>',
      'raise a limit: cost, tokens, turns, visits, duration, step; repeatable',
      collect,
      [],
    )
    .addOption(stateDir())
    .option('--json', 'print every journal entry as a line of JSON')
    .option('-q, --quiet', 'print questions, errors and the outcome only')
    .option('-v, --verbose', 'print commands, checks and output lines too')
    .action(async (run, options) =>
      ended(await (await import('./commands/resume.ts')).resume(services, run, options)),
    );
  command('answer', 'answer what a paused run asks, and let it go on')
    .argument('[run]', RUN)
    .argument('[answer]', 'approve, reject, again, accept, fail, a choice, or text')
    .option('--step <path>', 'which question, where several are open')
    .option('--choose <number>', 'the choice with this number')
    .option('--note <text>', 'why; goes to the agent and on record')
    .option('--no-resume', 'leave the answer; do not go on now')
    .addOption(stateDir())
    .option('--json', 'print every journal entry as a line of JSON')
    .option('-q, --quiet', 'print questions, errors and the outcome only')
    .option('-v, --verbose', 'print commands, checks and output lines too')
    .addHelpText(
      'after',
      examples([
        'lockstep answer approve',
        'lockstep answer latest reject --note "too long"',
        'lockstep answer 20261115T10 --step plan again',
      ]),
    )
    .action(async (run, answer, options) =>
      ended(await (await import('./commands/answer.ts')).answer(services, run, answer, options)),
    );
  command('signal', 'send a signal that a `wait` step waits for, now or later')
    .argument('<run>', RUN)
    .argument('<name>', 'the name of the signal')
    .option('--data <json>', 'what the waiting step gets as its output')
    .addOption(stateDir())
    .action(async (run, name, options) =>
      ended(await (await import('./commands/signal.ts')).signal(services, run, name, options)),
    );
  command('cancel', 'end a run for good')
    .argument('[run]', RUN, 'latest')
    .option('--why <text>', 'the reason, for the record')
    .addOption(stateDir())
    .action(async (run, options) =>
      ended(await (await import('./commands/cancel.ts')).cancel(services, run, options)),
    );

  program.commandsGroup('Look at runs:');
  command('runs', 'list the runs there are')
    .option('--status <status>', 'only these: running, paused, completed, failed, cancelled')
    .option('--limit <number>', 'the newest ones only', '20')
    .addOption(stateDir())
    .option('--json', 'as JSON')
    .action(async (options) => ended(await (await import('./commands/runs.ts')).runs(services, options)));
  command('status', 'show where a run stands, and how to go on')
    .argument('[run]', RUN, 'latest')
    .addOption(stateDir())
    .option('--json', 'state.json, up to date')
    .action(async (run, options) =>
      ended(await (await import('./commands/status.ts')).status(services, run, options)),
    );
  command('logs', 'print what the steps of a run wrote')
    .argument('[run]', RUN, 'latest')
    .argument('[step]', 'a step path; without, all of them')
    .option('-f, --follow', 'go on printing until the run ends')
    .option('--prompts', 'the prompts too')
    .addOption(stateDir())
    .action(async (run, step, options) =>
      ended(await (await import('./commands/logs.ts')).logs(services, run, step, options)),
    );
  command('audit', "verify a run's journal, and tell it as a story")
    .argument('[run]', RUN, 'latest')
    .addOption(stateDir())
    .option('--json', 'as JSON')
    .action(async (run, options) =>
      ended(await (await import('./commands/audit.ts')).audit(services, run, options)),
    );
  command('clean', 'remove old runs')
    .requiredOption('--older-than <duration>', 'by when they started, such as 30d or 12h')
    .option('--paused', 'those that wait for a person too')
    .option('--dry-run', 'say what would be removed')
    .addOption(stateDir())
    .action(async (options) => ended(await (await import('./commands/clean.ts')).clean(services, options)));

  program.commandsGroup('Look at definitions:');
  command('validate', 'check workflows, and everything they name')
    .argument('<workflow...>', 'names or files')
    .option('--json', 'problems as JSON')
    .action(async (workflows, options) =>
      ended(await (await import('./commands/validate.ts')).validate(services, workflows, options)),
    );
  command('list', 'list what the library has, and which layer it comes from')
    .argument('[kind]', 'workflows, agents, prompts, gates or schemas')
    .option('--json', 'as JSON')
    .action(async (kind, options) =>
      ended(await (await import('./commands/list.ts')).list(services, kind, options)),
    );
  command('show', 'show a workflow, agent, prompt, gate or schema, and where it comes from')
    .argument('<name>', 'a name or a file')
    .option('--kind <kind>', 'workflow, agent, prompt, gate or schema, where several have the name')
    .option('--source', 'its text too')
    .option('--json', 'as JSON')
    .action(async (name, options) =>
      ended(await (await import('./commands/show.ts')).show(services, name, options)),
    );
  command('graph', 'draw a workflow')
    .argument('<workflow>', 'a name or a file')
    .addOption(new Option('--format <format>', 'how').choices(['mermaid', 'text']).default('mermaid'))
    .action(async (workflow, options) =>
      ended(await (await import('./commands/graph.ts')).graph(services, workflow, options)),
    );
  command('schema', 'print the JSON Schema of a workflow, or of a script, for editors')
    .addArgument(program.createArgument('[what]', 'what').choices(['workflow', 'script']).default('workflow'))
    .action(async (what) => ended(await (await import('./commands/schema.ts')).schema(services, what)));

  program.commandsGroup('Set up:');
  command('init', 'write a commented starter workflow')
    .argument('[dir]', 'the project', '.')
    .action(async (dir) => ended(await (await import('./commands/init.ts')).init(services, dir)));
  command('completion', 'print a completion script for your shell')
    .addArgument(program.createArgument('<shell>', 'which').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      examples(['lockstep completion bash > ~/.local/share/bash-completion/completions/lockstep']),
    )
    .action(async (shell) =>
      ended(await (await import('./commands/completion.ts')).completion(services, shell)),
    );
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words) =>
      ended(await (await import('./commands/completion.ts')).complete(services, words, program)),
    );
  return program;
}

function examples(lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

const HELP_END = `
Start here:
  lockstep init                      write a starter workflow
  lockstep run hello                 run it

Environment:
  LOCKSTEP_STATE_DIR                 where runs are kept (default: .lockstep/runs)
  LOCKSTEP_HOME                      your own workflows, agents, prompts (default: ~/.lockstep)
  NO_COLOR, FORCE_COLOR              no colours, or colours in any case

Exit codes: 0 completed, 1 failed, 2 wrong input, 3 paused for a person, 130 interrupted.
`;

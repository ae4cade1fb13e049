// defining: the commands that look at definitions, and those that set a project up.

import { Option } from 'commander';
import { CLIENTS } from '../../model/live-session.ts';
import { type CommandTree, command, examples, RUN } from './command.ts';
import { dialectOption, stateDirectory } from './options.ts';

export function addDefiningCommands(tree: CommandTree): void {
  const { program, services, ended } = tree;
  program.commandsGroup('Look at definitions:');

  command(
    tree,
    'validate',
    'check workflows, and everything they name',
    'All problems of all files are told at once. Nothing is run.',
  )
    .argument('<workflow...>', 'names or files')
    .addOption(dialectOption())
    .option('--json', 'problems as JSON')
    .addHelpText(
      'after',
      examples('lockstep validate hello', 'lockstep validate .lockstep/workflows/*.yaml --json'),
    )
    .action(async (workflows, options) =>
      ended(await (await import('../commands/validate.ts')).validate(services, workflows, options)),
    );

  command(tree, 'explain', 'explain an error code: what it means, and what to do')
    .argument('[code]', 'the code, as it stands in brackets; without one, all of them are listed')
    .addHelpText('after', examples('lockstep explain unknown-field', 'lockstep explain'))
    .action(async (code) => ended(await (await import('../commands/explain.ts')).explain(services, code)));

  command(
    tree,
    'list',
    'list what the library has, and from where',
    'A name is looked for in the project, then in your own library, then among the built-ins.',
  )
    .argument('[kind]', 'workflows, agents, prompts, gates or schemas')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep list', 'lockstep list agents --json'))
    .action(async (kind, options) =>
      ended(await (await import('../commands/list.ts')).list(services, kind, options)),
    );

  command(tree, 'show', 'show a definition, and where it comes from')
    .argument('<name>', 'the name of a workflow, agent, prompt, gate or schema, or a file')
    .option('--kind <kind>', 'workflow, agent, prompt, gate or schema, where several have the name')
    .option('--source', 'its text')
    .addOption(dialectOption())
    .option('--json', 'as JSON')
    .addHelpText('after', examples('lockstep show hello', 'lockstep show reviewer --kind agent --source'))
    .action(async (name, options) =>
      ended(await (await import('../commands/show.ts')).show(services, name, options)),
    );

  command(tree, 'graph', 'draw a workflow', 'As Mermaid, for a README; or as a tree, for the terminal.')
    .argument('<workflow>', 'a name or a file')
    .addOption(new Option('--format <format>', 'how').choices(['mermaid', 'text']).default('mermaid'))
    .addOption(dialectOption())
    .addHelpText('after', examples('lockstep graph hello', 'lockstep graph hello --format text'))
    .action(async (workflow, options) =>
      ended(await (await import('../commands/graph.ts')).graph(services, workflow, options)),
    );

  command(
    tree,
    'convert',
    'print a workflow of another tool in the language of this one',
    'What is printed does the same when it is run. A native workflow is printed as it is.',
  )
    .argument('<workflow>', 'a name or a file')
    .addOption(dialectOption())
    .option('-o, --output <file>', 'write it there instead of printing it')
    .addHelpText(
      'after',
      examples('lockstep convert pipeline.yaml', 'lockstep convert pipeline.yaml -o native.yaml'),
    )
    .action(async (workflow, options) =>
      ended(await (await import('../commands/convert.ts')).convert(services, workflow, options)),
    );

  command(
    tree,
    'test',
    'run the tests of workflows',
    'Each case in a scratch project of its own, with scripted answers: no model is asked, nothing of yours is touched.',
  )
    .argument(
      '[files...]',
      'test files, folders, or workflows with tests beside them; without, all in the project',
    )
    .option('-t, --name <text>', 'only cases with this in their name')
    .option('--junit <file>', 'write the results there as JUnit XML, too')
    .option(
      '-j, --jobs <number>',
      'how many cases are played at once (default: as many as there are processors)',
    )
    .option('--json', 'as JSON, a line for each case')
    .addHelpText(
      'after',
      examples(
        'lockstep test',
        'lockstep test ship -t "review rejects"',
        'lockstep test --junit results.xml',
      ),
    )
    .action(async (files, options) =>
      ended(await (await import('../commands/test.ts')).test(services, files, options)),
    );

  command(
    tree,
    'record',
    'write a test from a run that was',
    'Agents answer as they did, commands come to what they came to without being run; secrets are masked.',
  )
    .argument('[run]', RUN, 'latest')
    .option('-o, --output <file>', 'write it there instead of printing it')
    .addOption(stateDirectory())
    .addHelpText('after', examples('lockstep record latest -o .lockstep/workflows/ship.test.yaml'))
    .action(async (run, options) =>
      ended(await (await import('../commands/record.ts')).record(services, run, options)),
    );

  command(
    tree,
    'schema',
    'print the JSON Schema of a workflow, a script or a test',
    'For completion in editors.',
  )
    .addArgument(
      program.createArgument('[what]', 'of what').choices(['workflow', 'script', 'test']).default('workflow'),
    )
    .addHelpText(
      'after',
      examples(
        'lockstep schema > .lockstep/workflow.schema.json',
        'lockstep schema script > script.schema.json',
      ),
    )
    .action(async (what) => ended(await (await import('../commands/schema.ts')).schema(services, what)));
}

export function addSettingUpCommands(tree: CommandTree): void {
  const { program, services, ended } = tree;
  program.commandsGroup('Set up:');

  command(
    tree,
    'init',
    'write a commented starter workflow, or the hooks of a client',
    'With an agent, a prompt, and a script that runs it without a model. Nothing is overwritten. With --client: hooks, so that live sessions of that client can be held to a workflow; what changes is shown first.',
  )
    .argument('[dir]', 'the project', '.')
    .addOption(new Option('--client <client>', 'put our hooks into its settings').choices([...CLIENTS]))
    .option('--vscode', 'also settings for VS Code, so that it completes and checks workflows')
    .option('--project', 'with --client: into the settings of the project, not those of the user')
    .option('--remove', 'with --client: take them out again; the settings are as they were')
    .option('--no-handoff', 'with --client: let sessions leave nothing to the next one')
    .option('--yes', 'with --client: do not ask')
    .addHelpText(
      'after',
      examples('lockstep init', 'lockstep init my-project', 'lockstep init --client claude'),
    )
    .action(async (dir, options) =>
      ended(
        options.client === undefined
          ? await (await import('../commands/init.ts')).init(services, dir, options)
          : await (await import('../commands/init/client-hooks.ts')).initClient(services, dir, options),
      ),
    );

  command(
    tree,
    'doctor',
    'say what is here, and what is missing',
    'The clients, what each can be held to, git, Node, the disk, the library; and what to do next.',
  )
    .addOption(
      new Option(
        '--canary [client]',
        'let a client try what is denied, and say whether it was denied; asks a model, so name it where several are here',
      ).choices(['claude', 'codex', 'gemini']),
    )
    .option('--model <name>', 'whom the canary asks; without it, whom the client asks by itself')
    .addOption(stateDirectory())
    .option('--json', 'everything, as JSON')
    .addHelpText('after', examples('lockstep doctor', 'lockstep doctor --canary claude --model haiku'))
    .action(async (options) =>
      ended(await (await import('../commands/doctor.ts')).doctor(services, options)),
    );

  command(tree, 'completion', 'print a completion script for your shell')
    .addArgument(program.createArgument('<shell>', 'which').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      examples(
        'lockstep completion bash > ~/.local/share/bash-completion/completions/lockstep',
        'lockstep completion fish > ~/.config/fish/completions/lockstep.fish',
      ),
    )
    .action(async (shell) =>
      ended(await (await import('../commands/completion.ts')).completion(services, shell)),
    );

  program.helpCommand('help [command]', 'show help for a command');
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words) =>
      ended(await (await import('../commands/completion.ts')).complete(services, words, program)),
    );
}

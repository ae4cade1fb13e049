// running: the commands that make a run, or change one.

import { Option } from 'commander';
import { type CommandTree, command, examples, RUN } from './command.ts';
import {
  collect,
  displayOptions,
  driveOptions,
  givenOptions,
  processedOptions,
  stateDirectory,
  testCheckOption,
} from './options.ts';

export function addRunningCommands(tree: CommandTree): void {
  const { program, services, ended } = tree;
  program.commandsGroup('Run a workflow:');

  displayOptions(
    driveOptions(
      processedOptions(
        givenOptions(
          command(
            tree,
            'run',
            'implement a specification, or run any other workflow',
            'Everything is checked first: what is wrong is told at once, and then nothing is made.',
          )
            .argument('[what]', 'a specification (a .md file), or a workflow: its name or its file')
            .option(
              '-w, --workflow <workflow>',
              'what runs the specification (default: spec-implementation); a name or a file',
            ),
        )
          .option('--resume <run>', 'go on with this run instead; the same as `lockstep resume`')
          .option('--working-dir <dir>', 'as if you stood there')
          .option('--dry-run', 'check everything and print the plan; only steps marked `dry_run: true` run')
          .option('--skip-step <id>', 'leave a step out, on record; repeatable', collect)
          .option(
            '--gate <name>',
            'run this gate whatever its `run` says, a manual one too; repeatable',
            collect,
          )
          .option('--skip-checks', 'leave out the steps marked `check: true`, on record')
          .addOption(testCheckOption()),
      ),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'lockstep run SPEC.md                      from a specification to a reviewed branch',
        'lockstep run SPEC.md --dry-run            what would be done, and with what',
        'lockstep run SPEC.md -w my-way.yaml       the same by a workflow of your own',
        'lockstep run hello --input name=Ada       any workflow',
        'lockstep run --resume latest              go on',
      ),
    )
    .action(async (what, options) =>
      ended(await (await import('../commands/run.ts')).run(services, what, options)),
    );

  displayOptions(
    driveOptions(
      givenOptions(
        command(
          tree,
          'run-step',
          'run one step of a workflow alone',
          'What comes before and after it does not run. It is a run of its own, with a journal, logs and state.json.',
        )
          .argument('<step>', 'its id, its name in a foreign file, or its path such as all/say')
          .requiredOption('--workflow <workflow>', 'whose step: a name or a file')
          .option('--item <value>', 'of the loop it is in; repeatable, the outermost first', collect),
      ),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'lockstep run-step show --workflow hello',
        'lockstep run-step Implement --workflow queue.yaml --item inbox/a.task',
      ),
    )
    .action(async (step, options) =>
      ended(await (await import('../commands/run-step.ts')).runStep(services, step, options)),
    );

  displayOptions(
    driveOptions(
      processedOptions(
        givenOptions(
          command(
            tree,
            'watch',
            'run a workflow, and again whenever its files change',
            'Its own file, those it is made of, and those it names without an expression. Ctrl-C ends it.',
          ).argument('<workflow>', 'a name or a file'),
        ),
      ),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'lockstep watch hello --script .lockstep/scripts/hello.yaml',
        'lockstep watch pipeline.yaml --context stage=test',
      ),
    )
    .action(async (workflow, options) =>
      ended(await (await import('../commands/watch.ts')).watch(services, workflow, options)),
    );

  displayOptions(
    driveOptions(
      command(
        tree,
        'resume',
        'go on with a run that stopped',
        'It may have been paused, interrupted, killed, or have failed: what was finished is not done again.',
      )
        .argument('[run]', RUN, 'latest')
        .option('--take-over', 'take the run from a holder on another machine that is known to be dead')
        .option(
          '--limit <name=value>',
          'raise a limit: cost, tokens, turns, visits, duration, step; repeatable',
          collect,
        )
        .option('--rescued', 'go on from journal.rescued.jsonl, after the journal was changed during the run')
        .option('--repair', 'go on from the last entry of the journal that is whole')
        .option('--force-restart', 'start a new run of the file as it is now, with the same inputs'),
    ),
  )
    .addHelpText(
      'after',
      examples(
        'lockstep resume',
        'lockstep resume 20261115T10 --limit cost=30',
        'lockstep resume 20261115T10 --repair',
      ),
    )
    .action(async (run, options) =>
      ended(await (await import('../commands/resume.ts')).resume(services, run, options)),
    );

  displayOptions(
    command(
      tree,
      'answer',
      'answer what a run asks, and let it go on',
      'A run that another process drives goes on there; one that stopped goes on here.',
    )
      .argument('[run]', RUN)
      .argument('[answer]', 'approve, reject, again, accept, fail, a choice, or text')
      .option('--step <path>', 'which question, where several are open')
      .option('--shown <digest>', 'only if this is still what is asked about, as the question shows it')
      .option('--choose <number>', 'the choice with this number, counted from 1')
      .option('--text <text>', 'this text, whatever it looks like')
      .option('--note <text>', 'why; goes to the agent and on record')
      .option('--no-resume', 'leave the answer; do not go on now'),
  )
    .addHelpText(
      'after',
      examples(
        'lockstep answer approve',
        'lockstep answer latest reject --note "too long"',
        'lockstep answer 20261115T10 --step plan again',
      ),
    )
    .action(async (run, answer, options) =>
      ended(await (await import('../commands/answer.ts')).answer(services, run, answer, options)),
    );

  command(
    tree,
    'signal',
    'send a signal that a `wait` step waits for',
    'One that comes before the wait is kept for it.',
  )
    .argument('<run>', RUN)
    .argument('<name>', 'the name of the signal')
    .option('--data <json>', 'what the waiting step gets as its output')
    .addOption(stateDirectory())
    .addHelpText(
      'after',
      examples(
        'lockstep signal latest deployed',
        `lockstep signal latest deployed --data '{"url": "https://…"}'`,
      ),
    )
    .action(async (run, name, options) =>
      ended(await (await import('../commands/signal.ts')).signal(services, run, name, options)),
    );

  command(
    tree,
    'handover',
    'let somebody else take the turns of a run',
    'What runs is let finish, and nothing new begins. With `--to guide` a client is led on from there (lockstep mcp); with `--to guard` a live session is held to it; with `--to run` Lockstep starts the agents itself (lockstep resume).',
  )
    .argument('[run]', RUN, 'latest')
    .addOption(
      new Option('--to <drive>', 'who goes on').choices(['guide', 'guard', 'run']).makeOptionMandatory(),
    )
    .option('--why <text>', 'the reason, for the record')
    .addOption(stateDirectory())
    .addHelpText('after', examples('lockstep handover --to guide', 'lockstep handover 20261115T10 --to run'))
    .action(async (run, options) =>
      ended(await (await import('../commands/handover.ts')).handover(services, run, options)),
    );

  command(tree, 'cancel', 'end a run for good', 'What runs is ended first; it cannot be resumed.')
    .argument('[run]', RUN, 'latest')
    .option('--why <text>', 'the reason, for the record')
    .addOption(stateDirectory())
    .addHelpText('after', examples('lockstep cancel', 'lockstep cancel 20261115T10 --why "wrong branch"'))
    .action(async (run, options) =>
      ended(await (await import('../commands/cancel.ts')).cancel(services, run, options)),
    );
}

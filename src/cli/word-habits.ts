// word-habits: words on the command line that people type who know another tool, and what they should have typed.

import type { CommanderError } from 'commander';

/** What goes behind an error of the command line; undefined: that error says enough. */
export function wordHint(
  args: readonly string[],
  { code }: Pick<CommanderError, 'code'>,
): string | undefined {
  const [command = '', ...words] = args;
  switch (code) {
    case 'commander.unknownCommand':
      return Object.hasOwn(COMMANDS, command) ? `Type: lockstep ${COMMANDS[command]}` : undefined;
    case 'commander.excessArguments':
    case 'commander.unknownOption':
      return RUNNING.includes(command) ? inputHint(command, words) : undefined;
    default:
      return undefined;
  }
}

const RUNNING = ['run', 'run-step', 'watch'];

/** `run wf n=3`, `run wf --n=3` and `run wf --n 3` give an input. */
function inputHint(command: string, words: readonly string[]): string | undefined {
  const inputs: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const pair = /^(?:--)?([A-Za-z_][\w-]*)=(.*)$/.exec(word);
    const isOurs = word.startsWith('-') && OURS.has(word.replace(/^--?/, '').replace(/=.*$/, ''));
    if (isOurs) {
      rest.push(word);
      if (!word.includes('=') && words[at + 1] !== undefined && TAKES.has(word.replace(/^--?/, ''))) {
        at += 1;
        rest.push(typed(words[at] as string));
      }
    } else if (pair !== null) inputs.push(`--input ${typed(`${pair[1]}=${pair[2]}`)}`);
    else if (word.startsWith('--') && words[at + 1] !== undefined && !words[at + 1]?.startsWith('-')) {
      at += 1;
      inputs.push(`--input ${typed(`${word.slice(2)}=${words[at]}`)}`);
    } else rest.push(typed(word));
  }
  return inputs.length === 0 ? undefined : `Type: lockstep ${[command, ...rest, ...inputs].join(' ')}`;
}

/** Options of commands that run something; the first take a value. */
const TAKES = new Set(
  'w workflow i input input-file context context-file var script model dialect resume working-dir skip-step gate on-error max-retries retry-delay log-level state-dir item'.split(
    ' ',
  ),
);
const OURS = new Set([
  ...TAKES,
  ...'dry-run skip-checks clean-processed archive-processed progress debug trace backup-state json q quiet v verbose'.split(
    ' ',
  ),
]);

function typed(word: string): string {
  return /^[\w./=@:,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export const COMMANDS: Readonly<Record<string, string>> = {
  start: 'run WORKFLOW',
  exec: 'run WORKFLOW',
  execute: 'run WORKFLOW',
  up: 'run WORKFLOW',
  launch: 'run WORKFLOW',
  trigger: 'run WORKFLOW',
  submit: 'run WORKFLOW',
  implement: 'run SPEC.md',
  ls: 'list',
  workflows: 'list workflows',
  lint: 'validate WORKFLOW',
  check: 'validate WORKFLOW',
  ps: 'runs',
  history: 'runs',
  jobs: 'runs',
  retry: 'resume',
  continue: 'resume',
  restart: 'resume RUN --force-restart',
  rerun: 'resume RUN --force-restart',
  stop: 'cancel',
  kill: 'cancel',
  abort: 'cancel',
  terminate: 'cancel',
  down: 'cancel',
  approve: 'answer approve',
  reject: 'answer reject',
  reply: 'answer',
  respond: 'answer',
  log: 'logs',
  tail: 'logs --follow',
  describe: 'status',
  get: 'status',
  inspect: 'show NAME',
  new: 'init',
  create: 'init',
  setup: 'init',
  plan: 'run WORKFLOW --dry-run',
  migrate: 'convert WORKFLOW',
  translate: 'convert WORKFLOW',
  prune: 'clean',
  gc: 'clean',
  serve: 'mcp',
  version: '--version',
};

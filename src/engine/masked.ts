// masked: values in which a secret was masked. `***` in a prompt or a question is harmless; in a command, a path or a
// name it would do something else than was meant, with exit code 0. So a step that would use one there fails instead.
// Owns: which fields of a journal entry are values, and which fields of an effect must be exact. Never: masks anything.

import type { Command, Perform } from '../model/command.ts';
import type { Entry, Failure, Outcome } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import { hasMark, withMarks, withoutMarks } from '../model/mask-mark.ts';
import type { OpenStep, State } from '../model/state.ts';
import { partOf } from './part.ts';

/** What expressions can see of an entry. A question is for people, and the end of a run for nobody inside it. */
const VALUES = ['answer', 'data', 'error', 'facts', 'inputs', 'items', 'output', 'reasons', 'values', 'vars'];
const FOR_PEOPLE: ReadonlySet<string> = new Set(['question-asked', 'run-completed', 'run-failed']);

/** The entry as it is folded: masks are marked where the journal says that they are masks. */
export function entryWithMarks(state: State, entry: Entry): Entry {
  if (entry.kind === 'attempt-finished') {
    if (!entry.outcome.masked) return entry;
    state.masked = true;
    return { ...entry, outcome: outcomeWithMarks(entry.outcome) };
  }
  if (!entry.masked || FOR_PEOPLE.has(entry.kind)) return entry;
  state.masked = true;
  const marked = VALUES.filter((name) => name in entry).map((name) => [
    name,
    withMarks((entry as unknown as JsonObject)[name]),
  ]);
  return { ...entry, ...(Object.fromEntries(marked) as object) };
}

function outcomeWithMarks(outcome: Outcome): Outcome {
  const { output, stderr, error } = outcome;
  return {
    ...outcome,
    output: withMarks(output),
    ...(stderr !== undefined && { stderr: withMarks(stderr) }),
    ...(error !== undefined && { error: withMarks(error) }),
  };
}

/** The command without marks, or the failure of the step that wanted it. An action that cannot be done is passed over. */
export function refuseMasks(open: OpenStep, command: Command): Command {
  const { perform } = command;
  if (perform === undefined) return command;
  const exact = exactTexts(perform).find(([, text]) => hasMark(text));
  if (exact === undefined) return { ...command, perform: forAgents(perform) };
  const error = failureOf(open, exact);
  const { path } = open;
  const { part } = perform;
  const isAction = part !== undefined && ['enter', 'exit', 'do'].includes(partOf(part)?.stage ?? '');
  if (isAction)
    return { entry: { kind: 'action-passed', path, part, why: `${error.message}. ${error.hint}` } };
  return { entry: { kind: 'step-failed', path, error, exit_code: 2 } };
}

/** Everything that names a file, a command or a signal, with what to call it. */
function exactTexts(perform: Perform): [what: string, text: string][] {
  switch (perform.kind) {
    case 'run-command': {
      const { command, stdin } = perform;
      const words = command.kind === 'shell' ? [command.line] : command.argv;
      return [...each('the command', words), ...each('`stdin`', listOf(stdin)), ...ofDispatch(perform)];
    }
    case 'check-tests': {
      const { command, install } = perform;
      const words = command.kind === 'shell' ? [command.line] : command.argv;
      return [...each('the command', [...words, install]), ...ofDispatch(perform)];
    }
    case 'run-agent':
    case 'hand-out': {
      const { prompt, params } = perform;
      const file = prompt.kind === 'file' ? prompt.path : undefined;
      return [
        ...each('the path of the prompt', listOf(file)),
        ...each('`params`', [JSON.stringify(params)]),
        ...ofDispatch(perform),
      ];
    }
    case 'weigh-claim':
      return ofDispatch(perform);
    case 'call-handler':
      return [
        ...Object.entries(perform.with)
          .filter(([name]) => !isData(perform.handler, name))
          .map(([name, value]): [string, string] => [`\`with.${name}\``, JSON.stringify(value)]),
        ...ofDispatch(perform),
      ];
    case 'wait-files':
      return each('the files waited for', perform.files);
    case 'wait-signal':
      return each('the name of the signal', [perform.signal]);
    case 'observe':
      return each(
        'the pattern of files',
        perform.needs.map(({ pattern }) => pattern),
      );
    case 'open-worktree':
      return each('the worktree', [perform.worktree.path, perform.worktree.branch]);
    case 'wait-time':
    case 'sleep':
    case 'cancel':
      return [];
  }
}

type Dispatched = Extract<
  Perform,
  { kind: 'run-command' | 'check-tests' | 'run-agent' | 'hand-out' | 'weigh-claim' | 'call-handler' }
>;

function ofDispatch({ saveTo, reads, schemaFile, env }: Dispatched): [string, string][] {
  return [
    ...each('`save_to`', listOf(saveTo)),
    ...each('`reads`', [...(reads?.files ?? []), ...(reads?.optional ?? [])]),
    ...each('the path of the schema', listOf(schemaFile)),
    ...each('`env`', Object.values(env)),
  ];
}

/** Handlers that keep what they are given as text; what the others are given names files or is a call. */
const KEEPERS: ReadonlySet<string> = new Set(['noop', 'create-issues', 'persist-tasks', 'save-checkpoint']);

function isData(handler: string, field: string): boolean {
  return KEEPERS.has(handler) || (handler === 'write-file' && field === 'content');
}

/** Words for an agent, and texts that a handler keeps, have the stars alone. */
function forAgents(perform: Perform): Perform {
  const plain = withoutMarks(perform);
  return plain.kind === 'call-handler' && plain !== perform ? { ...plain, masked: true } : plain;
}

function failureOf(open: OpenStep, [what, text]: [string, string]): Failure {
  const shown = withoutMarks(text);
  const values = maskedValues(open);
  const from = values.length > 0 ? ` (masked values here: ${values.join(', ')})` : '';
  return {
    class: 'expression',
    message: `${what} would hold a secret that was masked: ${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}${from}`,
    hint: 'What was printed of a secret is not on record. Name the secret in `secrets` of this step, and let its command read the variable.',
    details: { masked: values },
  };
}

const MOST_NAMED = 8;

/** As expressions name them, the nearest first. */
function maskedValues(open: OpenStep): string[] {
  const found = new Set<string>();
  const look = (name: string, value: unknown) => {
    if (value !== undefined && withoutMarks(value) !== value) found.add(name);
  };
  for (let scope: OpenStep['scope'] | undefined = open.scope; scope; scope = scope.parent) {
    for (const [id, { output, stderr, error }] of scope.steps) {
      look(`steps.${id}.output`, output);
      look(`steps.${id}.stderr`, stderr);
      look(`steps.${id}.error`, error);
    }
    for (const [name, value] of scope.names) look(name, value);
    for (const [name, value] of scope.vars) look(`vars.${name}`, value);
    for (const [name, value] of Object.entries(scope.inputs)) look(`inputs.${name}`, value);
  }
  return [...found].slice(0, MOST_NAMED);
}

function each(what: string, texts: readonly string[]): [string, string][] {
  return texts.map((text) => [what, text]);
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

// settings: what a workflow says about itself, with every default filled in (rule 12).

import { GIT_CHECK_NAMES } from '../../model/git-checks.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type {
  CommandProvider,
  Guard,
  InputDeclaration,
  InputFinder,
  InputType,
  Limits,
  Policy,
  Reference,
} from '../../model/workflow.ts';
import { headSpan, type Node, setKey, stringOf, toJson } from '../../source/read/node.ts';
import type { Compilation } from '../compilation.ts';
import { booleanOf, choiceOf, durationOf, itemsOf, numberOf, present, writtenOf } from './values.ts';

const VISITS = 50;
const STOP_BLOCKS = 5;
const PAUSED_EXIT = 3;

export function lowerInputs(
  node: Node | undefined,
  compilation: Compilation,
): Record<string, InputDeclaration> {
  const { to } = compilation;
  const inputs: Record<string, InputDeclaration> = {};
  if (node?.kind !== 'map') return inputs;
  for (const { key, value } of node.entries.values()) {
    if (!to.fits(value)) continue;
    const type = choiceOf<InputType>(to.get(value, 'type')) ?? 'string';
    const [fallback, choices] = [to.get(value, 'default'), to.get(value, 'choices')];
    const find = to.get(value, 'find');
    const input: InputDeclaration = present({
      type,
      description: stringOf(to.get(value, 'description')),
      default: fallback && toJson(fallback),
      required: booleanOf(to.get(value, 'required')) === false ? (false as const) : undefined,
      choices: choices && (toJson(choices) as Json[]),
      find: choiceOf<InputFinder>(find),
      by: choiceOf(to.get(value, 'by')) === 'person' ? ('person' as const) : undefined,
    });
    if (to.get(value, 'type') !== undefined) checkInput(key, input, fallback, choices, compilation);
    if (find && type !== 'string' && type !== 'any')
      compilation.report.error(
        'wrong-type',
        headSpan(find),
        `what is found for the input "${key}" is a string, and it is a ${type}`,
        'Write `type: string`.',
      );
    setKey(inputs, key, compilation.place(input, value));
  }
  return inputs;
}

function checkInput(
  name: string,
  { type, choices }: InputDeclaration,
  fallback: Node | undefined,
  allowed: Node | undefined,
  { report }: Compilation,
): void {
  for (const node of [...(fallback ? [fallback] : []), ...itemsOf(allowed)]) {
    const value = toJson(node);
    if (!isOfType(value, type)) {
      report.error('wrong-type', headSpan(node), `the input "${name}" is a ${type}, and this is not`);
    } else if (node === fallback && choices && !choices.some((choice) => sameJson(choice, value))) {
      report.error('bad-choice', headSpan(node), `the default of "${name}" is not one of its choices`);
    }
  }
}

/** Whether a value may be given for an input; a file is given by its path. */
export function isOfType(value: Json, type: InputType): boolean {
  switch (type) {
    case 'string':
    case 'file':
      return typeof value === 'string';
    case 'any':
      return true;
    case 'list':
      return Array.isArray(value);
    case 'map':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function sameJson(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function lowerVars(node: Node | undefined, { to }: Compilation): JsonObject {
  const vars: JsonObject = {};
  if (node?.kind !== 'map') return vars;
  for (const { key, value } of node.entries.values()) if (to.fits(value)) setKey(vars, key, toJson(value));
  return vars;
}

export function lowerLimits(node: Node | undefined, { to }: Compilation): Limits {
  const get = (key: string) => to.get(node, key);
  return present({
    duration: durationOf(get('duration')),
    step: durationOf(get('step')),
    cost: numberOf(get('cost')),
    tokens: numberOf(get('tokens')),
    turns: numberOf(get('turns')),
    visits: numberOf(get('visits')) ?? VISITS,
    stopBlocks: numberOf(get('stop_blocks')) ?? STOP_BLOCKS,
  });
}

export function lowerGuard(node: Node | undefined, { to }: Compilation): Guard {
  return {
    unenforceable: choiceOf<Guard['unenforceable']>(to.get(node, 'unenforceable')) ?? 'error',
    engineDown: choiceOf<Guard['engineDown']>(to.get(node, 'engine_down')) ?? 'block',
  };
}

export function lowerPolicy(node: Node | undefined, { to }: Compilation): Policy {
  const dirs = to.get(node, 'dirs');
  const git = to.get(node, 'git');
  const without = GIT_CHECK_NAMES.filter((check) => booleanOf(to.get(git, check)) === false);
  return present({
    onChanged: choiceOf<Policy['onChanged']>(to.get(node, 'on_changed')) ?? 'pinned',
    state: choiceOf<Policy['state']>(to.get(node, 'state')) ?? 'coalesced',
    keepStdout: choiceOf<Policy['keepStdout']>(to.get(node, 'keep_stdout')) ?? 'always',
    pausedExit: numberOf(to.get(node, 'paused_exit')) ?? PAUSED_EXIT,
    branchPrefix: stringOf(to.get(node, 'branch_prefix')),
    dirs: present({
      inbox: stringOf(to.get(dirs, 'inbox')),
      processed: stringOf(to.get(dirs, 'processed')),
      failed: stringOf(to.get(dirs, 'failed')),
      taskExtension: stringOf(to.get(dirs, 'task_extension')),
    }),
    globs: choiceOf<NonNullable<Policy['globs']>>(to.get(node, 'globs')),
    secrets: choiceOf<NonNullable<Policy['secrets']>>(to.get(node, 'secrets')),
    withoutGit: without.length > 0 ? without : undefined,
  });
}

export function lowerReferences(node: Node | undefined, { to }: Compilation): Reference[] {
  return itemsOf(node)
    .filter(to.fits)
    .map((item) =>
      present({
        id: stringOf(to.get(item, 'id')) ?? '',
        title: stringOf(to.get(item, 'title')),
        source: stringOf(to.get(item, 'source')) ?? '',
        purpose: stringOf(to.get(item, 'purpose')),
        authoritative: booleanOf(to.get(item, 'authoritative')),
        from: choiceOf<Reference['from']>(to.get(item, 'from')) ?? 'workspace',
      }),
    );
}

export function lowerProviders(
  node: Node | undefined,
  compilation: Compilation,
): Record<string, CommandProvider> {
  const { to } = compilation;
  const providers: Record<string, CommandProvider> = {};
  if (node?.kind !== 'map') return providers;
  for (const { key, value } of node.entries.values()) {
    if (!to.fits(value)) continue;
    const defaults = to.get(value, 'defaults');
    const provider: CommandProvider = {
      command: itemsOf(to.get(value, 'command')).flatMap((item) => writtenOf(item) ?? []),
      input: choiceOf<CommandProvider['input']>(to.get(value, 'input')) ?? 'argv',
      defaults: defaults === undefined ? {} : (toJson(defaults) as JsonObject),
    };
    setKey(providers, key, compilation.place(provider, value));
  }
  return providers;
}

// variables: what that language gives every text and condition without a step having said it, in ours.

import type { Json } from '../../model/json.ts';
import { member } from '../native-text.ts';

/** `spec` has three fields of its own; any other is one of the front matter of the file. */
const SPEC: Readonly<Record<string, string>> = {
  title: 'inputs.spec.title',
  id: 'default(inputs.spec.data.id, inputs.spec.title)',
  content: 'inputs.spec.body',
};

const CHANGED = 'changed("**")';

const PLAIN = new Map([
  ['specPath', 'inputs.spec.absolute'],
  ['worktreePath', 'run.workspace'],
  ['sessionId', 'run.id'],
  ['branchName', 'run.branch'],
  // Where there is no git nobody can tell; a check then has no answer.
  ['changedFiles', `(run.branch == "" ? [] : ${CHANGED})`],
]);

/** Only inside `per-task`. */
const OF_TASK = new Map([
  ['taskIndex', 'pass.each.index'],
  ['taskCount', 'pass.each.total'],
]);

export const VARIABLES: readonly string[] = ['spec', ...PLAIN.keys(), 'task', ...OF_TASK.keys()];

/** Outside of `per-task` the specification is the one task there is. */
const SPEC_AS_TASK: Readonly<Record<string, string>> = {
  id: SPEC.id as string,
  title: SPEC.title as string,
  description: SPEC.content as string,
  requirements: '[]',
  dependencies: '[]',
};

/** The value as CEL, members included. undefined: it is no such variable here. `task` is one of `each`, inside of it. */
export function variable(
  root: string,
  keys: readonly string[],
  { inTask, isCheck = false }: { inTask: boolean; isCheck?: boolean },
): string | undefined {
  if (isCheck && root === 'changedFiles') return keys.reduce(member, CHANGED);
  if (root === 'spec') return ofFields(SPEC, keys) ?? keys.reduce(member, 'inputs.spec.data');
  if (root === 'task') return inTask ? keys.reduce(member, 'task') : ofTask(keys);
  const found = PLAIN.get(root) ?? (inTask ? OF_TASK.get(root) : undefined);
  return found === undefined ? undefined : keys.reduce(member, found);
}

function ofTask(keys: readonly string[]): string {
  return ofFields(SPEC_AS_TASK, keys) ?? keys.reduce(member, 'inputs.spec.data');
}

/** The field, or all of them as a map. */
function ofFields(fields: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined {
  const [first, ...rest] = keys;
  if (first === undefined)
    return `{${Object.entries(fields)
      .map(([key, cel]) => `"${key}": ${cel}`)
      .join(', ')}}`;
  return Object.hasOwn(fields, first) ? rest.reduce(member, fields[first] as string) : undefined;
}

/** The whole of it, as a value that a step gives to a text; maps are written out, so that `convert` can be read. */
export function variableValue(root: string, { inTask }: { inTask: boolean }): Json | undefined {
  if (root === 'spec') return filled(SPEC);
  if (root === 'task' && !inTask) return filled(SPEC_AS_TASK);
  const cel = variable(root, [], { inTask });
  return cel === undefined ? undefined : `{{ ${cel.replace(/^\((.*)\)$/, '$1')} }}`;
}

function filled(fields: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([key, cel]) => [key, cel === '[]' ? [] : `{{ ${cel} }}`]),
  );
}

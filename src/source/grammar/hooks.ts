// hooks: what a table of fields cannot say.

import { HANDLERS } from '../../model/handlers.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { headSpan, type MapNode, type Node, nodeSpan, type ScalarNode, stringOf } from '../read/node.ts';
import { checkComment } from './comment.ts';
import type { Conforming } from './conform.ts';
import { parseEach } from './each.ts';
import { checkArguments } from './handler-arguments.ts';
import { nameProblem } from './name.ts';

type Hook = (node: MapNode, to: Conforming) => void;

export const HOOKS: Readonly<Record<string, Hook>> = {
  workflow(node, to) {
    if (to.entry(node, 'steps') !== undefined || to.entry(node, 'events') !== undefined) return;
    to.report.error(
      'missing-field',
      headSpan(node),
      'a workflow needs `steps`',
      'Or `events`, where it only watches a live session.',
    );
  },
  step(node, to) {
    checkEach(node, to);
    checkTries(node, to);
    checkCall(node, to);
    checkCommand(to.get(node, 'run'), to);
    checkCommand(to.get(to.get(node, 'done'), 'run'), to);
    checkCapture(to.get(node, 'capture'), to);
    checkSchema(node, to);
    checkNext(to.get(node, 'next'), to);
    checkBranch(node, to);
  },
  action(node, to) {
    checkCall(node, to);
    checkCommand(to.get(node, 'run'), to);
  },
  input(node, to) {
    const required = to.get(node, 'required');
    if (required === undefined || to.entry(node, 'default') === undefined) return;
    to.report.error(
      'field-not-here',
      headSpan(required),
      '`required` says nothing beside `default`: an input with a default is never missing',
      'Leave one of them out.',
    );
  },
  requirement: checkRequirement,
  gate(node, to) {
    checkCall(node, to);
    checkCommand(to.get(node, 'command'), to, '`command`');
  },
};

/** RFC 6901. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

function checkRequirement(node: MapNode, to: Conforming): void {
  const pointer = to.get(node, 'pointer');
  if (pointer !== undefined && !POINTER.test(stringOf(pointer) ?? '')) {
    to.report.error(
      'bad-requirement',
      nodeSpan(pointer),
      `"${stringOf(pointer)}" is not a JSON pointer`,
      'It is empty, or every part of it starts with `/`: `/issues/0/title`. `~` is written `~0`, and `/` in a name `~1`.',
    );
  }
  const exists = to.get(node, 'exists');
  const compared = to.entry(node, 'equals') ?? to.entry(node, 'type');
  if (compared === undefined || exists?.kind !== 'scalar' || exists.value !== false) return;
  to.report.error(
    'bad-requirement',
    nodeSpan(compared.keyNode),
    `what must not be there has no value, so \`${compared.key}\` says nothing`,
    'Leave one of them out.',
  );
}

function checkEach(node: MapNode, to: Conforming): void {
  const each = to.get(node, 'each');
  const parts = parseEach(stringOf(each) ?? '');
  if (each === undefined || parts === undefined) return;
  const problem = nameProblem(parts.name, 'binding');
  if (problem === undefined) return;
  to.report.error('bad-name', nodeSpan(each), `\`each\`: ${problem.message}`, problem.hint);
  to.bad(each);
}

/** Only a prompt can be sent back with reasons: the rest would do the same again (rule 4). */
function checkTries(node: MapNode, to: Conforming): void {
  const tries = to.get(to.get(node, 'done'), 'tries');
  if (tries?.kind !== 'scalar' || Number(tries.value) <= 1 || to.entry(node, 'prompt') !== undefined) return;
  to.report.error(
    'tries-not-here',
    nodeSpan(tries),
    'only a `prompt` may have more than one try',
    'A command that fails is dispatched again with `retry`; several steps are repeated with `loop`.',
  );
}

function checkCall(node: MapNode, to: Conforming): void {
  const call = to.get(node, 'call');
  const name = stringOf(call);
  if (call === undefined || name === undefined) return;
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (handler === undefined) {
    const names = Object.keys(HANDLERS);
    to.report.error(
      'unknown-handler',
      nodeSpan(call),
      `there is no handler "${name}"`,
      didYouMean(name, names) ?? `There are ${names.join(', ')}.`,
    );
    to.bad(call);
    return;
  }
  checkArguments(name, handler, call, to.get(node, 'with'), to);
}

/** A shell line that a comment has cut leaves a quote open. */
function checkCommand(command: Node | undefined, to: Conforming, field = '`run`'): void {
  if (command?.kind === 'scalar' && command.comment !== undefined)
    checkComment(command, 'command', field, to);
}

/** Lines are counted, bytes are measured. */
function checkCapture(capture: Node | undefined, to: Conforming): void {
  const limit = to.get(capture, 'limit') as ScalarNode | undefined;
  if (limit === undefined || stringOf(to.get(capture, 'as')) !== 'lines' || typeof limit.value === 'number')
    return;
  to.report.error(
    'bad-size',
    nodeSpan(limit),
    '`limit` of `lines` is a number of lines, not a size',
    'Write for example `limit: 10000`.',
  );
  to.bad(limit);
}

/** Only what is dispatched is held against a schema, and a schema is about JSON. */
function checkSchema(node: MapNode, to: Conforming): void {
  const done = to.get(node, 'done');
  const [schema, require] = [to.entry(done, 'schema'), to.entry(done, 'require')];
  const capture = to.get(node, 'capture');
  const as = stringOf(capture?.kind === 'map' ? to.get(capture, 'as') : capture) ?? 'text';
  const isDispatched = ['prompt', 'run', 'call'].some((verb) => to.entry(node, verb) !== undefined);
  for (const entry of [schema, require]) {
    if (entry === undefined) continue;
    if (to.entry(node, 'run') !== undefined && as !== 'json') {
      to.report.error(
        'schema-not-here',
        nodeSpan(entry.keyNode),
        `\`${entry.key}\` is about JSON, and the output of this command is read as ${as}`,
        'Write `capture: json`.',
      );
    } else if (entry === schema && !isDispatched) {
      to.report.error(
        'schema-not-here',
        nodeSpan(entry.keyNode),
        '`schema` is for what a prompt, a command or a handler answers',
        'Use `require` or `that`, or put the schema on the step inside.',
      );
    }
  }
}

function checkBranch(node: MapNode, to: Conforming): void {
  const branch = to.get(node, 'branch');
  if (branch === undefined || stringOf(to.get(node, 'workspace')) === 'worktree') return;
  to.report.error(
    'field-not-here',
    headSpan(branch),
    '`branch` is of a worktree, and this step has none',
    'Write `workspace: worktree` beside it.',
  );
}

/** One that neither goes anywhere nor does anything was left half written. */
function checkNext(next: Node | undefined, to: Conforming): void {
  if (next?.kind !== 'list') return;
  for (const item of next.items) {
    if (item.kind !== 'map' || to.entry(item, 'goto') !== undefined || to.entry(item, 'do') !== undefined)
      continue;
    to.report.error('missing-field', headSpan(item), 'an item of `next` needs `goto` or `do`');
  }
}
